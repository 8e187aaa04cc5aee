package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Lowerings that avoid operations for which plugins of 2025 deviate from the specification or crash.

// lowerDivide writes a division. It hides integer divisors behind a barrier unless they are parameters: plugins of
// 2025 crash when they fold a division by a zero that they know at compile time.
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

// power returns x to the power y. For integers of 8 bits or more it does not use XLA's operation alone, which
// ignores all but the low six bits of the exponent: it processes the exponent six bits at a time and raises the
// base to the 64th power after each step. Negative exponents give 0, except for bases 1 and -1.
func power(b expr.Builder, operands ...expr.Value) expr.Value {
	x, y := operands[0], operands[1]
	d := x.DType()
	if !d.Is(dtype.Integral) || d.Bits() < 8 {
		return b.Pow(x, y)
	}
	r, base, exponent := b.Pow(x, b.And(y, 63)), x, y
	for done := 6; done < d.Bits(); done += 6 {
		base = b.Square(b.Pow(base, 32)) // the power 64, which XLA's operation cannot compute
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

// extreme returns the expansion of c, which is ir.Max or ir.Min. It uses XLA's operation except for complex numbers,
// since XLA compares only their real parts.
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

// extremeOrNaN returns the expansion extreme(c) followed by a test of the operands for NaN. Without the test, XLA's CPU
// compilers of 2026 ignore NaN in kernels that take a maximum or minimum over windows or together with a sum.
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

// lowerClamp writes a clamp. Except for integers, it writes the maximum and minimum by which the specification
// defines a clamp, since XLA's own operation returns min for NaN.
func lowerClamp(w *stablehlo.Writer, n *ir.Node) {
	if n.Results[0].Type.DType.Is(dtype.Integral) {
		lowerWithTypes("clamp")(w, n)
		return
	}
	write(w, n, n.Args, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Min(x[2], b.Max(x[0], x[1]))}
	})
}
