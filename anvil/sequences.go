package anvil

import (
	"fmt"
	"math"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/shape"
)

// Logspace returns n numbers from 10^start to 10^stop, both included, whose logarithms have equal steps.
// Without an option the dtype is known f32, or the system's default float.
func (l *Lib) Logspace(start, stop any, n int, opts ...Option) Tensor {
	c, o := l.creation("Logspace", opts, start, stop, n)
	from, to := c.float(start), c.float(stop)
	return c.sequence(n, o, func(part float64) float64 { return math.Pow(10, from*(1-part)+to*part) })
}

// Geomspace returns n numbers from start to stop, both included; the ratio of each to the one before is constant. start
// and stop have the same sign. Without an option the dtype is known f32, or the system's default float.
func (l *Lib) Geomspace(start, stop any, n int, opts ...Option) Tensor {
	c, o := l.creation("Geomspace", opts, start, stop, n)
	from, to := c.float(start), c.float(stop)
	if !(from*to > 0) {
		c.fail("a geometric sequence cannot pass 0", "give two positive or two negative numbers")
	}
	return c.sequence(n, o, func(part float64) float64 {
		switch part {
		case 0:
			return from
		case 1:
			return to
		}
		return math.Copysign(math.Exp(math.Log(math.Abs(from))*(1-part)+math.Log(math.Abs(to))*part), from)
	})
}

// sequence returns the values of f at n points from 0 to 1 with equal steps, computed on the host and rounded
// once.
func (c *call) sequence(n int, o dtype.Options, f func(part float64) float64) Tensor {
	o = c.settle(o, c.ownDefault(0.0), nil)
	c.checkCount(n)
	ty := shape.Type{DType: o.DType, Shape: Shape{n}}
	data := c.listMemory(ty)
	for i := range n {
		dtype.PutFloat(data[i*o.DType.Size():], o.DType, f(float64(i)/float64(max(n-1, 1))))
	}
	return c.creationResult(c.host(ty, data, ""), false, o)
}

// Indices returns, for each axis of shape s, a tensor of shape s whose elements are their own positions along that
// axis. Without an option the dtype is known i32, or the system's default integer.
func (l *Lib) Indices(s Shape, opts ...Option) []Tensor {
	out := make([]Tensor, len(s))
	for i := range s {
		out[i] = l.Iota(s, Axis(i), opts...)
	}
	return out
}

// FromFunction returns the result of f, called once with Indices(s): the positions of all elements of shape s,
// as one tensor for each axis.
func (l *Lib) FromFunction(s Shape, f func(indices []Tensor) Tensor, opts ...Option) Tensor {
	if f == nil {
		panic(&Error{Op: "FromFunction", Operands: s.String(), Reason: "the function is nil",
			Hint: "give a function of the positions: func(i []nv.Tensor) nv.Tensor"})
	}
	return f(l.Indices(s, opts...))
}

// Tri returns a rows by columns matrix with 1 on and below diagonal k and 0 above: result[i, j] = 1 where j
// <= i + k. Without an option the dtype is known f32, or the system's default float.
func (l *Lib) Tri(rows, columns, k int, opts ...Option) Tensor {
	c, o := l.creation("Tri", opts, rows, columns, k)
	o = c.settle(o, c.ownDefault(0.0), nil)
	s := Shape{rows, columns}
	c.checkLengths(s)
	row := c.Iota(dtype.I64, 0, s...)
	col := c.Iota(dtype.I64, 1, s...)
	below := c.Le(col, c.Add(row, k))
	return c.creationResult(c.convert(below, o.DType), false, o)
}

// TrilIndices returns the row and column indices of the elements on and below diagonal k of an n by n matrix,
// where column <= row + k, in row-major order.
func (l *Lib) TrilIndices(n int, k ...int) (rows, columns Tensor) {
	return l.triangleIndices("TrilIndices", n, k, func(diagonal int) (from, to int) { return 0, diagonal + 1 })
}

// TriuIndices returns the row and column indices of the elements on and above diagonal k of an n by n matrix,
// where column >= row + k, in row-major order.
func (l *Lib) TriuIndices(n int, k ...int) (rows, columns Tensor) {
	return l.triangleIndices("TriuIndices", n, k, func(diagonal int) (from, to int) { return diagonal, n })
}

// triangleIndices returns the row and column indices of some elements of each row of an n by n matrix. Given the
// column where diagonal k crosses the row, span returns the first column and the one after the last. Both may lie
// outside of the matrix.
func (l *Lib) triangleIndices(op string, n int, k []int,
	span func(diagonal int) (from, to int)) (rows, columns Tensor) {
	c := l.call(op, n)
	c.checkLengths(Shape{n, n})
	offset := max(-n, min(c.offset(k), n))
	var is, js []int
	for i := range n {
		from, to := span(i + offset)
		for j := max(0, from); j < min(n, to); j++ {
			is, js = append(is, i), append(js, j)
		}
		c.checkListLength(max(i, len(is)))
	}
	return l.From(is).AsType(c.ownDefault(0)), l.From(js).AsType(c.ownDefault(0))
}

// maxPowers is the greatest number of columns of Vander. Each column is computed from the one before, and compilers
// take minutes for longer chains of operations.
const maxPowers = 1 << 12

// Vander returns the Vandermonde matrix of the vector x: result[i, j] = x[i]^(n-1-j). The default of n, the
// number of columns, is the length of x.
func (l *Lib) Vander(x any, n ...int) Tensor {
	c, a, amb := l.layout("Vander", x)
	s := a.Shape()
	if len(n) > 1 {
		c.fail("more than one number of columns is given", "write Vander(x) or Vander(x, columns)")
	}
	if len(s) != 1 {
		c.fail("the operand must be a vector", "nv.Flatten makes one")
	}
	columns := givenOr(n, s[0])
	c.checkLengths(Shape{s[0], columns})
	if columns < 1 { // an empty matrix
		return c.result(c.to(c.sliceAxis(a, 0, 0, 0, 1), Shape{s[0], 0}), amb)
	}
	a = c.reshape(a, Shape{s[0], 1})
	if columns > maxPowers {
		c.fail(fmt.Sprintf("%d columns are more than the limit of %d", columns, maxPowers),
			"for more columns write nv.Pow(nv.ExpandDims(x, 1), nv.Arange(n-1, -1, -1)), which rounds differently")
	}
	powers := make([]expr.Value, columns)
	power := c.Like(a, 1)
	for j := columns - 1; j >= 0; j-- {
		powers[j] = power
		if j > 0 {
			power = c.Mul(power, a)
		}
	}
	return c.result(c.Concatenate(1, powers...), amb)
}
