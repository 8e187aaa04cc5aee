package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Lowering of elements narrower than a byte. XLA cannot multiply such elements, and crashes with some of the memory
// layouts that it chooses for them. So most rows of the op table convert them to a wider dtype.

// widened returns a LowerFunc that converts operands narrower than a byte to a wider dtype, calls lower, and converts
// the results back.
func widened(lower LowerFunc) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		if !anyNarrow(n.Args) {
			lower(w, n)
			return
		}
		wide := &ir.Node{Code: n.Code, Attrs: n.Attrs, Regions: n.Regions}
		for _, a := range n.Args {
			wide.Args = append(wide.Args, widen(w, a))
		}
		for i, r := range n.Results {
			wide.Results = append(wide.Results, &ir.Value{Type: wideType(r.Type), Node: wide, Index: i})
		}
		lower(w, wide)
		for i, r := range n.Results {
			w.Rename(r, convert(w, w.NameOf(wide.Results[i]), wide.Results[i].Type, r.Type))
		}
	}
}

// anyNarrow reports whether one of vs has elements narrower than a byte.
func anyNarrow(vs []*ir.Value) bool {
	for _, v := range vs {
		if wideType(v.Type).DType != v.Type.DType {
			return true
		}
	}
	return false
}

// widen writes the conversion of v to a dtype of at least a byte and returns the result.
func widen(w *stablehlo.Writer, v *ir.Value) *ir.Value {
	t := wideType(v.Type)
	if t.DType == v.Type.DType {
		return v
	}
	wide := &ir.Value{Type: t}
	w.Rename(wide, convert(w, w.NameOf(v), v.Type, t))
	return wide
}

// wideType returns t with a dtype of at least a byte that can hold the elements of t. It does not change i1, whose
// elements XLA stores in a byte.
func wideType(t shape.Type) shape.Type {
	if t.DType.Bits() >= 8 || t.DType == dtype.I1 {
		return t
	}
	return shape.Type{DType: wideDTypes[t.DType.Kind()], Shape: t.Shape}
}

// wideDTypes has the dtypes to which narrower ones are converted, by kind.
var wideDTypes = map[dtype.Kind]dtype.DType{dtype.Signed: dtype.I8, dtype.Unsigned: dtype.U8, dtype.Floating: dtype.F32}

// convert writes the conversion of x from type from to type to. It reshapes x to one axis first: XLA may give
// a matrix another memory layout than row-major, and crashes when it copies elements narrower than a byte
// from one layout to another.
func convert(w *stablehlo.Writer, x stablehlo.Name, from, to shape.Type) stablehlo.Name {
	if from.DType == to.DType {
		return x
	}
	if len(from.Shape) < 2 {
		return w.ApplyFromTo("convert", x, from, to)
	}
	n := from.Shape.Size()
	flatFrom, flatTo := shape.Of(from.DType, n), shape.Of(to.DType, n)
	flat := w.Apply("optimization_barrier", flatFrom, w.ApplyFromTo("reshape", x, from, flatFrom))
	return w.ApplyFromTo("reshape", w.ApplyFromTo("convert", flat, flatFrom, flatTo), flatTo, to)
}

// lowerConvert writes a conversion. It converts f4 via f32, since XLA's own conversion compares with numbers that
// f4 does not have. It converts bf16 to i1 by way of the bits of the number, since in some programs for CPUs, but not
// in others, a comparison with 0 treats subnormal numbers as 0.
func lowerConvert(w *stablehlo.Writer, n *ir.Node) {
	from, to := n.Args[0].Type, n.Results[0].Type
	switch {
	case from.DType == dtype.F4E2M1FN:
		wide := widen(w, n.Args[0])
		w.Rename(n.Results[0], convert(w, w.NameOf(wide), wide.Type, to))
	case from.DType == dtype.BF16 && to.DType == dtype.I1:
		write(w, n, n.Args, func(b expr.Builder, x []expr.Value) []expr.Value {
			magnitude := b.ShiftLeft(b.Bitcast(x[0], dtype.U16), 1)
			return []expr.Value{b.Convert(magnitude, to.DType)}
		})
	case from.DType.Is(dtype.Complex) && !to.DType.Is(dtype.Complex) && to.DType != dtype.I1:
		// XLA crashes when it folds the conversion of a complex constant to a real number.
		write(w, n, n.Args, func(b expr.Builder, x []expr.Value) []expr.Value {
			return []expr.Value{b.Convert(b.Real(x[0]), to.DType)}
		})
	default:
		lowerWithTypes("convert")(w, n)
	}
}

// lowerPopcount writes a count of bits. XLA extends the sign of signed integers narrower than a byte; lowerPopcount
// removes the additional bits before it counts.
func lowerPopcount(w *stablehlo.Writer, n *ir.Node) {
	t := n.Results[0].Type
	if !t.DType.Is(dtype.Signed) || t.DType.Bits() >= 8 {
		lowerSameType("popcnt")(w, n)
		return
	}
	wide := widen(w, n.Args[0])
	bits := inline(w, []*ir.Value{wide}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Unary(ir.Popcount, b.And(x[0], 1<<t.DType.Bits()-1))}
	})
	w.Rename(n.Results[0], convert(w, w.NameOf(bits[0]), wide.Type, t))
}
