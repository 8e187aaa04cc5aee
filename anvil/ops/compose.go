package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Rows that no compiler has are lowered as programs of other rows. A composer
// builds such a program; its methods add one operation, with operands broadcast
// to each other as NumPy does.
type composer struct{ g *ir.Graph }

// A program makes values of others.
type program func(p composer, args []*ir.Value) []*ir.Value

// composed returns the lowering that writes what build makes of n's operands.
func composed(build func(n *ir.Node) program) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) { write(w, n, n.Args, build(n)) }
}

// write writes n as what f makes of args.
func write(w *stablehlo.Writer, n *ir.Node, args []*ir.Value, f program) {
	for i, v := range inline(w, args, f) {
		w.Rename(n.Results[i], w.NameOf(v))
	}
}

// inline writes what f makes of args, which have been written, and returns it.
func inline(w *stablehlo.Writer, args []*ir.Value, f program) []*ir.Value {
	g := compose(typesOf(args), f)
	w.Inline(g, w.NamesOf(args))
	return g.Outputs
}

// compose returns f as a graph over parameters of the given types.
func compose(types []shape.Type, f program) *ir.Graph {
	p := composer{&ir.Graph{}}
	for _, t := range types {
		p.g.Param(t)
	}
	p.g.Outputs = f(p, p.g.Params)
	return p.g
}

// inferRow is Infer. It is set later: a lowering that named the table would be
// an initialization cycle.
var inferRow func(c ir.Code, attrs any, regions []*ir.Graph, args ...shape.Type) ([]shape.Type, error)

func init() { inferRow = Infer }

// all adds an operation and returns its results. Programs are right or are
// bugs: it panics where the table refuses the operands.
func (p composer) all(c ir.Code, attrs any, regions []*ir.Graph, args ...*ir.Value) []*ir.Value {
	types, err := inferRow(c, attrs, regions, typesOf(args)...)
	if err != nil {
		panic(err)
	}
	return p.g.Add(c, attrs, regions, args, types...).Results
}

func (p composer) do(c ir.Code, attrs any, args ...*ir.Value) *ir.Value {
	return p.all(c, attrs, nil, args...)[0]
}

// pair adds an elementwise operation on two operands of a common shape.
func (p composer) pair(c ir.Code, attrs any, x, y *ir.Value) *ir.Value {
	s := common(x.Type.Shape, y.Type.Shape)
	return p.do(c, attrs, p.to(x, s), p.to(y, s))
}

func (p composer) add(x, y *ir.Value) *ir.Value { return p.pair(ir.Add, nil, x, y) }
func (p composer) sub(x, y *ir.Value) *ir.Value { return p.pair(ir.Sub, nil, x, y) }
func (p composer) mul(x, y *ir.Value) *ir.Value { return p.pair(ir.Mul, nil, x, y) }
func (p composer) div(x, y *ir.Value) *ir.Value { return p.pair(ir.Div, nil, x, y) }
func (p composer) max(x, y *ir.Value) *ir.Value { return p.pair(ir.Max, nil, x, y) }
func (p composer) min(x, y *ir.Value) *ir.Value { return p.pair(ir.Min, nil, x, y) }
func (p composer) and(x, y *ir.Value) *ir.Value { return p.pair(ir.And, nil, x, y) }

func (p composer) neg(x *ir.Value) *ir.Value  { return p.do(ir.Neg, nil, x) }
func (p composer) not(x *ir.Value) *ir.Value  { return p.do(ir.Not, nil, x) }
func (p composer) abs(x *ir.Value) *ir.Value  { return p.do(ir.Abs, nil, x) }
func (p composer) sqrt(x *ir.Value) *ir.Value { return p.do(ir.Sqrt, nil, x) }

func (p composer) compare(d ir.Direction, x, y *ir.Value) *ir.Value {
	return p.pair(ir.Compare, ir.CompareAttrs{Direction: d}, x, y)
}

// where returns x where cond holds, else y.
func (p composer) where(cond, x, y *ir.Value) *ir.Value {
	s := common(common(cond.Type.Shape, x.Type.Shape), y.Type.Shape)
	return p.do(ir.Select, nil, p.to(cond, s), p.to(x, s), p.to(y, s))
}

// common returns the shape that s and t broadcast to.
func common(s, t shape.Shape) shape.Shape {
	r, err := shape.Broadcast(s, t)
	if err != nil {
		panic(err)
	}
	return r
}

// to returns x repeated to shape s, aligned at the last axis.
func (p composer) to(x *ir.Value, s shape.Shape) *ir.Value {
	from := x.Type.Shape
	if from.Equal(s) {
		return x
	}
	kept, axes := shape.Shape{}, []int{}
	for i, n := range from {
		if at := len(s) - len(from) + i; n == s[at] {
			kept, axes = append(kept, n), append(axes, at)
		}
	}
	return p.do(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: shape.DimsOf(axes...)}, p.reshape(x, kept...))
}

// number returns the scalar v of dtype d.
func (p composer) number(d dtype.DType, v float64) *ir.Value {
	b := make([]byte, d.Size())
	switch {
	case d.Is(dtype.Complex):
		dtype.PutComplex(b, d, complex(v, 0))
	case d.Is(dtype.Boolean):
		dtype.PutBool(b, d, v != 0)
	case d.Is(dtype.Integral):
		dtype.PutInt(b, d, int64(v))
	default:
		dtype.PutFloat(b, d, v)
	}
	return p.do(ir.Constant, ir.ConstantAttrs{DType: d, Data: string(b)})
}

// like returns the scalar v of x's dtype.
func (p composer) like(x *ir.Value, v float64) *ir.Value { return p.number(x.Type.DType, v) }

// zeros returns zeros of dtype d.
func (p composer) zeros(d dtype.DType, s ...int) *ir.Value { return p.to(p.number(d, 0), s) }

// count returns 0, 1, ... n-1 as i32.
func (p composer) count(n int) *ir.Value {
	return p.do(ir.Iota, ir.IotaAttrs{DType: dtype.I32, Shape: dims(n)})
}

// column returns the vectors along the last axis of x as columns.
func (p composer) column(x *ir.Value) *ir.Value {
	return p.reshape(x, append(x.Type.Shape.Clone(), 1)...)
}

// row returns the vectors along the last axis of x as rows.
func (p composer) row(x *ir.Value) *ir.Value {
	s := x.Type.Shape
	n := len(s) - 1
	return p.reshape(x, append(s[:n:n].Clone(), 1, s[n])...)
}

// eye returns the n x m matrix of dtype d with ones on the diagonal.
func (p composer) eye(d dtype.DType, n, m int) *ir.Value {
	return p.convert(p.compare(ir.EQ, p.column(p.count(n)), p.row(p.count(m))), d)
}

func (p composer) reshape(x *ir.Value, s ...int) *ir.Value {
	if x.Type.Shape.Equal(s) {
		return x
	}
	return p.do(ir.Reshape, ir.ReshapeAttrs{Shape: shape.DimsOf(s...)}, x)
}

func (p composer) convert(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.DType == d {
		return x
	}
	return p.do(ir.Convert, ir.DTypeAttrs{DType: d}, x)
}

// adjoint returns the conjugate transposes of the matrices of x.
func (p composer) adjoint(x *ir.Value) *ir.Value { return p.conj(p.transpose(x)) }

// transpose returns the transposes of the matrices of x.
func (p composer) transpose(x *ir.Value) *ir.Value {
	n := len(x.Type.Shape)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	order[n-2], order[n-1] = n-1, n-2
	return p.do(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(order...)}, x)
}

func (p composer) conj(x *ir.Value) *ir.Value {
	if !x.Type.DType.Is(dtype.Complex) {
		return x
	}
	return p.do(ir.Complex, nil, p.do(ir.Real, nil, x), p.neg(p.do(ir.Imag, nil, x)))
}

// real returns the real part of x.
func (p composer) real(x *ir.Value) *ir.Value {
	if !x.Type.DType.Is(dtype.Complex) {
		return x
	}
	return p.do(ir.Real, nil, x)
}

// dot returns the products of the matrices of x and y, of equal batch axes.
func (p composer) dot(x, y *ir.Value) *ir.Value {
	n := len(x.Type.Shape) - 2
	batch := make([]int, n)
	for i := range batch {
		batch[i] = i
	}
	b := shape.DimsOf(batch...)
	return p.do(ir.DotGeneral, ir.DotAttrs{LhsBatch: b, RhsBatch: b, LhsContract: dims(n + 1), RhsContract: dims(n)}, x, y)
}

// fold reduces x along axis, counted from the last if negative.
func (p composer) fold(c ir.Code, x *ir.Value, axis int) *ir.Value {
	if axis < 0 {
		axis += len(x.Type.Shape)
	}
	return p.do(c, ir.AxesAttrs{Axes: dims(axis)}, x)
}

func (p composer) sum(x *ir.Value, axis int) *ir.Value { return p.fold(ir.ReduceSum, x, axis) }

// cut returns the elements low to below high of x along axis.
func (p composer) cut(x *ir.Value, axis, low, high int) *ir.Value {
	s := x.Type.Shape
	if axis < 0 {
		axis += len(s)
	}
	if low == 0 && high == s[axis] {
		return x
	}
	start, limit, step := make([]int, len(s)), s.Clone(), make([]int, len(s))
	for i := range step {
		step[i] = 1
	}
	start[axis], limit[axis] = low, high
	return p.do(ir.Slice, ir.SliceAttrs{Start: shape.DimsOf(start...), Limit: limit.Dims(), Strides: shape.DimsOf(step...)}, x)
}

// window returns n elements of x along axis, beginning at the scalar at.
func (p composer) window(x *ir.Value, axis int, at *ir.Value, n int) *ir.Value {
	args, axis := p.starts(x, axis, at)
	s := x.Type.Shape.Clone()
	s[axis] = n
	return p.do(ir.DynamicSlice, ir.DynamicSliceAttrs{Sizes: s.Dims()}, append([]*ir.Value{x}, args...)...)
}

// update returns x with y in place of what begins at the scalar at along axis.
func (p composer) update(x, y *ir.Value, axis int, at *ir.Value) *ir.Value {
	args, _ := p.starts(x, axis, at)
	return p.do(ir.DynamicUpdateSlice, nil, append([]*ir.Value{x, y}, args...)...)
}

func (p composer) starts(x *ir.Value, axis int, at *ir.Value) ([]*ir.Value, int) {
	if axis < 0 {
		axis += len(x.Type.Shape)
	}
	args := make([]*ir.Value, len(x.Type.Shape))
	for i := range args {
		if args[i] = at; i != axis {
			args[i] = p.like(at, 0)
		}
	}
	return args, axis
}

// pad returns x with zeros behind along its last two axes, rows x cols in all.
func (p composer) pad(x *ir.Value, rows, cols int) *ir.Value {
	s := x.Type.Shape
	n := len(s)
	if s[n-2] == rows && s[n-1] == cols {
		return x
	}
	low, high := make([]int, n), make([]int, n)
	high[n-2], high[n-1] = rows-s[n-2], cols-s[n-1]
	zero := shape.DimsOf(low...)
	return p.do(ir.Pad, ir.PadAttrs{Low: zero, High: shape.DimsOf(high...), Interior: zero}, x, p.like(x, 0))
}

// join returns xs one after the other along axis.
func (p composer) join(axis int, xs ...*ir.Value) *ir.Value {
	if axis < 0 {
		axis += len(xs[0].Type.Shape)
	}
	return p.do(ir.Concatenate, ir.AxisAttrs{Axis: axis}, xs...)
}

// loop returns carried after body has replaced it for i from low to below high,
// scalars of i32. A loop sees nothing around it but shared.
func (p composer) loop(low, high *ir.Value, carried, shared []*ir.Value,
	body func(p composer, i *ir.Value, carried, shared []*ir.Value) []*ir.Value) []*ir.Value {
	return p.while(append([]*ir.Value{low}, carried...), append([]*ir.Value{high}, shared...),
		func(p composer, carried, shared []*ir.Value) *ir.Value {
			return p.compare(ir.LT, carried[0], shared[0])
		},
		func(p composer, carried, shared []*ir.Value) []*ir.Value {
			next := p.add(carried[0], p.like(carried[0], 1))
			return append([]*ir.Value{next}, body(p, carried[0], carried[1:], shared[1:])...)
		})[1:]
}

// while returns carried after body has replaced it for as long as cond holds.
func (p composer) while(carried, shared []*ir.Value, cond func(p composer, carried, shared []*ir.Value) *ir.Value,
	body func(p composer, carried, shared []*ir.Value) []*ir.Value) []*ir.Value {
	n, args := len(carried), append(carried[:len(carried):len(carried)], shared...)
	types := typesOf(args)
	test := compose(types, func(p composer, ps []*ir.Value) []*ir.Value {
		return []*ir.Value{cond(p, ps[:n:n], ps[n:])}
	})
	step := compose(types, func(p composer, ps []*ir.Value) []*ir.Value {
		return append(body(p, ps[:n:n], ps[n:]), ps[n:]...)
	})
	return p.all(ir.While, nil, []*ir.Graph{test, step}, args...)[:n]
}

// apart returns xs behind a barrier: what is made of them is compiled by itself.
func (p composer) apart(xs ...*ir.Value) []*ir.Value {
	return p.all(ir.OptimizationBarrier, nil, nil, xs...)
}

// when returns what f makes of args where the scalar cond holds, else the first
// of args.
func (p composer) when(cond *ir.Value, args []*ir.Value, f func(p composer, args []*ir.Value) *ir.Value) *ir.Value {
	types := typesOf(args)
	yes := compose(types, func(p composer, args []*ir.Value) []*ir.Value { return []*ir.Value{f(p, args)} })
	no := compose(types, func(_ composer, args []*ir.Value) []*ir.Value { return args[:1] })
	return p.all(ir.If, nil, []*ir.Graph{yes, no}, append([]*ir.Value{cond}, args...)...)[0]
}
