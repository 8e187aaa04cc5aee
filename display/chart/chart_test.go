package chart_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/display/chart"
	"gonum.org/v1/plot"
)

func context() *nv.Context { return nv.NewContext(nv.ContextOptions{Backend: "reference"}) }

// check renders p and looks at both drawings; with CHART_OUT set it leaves
// them in that folder for people to look at.
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
	check(t, "hist", chart.Hist([]float64{1, 2, 2, 3, 3, 3, 4}, 4))
	check(t, "heat", chart.Heatmap(ctx.New([][]float64{{1, 2, 3}, {4, 5, 6}})))
	check(t, "constant", chart.Heatmap(ctx.New([][]float64{{1, 1}})))
	check(t, "empty", chart.Line([]float64{}))
}

// TestSize: a million points are a drawing of bounded size with the same
// extremes.
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
	if !strings.Contains(s.X.Label.Text, "of 1000000 points") {
		t.Errorf("axis %q does not say that points are left out", s.X.Label.Text)
	}
}

func TestRefuses(t *testing.T) {
	ctx := context()
	for name, f := range map[string]func(){
		"rank 2":    func() { chart.Line(ctx.New([][]float64{{1}, {2}})) },
		"strings":   func() { chart.Line([]string{"a"}) },
		"lengths":   func() { chart.Line([]int{1}, []int{1, 2}) },
		"number":    func() { chart.Line(1) },
		"nothing":   func() { chart.Line() },
		"vector":    func() { chart.Heatmap(ctx.New([]float64{1})) },
		"no tensor": func() { chart.Heatmap(nv.Tensor{}) },
	} {
		err := nv.Try(f)
		var e *nv.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Op, "chart.") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
