package chart_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/display/chart"
)

func context() *nv.Context { return nv.NewContext(nv.ContextOptions{Backend: "reference"}) }

// check renders p as SVG and PNG, checks both, and returns the SVG. If the environment variable CHART_OUT is set, it
// writes them to that folder, for people to look at.
func check(t *testing.T, name string, p *plot.Plot) (svg string) {
	t.Helper()
	b := display.Render(p)
	svg, _ = b.Data[display.MIMESVG].(string)
	if !strings.Contains(svg, "<svg") || strings.Contains(svg, "<text") || strings.Contains(svg, "NaN") {
		t.Errorf("%s: svg of %d bytes with text that needs a font, or NaN", name, len(svg))
	}
	data, err := base64.StdEncoding.DecodeString(b.Data[display.MIMEPNG].(string))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || img.Bounds().Dx() < 400 {
		t.Errorf("%s: png %v", name, err)
	}
	if dir := os.Getenv("CHART_OUT"); dir != "" {
		_ = os.WriteFile(dir+"/"+name+".png", data, 0o644)
		_ = os.WriteFile(dir+"/"+name+".svg", []byte(svg), 0o644)
	}
	return svg
}

func TestCharts(t *testing.T) {
	ctx := context()
	ys := []float64{3, 1, 4, 1, 5, math.NaN(), 9, 2, 6}
	one := check(t, "line", chart.Line(ys))
	if two := check(t, "lines", chart.Line([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, ys)); one != two {
		t.Error("ys over 0, 1, 2 ... is another plot than the same with xs")
	}
	x := ctx.New([]float32{3, 1, 4, 1, 5})
	if check(t, "tensor", chart.Line(x)) != check(t, "slice", chart.Line([]float64{3, 1, 4, 1, 5})) {
		t.Error("a tensor and a slice of the same values differ")
	}
	check(t, "scalars", chart.Line([]nv.Tensor{ctx.Scalar(1.0), ctx.Scalar(2.0)}))
	check(t, "scatter", chart.Scatter(x, x))
	check(t, "hist", chart.Hist([]float64{1, 2, 2, 3, 3, 3, 4}, chart.Bins(4)))
	check(t, "heat", chart.Heat(ctx.New([][]float64{{1, 2, 3}, {4, 5, 6}})))
	check(t, "constant", chart.Heat(ctx.New([][]float64{{1, 1}})))
	check(t, "empty", chart.Line([]float64{}))
	check(t, "empty log", chart.Line([]float64{}, chart.LogX(), chart.LogY()))
	check(t, "log of nothing positive", chart.Scatter([]float64{-1, 0}, chart.LogY()))
	check(t, "empty hist", chart.Hist([]float64{}))
}

// TestKinds draws each kind of chart with options, several series and each kind of data.
func TestKinds(t *testing.T) {
	ctx := context()
	xs := ctx.Linspace(0.1, 10.0, 40)
	ys, zs := xs.Sin(), xs.Cos().Mul(0.5)
	named := chart.Legend("sine", "half a cosine")
	labels := chart.Labels("time in s", "amplitude")
	check(t, "several", chart.Line(xs, ys, zs, chart.Title("Waves"), labels, named))
	check(t, "several scatter", chart.Scatter(xs, ys, zs, named))
	check(t, "stem", chart.Stem(xs, ys, zs, named, labels))
	check(t, "columns of a matrix", chart.Line(ctx.New([][]float64{{1, 4, 2}, {2, 3, 2}, {3, 1, 5}})))
	check(t, "log", chart.Line([]float64{1, 10, 100, 1000}, []float64{0, 1, 1e-3, 1e-6}, chart.LogX(), chart.LogY()))
	check(t, "bar", chart.Bar([]string{"a", "b", "c"}, []int{1, -2, 3}, []int{2, 2, 2}, []int{1, 1, 3}, chart.Legend("x", "y", "z")))
	check(t, "hists", chart.Hist(ys, zs, named, chart.Bins(10)))
	check(t, "hist log", chart.Hist(ys, chart.LogY()))
	check(t, "box", chart.Box(ys, zs, []int{1, 2, 3, 9}, named))
	check(t, "errors", chart.ErrorBars([]int{1, 2, 3}, []float64{2, 3, 2.5}, []float64{0.5, 0.2, 1}, labels))
	check(t, "func", chart.Func(math.Sin, math.Cos, 0, 6.0, chart.Legend("sin", "cos")))
	check(t, "func log", chart.Func(math.Sqrt, 1, 1000, chart.LogX()))
	field := ctx.New([][]float64{{0, 1, 2, 3}, {1, 3, 5, 4}, {2, 5, 9, 6}, {1, 2, 4, 3}})
	check(t, "contour", chart.Contour(field))
	check(t, "contour at", chart.Contour([]float64{0, 1, 2, 3}, []float64{0, 2, 4, 6}, field, chart.Bins(5)))
	check(t, "heat of slices", chart.Heat([][]float64{{1, math.NaN()}, {3, 4}}, chart.Title("Confusion"), chart.Labels("predicted", "true")))
	if svg := check(t, "image", chart.Image(image.NewGray(image.Rect(0, 0, 28, 14)), chart.Title("black"))); !strings.Contains(svg, "data:image/png;base64,iVBOR") {
		t.Error("the picture in the drawing does not say that it is a PNG")
	}
	table := ctx.NewTable([]string{"species", "length", "width"}, []string{"a", "b", "c"}, []float64{1, 2, 3}, []float64{4, 5, 7})
	check(t, "columns", chart.Line(table.Col("length"), table.Col("width"), table.Col("length")))
	check(t, "bar of columns", chart.Bar(table.Col("species"), table.Col("width")))

	grid := display.Render(chart.Grid(2, chart.Line(ys), chart.Hist(ys), chart.Box(ys)))
	if svg, _ := grid.Data[display.MIMESVG].(string); strings.Count(grid.Text(), "plot") != 3 || !strings.Contains(svg, "<svg") {
		t.Errorf("grid: %q, svg of %d bytes", grid.Text(), len(svg))
	}
	if dir := os.Getenv("CHART_OUT"); dir != "" {
		data, _ := base64.StdEncoding.DecodeString(grid.Data[display.MIMEPNG].(string))
		_ = os.WriteFile(dir+"/grid.png", data, 0o644)
	}
}

// TestSize checks that the drawing of a million points has a bounded size and the same extremes.
func TestSize(t *testing.T) {
	ys := make([]float64, 1000000)
	for i := range ys {
		ys[i] = math.Sin(float64(i) / 1000)
	}
	ys[123456] = 50
	p := chart.Line(ys)
	if p.Y.Max != 50 {
		t.Errorf("the highest point is lost: %v", p.Y.Max)
	}
	if n := len(check(t, "long", p)); n > 200000 {
		t.Errorf("svg of %d bytes", n)
	}
	s := chart.Scatter(ys)
	if want := "(2000 of 1000000 points)"; s.X.Label.Text != want {
		t.Errorf("the axis is %q, want %q", s.X.Label.Text, want)
	}
}

// TestNumbers checks that the kind of the numbers does not change a chart.
func TestNumbers(t *testing.T) {
	ctx := context()
	draw := func(data any) string {
		svg, _ := display.Render(chart.Line(data)).Data[display.MIMESVG].(string)
		return svg
	}
	want := draw([]float64{1, 2, 4})
	if want == draw([]float64{1, 2, 5}) {
		t.Fatal("other numbers give the same chart")
	}
	for _, data := range []any{
		[]int{1, 2, 4}, []uint8{1, 2, 4}, [3]uint64{1, 2, 4}, []float32{1, 2, 4},
		[]any{1, 2.0, uint16(4)}, []any{ctx.Scalar(1), int8(2), ctx.New([]int{4})},
		[]nv.Tensor{ctx.Scalar(1), ctx.Scalar(2), ctx.Scalar(4)}, ctx.New([]int32{1, 2, 4}), ctx.New([]float64{1, 2, 4}),
	} {
		if draw(data) != want {
			t.Errorf("%T gives another chart", data)
		}
	}
}

func TestRefuses(t *testing.T) {
	ctx := context()
	for want, f := range map[string]func(){
		"chart.Line(f32{1,2,3}): a tensor of rank 0 or 1 is needed; choose a vector: x[0, 0]":                                                                                             func() { chart.Line(ctx.Zeros(nv.Shape{1, 2, 3})) },
		"chart.ErrorBars(f32{2,3}): a tensor of rank 0 or 1 is needed; choose a row or column: x[0], x[:, 0]":                                                                             func() { chart.ErrorBars(ctx.Zeros(nv.Shape{2, 3}), []int{1}, []int{2}) },
		"chart.Line([]string): its elements are not real numbers; convert them to float64":                                                                                                func() { chart.Line([]string{"a"}) },
		"chart.Line(int): neither tensor, slice nor column; give a tensor, a slice of numbers or of scalar tensors, or t.Col(name)":                                                       func() { chart.Line(1) },
		"chart.Heat(f32{1}): a matrix with elements is needed; choose one: x[0], or nv.Reshape":                                                                                           func() { chart.Heat(ctx.New([]float64{1})) },
		"chart.Bar([]int): chart.LogY is not an option of Bar; it takes chart.Title, chart.Labels, chart.Legend":                                                                          func() { chart.Bar([]int{1, 2}, chart.LogY()) },
		"chart.Func(func(float64) float64): functions and two numbers lo < hi are needed (both positive with chart.LogX); write chart.Func(f, 0, 1), where f takes and returns a float64": func() { chart.Func(math.Sin) },
		"chart.ErrorBars([]int, []int): the number of arguments is 2; give xs, ys and their errors":                                                                                       func() { chart.ErrorBars([]int{1}, []int{2}) },
		"chart.Line(f32{2,50}): 50 columns are too many series to tell apart, at most 7 are drawn; choose some, as x[:, :7], or chart.Heat(x)":                                            func() { chart.Line(ctx.Zeros(nv.Shape{2, 50})) },
		"chart.Heat(nv.Tensor): a matrix with elements is needed; choose one: x[0], or nv.Reshape":                                                                                        func() { chart.Heat(nv.Tensor{}) },
	} {
		err := nv.Try(f)
		var e *nv.Error
		if !errors.As(err, &e) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestRefusalsName checks that the error of each chart names the chart and says what is missing.
func TestRefusalsName(t *testing.T) {
	const nothing = "(): no data; give a tensor, a slice of numbers or a column of a table"
	const text = `(string): neither tensor, slice nor column; a title is chart.Title("x"), ` +
		`a name in the legend chart.Legend("x")`
	const noMatrix = "(): the number of arguments is 0; give one matrix"
	const matrix = "(string): a matrix with elements is needed; give a tensor, or slices of numbers of equal length"
	for name, c := range map[string]struct {
		f           func(...any) *plot.Plot
		none, given string
	}{
		"Line":    {chart.Line, nothing, text},
		"Scatter": {chart.Scatter, nothing, text},
		"Stem":    {chart.Stem, nothing, text},
		"Bar":     {chart.Bar, nothing, text},
		"Hist":    {chart.Hist, nothing, text},
		"Box":     {chart.Box, nothing, text},
		"ErrorBars": {chart.ErrorBars, "(): the number of arguments is 0; give xs, ys and their errors",
			"(string): the number of arguments is 1; give xs, ys and their errors"},
		"Func": {chart.Func, "(): functions and two numbers lo < hi are needed (both positive with chart.LogX); " +
			"write chart.Func(f, 0, 1), where f takes and returns a float64", "(string): neither a number nor a function of float64 or of tensors; " +
			"write chart.Func(f, 0, 1), where f takes and returns a float64"},
		"Heat":    {chart.Heat, noMatrix, matrix},
		"Contour": {chart.Contour, noMatrix, matrix},
		"Image": {chart.Image, "(): the number of arguments is 0; give one picture",
			"(string): neither tensor nor image; give a tensor {height,width,3} of nv.U8"},
	} {
		for i, want := range []string{c.none, c.given} {
			args := []any{"x"}[:i]
			if err := nv.Try(func() { c.f(args...) }); err == nil || err.Error() != "chart."+name+want {
				t.Errorf("%s of %v: %v, want chart.%s%s", name, args, err, name, want)
			}
		}
	}
	for want, f := range map[string]func(){
		"chart.Bar([]int): names and values have lengths 1 and 2; give the same number of each": func() {
			chart.Bar([]string{"a"}, []int{1, 2})
		},
		"chart.Contour([][]int): the matrix needs at least 2 rows and 2 columns, a y for each row and an x " +
			"for each column; " +
			"write chart.Contour(xs, ys, z), where z has a row for each y": func() {
			chart.Contour([]int{1}, []int{1}, [][]int{{1, 2}, {3, 4}})
		},
		"chart.Line([]int): xs and ys have lengths 1 and 2; give the same number of each": func() { chart.Line([]int{1}, []int{1, 2}) },
		"chart.Hist(int): neither tensor, slice nor column; the number of bins is chart.Bins(5)": func() {
			chart.Hist([]int{1, 2}, 5)
		},
		"chart.Bins(int): 0 bins are asked for; give at least 1": func() { chart.Bins(0) },
		"chart.Line(f32{2,2,2}): a tensor of rank 0 or 1 is needed; choose a vector: x[0, 0]": func() {
			chart.Line(context().Zeros(nv.Shape{2, 2, 2}))
		},
		"chart.Hist([]float64): values from 0 to 5e-324 cannot be divided into bins": func() {
			chart.Hist([]float64{0, 5e-324})
		},
		"chart.Line([]any): its elements are not real numbers; convert them to float64": func() {
			chart.Line([]any{1, "a"})
		},
		"chart.Line(c64{1}): its elements are not real numbers; choose a part: nv.Abs(x), nv.Real(x), nv.Imag(x)": func() {
			chart.Line(context().New([]complex64{1i}))
		},
		"chart.Func(func(nv.Tensor) nv.Tensor): the function is given 500 points and returns a tensor of size 1; " +
			"return an element for each point; for a constant return nv.FullLike(x, 2)": func() {
			chart.Func(func(x nv.Tensor) nv.Tensor { return nv.Sum(x) }, 0, 1)
		},
		"chart.ErrorBars([]int): xs, ys and errors have lengths 1, 2 and 2; give the same number of each": func() {
			chart.ErrorBars([]int{1}, []int{1, 2}, []int{1, 2})
		},
		"chart.Image(ui8{0,3,1}): the picture has no pixels": func() {
			chart.Image(context().Zeros(nv.Shape{0, 3, 1}, nv.U8))
		},
		"chart.Grid(int): at least 1 column and 1 chart are needed; " +
			"write chart.Grid(2, chart.Line(a), chart.Line(b))": func() {
			chart.Grid(0)
		},
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestEveryOptionIsDrawnOrRefused checks that each chart draws each option, or refuses it and names the options that
// it takes.
func TestEveryOptionIsDrawnOrRefused(t *testing.T) {
	xs, ys := []float64{1, 2, 3, 4}, []float64{1, 4, 9, 2}
	field := [][]float64{{1, 2, 3}, {4, 5, 7}, {9, 8, 7}}
	places := []float64{1, 2, 3}
	draw := map[string]func(o ...any) *plot.Plot{
		"Line":      func(o ...any) *plot.Plot { return chart.Line(append(o, xs, ys)...) },
		"Scatter":   func(o ...any) *plot.Plot { return chart.Scatter(append(o, xs, ys)...) },
		"Stem":      func(o ...any) *plot.Plot { return chart.Stem(append(o, xs, ys)...) },
		"ErrorBars": func(o ...any) *plot.Plot { return chart.ErrorBars(append(o, xs, ys, []float64{0.5, 0.5, 0.5, 0.5})...) },
		"Func":      func(o ...any) *plot.Plot { return chart.Func(append(o, math.Sqrt, 1, 5)...) },
		"Bar":       func(o ...any) *plot.Plot { return chart.Bar(append(o, ys)...) },
		"Hist":      func(o ...any) *plot.Plot { return chart.Hist(append(o, ys)...) },
		"Box":       func(o ...any) *plot.Plot { return chart.Box(append(o, ys)...) },
		"Heat":      func(o ...any) *plot.Plot { return chart.Heat(append(o, field)...) },
		"Contour":   func(o ...any) *plot.Plot { return chart.Contour(append(o, places, places, field)...) },
		"Image":     func(o ...any) *plot.Plot { return chart.Image(append(o, image.NewGray(image.Rect(0, 0, 2, 2)))...) },
	}
	options := map[string]chart.Option{"Title": chart.Title("t"), "Labels": chart.Labels("a", "b"), "Legend": chart.Legend("l"),
		"LogX": chart.LogX(), "LogY": chart.LogY(), "Bins": chart.Bins(3)}
	takes := map[string]string{
		"Line":      "chart.Title, chart.Labels, chart.Legend, chart.LogX, chart.LogY",
		"Scatter":   "chart.Title, chart.Labels, chart.Legend, chart.LogX, chart.LogY",
		"Stem":      "chart.Title, chart.Labels, chart.Legend, chart.LogX, chart.LogY",
		"ErrorBars": "chart.Title, chart.Labels, chart.Legend, chart.LogX, chart.LogY",
		"Func":      "chart.Title, chart.Labels, chart.Legend, chart.LogX, chart.LogY",
		"Bar":       "chart.Title, chart.Labels, chart.Legend",
		"Hist":      "chart.Title, chart.Labels, chart.Legend, chart.LogY, chart.Bins",
		"Box":       "chart.Title, chart.Labels, chart.Legend, chart.LogY",
		"Heat":      "chart.Title, chart.Labels",
		"Contour":   "chart.Title, chart.Labels, chart.LogX, chart.LogY, chart.Bins",
		"Image":     "chart.Title",
	}
	for name, f := range draw {
		plain := check(t, name, f())
		for option, o := range options {
			refused := "chart." + name + "(chart.Option): chart." + option
			var drawn string
			err := nv.Try(func() { drawn = check(t, name, f(o)) })
			switch {
			case err == nil && drawn == plain:
				t.Errorf("%s with %s: the option is ignored", name, option)
			case err == nil:
				if err := nv.Try(func() { f(o, o) }); err == nil || err.Error() != refused+" is given twice; give it once" {
					t.Errorf("%s with %s twice: %v", name, option, err)
				}
			case err.Error() != refused+" is not an option of "+name+"; it takes "+takes[name]:
				t.Errorf("%s with %s: %v", name, option, err)
			}
		}
	}
}

// TestGridLines checks which charts have lines at their ticks.
func TestGridLines(t *testing.T) {
	ys := []float64{3, 1, 4}
	for name, c := range map[string]struct {
		chart *plot.Plot
		grid  bool
	}{
		"Line": {chart.Line(ys), true}, "Scatter": {chart.Scatter(ys, ys), true}, "Stem": {chart.Stem(ys), true},
		"ErrorBars": {chart.ErrorBars(ys, ys, ys), true}, "Heat": {chart.Heat([][]float64{{1, 2}, {3, 4}}), false},
	} {
		if n := strings.Count(check(t, name, c.chart), "stroke:#808080"); n >= 4 != c.grid {
			t.Errorf("%s has %d lines at its ticks", name, n)
		}
	}
}

// TestNothingToDraw checks that a series without a number that can be drawn leaves the others as they are, and that
// equal numbers fill a histogram.
func TestNothingToDraw(t *testing.T) {
	none, ys := []float64{math.NaN(), math.NaN(), math.Inf(1)}, []float64{3, 1, 4}
	for name, draw := range map[string]func(...any) *plot.Plot{"Line": chart.Line, "Scatter": chart.Scatter, "Stem": chart.Stem} {
		xs := []int{0, 1, 2}
		both, alone := check(t, name, draw(xs, ys, none)), check(t, name+" alone", draw(xs, ys))
		if strings.Count(both, "<path") != strings.Count(alone, "<path") {
			t.Errorf("%s draws %d lines, and %d of them for a series without numbers", name, strings.Count(both, "<path"), strings.Count(both, "<path")-strings.Count(alone, "<path"))
		}
	}
	check(t, "box of nothing", chart.Box(none, ys))
	check(t, "boxes of no columns", chart.Box(context().Zeros(nv.Shape{3, 0})))
	p := chart.Hist([]float64{2, 2, 2}, chart.Bins(2))
	if check(t, "equal numbers", p); p.X.Min != 1.5 || p.X.Max != 2.5 || p.Y.Max < 3 {
		t.Errorf("the histogram of three numbers 2 goes from %v to %v, and to %v", p.X.Min, p.X.Max, p.Y.Max)
	}
}

// TestBinsOfHistograms checks how many numbers the fullest bin has; the last bin includes the greatest number.
func TestBinsOfHistograms(t *testing.T) {
	for want, xs := range map[float64][]float64{
		2: {0, 2.5, 2.5, 4, 4}, 3: {0, 3.5, 4, 4, 2.9, 2.9}, 4: {0, 0.9, 0.5, 0.1, 1, 1, 1, 4}, 1: {0, 1, 2, 3.9, math.NaN(), math.Inf(1)},
	} {
		if p := chart.Hist(xs, chart.Bins(4)); p.Y.Max != want {
			t.Errorf("a bin of %v has %v numbers, want %v", xs, p.Y.Max, want)
		}
	}
}

// TestImageOfATensor checks that a tensor is drawn as its picture.
func TestImageOfATensor(t *testing.T) {
	x := context().New([][]uint8{{0, 50, 100}, {150, 200, 250}}).Reshape(nv.Shape{2, 3, 1})
	if a, b := check(t, "tensor", chart.Image(x)), check(t, "picture", chart.Image(x.Image())); a != b {
		t.Error("a tensor and its picture differ")
	}
}

// TestNamesOfColumns checks that columns of a table label the axes, unless Labels does or there are several series.
func TestNamesOfColumns(t *testing.T) {
	table := context().NewTable([]string{"length", "width"}, []float64{1, 2, 3}, []float64{4, 5, 7})
	length, width := table.Col("length"), table.Col("width")
	for name, c := range map[string]struct {
		p    *plot.Plot
		x, y string
	}{
		"one series":     {chart.Line(length, width), "length", "width"},
		"without xs":     {chart.Line(width), "", "width"},
		"several series": {chart.Line(length, width, length), "length", ""},
		"labels":         {chart.Line(length, width, chart.Labels("in cm", "in mm")), "in cm", "in mm"},
		"numbers":        {chart.Line([]float64{1, 2}, []float64{1, 2}), "", ""},
	} {
		if c.p.X.Label.Text != c.x || c.p.Y.Label.Text != c.y {
			t.Errorf("%s: the axes are %q and %q, want %q and %q", name, c.p.X.Label.Text, c.p.Y.Label.Text, c.x, c.y)
		}
	}
}

// TestNamesOfBoxes checks the names below boxes, and that each box has the same room.
func TestNamesOfBoxes(t *testing.T) {
	ys := []float64{1, 2, 3, 4}
	width := context().NewTable([]string{"width"}, ys).Col("width")
	for want, boxes := range map[string][]any{
		"0":           {ys},
		"width":       {width},
		"a":           {width, chart.Legend("a")},
		"0 1":         {context().Zeros(nv.Shape{4, 2})},
		"a width 2":   {ys, width, ys, chart.Legend("a")},
		"0 1 width 3": {ys, ys, width, ys},
	} {
		p := chart.Box(boxes...)
		var names []string
		for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			names = append(names, tick.Label)
		}
		if got := strings.Join(names, " "); got != want || p.X.Min != -0.6 || p.X.Max != float64(len(names)-1)+0.6 {
			t.Errorf("boxes %q from %v to %v, want %q", got, p.X.Min, p.X.Max, want)
		}
	}
}

// TestEachBarIsDrawn counts the filled areas of a bar chart: one more for each bar.
func TestEachBarIsDrawn(t *testing.T) {
	filled := func(ys ...float64) int { return strings.Count(check(t, "bars", chart.Bar(ys)), "fill:#") }
	if one, three := filled(1), filled(1, 2, 3); three < one+2 {
		t.Errorf("%d areas for three bars, %d for one", three, one)
	}
}
