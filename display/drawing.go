package display

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
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
	round bool    // drawn with round ends
	bare  bool    // a title, without a frame
	heavy bool    // drawn with a thick frame
	layer int     // counted from the top
	x, y  float64 // of the centre
	width float64
}

// An edge is an arrow of a drawing.
type edge struct {
	from, to *box
	via      []*box      // its bends, one in each layer between
	label    string      // dtype and shape of the value, next to the start of the edge
	dtype    dtype.DType // of the value; determines the colour behind the label
	heavy    bool        // drawn as a thick line
}

// Sizes and distances in a drawing, in pixels.
const (
	boxHeight  = 26
	boxGap     = 28
	layerGap   = 74  // from the middle of a layer to the middle of the next
	charWidth  = 7.3 // of a monospace font of 12 px
	drawMargin = 12

	bendWidth = 8

	labelGap    = 5.0
	labelHeight = 16
)

// add adds a box in the layer below the lowest of its operands.
func (d *drawing) add(label string, round bool, operands []*box) *box {
	b := &box{label: label, round: round, width: charWidth*float64(len(label)) + 20}
	for _, o := range operands {
		b.layer = max(b.layer, o.layer+1)
	}
	d.boxes = append(d.boxes, b)
	return b
}

// place sets the coordinates of all boxes and bends, layer by layer, and the size of the drawing.
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

// bend gives each edge a bend in every layer that the edge crosses, so that the edge does not run behind boxes. It
// returns the bends of each layer. All edges from one box share their bends.
func (d *drawing) bend(layers int) [][]*box {
	inLayer := make([][]*box, layers)
	bendsFrom := map[*box][]*box{}
	for i := range d.edges {
		e := &d.edges[i]
		for layer := e.from.layer + 1; layer < e.to.layer; layer++ {
			k := layer - e.from.layer - 1
			if k == len(bendsFrom[e.from]) {
				b := &box{layer: layer, width: bendWidth}
				bendsFrom[e.from] = append(bendsFrom[e.from], b)
				inLayer[layer] = append(inLayer[layer], b)
				d.bends = append(d.bends, b)
			}
			e.via = bendsFrom[e.from][:k+1]
		}
	}
	return inLayer
}

// placeLayer puts the boxes and bends of a layer side by side at height y. The preferred x of a box is the mean x of
// its operands, and that of a bend is the x of the previous point of its edge. Boxes and bends that would overlap
// move to the right. Boxes without operands follow the box on their left. A bend stands before the first box with a
// greater preferred x.
func (d *drawing) placeLayer(layer, bends []*box, y float64) {
	preferred := map[*box]float64{} // x coordinates
	for _, b := range layer {
		sum, n := 0.0, 0
		for _, e := range d.edges {
			if e.to == b {
				sum, n = sum+e.lastPoint().x, n+1
			}
		}
		if n > 0 {
			preferred[b] = sum / float64(n)
		}
	}
	for _, e := range d.edges {
		for i, b := range e.via {
			if slices.Contains(bends, b) {
				preferred[b] = append([]*box{e.from}, e.via...)[i].x // below the previous bend or the start
			}
		}
	}
	for _, b := range bends {
		at := slices.IndexFunc(layer, func(o *box) bool { return preferred[o] > preferred[b] })
		if at < 0 {
			at = len(layer)
		}
		layer = slices.Insert(layer, at, b)
	}
	right := 0.0
	for _, b := range layer {
		b.x, b.y = max(preferred[b], right+b.width/2), y
		right = b.x + b.width/2 + d.gap(b)
	}
}

// lastPoint returns the last bend of e, or the box that e starts from if e has no bends.
func (e edge) lastPoint() *box {
	if len(e.via) > 0 {
		return e.via[len(e.via)-1]
	}
	return e.from
}

// gap returns the distance from b to the next box on the right. It leaves room for the labels of b's results.
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

// results returns the edges that start at b. Of edges with the same label it returns only the first.
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

// A piece is the part of an edge between two layers: a vertical line from (x1, y1) to (x1, down), past the labels, and
// then a curve to (x2, y2).
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
