package display

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

func newContext() *nv.Context { return nv.NewContext(nv.ContextOptions{Backend: "reference"}) }

type temperature struct {
	Degrees float64
	scale   string
	Next    *temperature
}

// words is a Stringer, also if it is nil.
type words []string

func (w words) String() string { return strings.Join(append(w, "end"), " ") }

// hex is a Formatter that writes itself in hexadecimal for %v.
type hex int

func (h hex) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%#x", int(h)) }

type loud struct{}

func (loud) String() string       { return "LOUD" }
func (loud) HTML() string         { return "<b>LOUD</b>" }
func (loud) LaTeX() string        { return "$L$" }
func (loud) Markdown() string     { return "**LOUD**" }
func (loud) SVG() string          { return "<svg/>" }
func (loud) PNG() ([]byte, error) { return []byte("png"), nil }

// renderCases are values with the forms that they have besides text.
func renderCases(ctx *nv.Context) []struct {
	name string
	vs   []any
} {
	z := ctx.Scalar(true).Add(1)
	x := ctx.New([][]float64{{1, 2.5}, {3, 4}})
	f := func(x, y nv.Tensor) nv.Tensor { return x.Add(1).Mul(y) }
	low := ctx.Lower(f, ctx.Scalar(true), ctx.Scalar(2, nv.I16))
	return []struct {
		name string
		vs   []any
	}{
		{"matrix", []any{x}},
		{"ambiguous", []any{z}},
		{"literal", []any{ctx.Scalar(1.0)}},
		{"rank 3", []any{ctx.Zeros(nv.Shape{2, 1, 2}, nv.C64)}},
		{"truncated", []any{ctx.Arange(1000)}},
		{"pointer to tensor", []any{&z}},
		{"zero tensor", []any{nv.Tensor{}}},
		{"three literals", []any{[]any{ctx.Lit(1), ctx.Lit(1.0), ctx.Lit(true)}}},
		{"tensors", []any{[]nv.Tensor{z, ctx.Scalar(2, nv.I16)}}},
		{"several results", []any{1, "a", z}},
		{"nested list", []any{[]any{1, []any{2, 3}}}},
		{"empty list", []any{[]any{}}},
		{"why", []any{nv.Why(z.Mul(ctx.Scalar(2, nv.I16)))}},
		{"explain", []any{promote.Anvil.Explain(dtype.I1, 1, dtype.I16)}},
		{"no common", []any{promote.Anvil.Explain(dtype.F8E5M2, dtype.F8E4M3)}},
		{"table", []any{Table(promote.Anvil)}},
		{"ambiguous table", []any{Table(promote.Anvil, true, false)}},
		{"system", []any{promote.Anvil}},
		{"program", []any{low}},
		{"types", []any{low.Types()}},
		{"function and gradient", []any{ctx.Lower(sinTimes, x), ctx.Lower(nv.Grad(sinTimes), x)}},
		{"loop", []any{ctx.Lower(double, x, ctx.Scalar(100.0))}},
		{"program text", []any{"module {\n}"}},
		{"dtype", []any{dtype.F64}},
		{"described", []any{dtype.F64.Describe()}},
		{"common dtype", []any{dtype.Common(dtype.F32, dtype.F64, false, true)}},
		{"shape", []any{nv.Shape{2, 3}}},
		{"nil", []any{nil}},
		{"string", []any{"say \"hi\""}},
		{"numbers", []any{[]any{1, 2.5, true, 'x', 1 + 2i, uint8(3)}}},
		{"error", []any{errors.New("<boom>")}},
		{"stringer", []any{1500 * time.Millisecond}},
		{"formatter", []any{[]hex{10}}},
		{"nil stringer", []any{[]any{words(nil), (*words)(nil)}}},
		{"function", []any{func(int, ...string) (nv.Tensor, error) { return nv.Tensor{}, nil }}},
		{"nil function", []any{(func())(nil)}},
		{"struct", []any{temperature{21.5, "C", &temperature{Degrees: 3}}}},
		{"struct of a cell", []any{struct {
			A int
			b any
		}{1, x}}},
		{"library", []any{ctx.With(promote.Anvil)}},
		{"nil pointer", []any{(*temperature)(nil)}},
		{"map", []any{map[string]any{"b": []int{1, 2}, "a": x, "c": map[int]bool{2: true, 1: false}}}},
		{"nil slice and map", []any{[]any{[]int(nil), map[string]int(nil)}}},
		{"long slice", []any{make([]int8, 1000)}},
		{"all forms", []any{loud{}}},
		{"html", []any{HTML("<i>x</i>")}},
		{"latex", []any{LaTeX("$x^2$")}},
		{"latex without delimiters", []any{LaTeX(`\frac{1}{3}`)}},
		{"markdown", []any{Markdown("*x*")}},
	}
}

// sinTimes returns the sum of sin(x) * x.
func sinTimes(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Sin(x).Mul(x)) }

// double doubles x until its sum reaches limit, and returns it.
func double(x, limit nv.Tensor) nv.Tensor {
	return nv.While(x, func(x nv.Tensor) nv.Tensor { return x.Sum().Lt(limit) }, func(x nv.Tensor) nv.Tensor { return x.Mul(2) })
}

// TestListsOfR checks that with the option R, values and elements are numbered like the elements of a list in R.
func TestListsOfR(t *testing.T) {
	opts := DefaultOptions
	opts.R = true
	if got, want := opts.Render(1, []any{2, "a"}).Text(), "[[1]]\n1\n\n[[2]][[1]]\n2\n\n[[2]][[2]]\n\"a\""; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := opts.Render([]any{}).Text(), "list()"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRender(t *testing.T) {
	g := openGolden(t, "testdata/render.txtar")
	for _, c := range renderCases(newContext()) {
		b := DefaultOptions.Render(c.vs...)
		if low, ok := c.vs[0].(*nv.Lowered); ok && len(c.vs) == 1 {
			if b.Text() != low.String() {
				t.Errorf("%s is not the program's own text:\n%s", c.name, b.Text())
			}
		} else {
			g.compare(c.name, b.Text()+"\n")
		}
		for _, mime := range []string{MIMEHTML, MIMEMarkdown, MIMELaTeX, MIMESVG} {
			if data, ok := b.Data[mime].(string); ok {
				g.compare(c.name+" as "+mime, breakLines(data)+"\n")
			}
		}
		if strings.HasSuffix(b.Text(), "\n") || regexp.MustCompile(`(?m) $`).MatchString(b.Text()) {
			t.Errorf("%s: trailing blanks:\n%s", c.name, b.Text())
		}
	}
}

// breakLines inserts a line break before each block element, to keep goldens readable.
func breakLines(s string) string {
	return regexp.MustCompile(`(.)(<(?:div|table|tr|details|ol|li|path|rect|text|/svg)\b)`).ReplaceAllString(s, "$1\n$2")
}

// TestHTMLReadsWithoutStyle checks that a page without its style, class and title attributes still shows dtype,
// ambiguity, reason, shape and values, and that it has no scripts and no colours that are unreadable in a dark theme.
func TestHTMLReadsWithoutStyle(t *testing.T) {
	ctx := newContext()
	z := ctx.Scalar(true).Add(1)
	page := DefaultOptions.Render(z).Data[MIMEHTML].(string)
	bare := regexp.MustCompile(` (style|class|title)="[^"]*"`).ReplaceAllString(page, "")
	words := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(bare, " ")
	for _, want := range []string{"i32?", "ambiguous", "shape {}", "reference:0", "2", "Add(i1, i32? literal)", "ambiguous over bool"} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in %s", want, words)
		}
	}
	for _, c := range renderCases(ctx) {
		page, _ := DefaultOptions.Render(c.vs...).Data[MIMEHTML].(string)
		if m := regexp.MustCompile(`(?i)<script|onclick|javascript:|<style|[^-]color:(#|black|white|rgb)`).FindString(page); m != "" {
			t.Errorf("%s has %q", c.name, m)
		}
	}
}

// TestAmbiguousLooksDifferent checks that the badge of an ambiguous dtype differs by more than the "?".
func TestAmbiguousLooksDifferent(t *testing.T) {
	known, amb := badge(promote.Known(dtype.F32)), badge(promote.Amb(dtype.F32))
	if strings.Replace(amb, "f32?", "f32", 1) == known {
		t.Error("an ambiguous dtype looks like a known one")
	}
}

// TestLargeTable checks that a large tensor shown without limits is text only.
func TestLargeTable(t *testing.T) {
	b := Options{MaxRows: -1, MaxWidth: 85, Precision: 4}.Render(newContext().Arange(20000))
	if b.Data[MIMEHTML] != nil || strings.Count(b.Text(), "\n") != 20001 {
		t.Errorf("%d lines, html: %v", strings.Count(b.Text(), "\n"), b.Data[MIMEHTML] != nil)
	}
}

func TestPlotsAndPictures(t *testing.T) {
	b := Render(plot.New())
	if svg := b.Data[MIMESVG].(string); !strings.Contains(svg, "<svg") || b.Text() != "plot" {
		t.Errorf("svg of %d bytes, text %q", len(svg), b.Text())
	}
	p := plot.New()
	if Render(p); p.X.Min <= p.X.Max {
		t.Error("showing an empty plot gave it a range")
	}
	p.Title.Text, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = "a", 0, 1, 2, 3
	if got, want := Text(p), `plot "a": x 0 to 1, y 2 to 3`; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	for name, v := range map[string]any{"plot": plot.New(), "image": image.NewGray(image.Rect(0, 0, 3, 2)), "png": PNG("\x89PNG")} {
		data, err := base64.StdEncoding.DecodeString(fmt.Sprint(Render(v).Data[MIMEPNG]))
		if err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
			t.Errorf("%s: %v, %d bytes", name, err, len(data))
		}
		if page, isImage := fmt.Sprint(Render(v, v).Data[MIMEHTML]), name != "plot"; isImage != strings.Contains(page, "data:image/png") {
			t.Errorf("two of %s: %s", name, page)
		}
	}
	p = plot.New()
	p.Add(plotter.NewImage(image.NewGray(image.Rect(0, 0, 3, 2)), 0, 0, 1, 1))
	svg := Render(p).Data[MIMESVG].(string)
	for _, want := range []string{`<image preserveAspectRatio="none" image-rendering="pixelated" `, `"data:image/png;base64,iVBOR`} {
		if !strings.Contains(svg, want) {
			t.Errorf("a plot with an image has no %s: %s", want, svg)
		}
	}
}

// TestWindow checks that reading only the shown elements gives the same elements as reading the whole tensor.
func TestWindow(t *testing.T) {
	ctx := newContext()
	for _, s := range []nv.Shape{nil, {7}, {1000}, {40, 100}, {3, 4, 50}, {5, 7, 2, 3}, {2, 3, 1, 1}, {0, 3}} {
		x := ctx.Iota(nv.Shape{s.Size()}, 0).Reshape(s)
		want, _ := hostArray(t, x.Typed(), s, upTo(s.Size())...)
		v, err := DefaultOptions.layOut(want)
		if err != nil {
			t.Fatal(err)
		}
		want.platform = "REFERENCE"
		if got := Text(x); got != want.text(v) {
			t.Errorf("%s:\n%s\nwant\n%s", s, got, want.text(v))
		}
	}
}

// TestBytesToHost checks that the bytes copied to the host for printing do not grow with the tensor.
func TestBytesToHost(t *testing.T) {
	for _, s := range []nv.Shape{{1 << 20}, {1 << 10, 1 << 10}, {1 << 6, 1 << 7, 1 << 7}} {
		ctx := newContext()
		x := ctx.Ones(s)
		if err := x.Wait(); err != nil {
			t.Fatal(err)
		}
		before := ctx.Stats().BytesToHost
		shown := Render(x)
		moved := ctx.Stats().BytesToHost - before
		if moved == 0 || moved > 16000 || shown.Empty() {
			t.Errorf("%s: %d bytes moved", s, moved)
		}
	}
}

func upTo(n int) (vs []any) {
	for i := range n {
		vs = append(vs, i)
	}
	return vs
}

// TestTracedTensor checks that a tensor inside a traced function, which has no value yet, shows its type.
func TestTracedTensor(t *testing.T) {
	ctx := newContext()
	var text string
	ctx.Lower(func(x nv.Tensor) nv.Tensor { text = Text(x); return x }, ctx.Scalar(1.0))
	if want := "AnvilTensor\n[ traced f32?{} ]"; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

// TestRecords checks that slices of structs and of maps are tables in HTML.
func TestRecords(t *testing.T) {
	for want, v := range map[string]any{
		"<th>Name</th><th>age</th></tr></thead><tbody><tr><td>&lt;a&gt;</td><td>1</td></tr><tr><td>b</td><td>nil</td></tr>": []struct {
			Name string
			age  any
		}{{"<a>", 1}, {"b", nil}},
		"<th>x</th><th>y</th></tr></thead><tbody><tr><td>1</td><td></td></tr><tr><td></td><td>2</td></tr>": []map[string]int{{"x": 1}, {"y": 2}},
	} {
		page, _ := Render(v).Data[MIMEHTML].(string)
		if !strings.Contains(strings.ReplaceAll(page, ` style="text-align:right"`, ""), want) {
			t.Errorf("%v is %s", v, page)
		}
	}
	for _, v := range []any{[]int{1}, []struct{ A int }{}, []time.Duration{1}, []map[int]int{{1: 2}}} {
		if page := Render(v).Data[MIMEHTML]; page != nil {
			t.Errorf("%v has the page %v", v, page)
		}
	}
}

// TestMapOfNaN checks that the value of a NaN key is shown, although the key does not find it.
func TestMapOfNaN(t *testing.T) {
	if got, want := Text(map[float64]int{math.NaN(): 7}), "map[float64]int{NaN: 7}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEnlarged checks that each pixel of a small image becomes a square, and that a large image stays as it is.
func TestEnlarged(t *testing.T) {
	for _, c := range []struct{ w, h, n int }{{3, 2, 85}, {2, 5, 51}, {128, 1, 2}, {1, 129, 1}, {256, 3, 1}, {0, 3, 1}} {
		img := image.NewNRGBA(image.Rect(7, 11, 7+c.w, 11+c.h))
		for x := range c.w {
			for y := range c.h {
				img.Set(7+x, 11+y, color.NRGBA{uint8(x), uint8(y), uint8(x * y), 255})
			}
		}
		large := enlarged(img)
		to := large.Bounds()
		if to.Dx() != c.n*c.w || to.Dy() != c.n*c.h {
			t.Errorf("%d x %d becomes %v, want %d times the size", c.w, c.h, to, c.n)
			continue
		}
		for x := range to.Dx() {
			for y := range to.Dy() {
				if got, want := large.At(to.Min.X+x, to.Min.Y+y), img.At(7+x/c.n, 11+y/c.n); got != want {
					t.Fatalf("%d x %d: (%d, %d) is %v, want %v", c.w, c.h, x, y, got, want)
				}
			}
		}
	}
}

// TestImagesThatAreNotShown checks the text of images that are too large or empty.
func TestImagesThatAreNotShown(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{3, 2, "image 3 x 2"},
		{1 << 14, 1<<13 + 1, "image 16384 x 8193: too large to show, with more than 134217728 pixels"},
		{0, 2, "image 0 x 2: png: invalid format: invalid image size: 0x2"},
	} {
		b := Render(image.NewUniform(color.Black))
		if b = Render(canvas{image.NewUniform(color.Black), image.Rect(0, 0, c.w, c.h)}); b.Text() != c.want ||
			(b.Data[MIMEPNG] != nil) != (c.w == 3) {
			t.Errorf("%q, want %q", b.Text(), c.want)
		}
	}
}

// A canvas is an image of any size without memory for its pixels.
type canvas struct {
	image.Image
	bounds image.Rectangle
}

func (c canvas) Bounds() image.Rectangle { return c.bounds }

// TestSizesOfPlots checks the sizes of pictures of one and of several plots, which are smaller side by side.
func TestSizesOfPlots(t *testing.T) {
	for _, c := range []struct{ columns, plots, w, h int }{
		{1, 1, 792, 504}, {3, 1, 792, 504}, {1, 2, 792, 1008}, {2, 2, 1188, 378}, {2, 3, 1188, 756}, {3, 3, 1782, 378},
	} {
		var ps []*plot.Plot
		for range c.plots {
			ps = append(ps, plot.New())
		}
		data, _ := base64.StdEncoding.DecodeString(Plots{c.columns, ps}.Display().Data[MIMEPNG].(string))
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size != image.Pt(c.w, c.h) {
			t.Errorf("%d plots in %d columns: %v, want %d x %d", c.plots, c.columns, size, c.w, c.h)
		}
	}
}

// TestPlotsWithoutPictures checks the texts of plots that cannot be drawn.
func TestPlotsWithoutPictures(t *testing.T) {
	axis := func(low, high float64) *plot.Plot {
		p := plot.New()
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0, 1
		return p
	}
	vertical := axis(0, 1)
	vertical.Y.Max = math.NaN()
	const most = math.MaxFloat64
	for _, c := range []struct {
		p    *plot.Plot
		want string
	}{
		{nil, "(*plot.Plot)(nil)"},
		{axis(-most, most), "plot: x -1.798e+308 to 1.798e+308, y 0 to 1: " +
			"an axis from -1.7976931348623157e+308 to 1.7976931348623157e+308 cannot be drawn"},
		{axis(math.NaN(), 1), "plot: an axis from NaN to 1 cannot be drawn"},
		{axis(0, math.NaN()), "plot: an axis from 0 to NaN cannot be drawn"},
		{vertical, "plot: an axis from 0 to NaN cannot be drawn"},
		{axis(0, 1), "plot: x 0 to 1, y 0 to 1"},
		{axis(2, 2), "plot: x 2 to 2, y 0 to 1"},
	} {
		b := Plots{1, []*plot.Plot{c.p}}.Display()
		drawn := !strings.HasSuffix(c.want, "drawn") && c.p != nil
		if b.Text() != c.want || (b.Data[MIMESVG] != nil) != drawn || (b.Data[MIMEPNG] != nil) != drawn {
			t.Errorf("%q, drawn: %t; want %q", b.Text(), b.Data[MIMESVG] != nil, c.want)
		}
	}
	if b := (Plots{Plots: []*plot.Plot{axis(0, 1)}}).Display(); b.Data[MIMEPNG] == nil {
		t.Errorf("no number of columns: %s", b.Text())
	}
	if b := (Plots{Columns: 2}).Display(); b.Text() != "no plots" {
		t.Errorf("no plots: %s", b.Text())
	}
	if got, want := (Plots{1, []*plot.Plot{axis(0, 1), axis(1, 2)}}).Display().Text(),
		"plot: x 0 to 1, y 0 to 1\nplot: x 1 to 2, y 0 to 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOutlinedText checks that the outline of a text is closed, and that it stands on its base line and is as wide as
// the font says.
func TestOutlinedText(t *testing.T) {
	face := font.DefaultCache.Lookup(plot.DefaultFont, 100)
	measure := face.FontFace(72)
	for _, s := range []string{"I", "o", "AV", "VA", "l l"} {
		c := outlined{vgsvg.New(500, 200)}
		c.FillString(face, vg.Point{X: 30, Y: 40}, s)
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		paths := regexp.MustCompile(`<path d="([^"]*)"`).FindAllStringSubmatch(b.String(), -1)
		if len(paths) != 1 {
			t.Fatalf("%s has %d paths", s, len(paths))
		}
		for _, m := range pathPoint.FindAllStringSubmatch(paths[0][1], -1) {
			for i := range 2 {
				v, _ := strconv.ParseFloat(m[i+1], 64)
				low[i], high[i] = min(low[i], v), max(high[i], v)
			}
		}
		if n, closed := strings.Count(paths[0][1], "M"), strings.Count(paths[0][1], "Z"); n != closed {
			t.Errorf("%s: %d outlines, %d of them closed", s, n, closed)
		}
		first, _ := xfont.BoundString(measure, s[:1])
		last, _ := xfont.BoundString(measure, s[len(s)-1:])
		before := float64(face.Width(s) - face.Width(s[len(s)-1:])) // with kerning
		points := func(v fixed.Int26_6) float64 { return float64(v) / 64 }
		for _, c := range []struct {
			side      string
			got, want float64
		}{
			{"left", low[0], 30 + points(first.Min.X)},
			{"right", high[0], 30 + before + points(last.Max.X)},
			{"bottom", low[1], 40 - points(max(first.Max.Y, last.Max.Y))},
			{"top", high[1], 40 - points(min(first.Min.Y, last.Min.Y))},
		} {
			if math.Abs(c.got-c.want) > 0.05 {
				t.Errorf("%s: the %s is at %.2f, want %.2f", s, c.side, c.got, c.want)
			}
		}
	}
}
