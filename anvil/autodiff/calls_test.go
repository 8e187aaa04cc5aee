package autodiff_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

var (
	scalar = shape.Of(dtype.F64)
	three  = shape.Of(dtype.F64, 3)
)

// vectorOf returns an f64 vector.
func vectorOf(xs ...float64) array.Array {
	return arrayOf(shape.Of(dtype.F64, len(xs)), func(i int) complex128 { return complex(xs[i], 0) })
}

// run returns the results of g, whose operations it verifies.
func run(t *testing.T, g *ir.Graph, err error, args ...array.Array) []array.Array {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if err := ops.Verify(g); err != nil {
		t.Fatal(err)
	}
	out, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// wantElements compares the elements of arrays of f64.
func wantElements(t *testing.T, what string, got []array.Array, want ...[]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d arrays, want %d", what, len(got), len(want))
	}
	for i, a := range got {
		for k, x := range want[i] {
			if y := dtype.GetFloat(a.Data[8*k:], dtype.F64); a.Type.Shape.Size() != len(want[i]) || math.Abs(y-x) > 1e-12 {
				t.Errorf("%s: result %d is %v, want %v", what, i, opstest.Complexes(a), want[i])
				break
			}
		}
	}
}

// TestLinearize checks that the known part returns the outputs, that the linear part then returns their tangents,
// and that its transpose returns the cotangents. An output that is not differentiable has no tangent.
func TestLinearize(t *testing.T) {
	g := expr.Graph(ops.Infer, []shape.Type{three, three}, func(b expr.Builder, x []expr.Value) []expr.Value {
		half := b.Number(0.5, dtype.F64, 3)
		return []expr.Value{b.Mul(b.Sin(x[0]), x[1]), b.Convert(x[0], dtype.I32), b.Mul(half, x[1]), b.Exp(half)}
	})
	x, y, tx, ty := []float64{0.1, 1, 2}, []float64{3, -1, 0.5}, []float64{1, 10, -2}, []float64{0.3, 2, 5}
	each := func(f func(i int) float64) []float64 { return []float64{f(0), f(1), f(2)} }
	value := each(func(i int) float64 { return math.Sin(x[i]) * y[i] })
	for _, active := range [][]bool{{true, true}, {true, false}, {false, true}} {
		on := map[bool]float64{true: 1}
		known, linear, err := autodiff.Linearize(g, active, nil)
		out := run(t, known, err, vectorOf(x...), vectorOf(y...))
		wantElements(t, "the first output", out[:1], value)
		wantElements(t, "the others", out[2:4], each(func(i int) float64 { return y[i] / 2 }),
			each(func(int) float64 { return math.Exp(0.5) }))
		args := slices.Clone(out[4:])
		residuals := len(args)
		if active[0] {
			args = append(args, vectorOf(tx...))
		}
		if active[1] {
			args = append(args, vectorOf(ty...))
		}
		dx := each(func(i int) float64 { return on[active[0]] * math.Cos(x[i]) * y[i] })
		dy := each(func(i int) float64 { return on[active[1]] * math.Sin(x[i]) })
		tangents := run(t, linear, nil, args...)
		wantElements(t, fmt.Sprint("tangents for ", active), tangents,
			each(func(i int) float64 { return dx[i]*tx[i] + dy[i]*ty[i] }),
			each(func(i int) float64 { return on[active[1]] * ty[i] / 2 }), each(func(int) float64 { return 0 }))

		of := make([]bool, len(args))
		for i := residuals; i < len(of); i++ {
			of[i] = true
		}
		transposed, err := autodiff.Transpose(linear, of)
		ct := append(slices.Clone(args[:residuals]), vectorOf(1, 2, 3), vectorOf(10, 20, 30), vectorOf(5, 5, 5))
		var want [][]float64
		if active[0] {
			want = append(want, each(func(i int) float64 { return dx[i] * float64(i+1) }))
		}
		if active[1] {
			want = append(want, each(func(i int) float64 { return dy[i]*float64(i+1) + 5*float64(i+1) }))
		}
		wantElements(t, fmt.Sprint("cotangents for ", active), run(t, transposed, err, ct...), want...)
	}
}

// callGraph returns a program that calls a function of x and y: x * sin(y).
func callGraph(attrs ir.CallAttrs, ty shape.Type) *ir.Graph {
	inner := expr.Graph(ops.Infer, []shape.Type{ty, ty}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Mul(x[0], b.Sin(x[1]))}
	})
	g := &ir.Graph{}
	x, y := g.Param(ty), g.Param(ty)
	g.Outputs = g.Add(ir.Call, attrs, []*ir.Graph{inner}, []*ir.Value{x, y}, ty).Results
	return g
}

// TestCalls checks the derivatives of the kinds of calls, forward and in reverse, and the calls of many lanes.
func TestCalls(t *testing.T) {
	x, y := []float64{2, 3, 5}, []float64{0.5, 1, -2}
	for _, attrs := range []ir.CallAttrs{{}, {Recompute: true}, {Elementwise: true}} {
		g := callGraph(attrs, three)
		var value, tangent, dx, dy []float64
		for i := range x {
			value = append(value, x[i]*math.Sin(y[i]))
			dx, dy = append(dx, math.Sin(y[i])), append(dy, x[i]*math.Cos(y[i]))
			tangent = append(tangent, 10*dx[i]+dy[i])
		}
		jvp, err := autodiff.JVP(g, []bool{true, true}, nil)
		wantElements(t, fmt.Sprintf("%+v: forward", attrs), run(t, jvp, err, vectorOf(x...), vectorOf(y...),
			vectorOf(10, 10, 10), vectorOf(1, 1, 1)), value, tangent)
		vjp, err := autodiff.VJP(g, []bool{true, true}, nil)
		wantElements(t, fmt.Sprintf("%+v: reverse", attrs), run(t, vjp, err, vectorOf(x...), vectorOf(y...),
			vectorOf(1, 1, 1)), value, dx, dy)
		one, err := autodiff.VJP(g, []bool{false, true}, nil)
		wantElements(t, fmt.Sprintf("%+v: of one operand", attrs), run(t, one, err, vectorOf(x...), vectorOf(y...),
			vectorOf(1, 1, 1)), value, dy)

		lanes, err := autodiff.Batch(callGraph(attrs, scalar), 3, []bool{true, false})
		out := run(t, lanes, err, vectorOf(x...), arrayOf(scalar, func(int) complex128 { return 0.5 }))
		wantElements(t, fmt.Sprintf("%+v: lanes", attrs), out,
			[]float64{2 * math.Sin(0.5), 3 * math.Sin(0.5), 5 * math.Sin(0.5)})
		none, err := autodiff.Batch(callGraph(attrs, scalar), 0, []bool{true, false})
		out = run(t, none, err, vectorOf(), arrayOf(scalar, func(int) complex128 { return 0.5 }))
		if len(out) != 1 || !out[0].Type.Shape.Equal(shape.Shape{0}) {
			t.Errorf("%+v: no lanes give %v", attrs, out[0].Type)
		}
	}
}

// TestIntegrals checks that the second region of an elementwise call is used for the derivatives by the last operand,
// also for those of the derivatives by the others.
func TestIntegrals(t *testing.T) {
	types := []shape.Type{three, three}
	g := callGraph(ir.CallAttrs{Elementwise: true}, three)
	density := expr.Graph(ops.Infer, types, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Mul(b.Mul(x[0], x[1]), 7)}
	})
	g.Nodes[0].Regions = append(g.Nodes[0].Regions, density)
	x, y, one := vectorOf(2, 3, 5), vectorOf(0.5, 1, -2), vectorOf(1, 1, 1)
	each := func(f func(x, y float64) float64) []float64 { return []float64{f(2, 0.5), f(3, 1), f(5, -2)} }
	byX := each(func(_, y float64) float64 { return math.Sin(y) })
	vjp, err := autodiff.VJP(g, []bool{true, true}, nil)
	out := run(t, vjp, err, x, y, one)
	wantElements(t, "first derivatives", out[1:], byX, each(func(x, y float64) float64 { return 7 * x * y }))

	jvp, err := autodiff.JVP(g, []bool{true, false}, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := autodiff.JVP(jvp, []bool{false, true, false}, nil)
	out = run(t, second, err, x, y, one, one)
	wantElements(t, "second derivative", out[len(out)-1:], each(func(_, y float64) float64 { return 7 * y }))
}

// TestDifferentiationIsRefused checks the errors of operations without a derivative.
func TestDifferentiationIsRefused(t *testing.T) {
	reason := callGraph(ir.CallAttrs{Reason: "it has none", Hint: "take another"}, scalar)
	loop := expr.Graph(ops.Infer, []shape.Type{scalar}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return b.While(x, nil, func(b expr.Builder, x, _ []expr.Value) expr.Value {
			return b.Compare(ir.LT, x[0], b.Number(9, dtype.F64))
		}, func(b expr.Builder, x, _ []expr.Value) []expr.Value { return []expr.Value{b.Mul(x[0], x[0])} })
	})
	callback := &ir.Graph{}
	callback.Outputs = callback.Add(ir.HostCall, nil, nil, []*ir.Value{callback.Param(scalar)}, scalar).Results
	for _, c := range []struct {
		name string
		g    *ir.Graph
		jvp  bool // has a derivative forward
		want string
	}{
		{"a call with a reason", reason, false, "it has none; take another"},
		{"a loop", loop, true, "the number of steps of While, or of ForI with a tensor n, is not known, so reverse " +
			"mode cannot store their values; give While nv.MaxSteps(n), or ForI a Go integer n, or use nv.Scan"},
		{"a Go function", callback, false, "a call of a Go function (nv.Callback) has no derivative; " +
			"give it one with nv.Custom, or apply nv.StopGradient to its operands"},
	} {
		active := make([]bool, len(c.g.Params))
		active[0] = true
		var e *autodiff.Error
		if _, err := autodiff.VJP(c.g, active, nil); !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%s in reverse: %v", c.name, err)
		}
		if _, err := autodiff.JVP(c.g, active, nil); (err == nil) != c.jvp || err != nil && err.Error() != c.want {
			t.Errorf("%s forward: %v", c.name, err)
		}
	}
	if got := (&autodiff.Error{Reason: "no rule"}).Error(); got != "no rule" {
		t.Error(got)
	}
}

// TestDerivativesAreMarked checks that the nodes of a derivative name its operation after they have been copied.
func TestDerivativesAreMarked(t *testing.T) {
	g := expr.Graph(ops.Infer, []shape.Type{three}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Unary(ir.Tan, x[0])}
	})
	active := []bool{true}
	jacobian, err := autodiff.Jacobian(g, active, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, linear, err := autodiff.Linearize(g, active, nil)
	if err != nil {
		t.Fatal(err)
	}
	pullback, err := autodiff.Transpose(linear, []bool{false, true})
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*ir.Graph{"Jacobian": jacobian, "Linearize": linear, "Transpose": pullback} {
		if !slices.ContainsFunc(g.Nodes, func(n *ir.Node) bool { return n.Of == ir.Tan }) {
			t.Errorf("%s: no node belongs to the derivative of Tan", name)
		}
	}
}

// TestBatchOfGoFunctions checks that a Go function is called for each lane, and once if no operand has lanes.
func TestBatchOfGoFunctions(t *testing.T) {
	g := &ir.Graph{}
	x, y := g.Param(three), g.Param(scalar)
	g.Outputs = g.Add(ir.HostCall, "f", nil, []*ir.Value{x, y}, shape.Of(dtype.I32, 2), scalar).Results
	for _, c := range []struct {
		batched []bool
		calls   int
		types   string
	}{{[]bool{true, false}, 4, "i32{4,2} f64{4}"}, {[]bool{false, true}, 4, "i32{4,2} f64{4}"},
		{[]bool{false, false}, 1, "i32{4,2} f64{4}"}} {
		b, err := autodiff.Batch(g, 4, c.batched)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, n := range b.Nodes {
			if n.Code != ir.HostCall {
				continue
			}
			calls++
			got := fmt.Sprint(n.Args[0].Type, n.Args[1].Type, n.Results[0].Type)
			if got != "f64{3} f64{} i32{2}" || n.Attrs != "f" {
				t.Errorf("a call of %s", got)
			}
		}
		if got := fmt.Sprint(b.Outputs[0].Type, b.Outputs[1].Type); calls != c.calls || got != c.types {
			t.Errorf("%v: %d calls, results %s", c.batched, calls, got)
		}
	}
}

// TestReduceOfAnyLength checks the derivatives of a reduction by a function, which combines neighbours first.
func TestReduceOfAnyLength(t *testing.T) {
	scalar := shape.Of(dtype.F64)
	join := expr.Graph(ops.Infer, []shape.Type{scalar, scalar}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Add(b.Mul(x[0], x[1]), b.Add(x[0], x[1]))} // associative, as reductions require
	})
	for length := range 10 {
		g := &ir.Graph{}
		x, init := g.Param(shape.Of(dtype.F64, length)), g.Param(scalar)
		attrs := ir.AxesAttrs{Axes: shape.DimsOf(0)}
		g.Outputs = g.Add(ir.Reduce, attrs, []*ir.Graph{join}, []*ir.Value{x, init}, scalar).Results
		xs, ts := make([]float64, length), make([]float64, length)
		for i := range xs {
			xs[i], ts[i] = 1+float64(i)/8, 1/float64(i+2)
		}
		at := func(h float64) array.Array {
			moved := slices.Clone(xs)
			for i := range moved {
				moved[i] += h * ts[i]
			}
			return run(t, g, nil, vectorOf(moved...), arrayOf(scalar, func(int) complex128 { return complex(0.5+h, 0) }))[0]
		}
		value := func(a array.Array) float64 { return dtype.GetFloat(a.Data, dtype.F64) }
		const h = 1e-4
		quotient := (8*(value(at(h))-value(at(-h))) - (value(at(2*h)) - value(at(-2*h)))) / (12 * h)
		one := arrayOf(scalar, func(int) complex128 { return 1 })
		start := arrayOf(scalar, func(int) complex128 { return 0.5 })
		jvp, err := autodiff.JVP(g, []bool{true, true}, nil)
		tangent := value(run(t, jvp, err, vectorOf(xs...), start, vectorOf(ts...), one)[1])
		vjp, err := autodiff.VJP(g, []bool{true, true}, nil)
		ct := run(t, vjp, err, vectorOf(xs...), start, one)
		sum := value(ct[2])
		for i, t := range ts {
			sum += t * dtype.GetFloat(ct[1].Data[8*i:], dtype.F64)
		}
		if size := math.Max(1, math.Abs(quotient)); math.Abs(tangent-quotient) > 1e-8*size || math.Abs(sum-quotient) > 1e-8*size {
			t.Errorf("length %d: tangent %v, of the cotangents %v; the difference quotient is %v", length, tangent, sum, quotient)
		}
	}
}
