package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// A formula writes a function of floats for which StableHLO has no operation,
// as operations on values of one type.
type formula struct {
	w *stablehlo.Writer
	t shape.Type
}

// name is what a value is called in the text.
type name = stablehlo.Name

// lowerFormula writes f. Floats narrower than f32 are computed in f32 and
// rounded once.
func lowerFormula(f func(m formula, x ...name) name) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		from, m := n.Results[0].Type, formula{w, n.Results[0].Type}
		if from.DType.Is(dtype.Floating) && from.DType.Bits() < 32 {
			m.t.DType = dtype.F32
		}
		xs := make([]name, len(n.Args))
		for i, a := range n.Args {
			xs[i] = convert(w, w.NameOf(a), from, m.t)
		}
		w.Rename(n.Results[0], convert(w, f(m, xs...), m.t, from))
	}
}

// lowerRounded writes an operation that compilers compute in f16 and float8 with
// more than one rounding.
func lowerRounded(hlo string) LowerFunc {
	return lowerFormula(func(m formula, x ...name) name { return m.op(hlo, x...) })
}

func (m formula) chlo(op string, x ...name) name { return m.w.ApplyCHLO(op, m.t, m.hidden(op, x)...) }

func (m formula) op(hlo string, x ...name) name { return m.w.Apply(hlo, m.t, m.hidden(hlo, x)...) }

// turning are the operations on complex numbers that come down to atan2.
var turning = map[string]bool{"log": true, "log_plus_one": true, "power": true, "atan2": true, "asin": true, "acos": true, "atan": true,
	"asinh": true, "acosh": true, "atanh": true}

// hidden keeps the compiler from seeing what complex numbers are made of, where it
// would put atan for atan2: see angle.go.
func (m formula) hidden(op string, xs []name) []name {
	if !m.complex() || !turning[op] {
		return xs
	}
	hidden := make([]name, len(xs))
	for i, x := range xs {
		hidden[i] = m.w.Apply("optimization_barrier", m.t, x)
	}
	return hidden
}

func (m formula) add(x, y name) name { return m.op("add", x, y) }
func (m formula) sub(x, y name) name { return m.op("subtract", x, y) }
func (m formula) mul(x, y name) name { return m.op("multiply", x, y) }
func (m formula) div(x, y name) name { return m.op("divide", x, y) }
func (m formula) neg(x name) name    { return m.op("negate", x) }
func (m formula) abs(x name) name    { return m.op("abs", x) }

// num returns the number v, rounded to the formula's dtype.
func (m formula) num(v float64) name {
	data := make([]byte, m.t.DType.Size())
	if m.t.DType.Is(dtype.Complex) {
		dtype.PutComplex(data, m.t.DType, complex(v, 0))
	} else {
		dtype.PutFloat(data, m.t.DType, v)
	}
	return m.w.Constant(m.t, string(data))
}

// double reports whether the formula computes in f64.
func (m formula) double() bool { return m.t.DType.Elem() == dtype.F64 }

// complex reports whether the formula is of complex numbers.
func (m formula) complex() bool { return m.t.DType.Is(dtype.Complex) }

// poly returns the polynomial in x with these coefficients, the highest first.
func (m formula) poly(x name, coefficients []float64) name {
	r := m.num(coefficients[0])
	for _, a := range coefficients[1:] {
		r = m.add(m.mul(r, x), m.num(a))
	}
	return r
}

// compare returns whether x stands in the relation to y: "LT", "EQ" and so on.
func (m formula) compare(direction string, x, y name) name {
	return m.w.Compare(direction, "FLOAT", x, y, m.t)
}

// choose returns x where p holds, and y elsewhere.
func (m formula) choose(p, x, y name) name { return m.w.Select(p, x, y, m.t) }

// A floatLayout says where the parts of a float lie in its bits.
type floatLayout struct {
	ints     dtype.DType
	mantissa int
	bias     int64
}

func (m formula) layout() floatLayout {
	if m.double() {
		return floatLayout{dtype.I64, 52, 1023}
	}
	return floatLayout{dtype.I32, 23, 127}
}

// ints is the formula of the integers that are as wide.
func (m formula) ints() formula {
	return formula{m.w, shape.Type{DType: m.layout().ints, Shape: m.t.Shape}}
}

// integer returns the number v, of integers.
func (m formula) integer(v int64) name { return m.w.Splat(v, m.t) }

// bits returns the bits of x as integers, and float what they stand for.
func (m formula) bits(x name) name  { return m.w.Convert("bitcast_convert", x, m.t, m.ints().t) }
func (m formula) float(x name) name { return m.w.Convert("bitcast_convert", x, m.ints().t, m.t) }

// signOf returns -1 where the sign of x is set, and 1 elsewhere.
func (m formula) signOf(x name) name {
	i := m.ints()
	sign := i.op("and", m.bits(x), i.integer(-1<<(m.t.DType.Bits()-1)))
	return m.float(i.op("or", sign, m.bits(m.num(1))))
}

// scale returns x times 2 to the power n, integers, of at most four times the
// greatest exponent: by halves, of which neither overflows alone.
func (m formula) scale(x, n name) name {
	i, l := m.ints(), m.layout()
	n = i.op("minimum", i.op("maximum", n, i.integer(-2*l.bias+4)), i.integer(2*l.bias-4))
	half := i.op("shift_right_arithmetic", n, i.integer(1))
	for _, part := range []name{half, i.sub(n, half)} {
		power := i.op("shift_left", i.add(part, i.integer(l.bias)), i.integer(int64(l.mantissa)))
		x = m.mul(x, m.float(power))
	}
	return x
}

// parts returns the exponent n, integers, and the fraction f of a positive
// normal x = f * 2^n, f from sqrt(1/2) to sqrt(2).
func (m formula) parts(x name) (n, f name) {
	i, l := m.ints(), m.layout()
	root := int64(0x3f3504f3)
	if m.double() {
		root = 0x3fe6a09e667f3bcd
	}
	bits := m.bits(x)
	n = i.op("shift_right_arithmetic", i.sub(bits, i.integer(root)), i.integer(int64(l.mantissa)))
	f = m.float(i.sub(bits, i.op("shift_left", n, i.integer(int64(l.mantissa)))))
	return n, f
}

// fromInt returns integers as floats, and toInt the reverse.
func (m formula) fromInt(n name) name { return m.w.Convert("convert", n, m.ints().t, m.t) }
func (m formula) toInt(x name) name   { return m.w.Convert("convert", x, m.t, m.ints().t) }
