package nn

import (
	"cmp"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/typename"
)

// A Conversion describes a conversion of a tensor to another dtype.
type Conversion struct {
	Path     string // of the layer: "Blocks.0.Out"; "" for the model itself
	Layer    string // "nn.Dense"; outside of layers, the type of the model
	From, To nv.DType
	Shape    nv.Shape
	Count    int    // how many such conversions the program of the layer has
	Loss     string // what is lost: "0.1 becomes 0.100098"; "" for a promotion
	Why      string
}

// Conversions are the conversions of a program, in order.
type Conversions []Conversion

// Audit returns every conversion of a dtype in model.Apply(x...): promotions, which keep
// all numbers, and losses of precision or range, each with its layer and the reason for the
// layer's dtypes. Nothing is computed, and the model need not be initialized. Equal
// conversions of a layer are listed once.
func Audit(model any, x ...nv.Tensor) Conversions {
	r := &report{}
	_, program := trace("Audit", model, x, r)
	var all Conversions
	r.conversions(model, program.Graph(), 0, func(c Conversion) {
		for i := range all {
			known := &all[i]
			if known.Path == c.Path && known.Layer == c.Layer &&
				known.From == c.From && known.To == c.To && known.Shape.Equal(c.Shape) {
				known.Count++
				return
			}
		}
		all = append(all, c)
	})
	return all
}

// conversions calls f for each conversion in g, the program of model or a region of that program.
// Nodes without a scope belong to the scope outer.
func (r *report) conversions(model any, g *ir.Graph, outer ir.Scope, f func(Conversion)) {
	for _, n := range g.Nodes {
		scope := cmp.Or(n.Scope, outer)
		for _, region := range n.Regions {
			r.conversions(model, region, scope, f)
		}
		if n.Code != ir.Convert || n.Args[0].DType() == n.Results[0].DType() {
			continue
		}
		c := Conversion{From: n.Args[0].DType(), To: n.Results[0].DType(), Shape: n.Results[0].Shape(), Count: 1}
		if row := r.rowOf(scope); row != nil {
			c.Path, c.Layer, c.Why = row.Path, row.Layer, row.Why
		} else {
			c.Layer, c.Why = typename.Of(model), "outside of layers"
		}
		c.Loss = promote.Lost(c.From, c.To)
		if c.From.Is(dtype.Complex) && !c.To.Is(dtype.Complex) {
			c.Loss = "imaginary parts"
		}
		f(c)
	}
}

// String returns the conversions as text, one per line.
func (cs Conversions) String() string {
	if len(cs) == 0 {
		return "no conversions"
	}
	return textTable(cs.grid())
}

// HTML returns the conversions as a table.
func (cs Conversions) HTML() string {
	if len(cs) == 0 {
		return "no conversions"
	}
	return htmlTable(cs.grid())
}

// grid returns the cells of the table by rows; the first row is the header.
func (cs Conversions) grid() [][]string {
	grid := [][]string{{"layer", "from", "to", "shape", "count", "loss", "why"}}
	for _, c := range cs {
		name := c.Layer
		if c.Path != "" {
			name = c.Path + " (" + c.Layer + ")"
		}
		grid = append(grid, []string{name, c.From.String(), c.To.String(), strings.TrimSpace(c.Shape.String()),
			strconv.Itoa(c.Count), cmp.Or(c.Loss, "none"), c.Why})
	}
	return grid
}
