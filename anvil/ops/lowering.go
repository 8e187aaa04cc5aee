package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Lowerings that are more than one operation, because a plugin of the year 2025
// computes something else than the specification, or dies.

// lowerDivide writes a division. Integer divisors go through a barrier unless
// they are parameters: plugins of the year 2025 die when they fold a division
// by a constant zero, wherever the zero came from.
func lowerDivide(hlo string) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		lhs, rhs := n.Args[0], n.Args[1]
		name := w.NameOf(rhs)
		if rhs.Type.DType.Is(dtype.Integral) && !w.IsParam(rhs) {
			name = w.Temp()
			w.Str("stablehlo.optimization_barrier ").Value(rhs).Str(" : ").Type(rhs.Type).Str("\n")
		}
		w.Op(n).Str("stablehlo.").Str(hlo).Str(" ").Value(lhs).Str(", ").Name(name).End(n)
	}
}

// power is the compiler's own but for integers: of their exponents XLA reads the
// low six bits. The others come six at a time, with the base raised to the 64th
// power each time. A negative exponent leaves 1 and -1 something, and nothing of
// the rest.
func power(b expr.Builder, operands ...expr.Value) expr.Value {
	x, y := operands[0], operands[1]
	d := x.DType()
	if !d.Is(dtype.Integral) || d.Bits() < 8 {
		return b.Pow(x, y)
	}
	r, base, exponent := b.Pow(x, b.And(y, 63)), x, y
	for done := 6; done < d.Bits(); done += 6 {
		base = b.Square(b.Pow(base, 32))
		exponent = b.ShiftRightLogical(exponent, 6)
		r = b.Mul(r, b.Pow(base, b.And(exponent, 63)))
	}
	if d.Is(dtype.Signed) {
		odd := b.Ne(b.And(y, 1), 0)
		ofMinusOne := b.Where(odd, b.Like(x, -1), 1)
		negative := b.Where(b.Eq(x, 1), 1, b.Where(b.Eq(x, -1), ofMinusOne, 0))
		r = b.Where(b.Lt(y, 0), negative, r)
	}
	return r
}

// extreme returns the maximum or minimum c: the compiler's own but for complex
// numbers, of which XLA compares the real parts alone.
func extreme(c ir.Code) Expansion {
	return func(b expr.Builder, operands ...expr.Value) expr.Value {
		x, y := operands[0], operands[1]
		switch {
		case !isComplex(x):
			return b.Binary(c, x, y)
		case c == ir.Max:
			return b.Where(less(b, x, y), y, x)
		}
		return b.Where(less(b, y, x), y, x)
	}
}

// extremeOrNaN returns extreme with NaN looked for: the kernels that compilers of
// 2026 for CPUs have for it, alone in windows or with a sum, ignore NaN.
func extremeOrNaN(c ir.Code) Expansion {
	return func(b expr.Builder, operands ...expr.Value) expr.Value {
		r := extreme(c)(b, operands...)
		if r.DType().Is(dtype.Floating) {
			for _, x := range operands {
				r = b.Where(b.IsNaN(x), x, r)
			}
		}
		return r
	}
}

// lowerClamp writes a clamp; of floats and complex numbers as the maximum and
// minimum that the specification defines: XLA's own returns min for NaN.
func lowerClamp(w *stablehlo.Writer, n *ir.Node) {
	if n.Results[0].Type.DType.Is(dtype.Integral) {
		lowerFunc("clamp")(w, n)
		return
	}
	r := expand(w, func(b expr.Builder, x ...expr.Value) expr.Value {
		s := x[1].Shape()
		low, high := b.BroadcastTo(x[0], s), b.BroadcastTo(x[2], s)
		return extremeOrNaN(ir.Min)(b, high, extremeOrNaN(ir.Max)(b, low, x[1]))
	}, typesOf(n.Args), w.NamesOf(n.Args)...)
	w.Rename(n.Results[0], w.NameOf(r))
}

// widened returns lower with operands narrower than a byte carried in a wider
// dtype: XLA does not multiply them, and gives them layouts that it dies of.
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

// convert writes x, of type from, as one of type to. It does so along one axis:
// a matrix could be given another layout in memory than row-major, and copying
// elements narrower than a byte from one layout to another kills XLA.
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

// lowerConvert writes a conversion. From f4 it goes by f32: XLA compares with
// bounds that f4 does not have. Whether a bf16 is not 0 its bits say: a compare
// takes subnormal numbers for 0 in some programs for CPUs and not in others.
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

// lowerPopcount writes a count of bits; of narrow signed integers without those
// that XLA adds when it extends the sign.
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
