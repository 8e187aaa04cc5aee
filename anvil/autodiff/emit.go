package autodiff

import (
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// An emitter adds nodes to a graph. It reuses equal nodes, and simplifies sums with 0, products with 0 and 1, and
// similar operations that are frequent in higher derivatives.
type emitter struct {
	graph *ir.Graph
	exact bool // make only simplifications that never change bits: x + 0 is not x if x is -0
	known map[expression]*ir.Value
	of    ir.Code   // the operation whose derivative is being written, or Invalid
	scope ir.Scope  // the scope of the node that is being copied, or whose derivative is being written
	eye   *ir.Value // an identity matrix whose products are simplified, or nil
}

// An expression identifies an operation that has no regions, together with its operands. Equal expressions have equal
// results.
type expression struct {
	code    ir.Code
	attrs   any
	x, y, z *ir.Value
}

func newEmitter() *emitter { return &emitter{graph: &ir.Graph{}, known: map[expression]*ir.Value{}} }

// Emit implements expr.Emitter.
func (e *emitter) Emit(code ir.Code, attrs any, regions []*ir.Graph, args []expr.Value) []expr.Value {
	nodes := make([]*ir.Value, len(args))
	types := make([]shape.Type, len(args))
	for i, a := range args {
		nodes[i] = a.(*ir.Value)
		types[i] = nodes[i].Type
	}
	if v := e.simplified(code, attrs, nodes); v != nil {
		return []expr.Value{v}
	}
	key, keyed := expression{code: code, attrs: attrs}, len(regions) == 0 && len(nodes) <= 3 // key has three operands
	if keyed {
		for i, p := range []**ir.Value{&key.x, &key.y, &key.z}[:len(nodes)] {
			*p = nodes[i]
		}
		if v := e.known[key]; v != nil {
			return []expr.Value{v}
		}
	}
	results, err := ops.Infer(code, attrs, regions, types...)
	if err != nil {
		panic(err)
	}
	n := e.graph.Add(code, attrs, regions, nodes, results...)
	n.Of, n.Scope = e.of, e.scope
	if keyed && len(n.Results) == 1 {
		e.known[key] = n.Results[0]
	}
	values := make([]expr.Value, len(n.Results))
	for i, r := range n.Results {
		values[i] = r
	}
	return values
}

// simplified returns the result of an operation on x if an operand equals it or a simpler operation computes it, and
// otherwise nil.
func (e *emitter) simplified(code ir.Code, attrs any, x []*ir.Value) *ir.Value {
	if e.exact && (code < ir.Constant || code > ir.Reverse) {
		return nil // simplifications of other codes may change bits
	}
	switch code {
	case ir.Add:
		if isSplat(x[0], 0) {
			return x[1]
		}
		if isSplat(x[1], 0) {
			return x[0]
		}
	case ir.Sub:
		if isSplat(x[1], 0) {
			return x[0]
		}
		if isSplat(x[0], 0) {
			return e.do(ir.Neg, nil, x[1])
		}
	case ir.Mul, ir.MulNoNaN:
		return e.product(code, x)
	case ir.Div:
		if isSplat(x[1], 1) {
			return x[0]
		}
	case ir.Neg:
		if n := x[0].Node; n != nil && n.Code == ir.Neg {
			return n.Args[0]
		}
	case ir.Convert:
		if x[0].Type.DType == attrs.(ir.DTypeAttrs).DType {
			return x[0]
		}
	case ir.Reshape:
		s := attrs.(ir.ReshapeAttrs).Shape
		if x[0].Type.Shape.Equal(s.Shape()) {
			return x[0]
		}
		if n := x[0].Node; n != nil && n.Code == ir.Reshape {
			return e.do(ir.Reshape, attrs, n.Args[0])
		}
	case ir.Transpose:
		return e.permuted(attrs.(ir.AxesAttrs).Axes.Ints(), x[0])
	case ir.Select:
		if x[1] == x[2] {
			return x[1]
		}
	case ir.ReduceSum:
		if attrs.(ir.AxesAttrs).Axes.Len() == 0 {
			return x[0]
		}
	case ir.DotGeneral:
		a := attrs.(ir.DotAttrs)
		if a.LhsContract.Len() != 1 || a.LhsBatch != "" || a.DType != dtype.Invalid && a.DType != x[0].Type.DType {
			return nil
		}
		if e.isIdentity(x[1]) {
			return e.timesIdentity(x[0], a.LhsContract.Ints()[0], x[1], a.RhsContract.Ints()[0], false)
		}
		if e.isIdentity(x[0]) {
			return e.timesIdentity(x[1], a.RhsContract.Ints()[0], x[0], a.LhsContract.Ints()[0], true)
		}
	}
	return e.folded(code, attrs, x)
}

// do adds an operation and returns its only result.
func (e *emitter) do(code ir.Code, attrs any, x ...*ir.Value) *ir.Value {
	args := make([]expr.Value, len(x))
	for i, v := range x {
		args[i] = v
	}
	return e.Emit(code, attrs, nil, args)[0].(*ir.Value)
}

// product returns x[0] * x[1] if it can be simplified, and otherwise nil. Mul by 0 is not simplified, since the
// result may be NaN.
func (e *emitter) product(code ir.Code, x []*ir.Value) *ir.Value {
	if code == ir.MulNoNaN && isSplat(x[0], 0) {
		return x[0]
	}
	for i, v := range x {
		switch other := x[1-i]; {
		case isSplat(v, 1):
			return other
		case isSplat(v, -1):
			return e.do(ir.Neg, nil, other)
		case code == ir.MulNoNaN && i == 1 && isFinite(v):
			return e.do(ir.Mul, nil, x[0], x[1])
		}
	}
	return e.folded(code, nil, x)
}

// isIdentity reports whether x is the identity matrix, possibly with additional axes of length 1.
func (e *emitter) isIdentity(x *ir.Value) bool {
	longAxes := 0
	for _, n := range x.Type.Shape {
		if n != 1 {
			longAxes++
		}
	}
	for x.Node != nil && (x.Node.Code == ir.Reshape || x.Node.Code == ir.Transpose) {
		x = x.Node.Args[0]
	}
	return longAxes == 2 && e.eye != nil && x == e.eye
}

// timesIdentity returns the product that contracts the given axis of x with the axis eyeAxis of the identity matrix
// eye. It returns nil if the product has to be computed. The product is x with that axis moved to the end, or to the
// front if eyeFirst is true: eye is then the first factor.
func (e *emitter) timesIdentity(x *ir.Value, axis int, eye *ir.Value, eyeAxis int, eyeFirst bool) *ir.Value {
	if eye.Type.Shape[eyeAxis] == 1 || x.Type.DType != eye.Type.DType {
		return nil
	}
	order := slices.Delete(axes(0, len(x.Type.Shape)), axis, axis+1)
	eyeRest := slices.Delete(eye.Type.Shape.Clone(), eyeAxis, eyeAxis+1)
	s := make(shape.Shape, 0, len(order)+len(eyeRest))
	for _, i := range order {
		s = append(s, x.Type.Shape[i])
	}
	if eyeFirst {
		order, s = slices.Insert(order, 0, axis), slices.Concat(eyeRest, s)
	} else {
		order, s = append(order, axis), append(s, eyeRest...)
	}
	moved := e.do(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(order...)}, x)
	return e.do(ir.Reshape, ir.ReshapeAttrs{Shape: s.Dims()}, moved)
}

// permuted simplifies the transposition of x to the given order of axes. It returns x if the order is that of x, and a
// single transposition if x is itself the result of a transposition. Otherwise it returns nil.
func (e *emitter) permuted(order []int, x *ir.Value) *ir.Value {
	identity := true
	for i, axis := range order {
		identity = identity && i == axis
	}
	if identity {
		return x
	}
	n := x.Node
	if n == nil || n.Code != ir.Transpose {
		return nil
	}
	inner, joint := n.Attrs.(ir.AxesAttrs).Axes.Ints(), make([]int, len(order))
	for i, axis := range order {
		joint[i] = inner[axis]
	}
	return e.do(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(joint...)}, n.Args[0])
}

// folded computes an operation on one or two real constants with equal elements if it is arithmetic or changes only
// the shape or the dtype. Otherwise it returns nil.
func (e *emitter) folded(code ir.Code, attrs any, x []*ir.Value) *ir.Value {
	var values [2]float64
	if len(x) == 0 || len(x) > 2 {
		return nil
	}
	d := x[0].Type.DType
	for i, v := range x {
		f, ok := splat(v)
		if !ok {
			return nil
		}
		values[i] = f
	}
	p, q := values[0], values[1]
	switch code {
	case ir.Neg:
		p = -p
	case ir.Add:
		p += q
	case ir.Sub:
		p -= q
	case ir.Mul, ir.MulNoNaN: // p is not 0 in MulNoNaN: see product
		p *= q
	case ir.Div:
		p /= q
	case ir.BroadcastInDim:
		return e.number(p, d, attrs.(ir.BroadcastAttrs).Shape)
	case ir.Reshape:
		return e.number(p, d, attrs.(ir.ReshapeAttrs).Shape)
	case ir.Convert:
		if d = attrs.(ir.DTypeAttrs).DType; !d.Is(dtype.Floating) {
			return nil
		}
	default:
		return nil
	}
	return e.number(p, d, x[0].Type.Shape.Dims())
}

// number returns a constant whose elements are all x.
func (e *emitter) number(x float64, d dtype.DType, s shape.Dims) *ir.Value {
	data := make([]byte, d.Size())
	dtype.PutFloat(data, d, x)
	return e.do(ir.Constant, ir.ConstantAttrs{DType: d, Shape: s, Data: string(data)})
}

// splat returns the value of x's elements if x is a real constant whose elements are all equal.
func splat(x *ir.Value) (f float64, ok bool) {
	if x.Node == nil || x.Node.Code != ir.Constant || !x.Type.DType.Is(dtype.Floating) {
		return 0, false
	}
	a := x.Node.Attrs.(ir.ConstantAttrs)
	if len(a.Data) != a.DType.Size() {
		return 0, false
	}
	return dtype.GetFloat([]byte(a.Data), a.DType), true
}

// isSplat reports whether every element of x is known to be f.
func isSplat(x *ir.Value, f float64) bool {
	if x.Node == nil || x.Node.Code != ir.Constant || !Differentiable(x.Type.DType) {
		return false
	}
	a := x.Node.Attrs.(ir.ConstantAttrs)
	if len(a.Data) != a.DType.Size() {
		return false
	}
	if a.DType.Is(dtype.Complex) {
		return dtype.GetComplex([]byte(a.Data), a.DType) == complex(f, 0)
	}
	return dtype.GetFloat([]byte(a.Data), a.DType) == f
}

// isFinite reports whether x is a real constant whose elements are all the same finite number.
func isFinite(x *ir.Value) bool {
	f, ok := splat(x)
	return ok && !math.IsInf(f, 0) && !math.IsNaN(f)
}
