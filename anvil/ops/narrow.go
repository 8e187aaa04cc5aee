package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Elements narrower than a byte. XLA does not multiply them, and gives them layouts for which it ends the
// process: most rows convert them to a wider dtype.

// widened returns lower with operands narrower than a byte converted to a wider dtype.
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

func anyNarrow(vs []*ir.Value) bool {
	for _, v := range vs {
		if wideType(v.Type).DType != v.Type.DType {
			return true
		}
	}
	return false
}

// widen writes v in a dtype of at least a byte.
func widen(w *stablehlo.Writer, v *ir.Value) *ir.Value {
	t := wideType(v.Type)
	if t.DType == v.Type.DType {
		return v
	}
	wide := &ir.Value{Type: t}
	w.Rename(wide, convert(w, w.NameOf(v), v.Type, t))
	return wide
}

// wideType returns the type that elements of t are carried in.
func wideType(t shape.Type) shape.Type {
	if t.DType.Bits() >= 8 || t.DType == dtype.I1 {
		return t
	}
	return shape.Type{DType: carriers[t.DType.Kind()], Shape: t.Shape}
}

var carriers = map[dtype.Kind]dtype.DType{dtype.Signed: dtype.I8, dtype.Unsigned: dtype.U8, dtype.Floating: dtype.F32}

// convert writes the conversion of x from type from to type to. It reshapes x to one axis first: XLA may give
// a matrix another memory layout than row-major, and crashes when it copies elements narrower than a byte
// from one layout to another.
func convert(w *stablehlo.Writer, x stablehlo.Name, from, to shape.Type) stablehlo.Name {
	if from.DType == to.DType {
		return x
	}
	if len(from.Shape) < 2 {
		return w.Convert("convert", x, from, to)
	}
	n := from.Shape.Size()
	flatFrom, flatTo := shape.Of(from.DType, n), shape.Of(to.DType, n)
	flat := w.Apply("optimization_barrier", flatFrom, w.Convert("reshape", x, from, flatFrom))
	return w.Convert("reshape", w.Convert("convert", flat, flatFrom, flatTo), flatTo, to)
}

// lowerConvert writes a conversion. It converts f4 via f32, since XLA compares with bounds that f4 does not
// have. Whether a bf16 is 0 is decided by its bits: comparisons treat subnormal numbers as 0 in some programs
// for CPUs and not in others.
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
		// XLA's folding of a complex constant to a real number ends the process.
		write(w, n, n.Args, func(b expr.Builder, x []expr.Value) []expr.Value {
			return []expr.Value{b.Convert(b.Real(x[0]), to.DType)}
		})
	default:
		lowerFunc("convert")(w, n)
	}
}

// lowerPopcount writes a count of bits. For narrow signed integers it does not count the bits that XLA adds
// when it extends the sign.
func lowerPopcount(w *stablehlo.Writer, n *ir.Node) {
	t := n.Results[0].Type
	if !t.DType.Is(dtype.Signed) || t.DType.Bits() >= 8 {
		lowerSame("popcnt")(w, n)
		return
	}
	wide := widen(w, n.Args[0])
	bits := inline(w, []*ir.Value{wide}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Unary(ir.Popcount, b.And(x[0], 1<<t.DType.Bits()-1))}
	})
	w.Rename(n.Results[0], convert(w, w.NameOf(bits[0]), wide.Type, t))
}
