package anvil

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// lastAxis are the options that reduce the last axis.
var lastAxis = []ReduceOption{Axis(-1)}

// Lstsq returns the x of least norm that minimizes the norm of b - a*x; the squared norm
// of b - a*x for each column of b; the rank of a; and the singular values of a. Singular
// values up to rcond times the largest count as 0. The default of rcond is the epsilon of
// the dtype times the larger of the numbers of rows and columns of a.
func (l *Lib) Lstsq(a, b any, rcond ...float64) (solution, residuals, rank, values Tensor) {
	c, m, r, t := l.linearPair("Lstsq", a, b)
	vector := len(r.Shape()) == 1
	if vector {
		r = c.reshape(r, append(r.Shape().Clone(), 1))
	}
	c.requireMatrices(r)
	if sa, sb := m.Shape(), r.Shape(); sa[len(sa)-2] != sb[len(sb)-2] {
		c.failLengths(m, r)
	}
	c.checkFinite(emulate.NotFiniteEquation, m)
	f := c.All(ir.SVD, ir.FullAttrs{}, nil, m)
	kept, count := c.significantValues(m, f[1], c.parameter("rcond", rcond, c.rcond(m)))
	solved := c.matmul(c.pseudoinverse(m, f, kept), r, ir.DotAttrs{})
	r, product := c.broadcastBatch(r, c.matmul(m, solved, ir.DotAttrs{}))
	squares := c.fold(ir.ReduceSum, c.squaredMagnitude(c.Sub(r, product)), []ReduceOption{Axis(-2)})
	if vector {
		s := solved.Shape()
		solved = c.reshape(solved, s[:len(s)-1].Clone())
		s = squares.Shape()
		squares = c.reshape(squares, s[:len(s)-1].Clone())
	}
	solution, residuals = c.resultAs(solved, t), c.resultAs(squares, magnitudeType(t))
	return solution, residuals, c.result(count, false), c.resultAs(f[1], magnitudeType(t))
}

// rcond returns the default of the option rcond for a. See Lstsq.
func (c *call) rcond(a expr.Value) float64 {
	s := a.Shape()
	return machineEpsilon(a.DType().Elem()) * float64(max(s[len(s)-1], s[len(s)-2]))
}

// machineEpsilon returns the distance from 1 to the next number of dtype d, f32 or f64.
func machineEpsilon(d dtype.DType) float64 {
	if d == dtype.F64 {
		return 0x1p-52
	}
	return 0x1p-23
}

// significantValues returns which of the singular values of a exceed rcond times the
// largest, and their number.
func (c *call) significantValues(a, values expr.Value, rcond float64) (kept, count expr.Value) {
	s := values.Shape()
	d := c.ownDefault(1)
	if s[len(s)-1] == 0 {
		return c.Gt(values, values), c.to(c.zero(d), s[:len(s)-1].Clone())
	}
	largest := c.to(c.sliceAxis(values, len(s)-1, 0, 1, 1), s)
	kept = c.Gt(values, c.Mul(largest, rcond))
	return kept, c.fold(ir.ReduceSum, c.convert(kept, d), lastAxis)
}

// pseudoinverse returns the pseudoinverse of the matrix a with factors f (u, s and vh),
// ignoring the singular values where kept is false. Its derivative assumes that the rank
// stays constant. Unlike the derivative of the factors, it exists even if singular values
// are equal.
func (c *call) pseudoinverse(a expr.Value, f []expr.Value, kept expr.Value) expr.Value {
	u, values, vh := f[0], f[1], f[2]
	inverse := c.Where(kept, c.Div(1, values), 0)
	v := c.Adjoint(vh)
	s := v.Shape()
	row := append(values.Shape()[:len(s)-2:len(s)-2].Clone(), 1, s[len(s)-1])
	inverse = c.convert(c.reshape(inverse, row), v.DType())
	p := c.matmul(c.Mul(v, c.to(inverse, s)), c.Adjoint(u), ir.DotAttrs{})
	return c.Derived(p, pseudoinverseTangent, a)
}

// pseudoinverseTangent returns the tangent of the pseudoinverse p of a:
//
//	-p*da*p + p*adj(p)*adj(da)*(I - a*p) + (I - p*a)*adj(da)*adj(p)*p
//
// Source: G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear
// least squares problems whose variables separate, 1973.
func pseudoinverseTangent(b expr.Builder, args []expr.Value, p expr.Value, t []expr.Value) expr.Value {
	a, da := args[0], t[0]
	dh, ph := b.Adjoint(da), b.Adjoint(p)
	left := b.Sub(dh, b.MatMul(b.MatMul(dh, a), p))
	right := b.MatMul(b.MatMul(dh, ph), p)
	right = b.Sub(right, b.MatMul(p, b.MatMul(a, right)))
	dp := b.Sub(b.MatMul(p, b.MatMul(ph, left)), b.MatMul(b.MatMul(p, da), p))
	return b.Add(dp, right)
}

// PInv returns the pseudoinverse of x, computed from its singular value decomposition. The
// pseudoinverse equals the inverse if x has an inverse. Singular values up to rcond times
// the largest count as 0, as in Lstsq.
func (l *Lib) PInv(x any, rcond ...float64) Tensor {
	c, a, t := l.linear("PInv", x)
	c.checkFinite(emulate.NotFinite, a)
	f := c.All(ir.SVD, ir.FullAttrs{}, nil, a)
	kept, _ := c.significantValues(a, f[1], c.parameter("rcond", rcond, c.rcond(a)))
	return c.resultAs(c.pseudoinverse(a, f, kept), t)
}

// MatrixRank returns how many singular values of x exceed rcond times the largest. The
// default of rcond is that of Lstsq.
func (l *Lib) MatrixRank(x any, rcond ...float64) Tensor {
	c, a, _ := l.linear("MatrixRank", x)
	_, count := c.significantValues(a, c.singularValues(a), c.parameter("rcond", rcond, c.rcond(a)))
	return c.result(count, false)
}

// MatrixPower returns the n-th power of square matrices x: the identity matrix for n = 0,
// powers of the inverse for negative n.
func (l *Lib) MatrixPower(x any, n int) Tensor {
	if n < 0 {
		c, a, t := l.linear("MatrixPower", x)
		inverse := c.inverse(a, emulate.Singular)
		return c.resultAs(c.matrixPower(inverse, -uint(n)), t) // -n overflows for the smallest int
	}
	c, a, amb := l.layout("MatrixPower", x)
	size := c.squareLength(a)
	if n == 0 {
		return c.result(c.to(c.identityMatrix(size, a.DType()), a.Shape()), amb)
	}
	return c.result(c.matrixPower(a, uint(n)), amb)
}

// matrixPower returns the n-th power of square matrices a, by repeated squaring. n is at least 1.
func (c *call) matrixPower(a expr.Value, n uint) expr.Value {
	if n == 1 {
		return a
	}
	half := c.matrixPower(a, n/2)
	r := c.dot(half, half, ir.DotAttrs{})
	if n%2 == 1 {
		r = c.dot(r, a, ir.DotAttrs{})
	}
	return r
}

// An OrdOption selects the norm and the axes of Norm: Ord, Axis, KeepDims.
type OrdOption interface{ ord(*ordOptions) }

type ordOptions struct {
	ord  any
	axes []Axis
	keep bool
}

func (a Axis) ord(n *ordOptions)      { n.axes = append(n.axes, a) }
func (k keepDims) ord(n *ordOptions)  { n.keep = bool(k) }
func (o ordOption) ord(n *ordOptions) { n.ord = o.value }

type ordOption struct{ value any }

// Ord returns the OrdOption for the order of a norm.
//
// For vectors it is a number p: the norm is the p-th root of the sum of the p-th powers
// of magnitudes. 0 counts the elements other than 0; infinity and -infinity select the
// largest and the smallest magnitude.
//
// For matrices it is "fro" (Frobenius), "nuc" (sum of singular values), 2 or -2 (largest
// or smallest singular value), 1 or -1 (largest or smallest column sum of magnitudes),
// infinity or -infinity (largest or smallest row sum).
func Ord(ord any) OrdOption { return ordOption{ord} }

// Norm returns the norm of x. Without options it is the square root of the sum of squares
// of all elements. One axis selects norms of vectors along it, two axes norms of
// matrices. With an order and no axes, x must be a vector or a matrix.
func (l *Lib) Norm(x any, opts ...OrdOption) Tensor {
	c := l.call("Norm", x)
	var n ordOptions
	for _, o := range accepted("Norm", opts, x) {
		o.ord(&n)
	}
	t := c.typed(x)
	c.requireSupport("norm", t.DType, "convert with AsType(nv.F32)")
	t = c.inexact(t)
	a := c.convert(c.at(x, t.DType), wide(t.DType))
	s := a.Shape()
	kept, rank := s.Clone(), len(s) // kept is the shape of the result with KeepDims
	if len(n.axes) == 0 {
		if n.ord == nil {
			a = c.flat(a)
		} else if rank < 1 || rank > 2 {
			c.fail("an order needs a vector or a matrix, and x has "+itoa(rank)+" axes",
				"give one or two axes: nv.Axis(-1)")
		}
		n.axes = []Axis{0, 1}[:len(a.Shape())]
		kept = constantShape(rank, 1)
	} else {
		a = c.moveLast(a, n.axes)
		for _, axis := range n.axes {
			kept[c.axis(axis, rank)] = 1
		}
	}
	var r expr.Value
	switch len(n.axes) {
	case 1:
		r = c.vectorNorm(a, n.ord)
	case 2:
		r = c.matrixNorm(a, n.ord)
	default:
		c.fail(itoa(len(n.axes))+" axes are given", "give one axis for vectors, two for matrices")
	}
	if n.keep {
		r = c.reshape(r, kept)
	}
	return c.resultAs(r, magnitudeType(t))
}

// moveLast returns a with the given axes moved to the end.
func (c *call) moveLast(a expr.Value, axes []Axis) expr.Value {
	at := c.distinctAxes(axes, len(a.Shape()))
	order := slices.DeleteFunc(upTo(len(a.Shape())), func(i int) bool { return slices.Contains(at, i) })
	return c.Permute(a, append(order, at...)...)
}

// vectorNorm returns the norms of vectors along the last axis.
func (c *call) vectorNorm(a expr.Value, ord any) expr.Value {
	size := c.Abs(a)
	p, ok := numberOf(ord)
	switch {
	case ord == nil || ok && p == 2:
		return c.euclideanNorm(a)
	case !ok:
		c.fail("vectors have no norm of order "+orderText(ord), "give a number; matrix norms need two axes")
	case math.IsInf(p, 1):
		return c.extreme(size, true)
	case math.IsInf(p, -1):
		return c.extreme(size, false)
	case p == 0:
		return c.fold(ir.ReduceSum, c.convert(c.Ne(size, 0), size.DType()), lastAxis)
	case p == 1:
		return c.fold(ir.ReduceSum, size, lastAxis)
	}
	sum := c.fold(ir.ReduceSum, c.Pow(size, p), lastAxis)
	return c.Derived(c.Pow(sum, 1/p), func(b expr.Builder, args []expr.Value, y expr.Value, t []expr.Value) expr.Value {
		size, s := args[0], args[0].Shape()
		norm := b.BroadcastTo(b.Reshape(y, append(s[:len(s)-1].Clone(), 1)...), s)
		zero := b.Eq(norm, 0)
		if p < 1 { // the derivative at an element of 0 is 0: the mean of the two one-sided derivatives
			zero = b.Or(zero, b.Eq(size, 0))
		}
		slope := b.Pow(b.Where(zero, 1, b.Div(size, b.Where(zero, 1, norm))), p-1)
		return b.Reduce(ir.ReduceSum, b.MulNoNaN(t[0], b.Where(zero, 0, slope)), len(s)-1)
	}, size)
}

// euclideanNorm returns the square root of the sum of squared magnitudes along the last axis.
func (c *call) euclideanNorm(a expr.Value) expr.Value {
	return c.Builder.Norm(c.fold(ir.ReduceSum, c.squaredMagnitude(a), lastAxis))
}

// squaredMagnitude returns the squares of the magnitudes of a. It does not compute them as
// squares of Abs, because the second derivative of such a square would be 0 at 0.
func (c *call) squaredMagnitude(a expr.Value) expr.Value {
	if a.DType().Is(dtype.Complex) {
		return c.Add(c.Square(c.Real(a)), c.Square(c.Imag(a)))
	}
	return c.Square(a)
}

// matrixNorm returns the norms of matrices, which are the last two axes.
func (c *call) matrixNorm(a expr.Value, ord any) expr.Value {
	s := a.Shape()
	rank := len(s)
	p, ok := numberOf(ord)
	switch {
	case ord == nil || ord == "fro":
		return c.euclideanNorm(c.reshape(a, append(s[:rank-2:rank-2].Clone(), s[rank-2]*s[rank-1])))
	case ord == "nuc":
		return c.fold(ir.ReduceSum, c.singularValues(a), lastAxis)
	case ok && (p == 2 || p == -2):
		return c.extreme(c.singularValues(a), p > 0)
	case ok && (p == 1 || p == -1):
		return c.extreme(c.fold(ir.ReduceSum, c.Abs(a), []ReduceOption{Axis(-2)}), p > 0)
	case ok && math.IsInf(p, 0):
		return c.extreme(c.fold(ir.ReduceSum, c.Abs(a), lastAxis), p > 0)
	}
	c.fail("matrices have no norm of order "+orderText(ord),
		`give "fro", "nuc", 1, -1, 2, -2, math.Inf(1) or math.Inf(-1)`)
	return nil
}

// orderText returns the order of a norm as it is written.
func orderText(ord any) string {
	if _, isString := ord.(string); isString {
		return fmt.Sprintf("%q", ord)
	}
	if _, isNumber := dtype.Of(ord); isNumber {
		return fmt.Sprint(ord)
	}
	return describe(ord)
}

// extreme returns the greatest or the least of sizes, which are not negative, along the last axis. The greatest of none
// is 0, as a norm is.
func (c *call) extreme(sizes expr.Value, greatest bool) expr.Value {
	s := sizes.Shape()
	switch {
	case greatest && s[len(s)-1] == 0:
		return c.fold(ir.ReduceSum, sizes, lastAxis)
	case greatest:
		return c.fold(ir.ReduceMax, sizes, lastAxis)
	}
	return c.fold(ir.ReduceMin, sizes, lastAxis)
}

// numberOf returns x as a float64. ok is false if x is neither an integer nor a float of Go.
func numberOf(x any) (n float64, ok bool) {
	switch v := reflect.ValueOf(x); {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// Cond returns the condition number of x: its largest singular value divided by the
// smallest. With another order (see Ord) it is the norm of x times the norm of its
// inverse.
func (l *Lib) Cond(x any, ord ...any) Tensor {
	for _, o := range ord { // users of JAX and TensorFlow may expect their conditional, which is called cond
		if t := reflect.TypeOf(o); t != nil && t.Kind() == reflect.Func {
			l.call("Cond", x).fail(
				"Cond computes the condition number of a matrix; it does not choose between functions",
				"nv.If(pred, f, g) calls one of two functions")
		}
	}
	c, a, t := l.linear("Cond", x)
	if len(ord) > 1 {
		c.fail("more than one order is given", "give one, or none for order 2")
	}
	if p, _ := numberOf(givenOr(ord, any(2))); p == 2 || p == -2 {
		s := c.singularValues(a)
		n := len(s.Shape()) - 1
		if s.Shape()[n] == 0 {
			c.fail("the matrix is empty", "give a matrix with at least one element")
		}
		upper, lower := c.pick(s, n, 0), c.pick(s, n, s.Shape()[n]-1)
		if p < 0 {
			upper, lower = lower, upper
		}
		return c.resultAs(c.Div(upper, lower), magnitudeType(t))
	}
	return c.resultAs(c.Mul(c.matrixNorm(a, ord[0]), c.matrixNorm(c.inverse(a), ord[0])), magnitudeType(t))
}
