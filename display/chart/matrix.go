package chart

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	nv "github.com/goanvil/notebook/anvil"
)

// Heat returns a heat map of a matrix, which is a tensor or slices of equal length. Row 0 is at the top, column 0 is at
// the left, and the scale of colours is at the right. If there are very many rows or columns, every n-th is drawn, and
// the labels of the axes say so.
func Heat(args ...any) *plot.Plot {
	s, data := settingsOf("Heat", args)
	g := gridOf("Heat", data)
	lo, hi := g.bounds()
	p := s.newPlot()
	p.Add(plotter.NewImage(g.picture(lo, hi), -0.5, -0.5, float64(g.cols)-0.5, float64(g.rows)-0.5))
	p.Add(scaleBar{lo, hi, float64(g.cols), float64(g.rows)})
	p.X.Tick.Marker, p.Y.Tick.Marker = columnTicks(g.cols), rowTicks(g.rows)
	p.X.LineStyle.Width = 0 // the line would continue below the scale
	p.X.Label.Text, p.Y.Label.Text = axisLabel(s.x, "column", g.cols), axisLabel(s.y, "row", g.rows)
	return s.finish(p)
}

// A scaleBar draws the scale of Heat to the right of the matrix: the colours with their values, from lo to hi.
type scaleBar struct{ lo, hi, cols, rows float64 }

// The left and right edge of the bar, and the right edge of the chart, as multiples of the matrix's width.
const barLeft, barRight, chartRight = 1.04, 1.09, 1.25

// DataRange implements plot.DataRanger.
func (b scaleBar) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, b.cols*chartRight - 0.5, -0.5, b.rows - 0.5
}

// Plot implements plot.Plotter.
func (b scaleBar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	left, right := x(b.cols*barLeft-0.5), x(b.cols*barRight-0.5)
	const steps = 64
	img := image.NewRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		img.Set(0, steps-1-i, shade(float64(i)/(steps-1)))
	}
	low, high := y(-0.5), y(b.rows-0.5)
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: left, Y: low}, Max: vg.Point{X: right, Y: high}}, img)
	style := p.Y.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	for i := range 5 {
		if b.lo == b.hi && i != 2 { // a single value needs only the middle label
			continue
		}
		part := float64(i) / 4
		at := vg.Point{X: right + vg.Points(3), Y: low + vg.Length(part)*(high-low)}
		c.FillText(style, at, b.label(part))
	}
}

// label returns the value at part of the scale, which is from 0 to 1, with four significant digits. A value below 1e-4
// of the largest is shown as 0.
func (b scaleBar) label(part float64) string {
	v := b.lo + part*(b.hi-b.lo)
	if unit := max(math.Abs(b.lo), math.Abs(b.hi)) * 1e-4; math.Abs(v) < unit {
		v = 0
	}
	return fmt.Sprintf("%.4g", v)
}

// Contour returns the contour lines of a matrix. There are 10 lines, or n with the option chart.Bins(n). Columns are
// placed along x and rows along y, with row 0 at the bottom. chart.Contour(xs, ys, z) sets the coordinates of the
// columns and rows of z. The legend has the lowest, the middle and the highest line.
func Contour(args ...any) *plot.Plot {
	s, data := settingsOf("Contour", args)
	var xs, ys []float64
	if len(data) == 3 {
		xs, ys, data = numbers("Contour", data[0]), numbers("Contour", data[1]), data[2:]
	}
	f := field{gridOf("Contour", data), xs, ys}
	if f.rows < 2 || f.cols < 2 || xs != nil && (len(xs) != f.cols || len(ys) != f.rows) {
		fail("Contour", data[0], "the matrix needs at least 2 rows and 2 columns, a y for each row and an x for each column",
			"write chart.Contour(xs, ys, z), where z has a row for each y")
	}
	n := s.bins
	if n <= 0 {
		n = 10
	}
	p := s.newPlot()
	lo, hi := f.bounds()
	levels := make([]float64, n)
	var hues []color.Color
	for i := range levels {
		part := (float64(i) + 0.5) / float64(n)
		levels[i] = lo + part*(hi-lo)
		hues = append(hues, shade(part*0.85)) // the lightest shades are invisible on white
	}
	if lo < hi {
		c := plotter.NewContour(f, levels, nil)
		c.LineStyles = nil
		for _, hue := range hues {
			c.LineStyles = append(c.LineStyles, draw.LineStyle{Color: hue, Width: vg.Points(1.2)})
		}
		p.Add(c)
		for _, i := range slices.Compact([]int{n - 1, n / 2, 0}) {
			s.addToLegend(p, i, fmt.Sprintf("%.4g", levels[i]), &plotter.Line{LineStyle: c.LineStyles[i]})
		}
	}
	return s.finish(p)
}

// A field is a matrix with coordinates. It implements gonum's plotter.GridXYZ.
type field struct {
	grid
	xs, ys []float64
}

func (f field) Dims() (c, r int)   { return f.cols, f.rows }
func (f field) Z(c, r int) float64 { return f.values[r*f.cols+c] }
func (f field) X(c int) float64    { return coordinate(f.xs, c) }
func (f field) Y(r int) float64    { return coordinate(f.ys, r) }

// coordinate returns at[i], or i if at is nil.
func coordinate(at []float64, i int) float64 {
	if at == nil {
		return float64(i)
	}
	return at[i]
}

// Image returns a picture without axes and with square pixels. Its argument is an image.Image, or a tensor that the
// method nv.Tensor.Image accepts.
func Image(args ...any) *plot.Plot {
	s, data := settingsOf("Image", args)
	if len(data) != 1 {
		fail("Image", arguments(data), fmt.Sprintf("the number of arguments is %d", len(data)), "give one picture")
	}
	var img image.Image
	switch x := data[0].(type) {
	case image.Image:
		img = x
	case nv.Tensor:
		img = x.Image()
	default:
		fail("Image", x, "neither tensor nor image", "give a tensor {height,width,3} of nv.U8")
	}
	if img.Bounds().Empty() {
		fail("Image", data[0], "the picture has no pixels", "")
	}
	p := s.newPlot()
	p.HideAxes()
	p.Title.Text = s.title
	p.Add(photo{img})
	return s.finish(p)
}

// A photo draws an image as large as fits, without changing its proportions.
type photo struct{ image.Image }

func (f photo) Plot(c draw.Canvas, _ *plot.Plot) {
	w, h := vg.Length(f.Bounds().Dx()), vg.Length(f.Bounds().Dy())
	room := c.Max.Sub(c.Min)
	unit := min(room.X/w, room.Y/h)
	from := c.Min.Add(vg.Point{X: (room.X - w*unit) / 2, Y: (room.Y - h*unit) / 2})
	c.DrawImage(vg.Rectangle{Min: from, Max: from.Add(vg.Point{X: w * unit, Y: h * unit})}, f.Image)
}

// A grid is a matrix of values, row by row.
type grid struct {
	values     []float64
	rows, cols int
}

// gridOf returns the only element of data, the arguments of op, as a grid. It fails unless that is a matrix with
// elements.
func gridOf(op string, data []any) grid {
	if len(data) != 1 {
		fail(op, arguments(data), fmt.Sprintf("the number of arguments is %d", len(data)), "give one matrix")
	}
	x, ok := data[0].(nv.Tensor)
	if !ok {
		if nv.Try(func() { x = nv.New(data[0], nv.F64) }) != nil {
			fail(op, data[0], "a matrix with elements is needed", "give a tensor, or slices of numbers of equal length")
		}
	}
	if !x.Valid() || x.Rank() != 2 || x.Size() == 0 {
		fail(op, x, "a matrix with elements is needed", "choose one: x[0], or nv.Reshape")
	}
	return grid{nv.Values[float64](x), x.Shape()[0], x.Shape()[1]}
}

// maxPixels is the greatest width and height, in pixels, of the picture of a matrix.
const maxPixels = 600

// axisLabel returns the label of an axis with n rows or columns. If not all of them are shown, the label says so.
// byDefault is used if label is "".
func axisLabel(label, byDefault string, n int) string {
	if label == "" {
		label = byDefault
	}
	if n > maxPixels {
		return fmt.Sprintf("%s (%d of %d shown)", label, maxPixels, n)
	}
	return label
}

// bounds returns the least and the greatest finite value, or zeros if no value is finite.
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

// picture returns an image in which each element is a rectangle of whole pixels. Its colour shows where the element
// lies between lo and hi. Elements that are not finite are transparent.
func (g grid) picture(lo, hi float64) image.Image {
	w, h := pixelsFor(g.cols), pixelsFor(g.rows)
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

// shades are equidistant colours of the viridis scale. Their order is visible in greyscale and to colour-blind people.
// Source: matplotlib's documentation.
var shades = [...]color.RGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x47, 0x2d, 0x7b, 0xff}, {0x3b, 0x52, 0x8b, 0xff},
	{0x2c, 0x72, 0x8e, 0xff}, {0x21, 0x91, 0x8c, 0xff}, {0x28, 0xae, 0x80, 0xff},
	{0x5e, 0xc9, 0x62, 0xff}, {0xad, 0xdc, 0x30, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// shade returns the colour at t on the scale of shades. t is from 0 to 1.
func shade(t float64) color.RGBA {
	at := t * float64(len(shades)-1)
	i := max(0, min(int(at), len(shades)-2))
	a, b, part := shades[i], shades[i+1], at-float64(i)
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + part*(float64(y)-float64(x)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// pixelsFor returns the number of pixels for n rows or columns: the greatest multiple of n up to maxPixels, or
// maxPixels if n is greater than maxPixels.
func pixelsFor(n int) int {
	if n >= maxPixels {
		return maxPixels
	}
	return n * (maxPixels / n)
}

// columnTicks, a number of columns, implements plot.Ticker. It labels the x axis of Heat, except for the part below the
// scale of colours.
type columnTicks int

func (n columnTicks) Ticks(lo, hi float64) (ticks []plot.Tick) {
	for _, t := range (plot.DefaultTicks{}).Ticks(0, float64(max(1, n-1))) {
		if t.Value >= 0 && t.Value <= float64(n-1) && t.Value == math.Trunc(t.Value) {
			if t.Label != "" {
				t.Label = strconv.Itoa(int(t.Value))
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// rowTicks, a number of rows, implements plot.Ticker. It labels the y axis of Heat, counting rows from the top.
type rowTicks int

func (n rowTicks) Ticks(lo, hi float64) []plot.Tick {
	ticks := columnTicks(n).Ticks(lo, hi)
	for i := range ticks {
		ticks[i].Value = float64(n-1) - ticks[i].Value
	}
	return ticks
}
