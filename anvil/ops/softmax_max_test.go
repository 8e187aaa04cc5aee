package ops

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// TestSoftmaxMaxima checks that the maximum of a softmax is found, if it is along the
// axis of the sum. It is not found if the exponentials or the maximum itself are used
// in another way.
func TestSoftmaxMaxima(t *testing.T) {
	softmax := func(n, maxAxis, sumAxis int, also string) *ir.Graph {
		g := &ir.Graph{}
		typ := shape.Of(dtype.F32, n, n)
		do := func(c ir.Code, attrs any, to shape.Type, args ...*ir.Value) *ir.Value {
			return g.Add(c, attrs, nil, args, to).Results[0]
		}
		reduced := func(c ir.Code, x *ir.Value, axis int) (r, spread *ir.Value) {
			r = do(c, ir.AxesAttrs{Axes: shape.DimsOf(axis)}, shape.Of(dtype.F32, n), x)
			return r, do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: shape.DimsOf(n, n), Axes: shape.DimsOf(1 - axis)}, typ, r)
		}
		x := g.Param(typ)
		top, spread := reduced(ir.ReduceMax, x, maxAxis)
		e := do(ir.Exp, nil, typ, do(ir.Sub, nil, typ, x, spread))
		_, sum := reduced(ir.ReduceSum, e, sumAxis)
		g.Outputs = append(g.Outputs, do(ir.Div, nil, typ, e, sum))
		switch also {
		case "exponentials":
			g.Outputs = append(g.Outputs, e)
		case "maximum":
			g.Outputs = append(g.Outputs, top)
		}
		return g
	}
	for _, c := range []struct {
		n, maxAxis, sumAxis int
		also                string
		want                bool
	}{
		{512, 1, 1, "", true}, {512, 0, 0, "", true}, {512, 0, 1, "", false}, {512, 1, 1, "exponentials", false},
		{512, 1, 1, "maximum", false},
	} {
		g := softmax(c.n, c.maxAxis, c.sumAxis, c.also)
		found := SoftmaxMaxima(g)
		if (len(found) == 1) != c.want {
			t.Errorf("%+v: %d maxima are found", c, len(found))
		}
		text := stablehlo.Module(nil, g, func(w *stablehlo.Writer, n *ir.Node) {
			if !LowerForCPU(w, n, found) {
				Lookup(n.Code).Lower(w, n)
			}
		})
		// LowerForCPU takes the maximum of the floats themselves, the row's lowering that of their bits.
		if byBits := strings.Contains(string(text), "bitcast_convert"); byBits == c.want {
			t.Errorf("%+v: the maximum is of the bits: %v", c, byBits)
		}
	}
}

// TestSoftmaxMaximaInOrder checks that a maximum is of a softmax only if it is broadcast back to where it comes from,
// not with its axes exchanged.
func TestSoftmaxMaximaInOrder(t *testing.T) {
	for _, axes := range [][]int{{0, 1}, {1, 0}} {
		g := &ir.Graph{}
		typ, reduced := shape.Of(dtype.F32, 64, 64, 8), shape.Of(dtype.F32, 64, 64)
		do := func(c ir.Code, attrs any, to shape.Type, args ...*ir.Value) *ir.Value {
			return g.Add(c, attrs, nil, args, to).Results[0]
		}
		spread := func(c ir.Code, x *ir.Value) *ir.Value {
			r := do(c, ir.AxesAttrs{Axes: shape.DimsOf(2)}, reduced, x)
			return do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: typ.Shape.Dims(), Axes: shape.DimsOf(axes...)}, typ, r)
		}
		x := g.Param(typ)
		e := do(ir.Exp, nil, typ, do(ir.Sub, nil, typ, x, spread(ir.ReduceMax, x)))
		g.Outputs = append(g.Outputs, do(ir.Div, nil, typ, e, spread(ir.ReduceSum, e)))
		if found := len(SoftmaxMaxima(g)) == 1; found != (axes[0] == 0) {
			t.Errorf("broadcast to the axes %v: found %v", axes, found)
		}
	}
}
