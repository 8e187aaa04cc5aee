// Package expr provides a Builder for writing formulas in Go: arithmetic, Where, sums, products of matrices,
// loops. The same formula can emit its operations into an eager context, a trace, or a graph.
package expr

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Value is a tensor that an Emitter accepts and returns: a *ir.Value of a graph, or an array of an eager
// context.
type Value interface {
	DType() dtype.DType
	Shape() shape.Shape
}

// An Emitter is a graph, a trace or an eager context to which operations are added.
type Emitter interface {
	// Emit adds an operation of the table of package ops and returns its results. For wrong operands it
	// panics with a *dtype.Error.
	Emit(c ir.Code, attrs any, regions []*ir.Graph, args []Value) []Value
}

// An Infer returns the types of an operation's results, or an error that says what is wrong with the
// operands.
type Infer func(c ir.Code, attrs any, regions []*ir.Graph, args ...shape.Type) ([]shape.Type, error)

// A Builder emits the operations of expressions into an Emitter. Operands of its elementwise methods are
// Values or Go numbers. A number is converted to the dtype of the other operand, with XLA's rounding, and
// operands are broadcast to each other as in NumPy. Values are never converted: two Values that are added, or
// the operands of MatMul, must have one dtype.
type Builder struct {
	to    Emitter
	infer Infer
}

// New returns a Builder that emits into an Emitter. infer computes the types of results with the rules of package
// ops; the Builder uses it for the regions of loops and branches.
func New(to Emitter, infer Infer) Builder { return Builder{to, infer} }

// All adds an operation with its attributes and regions, and returns all of its results.
func (b Builder) All(c ir.Code, attrs any, regions []*ir.Graph, args ...Value) []Value {
	return b.to.Emit(c, attrs, regions, args)
}

// Do adds an operation with its attributes and returns its only result.
func (b Builder) Do(c ir.Code, attrs any, args ...Value) Value {
	return b.to.Emit(c, attrs, nil, args)[0]
}

// typesOf returns the types of vs.
func typesOf(vs []Value) []shape.Type {
	ts := make([]shape.Type, len(vs))
	for i, v := range vs {
		ts[i] = shape.Type{DType: v.DType(), Shape: v.Shape()}
	}
	return ts
}

// Number returns the Go number v as a constant of dtype d that fills shape s.
func (b Builder) Number(v any, d dtype.DType, s ...int) Value {
	x, err := dtype.Cast(v, d)
	if err != nil {
		panic(err)
	}
	data, err := dtype.Append(nil, d, x)
	if err != nil {
		panic(err)
	}
	return b.Do(ir.Constant, ir.ConstantAttrs{DType: d, Shape: shape.DimsOf(s...), Data: string(data)})
}

// Like returns the Go number v as a constant of the type of x.
func (b Builder) Like(x Value, v any) Value { return b.Number(v, x.DType(), x.Shape()...) }

// Scalar returns the Go number v as a scalar of the dtype of x.
func (b Builder) Scalar(x Value, v any) Value { return b.Number(v, x.DType()) }

// pair returns two operands as Values of one shape. At least one of them must be a Value.
func (b Builder) pair(x, y any) (Value, Value) {
	switch v, w := asValue(x), asValue(y); {
	case v == nil && w == nil:
		panic(fmt.Sprintf("expr: no operand is a Value: %v, %v", x, y))
	case v == nil:
		return b.Like(w, x), w
	case w == nil:
		return v, b.Like(v, y)
	case v.Shape().Equal(w.Shape()):
		return v, w
	default:
		s := broadcast(v.Shape(), w.Shape())
		return b.BroadcastTo(v, s), b.BroadcastTo(w, s)
	}
}

// asValue returns x if it is a Value, and nil if it is a Go number.
func asValue(x any) Value {
	v, _ := x.(Value)
	return v
}

// broadcast returns the shape that s and t broadcast to.
func broadcast(s, t shape.Shape) shape.Shape {
	r, err := shape.Broadcast(s, t)
	if err != nil {
		panic(err)
	}
	return r
}

// Reduce returns x reduced over axes by the reduction c, such as ir.ReduceSum. Negative axes count from the
// last.
func (b Builder) Reduce(c ir.Code, x Value, axes ...int) Value {
	return b.Do(c, ir.AxesAttrs{Axes: positions(x, axes)}, x)
}

// Sum returns the sum of x over an axis. A negative axis counts from the last.
func (b Builder) Sum(x Value, axis int) Value { return b.Reduce(ir.ReduceSum, x, axis) }

// MatMul returns the products of the matrices in the last two axes of x and y. The other axes of x and y must
// be equal.
func (b Builder) MatMul(x, y Value) Value {
	n := len(x.Shape()) - 2
	batch := make([]int, n)
	for i := range batch {
		batch[i] = i
	}
	d := shape.DimsOf(batch...)
	attrs := ir.DotAttrs{LhsBatch: d, RhsBatch: d, LhsContract: shape.DimsOf(n + 1), RhsContract: shape.DimsOf(n)}
	return b.Do(ir.DotGeneral, attrs, x, y)
}
