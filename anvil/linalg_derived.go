package anvil

import (
	"math"
	"reflect"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// lastAxis reduces the last axis.
var lastAxis = []ReduceOption{Axis(-1)}

// Lstsq returns the x of least length for which b - a*x is least in length; the
// squared lengths of that for each column of b; the rank of a; and its singular
// values. Singular values up to rcond times the greatest count as 0; rcond is the
// larger side of a times the dtype's epsilon where none is given.
func (l *Lib) Lstsq(a, b any, rcond ...float64) (solution, residuals, rank, values Tensor) {
	c, m, r, t := l.linearPair("Lstsq", a, b)
	vector := len(r.Shape()) == 1
	if vector {
		r = c.reshape(r, append(r.Shape().Clone(), 1))
	}
	c.matrices(r)
	if sa, sb := m.Shape(), r.Shape(); sa[len(sa)-2] != sb[len(sb)-2] {
		c.failLengths(m, r)
	}
	c.checkFinite(emulate.NotFiniteEquation, m)
	f := c.All(ir.SVD, ir.FullAttrs{}, nil, m)
	kept, count := c.significantValues(m, f[1], c.parameter("rcond", rcond, c.rcond(m)))
	solved := c.matmul(c.pseudoinverse(f, kept), r, ir.DotAttrs{})
	left := c.Abs(c.subtract(r, c.matmul(m, solved, ir.DotAttrs{})))
	squares := c.fold(ir.ReduceSum, c.Mul(left, left), []ReduceOption{Axis(-2)})
	if vector {
		s := solved.Shape()
		solved = c.reshape(solved, s[:len(s)-1].Clone())
		s = squares.Shape()
		squares = c.reshape(squares, s[:len(s)-1].Clone())
	}
	return c.done(solved, t), c.done(squares, magnitudeType(t)), c.result(count, false), c.done(f[1], magnitudeType(t))
}

// subtract returns a - b, whose batch axes broadcast.
func (c *call) subtract(a, b expr.Value) expr.Value {
	a, b = c.broadcastBatch(a, b)
	return c.Sub(a, b)
}

// rcond returns below what part of the greatest singular value of a one counts
// as 0.
func (c *call) rcond(a expr.Value) float64 {
	s := a.Shape()
	eps := 0x1p-23
	if a.DType().Elem() == dtype.F64 {
		eps = 0x1p-52
	}
	return eps * float64(max(s[len(s)-1], s[len(s)-2]))
}

// significantValues returns which singular values of a are more than rcond times the
// greatest, and how many.
func (c *call) significantValues(a, values expr.Value, rcond float64) (kept, count expr.Value) {
	s := values.Shape()
	d := c.ownDefault(1)
	if s[len(s)-1] == 0 {
		return c.Gt(values, values), c.to(c.zero(d), s[:len(s)-1].Clone())
	}
	most := c.to(c.every(values, len(s)-1, 0, 1, 1), s)
	kept = c.Gt(values, c.Mul(most, rcond))
	return kept, c.fold(ir.ReduceSum, c.convert(kept, d), lastAxis)
}

// pseudoinverse returns the inverse of the matrix of factors u, s and vh, where the
// singularValues values that are not kept count for nothing.
func (c *call) pseudoinverse(f []expr.Value, kept expr.Value) expr.Value {
	u, values, vh := f[0], f[1], f[2]
	inverse := c.Where(kept, c.Div(1, values), 0)
	v := c.adjoint(vh)
	s := v.Shape()
	inverse = c.convert(c.reshape(inverse, append(values.Shape()[:len(s)-2:len(s)-2].Clone(), 1, s[len(s)-1])), v.DType())
	return c.matmul(c.Mul(v, c.to(inverse, s)), c.adjoint(u), ir.DotAttrs{})
}

// adjoint returns the conjugate transposes of the matrices of a.
func (c *call) adjoint(a expr.Value) expr.Value {
	order := upTo(len(a.Shape()))
	n := len(order)
	order[n-2], order[n-1] = n-1, n-2
	a = c.permute(a, order)
	if a.DType().Is(dtype.Complex) {
		a = c.Complex(c.Real(a), c.Neg(c.Imag(a)))
	}
	return a
}

// PInv returns the pseudoinverse of x, by its singular value decomposition:
// nv.Inv(x) where that exists. Singular values up to rcond times the greatest
// count as 0, as for Lstsq.
func (l *Lib) PInv(x any, rcond ...float64) Tensor {
	c, a, t := l.linear("PInv", x)
	c.checkFinite(emulate.NotFinite, a)
	f := c.All(ir.SVD, ir.FullAttrs{}, nil, a)
	kept, _ := c.significantValues(a, f[1], c.parameter("rcond", rcond, c.rcond(a)))
	return c.done(c.pseudoinverse(f, kept), t)
}

// MatrixRank returns how many singular values of x are more than rcond times the
// greatest, as Lstsq counts them.
func (l *Lib) MatrixRank(x any, rcond ...float64) Tensor {
	c, a, _ := l.linear("MatrixRank", x)
	_, count := c.significantValues(a, c.singularValues(a), c.parameter("rcond", rcond, c.rcond(a)))
	return c.result(count, false)
}

// MatrixPower returns square matrices x multiplied n times; the identity matrix
// for n = 0, and powers of the inverse for a negative n.
func (l *Lib) MatrixPower(x any, n int) Tensor {
	if n < 0 {
		c, a, t := l.linear("MatrixPower", x)
		return c.done(c.matrixPower(c.inverse(a, emulate.Singular), -uint(n)), t) // -n does not fit an int for the least of them
	}
	c, a, amb := l.layout("MatrixPower", x)
	size := c.squareLength(a)
	if n == 0 {
		return c.result(c.to(c.identityMatrix(size, a.DType()), a.Shape()), amb)
	}
	return c.result(c.matrixPower(a, uint(n)), amb)
}

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

// A OrdOption tells Norm which norm to take and over which axes: Ord, Axis,
// KeepDims.
type OrdOption interface{ ord(*matrixNormOptions) }

type matrixNormOptions struct {
	ord  any
	axes []Axis
	keep bool
}

func (a Axis) ord(n *matrixNormOptions)      { n.axes = append(n.axes, a) }
func (k keepDims) ord(n *matrixNormOptions)  { n.keep = bool(k) }
func (o ordOption) ord(n *matrixNormOptions) { n.ord = o.of }

type ordOption struct{ of any }

// Ord is the OrdOption of an order. Of vectors it is a number p, for the p-th
// root of the sum of the p-th powers of magnitudes; 0 counts the elements that are
// not 0, infinities are the greatest and the least magnitude. Of matrices it is
// "fro", "nuc" (the sum of singular values), 2 and -2 (the greatest and the least
// ord them), 1 and -1 (the greatest and the least sum of a column's magnitudes), or
// an infinity (of a row's).
func Ord(ord any) OrdOption { return ordOption{ord} }

// Norm returns the norm of x: without options the square root of the sum of
// squares of all elements. With one axis it is of vectors along that axis, with
// two of matrices; with an order and no axes, of x as a whole, a vector or a
// matrix.
func (l *Lib) Norm(x any, opts ...OrdOption) Tensor {
	c := l.call("Norm", x)
	var n matrixNormOptions
	for _, o := range nonNil(opts) {
		o.ord(&n)
	}
	t := c.normOf(x)
	a := c.convert(c.at(x, t.DType), wide(t.DType))
	s := a.Shape()
	kept, rank := s.Clone(), len(s)
	if len(n.axes) == 0 {
		if n.ord == nil {
			a = c.flat(a)
		} else if rank < 1 || rank > 2 {
			c.fail("of "+itoa(rank)+" axes it has no order", "name one axis, or two")
		}
		n.axes = []Axis{0, 1}[:len(a.Shape())]
		for i := range kept {
			kept[i] = 1
		}
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
		c.fail("it is over one axis or two, not "+itoa(len(n.axes)), "")
	}
	if n.keep {
		r = c.reshape(r, kept)
	}
	return c.done(r, magnitudeType(t))
}

// normOf returns the dtype in which the norm of x is computed.
func (c *call) normOf(x any) dtype.Typed {
	t := c.own(x)
	c.requireSupport("norm", t.DType, "convert with AsType(nv.F32)")
	return c.inexact(t)
}

// moveLast returns a with the named axes last.
func (c *call) moveLast(a expr.Value, axes []Axis) expr.Value {
	rank := len(a.Shape())
	var at, order []int
	gone := make([]bool, rank)
	for _, axis := range axes {
		i := c.axis(axis, rank)
		if gone[i] {
			c.fail("axis "+itoa(int(axis))+" is named twice", "")
		}
		gone[i], at = true, append(at, i)
	}
	for i := range rank {
		if !gone[i] {
			order = append(order, i)
		}
	}
	return c.permute(a, append(order, at...))
}

// vectorNorm returns the norm over the last axis.
func (c *call) vectorNorm(a expr.Value, ord any) expr.Value {
	size := c.Abs(a)
	p, ok := numberOf(ord)
	switch {
	case ord == nil || ok && p == 2:
		return c.euclideanNorm(size)
	case !ok:
		c.fail("vectors have no norm of order "+describe(ord), "orders are numbers; with two axes it is of matrices")
	case math.IsInf(p, 1):
		return c.fold(ir.ReduceMax, size, lastAxis)
	case math.IsInf(p, -1):
		return c.fold(ir.ReduceMin, size, lastAxis)
	case p == 0:
		return c.fold(ir.ReduceSum, c.convert(c.Ne(size, 0), size.DType()), lastAxis)
	case p == 1:
		return c.fold(ir.ReduceSum, size, lastAxis)
	}
	sum := c.fold(ir.ReduceSum, c.Pow(size, p), lastAxis)
	return c.Pow(sum, 1/p)
}

// scanLength returns the square root of the sum of squares over the last axis.
func (c *call) euclideanNorm(size expr.Value) expr.Value {
	return c.Sqrt(c.fold(ir.ReduceSum, c.Mul(size, size), lastAxis))
}

// matrixNorm returns the norm over the last two axes.
func (c *call) matrixNorm(a expr.Value, ord any) expr.Value {
	s := a.Shape()
	rank := len(s)
	p, ok := numberOf(ord)
	switch {
	case ord == nil || ord == "fro":
		size := c.Abs(a)
		return c.euclideanNorm(c.reshape(size, append(s[:rank-2:rank-2].Clone(), s[rank-2]*s[rank-1])))
	case ord == "nuc":
		return c.fold(ir.ReduceSum, c.singularValues(a), lastAxis)
	case ok && (p == 2 || p == -2):
		return c.fold(maxOrMin[p > 0], c.singularValues(a), lastAxis)
	case ok && (p == 1 || p == -1):
		return c.fold(maxOrMin[p > 0], c.fold(ir.ReduceSum, c.Abs(a), []ReduceOption{Axis(-2)}), lastAxis)
	case ok && math.IsInf(p, 0):
		return c.fold(maxOrMin[p > 0], c.fold(ir.ReduceSum, c.Abs(a), lastAxis), lastAxis)
	}
	c.fail("matrices have no norm of order "+describe(ord), `there are "fro", "nuc", 1, -1, 2, -2 and infinities`)
	return nil
}

var maxOrMin = map[bool]ir.Code{true: ir.ReduceMax, false: ir.ReduceMin}

// numberOf returns the Go number x.
func numberOf(x any) (float64, bool) {
	switch x := x.(type) {
	case int:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// Cond returns the condition number of x: the greatest singular value divided by
// the least. With another order, as Norm has them, it is the norm of x times that
// ord its inverse.
func (l *Lib) Cond(x any, ord ...any) Tensor {
	for _, o := range ord { // elsewhere cond is a branch
		if reflect.TypeOf(o) != nil && reflect.TypeOf(o).Kind() == reflect.Func {
			l.call("Cond", x).fail("it is the condition number of a matrix, and a function is no order of norms", "nv.If(pred, f, g) computes one of two functions")
		}
	}
	c, a, t := l.linear("Cond", x)
	if len(ord) > 1 {
		c.fail("more than one order", "give one, or none for 2")
	}
	if p, _ := numberOf(append(ord, 2)[0]); p == 2 || p == -2 {
		s := c.singularValues(a)
		n := len(s.Shape()) - 1
		if s.Shape()[n] == 0 {
			c.fail("it is not of empty matrices", "")
		}
		most, least := c.pick(s, n, 0), c.pick(s, n, s.Shape()[n]-1)
		if p < 0 {
			most, least = least, most
		}
		return c.done(c.Div(most, least), magnitudeType(t))
	}
	return c.done(c.Mul(c.matrixNorm(a, ord[0]), c.matrixNorm(c.inverse(a), ord[0])), magnitudeType(t))
}
