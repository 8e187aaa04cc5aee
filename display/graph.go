package display

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// maxNodes is the greatest number of operations in a drawing; larger programs are shown as text.
const maxNodes = 150

// graphBundle returns a program as text, and as a drawing if it is small.
func graphBundle(g *ir.Graph) Bundle {
	if g == nil {
		return TextBundle("(*ir.Graph)(nil)")
	}
	b := TextBundle(strings.TrimSuffix(ir.Print(g), "\n"))
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

// layoutGraph returns the drawing of g. Each box lies one layer below its lowest operand, and within its
// layer near the middle of its operands. The results lie in one layer at the bottom. Parameters without a name are
// called x1, x2 and so on, as in the text.
func layoutGraph(g *ir.Graph) *drawing {
	d := &drawing{}
	boxes := map[*ir.Value]*box{} // the box that produces each value
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

// addRegion adds sub, the drawing of a region, to the right of the drawing so far, with title above it.
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

// operandBoxes returns the boxes that produce vs. Values from outside the graph have no box.
func operandBoxes(boxes map[*ir.Value]*box, vs []*ir.Value) (found []*box) {
	for _, v := range vs {
		if b := boxes[v]; b != nil {
			found = append(found, b)
		}
	}
	return found
}

// connect adds an edge from the box of each operand to the box user. The label of the edge is the operand's dtype and
// shape.
func (d *drawing) connect(boxes map[*ir.Value]*box, operands []*ir.Value, user *box) {
	for _, v := range operands {
		if from := boxes[v]; from != nil {
			typed := dtype.Typed{DType: v.Type.DType, Ambiguous: v.Ambiguous}
			label := typed.String() + v.Type.Shape.String()
			d.edges = append(d.edges, edge{from: from, to: user, label: label, dtype: typed.DType})
		}
	}
}
