// Package chart draws tensors and slices of numbers: lines, points,
// histograms, heat maps. Each function returns a *plot.Plot of gonum, which
// can be changed before it is shown: p.Title.Text = "loss".
package chart

import (
	"fmt"
	"image"
	"image/color"
	"math"

	nv "github.com/goanvil/notebook/anvil"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A point is a point of a line or a scatter plot.
type point = plotter.XY

var (
	blue      = color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}
	lightBlue = color.RGBA{R: 0x9e, G: 0xca, B: 0xe1, A: 0xff}
)

// newPlot returns an empty plot in a sans-serif font.
func newPlot() *plot.Plot {
	p := plot.New()
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	return p
}

// maxPoints is the greatest number of points that are drawn.
const maxPoints = 2000

// Line returns a plot of a line: chart.Line(ys) over 0, 1, 2 ..., or
// chart.Line(xs, ys). Arguments are tensors of rank 1, slices of numbers, or
// slices of scalar tensors; points that are not finite are left out. Of very
// many points, only the lowest and the highest of each run of neighbours are drawn.
func Line(args ...any) *plot.Plot {
	p := newPlot()
	line, err := plotter.NewLine(plotter.XYs(thin(pairs("Line", args), maxPoints/2)))
	add(p, "Line", args, err, func() {
		line.Color, line.Width = blue, vg.Points(1.5)
		p.Add(plotter.NewGrid(), line)
	})
	return p
}

// Scatter returns a plot of points: arguments as of Line. Of very many, every
// n-th is drawn, and the x axis says so.
func Scatter(args ...any) *plot.Plot {
	p := newPlot()
	all := pairs("Scatter", args)
	points := make(plotter.XYs, 0, maxPoints)
	step := (len(all) + maxPoints - 1) / maxPoints
	for i := 0; i < len(all); i += step {
		points = append(points, all[i])
	}
	if len(points) < len(all) {
		p.X.Label.Text = fmt.Sprintf("(%d of %d points)", len(points), len(all))
	}
	s, err := plotter.NewScatter(points)
	add(p, "Scatter", args, err, func() {
		s.Color, s.Radius, s.Shape = blue, vg.Points(2), draw.CircleGlyph{}
		p.Add(plotter.NewGrid(), s)
	})
	return p
}

// Hist returns a histogram of xs, in 20 bins unless bins says otherwise.
func Hist(xs any, bins ...int) *plot.Plot {
	p := newPlot()
	n := 20
	if len(bins) > 0 && bins[0] > 0 {
		n = bins[0]
	}
	var vs plotter.Values
	for _, v := range numbers("Hist", xs) {
		if finite(v) {
			vs = append(vs, v)
		}
	}
	h, err := plotter.NewHist(vs, n)
	add(p, "Hist", []any{xs}, err, func() {
		h.FillColor = lightBlue
		p.Add(h)
	})
	return p
}

// add calls do, which adds to p, or fails if err is not nil. Without data p stays empty.
func add(p *plot.Plot, op string, args []any, err error, do func()) {
	switch err {
	case nil:
		do()
	case plotter.ErrNoData:
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	default:
		fail(op, args[0], err.Error(), "")
	}
}

// Heatmap returns a picture of a matrix: row 0 on top, column 0 at the left,
// dark for the least and light for the greatest value. Of very many rows or
// columns every n-th is drawn, and the axes say so; what is not finite is
// left out.
func Heatmap(x nv.Tensor) *plot.Plot {
	if !x.Valid() || x.Rank() != 2 || x.Size() == 0 {
		fail("Heatmap", x, "a matrix with elements is needed", "choose one: x[0], or nv.Reshape")
	}
	rows, cols := x.Shape()[0], x.Shape()[1]
	g := grid{nv.Values[float64](x), rows, cols}
	lo, hi := g.bounds()
	p := newPlot()
	p.Add(plotter.NewImage(g.picture(lo, hi), 0, 0, float64(cols), float64(rows)))
	p.Y.Tick.Marker = downward(rows)
	p.Title.Text = fmt.Sprintf("%.4g to %.4g", lo, hi)
	p.X.Label.Text, p.Y.Label.Text = g.note("column", cols), g.note("row", rows)
	return p
}

// A grid is a matrix of values, row by row.
type grid struct {
	values     []float64
	rows, cols int
}

// pixels is the greatest number of pixels of a picture along an axis.
const pixels = 600

func (g grid) note(axis string, n int) string {
	if n > pixels {
		return fmt.Sprintf("%s (%d of %d shown)", axis, pixels, n)
	}
	return axis
}

func (g grid) bounds() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range g.values {
		if finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return 0, 0
	}
	return lo, hi
}

// picture draws each element as a rectangle of whole pixels.
func (g grid) picture(lo, hi float64) image.Image {
	w, h := extent(g.cols), extent(g.rows)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for py := range h {
		for px := range w {
			v := g.values[py*g.rows/h*g.cols+px*g.cols/w]
			if finite(v) {
				img.Set(px, py, shade((v-lo)/max(hi-lo, math.SmallestNonzeroFloat64)))
			}
		}
	}
	return img
}

// shades are stops of the viridis scale, which keeps its order in print and
// for people who see few colours. Source: matplotlib's documentation.
var shades = [...]color.RGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x47, 0x2d, 0x7b, 0xff}, {0x3b, 0x52, 0x8b, 0xff},
	{0x2c, 0x72, 0x8e, 0xff}, {0x21, 0x91, 0x8c, 0xff}, {0x28, 0xae, 0x80, 0xff},
	{0x5e, 0xc9, 0x62, 0xff}, {0xad, 0xdc, 0x30, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// shade returns the colour of t in [0, 1].
func shade(t float64) color.RGBA {
	at := t * float64(len(shades)-1)
	i := max(0, min(int(at), len(shades)-2))
	a, b, part := shades[i], shades[i+1], at-float64(i)
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + part*(float64(y)-float64(x)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// extent returns the pixels for n elements: a multiple of n up to pixels.
func extent(n int) int {
	if n >= pixels {
		return pixels
	}
	return n * (pixels / n)
}

// downward labels an axis of rows from the top.
type downward int

func (n downward) Ticks(lo, hi float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(lo, hi)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Value = float64(n) - ticks[i].Value
		}
	}
	return ticks
}
