package display

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// maxNodes is how many operations a drawing has at most; a larger program is
// shown as text.
const maxNodes = 150

func graphBundle(g *ir.Graph) Bundle {
	if g == nil {
		return textBundle("(*ir.Graph)(nil)")
	}
	b := textBundle(strings.TrimSuffix(ir.Print(g), "\n"))
	if countNodes(g) > maxNodes {
		return b
	}
	d := layoutGraph(g)
	return b.withSVG(d.svg()).withPNG(d.png())
}

// countNodes counts the operations of g and of the regions in it.
func countNodes(g *ir.Graph) int {
	n := len(g.Nodes)
	for _, node := range g.Nodes {
		for _, r := range node.Regions {
			n += countNodes(r)
		}
	}
	return n
}

// Measures of a drawing, in pixels.
const (
	boxHeight  = 26
	boxGap     = 28
	layerGap   = 74
	charWidth  = 7.3 // of 12 px monospace
	drawMargin = 12

	labelGap    = 5.0
	labelHeight = 16
)

// A drawing is a graph laid out in layers: operands above what uses them.
type drawing struct {
	boxes         []*box
	edges         []edge
	width, height float64
}

type box struct {
	label string
	round bool // a parameter or a result of the program
	bare  bool // a title, without a frame
	heavy bool // drawn with a thick frame
	layer int
	x, y  float64 // of the centre
	width float64
}

type edge struct {
	from, to *box
	label    string      // dtype and shape of the value, beside where it leaves from
	dtype    dtype.DType // of the value; its colour is behind the label
	heavy    bool        // drawn as a thick line
}

// layoutGraph returns the drawing of g. Each box lies one layer below its
// lowest operand, and within its layer near the middle of its operands. Parameters without a
// name are x1, x2 and so on, as in the text.
func layoutGraph(g *ir.Graph) *drawing {
	d := &drawing{}
	made := map[*ir.Value]*box{}
	for i, p := range g.Params {
		label := fmt.Sprintf("x%d", i+1)
		if i < len(g.Names) && g.Names[i] != "" {
			label = g.Names[i]
		}
		made[p] = d.add(label, true, nil)
	}
	for _, n := range g.Nodes {
		label := n.Code.Mnemonic()
		if c, ok := n.Attrs.(ir.ConstantAttrs); ok {
			label = c.String()
		}
		b := d.add(label, false, operands(made, n.Args))
		d.connect(made, n.Args, b)
		for _, r := range n.Results {
			made[r] = b
		}
	}
	bottom := 0
	for i, v := range g.Outputs {
		b := d.add(fmt.Sprintf("result %d", i+1), true, operands(made, []*ir.Value{v}))
		d.connect(made, []*ir.Value{v}, b)
		bottom = max(bottom, b.layer)
	}
	for _, b := range d.boxes[len(d.boxes)-len(g.Outputs):] {
		b.layer = bottom
	}
	d.place()
	for _, n := range g.Nodes {
		for i, r := range n.Regions {
			d.beside(fmt.Sprintf("%s, region %d", n.Code.Mnemonic(), i+1), layoutGraph(r))
		}
	}
	return d
}

// beside puts the drawing of a region to the right, under its title.
func (d *drawing) beside(title string, sub *drawing) {
	head := &box{label: title, bare: true, y: drawMargin + boxHeight/2, width: charWidth*float64(len(title)) + 20}
	head.x = d.width + head.width/2
	for _, b := range sub.boxes {
		b.x, b.y = b.x+d.width, b.y+boxHeight+drawMargin
	}
	d.boxes = append(append(d.boxes, head), sub.boxes...)
	d.edges = append(d.edges, sub.edges...)
	d.width += max(sub.width, head.width+drawMargin)
	d.height = max(d.height, sub.height+boxHeight+drawMargin)
}

func operands(made map[*ir.Value]*box, vs []*ir.Value) (bs []*box) {
	for _, v := range vs {
		if b := made[v]; b != nil {
			bs = append(bs, b)
		}
	}
	return bs
}

func (d *drawing) add(label string, round bool, after []*box) *box {
	b := &box{label: label, round: round, width: charWidth*float64(len(label)) + 20}
	for _, o := range after {
		b.layer = max(b.layer, o.layer+1)
	}
	d.boxes = append(d.boxes, b)
	return b
}

// connect draws an edge from each operand, named by its dtype and shape.
func (d *drawing) connect(made map[*ir.Value]*box, vs []*ir.Value, to *box) {
	for _, v := range vs {
		if from := made[v]; from != nil {
			typed := dtype.Typed{DType: v.Type.DType, Ambiguous: v.Ambiguous}
			d.edges = append(d.edges, edge{from: from, to: to, label: typed.String() + v.Type.Shape.String(), dtype: typed.DType})
		}
	}
}

// place gives every box its coordinates, layer by layer.
func (d *drawing) place() {
	d.sink()
	var layers [][]*box
	for _, b := range d.boxes {
		for len(layers) <= b.layer {
			layers = append(layers, nil)
		}
		layers[b.layer] = append(layers[b.layer], b)
	}
	for i, l := range layers {
		d.placeLayer(l, drawMargin+boxHeight/2+float64(i)*layerGap)
	}
	d.height = 2*drawMargin + boxHeight + float64(max(0, len(layers)-1))*layerGap
	d.shift()
}

// sink moves parameters and constants, which nothing comes before, down to
// just above what uses them first.
func (d *drawing) sink() {
	first := map[*box]int{}
	hasOperand := map[*box]bool{}
	for _, e := range d.edges {
		hasOperand[e.to] = true
		if n, ok := first[e.from]; !ok || e.to.layer < n {
			first[e.from] = e.to.layer
		}
	}
	for _, b := range d.boxes {
		if n, ok := first[b]; ok && !hasOperand[b] {
			b.layer = n - 1
		}
	}
}

// placeLayer puts boxes side by side, each as near to the middle of its
// operands as those to its left allow; what has no operands goes where there
// is room.
func (d *drawing) placeLayer(l []*box, y float64) {
	right := 0.0
	for _, b := range l {
		x, n := 0.0, 0
		for _, e := range d.edges {
			if e.to == b && e.from.y < y {
				x, n = x+e.from.x, n+1
			}
		}
		if n > 0 {
			x /= float64(n)
		}
		b.x, b.y = max(x, right+b.width/2), y
		right = b.x + b.width/2 + d.gap(b)
	}
}

// gap leaves room right of b for the label of what leaves it.
func (d *drawing) gap(b *box) float64 {
	return max(boxGap, charWidth*float64(len(d.leaving(b)))+labelGap-b.width/2+boxGap/2)
}

// leaving returns the label of what leaves b: of each of its results one.
func (d *drawing) leaving(b *box) string {
	var labels []string
	for _, e := range d.results(b) {
		labels = append(labels, e.label)
	}
	return strings.Join(labels, ", ")
}

// results returns the edges that leave b, one of each label.
func (d *drawing) results(b *box) (es []edge) {
	for _, e := range d.edges {
		if e.from == b && !slices.ContainsFunc(es, func(o edge) bool { return o.label == e.label }) {
			es = append(es, e)
		}
	}
	return es
}

// shift moves everything to the upper left and measures the width.
func (d *drawing) shift() {
	left := 0.0
	for i, b := range d.boxes {
		if x := b.x - b.width/2; i == 0 || x < left {
			left = x
		}
	}
	for _, b := range d.boxes {
		b.x += drawMargin - left
		d.width = max(d.width, b.x+b.width/2+d.gap(b))
	}
	d.width += drawMargin
}

// Colours of a drawing. JupyterLab shows it as a file of its own, which does not have the
// page's colours: lines can be seen on white and on black, and text has its own ground.
const (
	ink       = ` color="#808080"`
	textInk   = "#1f2937"
	boxGround = "#e5e7eb"
)

// labelGround returns the colour behind the label of a value: a hue of its own for every
// dtype, near those of its class.
func labelGround(t dtype.DType) string {
	base, span := 40.0, 30.0 // degrees; span to either side
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
	dark := 0.1 + 0.1*float64(at%2)    // neighbours differ in lightness too
	part := func(offset float64) int { // of HSL with saturation 1 and lightness 1-dark
		k := math.Mod(offset+(hue+360)/30, 12)
		return int(255 * (1 - dark - dark*max(-1, min(k-3, 9-k, 1))))
	}
	return fmt.Sprintf("#%02x%02x%02x", part(0), part(8), part(4))
}

// svg returns the drawing in the colour of the text around it.
func (d *drawing) svg() string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="monospace" font-size="12" fill="none" stroke="currentColor"%s>`, d.width, d.height, d.width, d.height, ink)
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
				x, b.y+boxHeight/2+2, width, labelHeight, labelGround(e.dtype))
			text(&s, x, b.y+boxHeight/2+14, "start", e.label)
			x += width + 2*charWidth
		}
	}
	s.WriteString(`</svg>`)
	return s.String()
}

func (e edge) svg(s *strings.Builder) {
	x1, y1, x2, y2 := e.from.x, e.from.y+boxHeight/2, e.to.x, e.to.y-boxHeight/2
	down := y1 + labelHeight // straight past the label
	mid := (down + y2) / 2
	fmt.Fprintf(s, `<path d="M%.1f %.1fV%.1fC%.1f %.1f %.1f %.1f %.1f %.1f"%s/>`, x1, y1, down, x1, mid, x2, mid, x2, y2, thick(e.heavy))
	fmt.Fprintf(s, `<path d="M%.1f %.1fl-3 -6h6z" fill="currentColor" stroke="none"/>`, x2, y2)
}

func (b *box) svg(s *strings.Builder) {
	radius := 3
	if b.round {
		radius = boxHeight / 2
	}
	line := thick(b.heavy)
	if b.bare {
		line = ` stroke="none"`
	}
	fmt.Fprintf(s, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="%d" fill="%s"%s/>`,
		b.x-b.width/2, b.y-boxHeight/2, b.width, boxHeight, radius, boxGround, line)
	text(s, b.x, b.y+4, "middle", b.label)
}

// thick returns the attribute of a heavy line.
func thick(heavy bool) string {
	if heavy {
		return ` stroke-width="3"`
	}
	return ""
}

func text(s *strings.Builder, x, y float64, anchor, words string) {
	fmt.Fprintf(s, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" stroke="none">%s</text>`, x, y, anchor, textInk, escape(words))
}
