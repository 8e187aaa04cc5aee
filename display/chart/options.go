package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/goanvil/notebook/anvil/options"
)

// An Option sets a title, labels, a legend, an axis or the number of bins. Options stand
// anywhere among the arguments of a chart.
type Option struct {
	name string
	set  func(*settings)
}

// settings holds the values of a chart's options.
type settings struct {
	title, x, y string // x and y are the labels of the axes
	legend      []string
	logX, logY  bool
	bins        int
	named       int // the number of series in the legend
}

// Title sets the title of a chart.
func Title(text string) Option {
	return Option{"Title", func(s *settings) { s.title = text }}
}

// Labels sets the labels of the axes.
func Labels(x, y string) Option {
	return Option{"Labels", func(s *settings) { s.x, s.y = x, y }}
}

// Legend names the series, in the order of the arguments. Without it, the columns of a table have their own names.
func Legend(names ...string) Option {
	return Option{"Legend", func(s *settings) { s.legend = names }}
}

// LogX makes the x axis logarithmic. Points whose x is not above 0 are left out.
func LogX() Option {
	return Option{"LogX", func(s *settings) { s.logX = true }}
}

// LogY makes the y axis logarithmic. Points whose y is not above 0 are left out.
func LogY() Option {
	return Option{"LogY", func(s *settings) { s.logY = true }}
}

// Bins sets the number of bins of Hist, and the number of lines of Contour.
func Bins(n int) Option {
	if n < 1 {
		fail("Bins", n, fmt.Sprintf("%d bins are asked for", n), "give at least 1")
	}
	return Option{"Bins", func(s *settings) { s.bins = n }}
}

// settingsOf splits args, the arguments of op, into options and data. It fails if op does not take one of the
// options, or if an option is given twice.
func settingsOf(op string, args []any) (s settings, data []any) {
	var given []string
	for _, arg := range args {
		o, ok := arg.(Option)
		switch {
		case !ok:
			data = append(data, arg)
		case !slices.Contains(options.Of(options.Chart, op), o.name):
			fail(op, args[0], "chart."+o.name+" is not an option of "+op,
				"it takes chart."+strings.Join(options.Of(options.Chart, op), ", chart."))
		case slices.Contains(given, o.name):
			fail(op, args[0], "chart."+o.name+" is given twice", "give it once")
		default:
			o.set(&s)
			given = append(given, o.name)
		}
	}
	return s, data
}

// newPlot returns an empty plot in a sans-serif font.
func (s settings) newPlot() *plot.Plot {
	p := plot.New()
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		f.Variant = "Sans"
	}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = s.title, s.x, s.y
	p.Title.Padding = vg.Points(6)
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(2)
	return p
}

// finish sets the axes of p, to which all series have been added, and leaves room for the legend above them.
func (s *settings) finish(p *plot.Plot) *plot.Plot {
	setAxis(&p.X, s.logX)
	setAxis(&p.Y, s.logY)
	if room := min(0.5, 0.08*float64(s.named)); s.logY { // room is the part of the chart's height for the legend
		p.Y.Max *= math.Pow(p.Y.Max/p.Y.Min, room/(1-room))
	} else {
		p.Y.Max += (p.Y.Max - p.Y.Min) * room / (1 - room)
	}
	return p
}

// setAxis gives an axis without data the range 0 to 1, or 1 to 10 if it is logarithmic. It sets the scale and the
// ticks of a logarithmic axis.
func setAxis(a *plot.Axis, log bool) {
	if a.Min > a.Max {
		if a.Min, a.Max = 0, 1; log {
			a.Min, a.Max = 1, 10
		}
	}
	if !log {
		return
	}
	if a.Min == a.Max {
		a.Min, a.Max = a.Min/2, a.Max*2
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: 4}
	if math.Log10(a.Max/a.Min) < 1 { // LogTicks would label at most one value, since it labels only powers of ten
		a.Tick.Marker = ticks{}
	}
}

// drawable reports whether v can be placed on an axis. log says whether the axis is logarithmic.
func drawable(v float64, log bool) bool { return finite(v) && (!log || v > 0) }

// colors are the colours of series. Colour-blind people can distinguish them. All but the last two have a contrast of
// at least 3:1 to white. Source: Okabe and Ito, Color Universal Design.
var colors = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x8a, 0x66, 0xff}, {0xb8, 0x5c, 0x94, 0xff},
	{0x40, 0x40, 0x40, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
}

// dashes and glyphs are the line and point styles of series, which can be told apart without colour.
var (
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {12, 3}, {4, 2, 1, 2, 1, 2}}
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{},
		draw.PlusGlyph{}, draw.RingGlyph{}, draw.PyramidGlyph{}}
)

// colorOf returns the colour of series i.
func colorOf(i int) color.RGBA { return colors[i%len(colors)] }

// lighter returns c half transparent, as the colour of an area.
func lighter(c color.RGBA) color.Color { return color.NRGBA{c.R, c.G, c.B, 0x80} }

// lineStyle returns the style of the lines of series i.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: colorOf(i), Width: vg.Points(1.5), Dashes: dashes[i%len(dashes)]}
}

// glyphStyle returns the style of the points of series i.
func glyphStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: colorOf(i), Radius: vg.Points(2.5), Shape: glyphs[i%len(glyphs)]}
}
