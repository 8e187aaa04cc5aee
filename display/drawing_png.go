package display

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// png returns the drawing in the PNG format on a white background, for front ends that do not show SVG. It returns nil
// if the encoder fails.
func (d *drawing) png() []byte {
	w, h := vg.Length(d.width), vg.Length(d.height)
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(plotDPI))}
	p := &pen{c, h, font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Mono"}, 12)}
	p.SetColor(color.White)
	p.Fill(vg.Rectangle{Max: vg.Point{X: w, Y: h}}.Path())
	p.SetColor(color.Gray{0x30})
	for _, e := range d.edges {
		p.SetLineWidth(lineWidth(e.heavy))
		p.edge(e)
	}
	for _, b := range d.boxes {
		p.SetLineWidth(lineWidth(b.heavy))
		p.box(b)
		x := b.x + labelGap
		for _, e := range d.results(b) {
			if e.label == "" {
				continue
			}
			width := charWidth * float64(len(e.label))
			var r, g, blue uint8
			fmt.Sscanf(labelBackground(e.dtype), "#%02x%02x%02x", &r, &g, &blue)
			p.SetColor(color.RGBA{r, g, blue, 0xff})
			p.Fill(vg.Rectangle{Min: p.at(x, b.y+boxHeight/2+2+labelHeight), Max: p.at(x+width, b.y+boxHeight/2+2)}.Path())
			p.SetColor(color.Gray{0x30})
			p.FillString(p.face, p.at(x, b.y+boxHeight/2+14), e.label)
			x += width + 2*charWidth
		}
	}
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil
	}
	return buf.Bytes()
}

func lineWidth(heavy bool) vg.Length {
	if heavy {
		return vg.Points(3)
	}
	return vg.Points(1)
}

// A pen draws in the coordinates of a drawing, in which y grows downward.
type pen struct {
	vg.Canvas
	height vg.Length
	face   font.Face
}

// at converts a point of the drawing to a point of the canvas, in which y grows upward.
func (p *pen) at(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: p.height - vg.Length(y)} }

// edge draws an edge with an arrowhead.
func (p *pen) edge(e edge) {
	var path vg.Path
	path.Move(p.at(e.from.x, e.from.y+boxHeight/2))
	for _, q := range e.pieces() {
		mid := (q.down + q.y2) / 2
		path.Line(p.at(q.x1, q.down))
		path.CubeTo(p.at(q.x1, mid), p.at(q.x2, mid), p.at(q.x2, q.y2))
	}
	p.Stroke(path)
	x, y := e.to.x, e.to.y-boxHeight/2
	var head vg.Path
	head.Move(p.at(x, y))
	head.Line(p.at(x-3, y-6))
	head.Line(p.at(x+3, y-6))
	head.Close()
	p.Fill(head)
}

// box draws a box and its label. The corners of a round box are cut off.
func (p *pen) box(b *box) {
	corner := 1.0
	if b.round {
		corner = boxHeight / 3
	}
	left, right := b.x-b.width/2, b.x+b.width/2
	top, bottom := b.y-boxHeight/2, b.y+boxHeight/2
	var path vg.Path
	path.Move(p.at(left+corner, top))
	for _, q := range []struct{ x, y float64 }{
		{right - corner, top}, {right, top + corner}, {right, bottom - corner}, {right - corner, bottom},
		{left + corner, bottom}, {left, bottom - corner}, {left, top + corner},
	} {
		path.Line(p.at(q.x, q.y))
	}
	path.Close()
	if !b.bare {
		p.Stroke(path)
	}
	width := float64(p.face.Width(b.label))
	p.FillString(p.face, p.at(b.x-width/2, b.y+4), b.label)
}
