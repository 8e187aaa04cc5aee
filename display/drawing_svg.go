package display

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Colours of a drawing. JupyterLab shows drawings as separate files, to which the colours of the page do not apply.
// So the lines have a colour that is visible on white and on black, and text has a background of its own.
const (
	lineColorAttribute = ` color="#808080"`
	textColor          = "#1f2937"
	boxBackground      = "#e5e7eb"
)

// labelBackground returns the background colour of a value's label. Each dtype has its own hue, and dtypes of one kind
// have similar hues.
func labelBackground(t dtype.DType) string {
	base, span := 40.0, 30.0 // the hues of the kind are from base-span to base+span, in degrees
	switch t.Kind() {
	case dtype.Signed:
		base = 230
	case dtype.Unsigned:
		base = 160
	case dtype.Floating:
		span = 60
	case dtype.Complex:
		base = 300
	case dtype.Boolean:
		return "#d6d3d1"
	}
	all := t.Kind().DTypes()
	at := slices.Index(all, t)
	hue := base - span + 2*span*(float64(at)+0.5)/float64(max(1, len(all)))
	dark := 0.1 + 0.1*float64(at%2)       // neighbours differ in lightness too
	channel := func(offset float64) int { // from HSL to RGB, with saturation 1 and lightness 1-dark
		k := math.Mod(offset+(hue+360)/30, 12)
		return int(255 * (1 - dark - dark*max(-1, min(k-3, 9-k, 1))))
	}
	return fmt.Sprintf("#%02x%02x%02x", channel(0), channel(8), channel(4))
}

// svg returns the drawing in the SVG format. If lineColorAttribute is removed from the text, the lines have the text
// colour of the page.
func (d *drawing) svg() string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="monospace" font-size="12" fill="none" stroke="currentColor"%s>`,
		d.width, d.height, d.width, d.height, lineColorAttribute)
	for _, e := range d.edges {
		e.svg(&s)
	}
	for _, b := range d.boxes {
		b.svg(&s)
		x := b.x + labelGap
		for _, e := range d.results(b) {
			if e.label == "" {
				continue
			}
			width := charWidth * float64(len(e.label))
			fmt.Fprintf(&s, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="3" fill="%s" stroke="none"/>`,
				x, b.y+boxHeight/2+2, width, labelHeight, labelBackground(e.dtype))
			writeText(&s, x, b.y+boxHeight/2+14, "start", e.label)
			x += width + 2*charWidth
		}
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// svg writes the edge with its bends and an arrowhead.
func (e edge) svg(s *strings.Builder) {
	var last piece
	for i, p := range e.pieces() {
		if i == 0 {
			fmt.Fprintf(s, `<path d="M%.1f %.1f`, p.x1, p.y1)
		}
		mid := (p.down + p.y2) / 2
		fmt.Fprintf(s, "V%.1fC%.1f %.1f %.1f %.1f %.1f %.1f", p.down, p.x1, mid, p.x2, mid, p.x2, p.y2)
		last = p
	}
	fmt.Fprintf(s, `"%s/>`, strokeWidth(e.heavy))
	fmt.Fprintf(s, `<path d="M%.1f %.1fl-3 -6h6z" fill="currentColor" stroke="none"/>`, last.x2, last.y2)
}

// svg writes the box and its label.
func (b *box) svg(s *strings.Builder) {
	radius := 3
	if b.round {
		radius = boxHeight / 2
	}
	line := strokeWidth(b.heavy)
	if b.bare {
		line = ` stroke="none"`
	}
	fmt.Fprintf(s, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="%d" fill="%s"%s/>`,
		b.x-b.width/2, b.y-boxHeight/2, b.width, boxHeight, radius, boxBackground, line)
	writeText(s, b.x, b.y+4, "middle", b.label)
}

// strokeWidth returns the attribute for the width of a line, or "" for the default width.
func strokeWidth(heavy bool) string {
	if heavy {
		return ` stroke-width="3"`
	}
	return ""
}

// writeText writes words so that (x, y) is their start or their middle. anchor is "start" or "middle".
func writeText(s *strings.Builder, x, y float64, anchor, words string) {
	fmt.Fprintf(s, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" stroke="none">%s</text>`,
		x, y, anchor, textColor, escape(words))
}
