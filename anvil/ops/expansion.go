package ops

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// An Expansion computes an elementwise operation from operations of the compiler, if the compiler lacks the
// operation or computes it wrong or too inaccurately. The operations that an Expansion uses are
// not expanded in turn: its b.Exp(x) is the compiler's stablehlo.exponential.
type Expansion func(b expr.Builder, x ...expr.Value) expr.Value

// lowerExpansion returns a LowerFunc that writes the operations of f. It computes floats narrower than f32 in f32
// and rounds once, unless f is exact in the narrower dtype.
func lowerExpansion(f Expansion, exact bool) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		from := n.Results[0].Type
		t := from
		if from.DType.Is(dtype.Floating) && from.DType.Bits() < 32 && !exact {
			t.DType = dtype.F32
		}
		names := w.NamesOf(n.Args)
		for i := range names {
			names[i] = convert(w, names[i], from, t)
		}
		r := expand(w, f, slices.Repeat([]shape.Type{t}, len(names)), names...)
		w.Rename(n.Results[0], convert(w, w.NameOf(r), t, from))
	}
}

// expand writes the operations of f for named operands of the given types, and returns the result of f.
func expand(w *stablehlo.Writer, f Expansion, types []shape.Type, names ...stablehlo.Name) *ir.Value {
	g := expr.Graph(Infer, types, func(b expr.Builder, args []expr.Value) []expr.Value { return []expr.Value{f(b, args...)} })
	for i, p := range g.Params {
		w.Rename(p, names[i])
	}
	for _, n := range g.Nodes {
		if d := table[n.Code]; d.Expansion != nil {
			d.lowerCompilerOp(w, n)
		} else {
			d.Lower(w, n)
		}
	}
	return g.Outputs[0]
}

// lowerScalars writes the body of a region that returns f of two named scalars of type t.
func lowerScalars(w *stablehlo.Writer, f Expansion, t shape.Type, x, y stablehlo.Name) {
	w.Indent(1)
	r := expand(w, f, []shape.Type{t, t}, x, y)
	w.Line().Str("stablehlo.return ").Value(r).Str(" : ").Type(r.Type).Str("\n")
	w.Indent(-1)
}

// compilerOp returns the Expansion that consists of the compiler's own operation c. It is for a Def whose only
// need is that floats narrower than f32 are computed in f32: lowerExpansion does so for all expansions.
func compilerOp(c ir.Code) Expansion {
	return func(b expr.Builder, x ...expr.Value) expr.Value { return b.Do(c, nil, x...) }
}

// lowerCompilerOp writes n as the compiler's own operation. d is the Def of n.Code.
func (d *Def) lowerCompilerOp(w *stablehlo.Writer, n *ir.Node) {
	t, names := n.Results[0].Type, w.NamesOf(n.Args)
	if t.DType.Is(dtype.Complex) && usesAtan2[n.Code] {
		for i, x := range names {
			names[i] = w.Apply("optimization_barrier", t, x)
		}
	}
	if d.CHLO != "" {
		w.Rename(n.Results[0], w.ApplyCHLO(d.CHLO, t, names...))
	} else {
		w.Rename(n.Results[0], w.Apply(d.HLO, t, names...))
	}
}

// usesAtan2 lists the operations on complex numbers that compilers expand to atan2. A barrier hides their
// operands from the compiler: if XLA's CPU compiler (as of 2026) knows that the real or the imaginary part is
// constant, it replaces atan2 by atan, with wrong results.
var usesAtan2 = map[ir.Code]bool{ir.Log: true, ir.Log1p: true, ir.Pow: true, ir.Atan2: true, ir.Asin: true, ir.Acos: true, ir.Atan: true,
	ir.Asinh: true, ir.Acosh: true, ir.Atanh: true}
