package display

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// maxNodes is the greatest number of operations in a drawing; larger programs are shown as text.
const maxNodes = 150

// graphBundle returns a program as text, and as a drawing if it is small.
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

	bendWidth = 8

	labelGap    = 5.0
	labelHeight = 16
)

// A drawing is a graph laid out in layers: operands above the operations that use them.
type drawing struct {
	boxes         []*box
	edges         []edge
	bends         []*box // where edges pass between the boxes of a layer
	width, height float64
}

// A box is a node of a drawing, or a bend of an edge.
type box struct {
	label string
	round bool // a parameter or a result of the program
	bare  bool // a title, without a frame
	heavy bool // drawn with a thick frame
	layer int
	x, y  float64 // of the centre
	width float64
}

// An edge is an arrow of a drawing.
type edge struct {
	from, to *box
	via      []*box      // its bends, one in each layer between
	label    string      // dtype and shape of the value, next to the start of the edge
	dtype    dtype.DType // of the value; its colour is behind the label
	heavy    bool        // drawn as a thick line
}

// layoutGraph returns the drawing of g. Each box lies one layer below its lowest operand, and within its
// layer near the middle of its operands. Parameters without a name are called x1, x2 and so on, as in the
// text.
func layoutGraph(g *ir.Graph) *drawing {
	d := &drawing{}
	boxes := map[*ir.Value]*box{} // by the values that they produce
	for i, p := range g.Params {
		label := fmt.Sprintf("x%d", i+1)
		if i < len(g.Names) && g.Names[i] != "" {
			label = g.Names[i]
		}
		boxes[p] = d.add(label, true, nil)
	}
	for _, n := range g.Nodes {
		label := n.Code.Mnemonic()
		if c, ok := n.Attrs.(ir.ConstantAttrs); ok {
			label = c.String()
		}
		b := d.add(label, false, operandBoxes(boxes, n.Args))
		d.connect(boxes, n.Args, b)
		for _, r := range n.Results {
			boxes[r] = b
		}
	}
	bottom := 0
	for i, v := range g.Outputs {
		b := d.add(fmt.Sprintf("result %d", i+1), true, operandBoxes(boxes, []*ir.Value{v}))
		d.connect(boxes, []*ir.Value{v}, b)
		bottom = max(bottom, b.layer)
	}
	for _, b := range d.boxes[len(d.boxes)-len(g.Outputs):] {
		b.layer = bottom
	}
	d.place()
	for _, n := range g.Nodes {
		for i, r := range n.Regions {
			d.addRegion(fmt.Sprintf("%s, region %d", n.Code.Mnemonic(), i+1), layoutGraph(r))
		}
	}
	return d
}

// addRegion puts the drawing of a region to the right, under its title.
func (d *drawing) addRegion(title string, sub *drawing) {
	head := &box{label: title, bare: true, y: drawMargin + boxHeight/2, width: charWidth*float64(len(title)) + 20}
	head.x = d.width + head.width/2
	for _, b := range sub.boxes {
		b.x, b.y = b.x+d.width, b.y+boxHeight+drawMargin
	}
	for _, b := range sub.bends {
		b.x, b.y = b.x+d.width, b.y+boxHeight+drawMargin
	}
	d.boxes = append(append(d.boxes, head), sub.boxes...)
	d.bends = append(d.bends, sub.bends...)
	d.edges = append(d.edges, sub.edges...)
	d.width += max(sub.width, head.width+drawMargin)
	d.height = max(d.height, sub.height+boxHeight+drawMargin)
}

// operandBoxes returns the boxes that produce vs. A region's values from outside have no box.
func operandBoxes(boxes map[*ir.Value]*box, vs []*ir.Value) (found []*box) {
	for _, v := range vs {
		if b := boxes[v]; b != nil {
			found = append(found, b)
		}
	}
	return found
}

// add adds a box in the layer below the lowest of its operands.
func (d *drawing) add(label string, round bool, operands []*box) *box {
	b := &box{label: label, round: round, width: charWidth*float64(len(label)) + 20}
	for _, o := range operands {
		b.layer = max(b.layer, o.layer+1)
	}
	d.boxes = append(d.boxes, b)
	return b
}

// connect adds an edge to the box to from each operand, labelled with the operand's dtype and shape.
func (d *drawing) connect(boxes map[*ir.Value]*box, vs []*ir.Value, to *box) {
	for _, v := range vs {
		if from := boxes[v]; from != nil {
			typed := dtype.Typed{DType: v.Type.DType, Ambiguous: v.Ambiguous}
			label := typed.String() + v.Type.Shape.String()
			d.edges = append(d.edges, edge{from: from, to: to, label: label, dtype: typed.DType})
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
	bends := d.bend(len(layers))
	for i, l := range layers {
		d.placeLayer(l, bends[i], drawMargin+boxHeight/2+float64(i)*layerGap)
	}
	d.height = 2*drawMargin + boxHeight + float64(max(0, len(layers)-1))*layerGap
	d.shift()
}

// sink moves parameters and constants, which have no operands, down to the layer just above their first use.
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

// bend gives an edge that crosses layers a bend in each of them, so that it does not run behind boxes. It returns
// the bends of every layer. All edges from one box share their bends.
func (d *drawing) bend(layers int) [][]*box {
	inLayer := make([][]*box, layers)
	bendsFrom := map[*box][]*box{}
	for i := range d.edges {
		e := &d.edges[i]
		for layer := e.from.layer + 1; layer < e.to.layer; layer++ {
			k := layer - e.from.layer - 1
			if k == len(bendsFrom[e.from]) {
				b := &box{bare: true, layer: layer, width: bendWidth}
				bendsFrom[e.from] = append(bendsFrom[e.from], b)
				inLayer[layer] = append(inLayer[layer], b)
				d.bends = append(d.bends, b)
			}
			e.via = bendsFrom[e.from][:k+1]
		}
	}
	return inLayer
}

// placeLayer puts the boxes and bends of a layer side by side, each as near to the middle of its operands as those
// to its left allow. Boxes without operands go where there is room. A bend goes before the first box to its right.
func (d *drawing) placeLayer(layer, bends []*box, y float64) {
	wanted := map[*box]float64{} // the preferred x
	for _, b := range layer {
		sum, n := 0.0, 0
		for _, e := range d.edges {
			if e.to == b && e.from.y < y {
				sum, n = sum+e.lastPoint().x, n+1
			}
		}
		if n > 0 {
			wanted[b] = sum / float64(n)
		}
	}
	for _, e := range d.edges {
		for i, b := range e.via {
			if slices.Contains(bends, b) {
				wanted[b] = append([]*box{e.from}, e.via...)[i].x // below the previous bend or the start
			}
		}
	}
	for _, b := range bends {
		at := slices.IndexFunc(layer, func(o *box) bool { return wanted[o] > wanted[b] })
		if at < 0 {
			at = len(layer)
		}
		layer = slices.Insert(layer, at, b)
	}
	right := 0.0
	for _, b := range layer {
		b.x, b.y = max(wanted[b], right+b.width/2), y
		right = b.x + b.width/2 + d.gap(b)
	}
}

// lastPoint returns the last bend of e, or its start if it has none.
func (e edge) lastPoint() *box {
	if len(e.via) > 0 {
		return e.via[len(e.via)-1]
	}
	return e.from
}

// gap returns the distance from b to the next box on the right, which leaves room for the labels of b's results.
func (d *drawing) gap(b *box) float64 {
	if b.width == bendWidth { // b is a bend
		return bendWidth
	}
	return max(boxGap, charWidth*float64(len(d.resultLabels(b)))+labelGap-b.width/2+boxGap/2)
}

// resultLabels returns the labels of b's results, joined.
func (d *drawing) resultLabels(b *box) string {
	var labels []string
	for _, e := range d.results(b) {
		labels = append(labels, e.label)
	}
	return strings.Join(labels, ", ")
}

// results returns the edges that leave b, one for each label.
func (d *drawing) results(b *box) (es []edge) {
	for _, e := range d.edges {
		if e.from == b && !slices.ContainsFunc(es, func(o edge) bool { return o.label == e.label }) {
			es = append(es, e)
		}
	}
	return es
}

// shift moves everything to the left margin and sets the width.
func (d *drawing) shift() {
	left := 0.0
	for i, b := range d.boxes {
		if x := b.x - b.width/2; i == 0 || x < left {
			left = x
		}
	}
	for _, b := range slices.Concat(d.boxes, d.bends) {
		b.x += drawMargin - left
		d.width = max(d.width, b.x+b.width/2+d.gap(b))
	}
	d.width += drawMargin
}

// Colours of a drawing. JupyterLab shows drawings as separate files, which do not have the page's colours:
// lines are visible on white and on black, and text has a background of its own.
const (
	ink       = ` color="#808080"`
	textInk   = "#1f2937"
	boxGround = "#e5e7eb"
)

// labelGround returns the background of a value's label: a hue for each dtype, similar for dtypes of one
// kind.
func labelGround(t dtype.DType) string {
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

// svg returns the drawing in the text colour of the page.
func (d *drawing) svg() string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="monospace" font-size="12" fill="none" stroke="currentColor"%s>`,
		d.width, d.height, d.width, d.height, ink)
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
			writeText(&s, x, b.y+boxHeight/2+14, "start", e.label)
			x += width + 2*charWidth
		}
	}
	s.WriteString(`</svg>`)
	return s.String()
}

// A piece is the part of an edge between two layers: a vertical line to y = down, past labels, and
// then a curve.
type piece struct{ x1, y1, down, x2, y2 float64 }

// pieces returns the parts of an edge.
func (e edge) pieces() (ps []piece) {
	from, top := e.from, e.from.y+boxHeight/2
	for _, to := range append(e.via[:len(e.via):len(e.via)], e.to) {
		p := piece{from.x, top, from.y + boxHeight/2 + labelHeight, to.x, to.y - boxHeight/2}
		ps = append(ps, p)
		from, top = to, p.y2
	}
	return ps
}

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
		b.x-b.width/2, b.y-boxHeight/2, b.width, boxHeight, radius, boxGround, line)
	writeText(s, b.x, b.y+4, "middle", b.label)
}

// strokeWidth returns the attribute for the width of a line.
func strokeWidth(heavy bool) string {
	if heavy {
		return ` stroke-width="3"`
	}
	return ""
}

// writeText writes words at (x, y), which is their start or middle as anchor says.
func writeText(s *strings.Builder, x, y float64, anchor, words string) {
	fmt.Fprintf(s, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" stroke="none">%s</text>`,
		x, y, anchor, textInk, escape(words))
}
