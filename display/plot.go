package display

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The size of a plot, and the resolution of its picture.
const (
	plotWidth  = 5.5 * vg.Inch
	plotHeight = 3.5 * vg.Inch
	plotDPI    = 144
	plotMargin = vg.Length(8)
)

// Plots are several plots in one picture, in rows of Columns plots each. If Columns is less than 1, each row has one
// plot.
type Plots struct {
	Columns int
	Plots   []*plot.Plot
}

// Display draws the plots as SVG and as PNG.
func (ps Plots) Display() Bundle {
	if len(ps.Plots) == 0 {
		return TextBundle("no plots")
	}
	var texts []string
	for _, p := range ps.Plots {
		if p == nil {
			return TextBundle("(*plot.Plot)(nil)")
		}
		texts = append(texts, plotText(p))
		for _, a := range []*plot.Axis{&p.X, &p.Y} {
			// An axis without data is from +Inf to -Inf, so its length is -Inf; gonum draws it from -1 to 1.
			if length := a.Max - a.Min; math.IsInf(length, 1) || math.IsNaN(length) {
				return TextBundle(fmt.Sprintf("%s: an axis from %g to %g cannot be drawn", plotText(p), a.Min, a.Max))
			}
		}
	}
	b := TextBundle(strings.Join(texts, "\n"))
	svg, err := ps.svg()
	if err != nil {
		return TextBundle(b.Text() + ": " + err.Error())
	}
	return b.withSVG(svg).withPNG(ps.png())
}

// tiling returns the numbers of columns and rows of plots in the picture.
func (ps Plots) tiling() (columns, rows int) {
	columns = max(1, min(ps.Columns, len(ps.Plots)))
	return columns, ceilDiv(len(ps.Plots), columns)
}

// size returns the size of the picture. The plots are smaller if there are several columns.
func (ps Plots) size() (width, height vg.Length) {
	columns, rows := ps.tiling()
	scale := vg.Length(1)
	if columns > 1 {
		scale = 0.75
	}
	return plotWidth * scale * vg.Length(columns), plotHeight * scale * vg.Length(rows)
}

// plotText describes a plot for front ends without pictures.
func plotText(p *plot.Plot) string {
	text := "plot"
	if p.Title.Text != "" {
		text = fmt.Sprintf("plot %q", p.Title.Text)
	}
	if p.X.Min <= p.X.Max && p.Y.Min <= p.Y.Max { // the ranges of an empty plot are reversed
		text += fmt.Sprintf(": x %.4g to %.4g, y %.4g to %.4g", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	return text
}

func (ps Plots) svg() (string, error) {
	c := outlined{vgsvg.New(ps.size())}
	ps.draw(c)
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return "", err
	}
	// vgsvg embeds an image as PNG but labels it JPEG. The attributes stretch an image to its rectangle and keep the
	// edges of its pixels sharp.
	return strings.NewReplacer(
		"<image ", `<image preserveAspectRatio="none" image-rendering="pixelated" `,
		"data:image/jpg;base64,", "data:image/png;base64,",
	).Replace(buf.String()), nil
}

// draw draws the plots, each with a margin in its background colour, which is white by default. So the plots are
// readable in dark themes, and no label touches the edge.
func (ps Plots) draw(on vg.CanvasSizer) {
	columns, rows := ps.tiling()
	tiles := draw.Tiles{Cols: columns, Rows: rows}
	whole := draw.New(on)
	for i, p := range ps.Plots {
		c := tiles.At(whole, i%columns, i/columns)
		if p.BackgroundColor != nil {
			c.SetColor(p.BackgroundColor)
			c.Fill(c.Rectangle.Path())
		}
		plotCopy := *p // a copy, since Draw sets the ranges of axes that have none
		plotCopy.Draw(draw.Crop(c, plotMargin, -plotMargin, plotMargin, -plotMargin))
	}
}

func (ps Plots) png() []byte {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(ps.size()), vgimg.UseDPI(plotDPI))}
	ps.draw(c)
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil
	}
	return buf.Bytes()
}

// An outlined canvas draws text as the outlines of its letters. So the drawing needs no font, and does not have to
// embed one of about 500 kB.
type outlined struct{ *vgsvg.Canvas }

// FillString draws text at pt. It replaces the method of vgsvg.Canvas.
func (c outlined) FillString(f font.Face, pt vg.Point, text string) {
	var path vg.Path
	var buf sfnt.Buffer
	const em = 1000                          // the size in pixels at which the glyphs are loaded
	unit := f.Font.Size / vg.Length(em) / 64 // the length of 1/64 pixel, the unit of fixed.Int26_6
	previous := sfnt.GlyphIndex(0)
	for _, r := range text {
		glyph, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if k, err := f.Face.Kern(&buf, previous, glyph, fixed.I(em), 0); err == nil && previous != 0 {
			pt.X += vg.Length(k) * unit
		}
		if segments, err := f.Face.LoadGlyph(&buf, glyph, fixed.I(em), nil); err == nil {
			appendGlyph(&path, segments, pt, unit)
		}
		if advance, err := f.Face.GlyphAdvance(&buf, glyph, fixed.I(em), 0); err == nil {
			pt.X += vg.Length(advance) * unit
		}
		previous = glyph
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}

// appendGlyph appends the outline of a glyph whose origin is at. unit is the length of 1 in the coordinates of
// segments.
func appendGlyph(path *vg.Path, segments sfnt.Segments, at vg.Point, unit vg.Length) {
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*unit, Y: at.Y - vg.Length(p.Y)*unit} // y of a glyph grows downward
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
}
