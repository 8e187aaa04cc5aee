package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
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

// lowerPower writes a power. Of an integer exponent XLA reads the low six bits;
// the others come six at a time, with the base raised to the 64th power each
// time. A negative exponent leaves 1 and -1 something, and nothing of the rest.
func lowerPower(w *stablehlo.Writer, n *ir.Node) {
	t := n.Results[0].Type
	switch {
	case !t.DType.Is(dtype.Integral):
		lowerRounded("power")(w, n)
		return
	case t.DType.Bits() < 8:
		lowerSame("power")(w, n)
		return
	}
	op := func(hlo string, x, y stablehlo.Name) stablehlo.Name { return w.Apply(hlo, t, x, y) }
	x, y := w.NameOf(n.Args[0]), w.NameOf(n.Args[1])
	six, low, half := w.Splat(6, t), w.Splat(63, t), w.Splat(32, t)
	r, base, exponent := op("power", x, op("and", y, low)), x, y
	for done := 6; done < t.DType.Bits(); done += 6 {
		base = op("power", base, half)
		base = op("multiply", base, base)
		exponent = op("shift_right_logical", exponent, six)
		r = op("multiply", r, op("power", base, op("and", exponent, low)))
	}
	if t.DType.Is(dtype.Signed) {
		negative := w.Compare("LT", "SIGNED", y, w.Splat(0, t), t)
		one, minus := w.Splat(1, t), w.Splat(-1, t)
		odd := w.Compare("NE", "SIGNED", op("and", y, one), w.Splat(0, t), t)
		unit := w.Select(w.Compare("EQ", "SIGNED", x, minus, t), w.Select(odd, minus, one, t), w.Splat(0, t), t)
		r = w.Select(negative, w.Select(w.Compare("EQ", "SIGNED", x, one, t), one, unit, t), r, t)
	}
	w.Rename(n.Results[0], r)
}

// lowerExtreme writes a maximum or minimum; of complex numbers XLA compares the
// real parts alone.
func lowerExtreme(hlo string) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		w.Rename(n.Results[0], wholeExtreme(w, hlo, w.NameOf(n.Args[0]), w.NameOf(n.Args[1]), n.Results[0].Type))
	}
}

// wholeExtreme is extremeOf with NaN looked for: kernels that compilers of 2026 for
// CPUs make of it, alone in windows or with a sum, pass over NaN.
func wholeExtreme(w *stablehlo.Writer, hlo string, x, y stablehlo.Name, t shape.Type) stablehlo.Name {
	r := extremeOf(w, hlo, x, y, t)
	if t.DType.Is(dtype.Floating) {
		for _, operand := range []stablehlo.Name{x, y} {
			r = w.Select(w.Compare("NE", "FLOAT", operand, operand, t), operand, r, t)
		}
	}
	return r
}

func extremeOf(w *stablehlo.Writer, hlo string, x, y stablehlo.Name, t shape.Type) stablehlo.Name {
	switch {
	case !t.DType.Is(dtype.Complex):
		return w.Apply(hlo, t, x, y)
	case hlo == "maximum":
		return w.Select(lowerLess(w, x, y, t), y, x, t)
	}
	return w.Select(lowerLess(w, y, x, t), y, x, t)
}

// lowerClamp writes a clamp; of floats and complex numbers as the maximum and
// minimum that the specification says it is: XLA's own makes min of NaN.
func lowerClamp(w *stablehlo.Writer, n *ir.Node) {
	t := n.Results[0].Type
	if t.DType.Is(dtype.Integral) {
		lowerFunc("clamp")(w, n)
		return
	}
	low, high := spread(w, n.Args[0], t), spread(w, n.Args[2], t)
	w.Rename(n.Results[0], wholeExtreme(w, "minimum", high, wholeExtreme(w, "maximum", low, w.NameOf(n.Args[1]), t), t))
}

// spread writes v, of rank 0 or t's shape, as a value of type t.
func spread(w *stablehlo.Writer, v *ir.Value, t shape.Type) stablehlo.Name {
	if len(v.Type.Shape) == len(t.Shape) {
		return w.NameOf(v)
	}
	r := w.Temp()
	w.Str("stablehlo.broadcast_in_dim ").Value(v).Str(", dims = [] : (").Type(v.Type).Str(") -> ").Type(t).Str("\n")
	return r
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
		bits := shape.Type{DType: dtype.U16, Shape: from.Shape}
		unsigned := w.Apply("shift_left", bits, w.Convert("bitcast_convert", w.NameOf(n.Args[0]), from, bits), w.Splat(1, bits))
		w.Rename(n.Results[0], w.Convert("convert", unsigned, bits, to))
	case from.DType.Is(dtype.Complex) && !to.DType.Is(dtype.Complex) && to.DType != dtype.I1:
		// XLA's folding of a complex constant to a real number ends the process.
		part := shape.Type{DType: from.DType.Elem(), Shape: from.Shape}
		x := w.Convert("real", w.NameOf(n.Args[0]), from, part)
		if part.DType != to.DType {
			x = w.Convert("convert", x, part, to)
		}
		w.Rename(n.Results[0], x)
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
	mask := w.Splat(1<<t.DType.Bits()-1, wide.Type)
	bits := w.Apply("popcnt", wide.Type, w.Apply("and", wide.Type, w.NameOf(wide), mask))
	w.Rename(n.Results[0], convert(w, bits, wide.Type, t))
}
