package expr_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// compute returns the first output of a graph of vectors.
func compute(t *testing.T, g *ir.Graph, inputs ...[]float64) []float64 {
	t.Helper()
	var args []array.Array
	for _, x := range inputs {
		args = append(args, array.Store(array.New(shape.Of(dtype.F64, len(x))), x))
	}
	out, err := reference.Run(context.Background(), g, args)
	if err != nil {
		t.Fatal(err)
	}
	return array.Load[float64](out[0])
}

// TestRules checks the value and the tangent of expressions with derivatives of their own, for x = 4, 0, -Inf, Inf
// and y = 4, 0, -Inf, 1, whose tangents are all 1 and all 3.
func TestRules(t *testing.T) {
	type value = expr.Value
	inf := math.Inf(1)
	x, y := []float64{4, 0, -inf, inf}, []float64{4, 0, -inf, 1}
	one, three := []float64{1, 1, 1, 1}, []float64{3, 3, 3, 3}
	for name, c := range map[string]struct {
		f             func(b expr.Builder, x, y value) value
		args          [][]float64
		tangents      [][]float64
		want, tangent []float64
	}{
		"StopGradient": {func(b expr.Builder, x, _ value) value { return b.StopGradient(x) },
			[][]float64{x}, [][]float64{one}, x, []float64{0, 0, 0, 0}},
		"Norm": {func(b expr.Builder, x, _ value) value { return b.Norm(x) },
			[][]float64{{4, 0, 16, inf}}, [][]float64{one}, []float64{2, 0, 4, inf}, []float64{0.25, 0, 0.125, 0}},
		"LogAddExp": {func(b expr.Builder, x, y value) value { return b.LogAddExp(x, y) },
			[][]float64{x, y}, [][]float64{one, three}, []float64{4 + math.Ln2, math.Ln2, -inf, inf}, []float64{2, 2, 0, 1}},
		"Derived": {func(b expr.Builder, x, y value) value {
			return b.Derived(b.Mul(x, y), func(b expr.Builder, args []value, z value, t []value) value {
				return b.Add(b.Add(args[0], b.Mul(args[1], 10)), b.Add(b.Mul(z, 100), b.Add(b.Mul(t[0], 1000), b.Mul(t[1], 10000))))
			}, x, y)
		}, [][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}, {5, 12, 21, 32}}, [][]float64{one, three, one},
			[]float64{5, 12, 21, 32}, []float64{31551, 32262, 33173, 34284}},
		"Elementwise": {func(b expr.Builder, x, y value) value {
			return b.Elementwise(func(b expr.Builder, args []value) []value { return []value{b.Sub(args[0], args[1])} }, x, y)
		}, [][]float64{{1, 2, 3, 4}, {5, 7, 9, 11}}, nil, []float64{-4, -5, -6, -7}, nil},
	} {
		g := &ir.Graph{}
		vector := shape.Of(dtype.F64, 4)
		c.f(opstest.Traced(g), g.Param(vector), g.Param(vector))
		call := g.Nodes[len(g.Nodes)-1]
		if call.Code != ir.Call || len(call.Regions) != min(2, 1+len(c.tangents)) {
			t.Errorf("%s: %v with %d regions", name, call.Code, len(call.Regions))
			continue
		}
		if attrs := call.Attrs.(ir.CallAttrs); attrs.Rule != (c.tangent != nil) || attrs.Elementwise != (c.tangent == nil) {
			t.Errorf("%s: %+v", name, attrs)
		}
		if got := compute(t, call.Regions[0], c.args...); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if c.tangent == nil {
			continue
		}
		inputs := append(append(append([][]float64{}, c.args...), c.want), c.tangents...)
		if got := compute(t, call.Regions[1], inputs...); !near(got, c.tangent) {
			t.Errorf("%s: the tangent is %v, want %v", name, got, c.tangent)
		}
		plain := expr.Graph(ops.Infer, []shape.Type{vector, vector}, func(b expr.Builder, args []value) []value {
			return []value{c.f(b, args[0], args[1])}
		})
		for _, n := range plain.Nodes {
			if n.Code == ir.Call {
				t.Errorf("%s: a graph that is not traced has a Call", name)
			}
		}
	}
}

// TestRuleInATangent checks that a function with a rule keeps it in the rule of another function, for second
// derivatives.
func TestRuleInATangent(t *testing.T) {
	g := &ir.Graph{}
	x := g.Param(shape.Of(dtype.F64))
	opstest.Traced(g).Rule(func(b expr.Builder, args []expr.Value) []expr.Value { return []expr.Value{b.Neg(args[0])} },
		func(b expr.Builder, args []expr.Value) []expr.Value { return []expr.Value{b.Norm(args[2])} }, x)
	tangent := g.Nodes[len(g.Nodes)-1].Regions[1]
	if n := tangent.Nodes[len(tangent.Nodes)-1]; n.Code != ir.Call {
		t.Errorf("Norm in a tangent is %v, want a Call", n.Code)
	}
}

// TestScan sums the elements of two inputs from each end, with a shared factor.
func TestScan(t *testing.T) {
	for reverse, want := range map[bool]string{false: "[1040] [30 440 1040]", true: "[1040] [1040 1010 600]"} {
		types := []shape.Type{shape.Of(dtype.F64), shape.Of(dtype.F64), shape.Of(dtype.F64, 3), shape.Of(dtype.F64, 3)}
		g := expr.Graph(ops.Infer, types, func(b expr.Builder, args []expr.Value) []expr.Value {
			final, stacked := b.Scan(3, args[:1], args[1:2], args[2:], reverse,
				func(b expr.Builder, carried, shared, elements []expr.Value) (next, results []expr.Value) {
					sum := b.Add(carried[0], b.Mul(b.Mul(elements[0], elements[1]), shared[0]))
					return []expr.Value{sum}, []expr.Value{sum}
				})
			return b.Barrier(final[0], stacked[0])
		})
		scalar := func(x float64) array.Array { return array.Store(array.New(shape.Of(dtype.F64)), []float64{x}) }
		vector := func(xs ...float64) array.Array { return array.Store(array.New(types[2]), xs) }
		out, err := reference.Run(context.Background(), g, []array.Array{scalar(0), scalar(10), vector(1, 2, 3), vector(3, 20.5, 20)})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(array.Load[float64](out[0]), " ", array.Load[float64](out[1]))
		if got != want {
			t.Errorf("reverse %v: %s, want %s", reverse, got, want)
		}
	}
}

// TestConversions checks the operations that leave a value as it is for some dtypes.
func TestConversions(t *testing.T) {
	types := []shape.Type{shape.Of(dtype.F32, 3), shape.Of(dtype.U8, 3), shape.Of(dtype.I1, 3), shape.Of(dtype.C64, 2, 3), shape.Of(dtype.F32, 2, 3)}
	for name, c := range map[string]struct {
		f    func(b expr.Builder, v []expr.Value) expr.Value
		want string // the operations and the type
	}{
		"Real":                 {func(b expr.Builder, v []expr.Value) expr.Value { return b.Real(v[0]) }, "[] f32{3}"},
		"Imag":                 {func(b expr.Builder, v []expr.Value) expr.Value { return b.Imag(v[0]) }, "[Constant] f32{3}"},
		"Conj":                 {func(b expr.Builder, v []expr.Value) expr.Value { return b.Conj(v[0]) }, "[] f32{3}"},
		"Real of complex":      {func(b expr.Builder, v []expr.Value) expr.Value { return b.Real(v[3]) }, "[Real] f32{2,3}"},
		"Imag of complex":      {func(b expr.Builder, v []expr.Value) expr.Value { return b.Imag(v[3]) }, "[Imag] f32{2,3}"},
		"Adjoint":              {func(b expr.Builder, v []expr.Value) expr.Value { return b.Adjoint(v[3]) }, "[Transpose Real Imag Neg Complex] c64{3,2}"},
		"Abs of unsigned":      {func(b expr.Builder, v []expr.Value) expr.Value { return b.Abs(v[1]) }, "[] ui8{3}"},
		"Abs of bools":         {func(b expr.Builder, v []expr.Value) expr.Value { return b.Abs(v[2]) }, "[] i1{3}"},
		"Abs of complex":       {func(b expr.Builder, v []expr.Value) expr.Value { return b.Abs(v[3]) }, "[Abs] f32{2,3}"},
		"Bitcast":              {func(b expr.Builder, v []expr.Value) expr.Value { return b.Bitcast(v[0], dtype.I32) }, "[BitcastConvert] i32{3}"},
		"Convert":              {func(b expr.Builder, v []expr.Value) expr.Value { return b.Convert(v[0], dtype.F32) }, "[] f32{3}"},
		"Convert to another":   {func(b expr.Builder, v []expr.Value) expr.Value { return b.Convert(v[0], dtype.F64) }, "[Convert] f64{3}"},
		"FloorDiv of unsigned": {func(b expr.Builder, v []expr.Value) expr.Value { return b.FloorDiv(v[1], v[1]) }, "[Div] ui8{3}"},
		"Mod of unsigned":      {func(b expr.Builder, v []expr.Value) expr.Value { return b.Mod(v[1], v[1]) }, "[Rem] ui8{3}"},
		"FloorMod of unsigned": {func(b expr.Builder, v []expr.Value) expr.Value { return b.FloorMod(v[1], v[1]) }, "[Rem] ui8{3}"},
		"Slice of all":         {func(b expr.Builder, v []expr.Value) expr.Value { return b.Slice(v[0], 0, 0, 3) }, "[] f32{3}"},
		"Power of 1":           {func(b expr.Builder, v []expr.Value) expr.Value { return b.Power(v[0], 1) }, "[] f32{3}"},
		"Where of more axes": {func(b expr.Builder, v []expr.Value) expr.Value { return b.Where(v[2], v[4], 0) },
			"[Constant BroadcastInDim Select] f32{2,3}"},
		"MatMul of a batch": {func(b expr.Builder, v []expr.Value) expr.Value {
			x := b.BroadcastTo(v[4], shape.Shape{5, 2, 3})
			return b.MatMul(x, b.BroadcastTo(b.Transpose(v[4]), shape.Shape{5, 3, 2}))
		}, "[BroadcastInDim Transpose BroadcastInDim DotGeneral] f32{5,2,2}"},
	} {
		g := &ir.Graph{}
		var args []expr.Value
		for _, typ := range types {
			args = append(args, g.Param(typ))
		}
		result := c.f(expr.On(g, ops.Infer), args)
		codes := []string{}
		for _, n := range g.Nodes {
			codes = append(codes, n.Code.String())
		}
		if got := fmt.Sprint(codes, result.(*ir.Value).Type); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	defer func() {
		if got := recover(); got != "expr: no operand is a Value: 1, 2" {
			t.Error("an operation on two numbers panics with", got)
		}
	}()
	expr.On(&ir.Graph{}, ops.Infer).Add(1, 2)
}

// untraced is an Emitter that is not a Tracer.
type untraced struct{ expr.Emitter }

// TestElementwiseOfNothingTraced checks that Elementwise only calls its body if nothing is traced.
func TestElementwiseOfNothingTraced(t *testing.T) {
	types := []shape.Type{shape.Of(dtype.F64, 4), shape.Of(dtype.F64, 4)}
	double := func(b expr.Builder, args []expr.Value) []expr.Value { return []expr.Value{b.Add(args[0], args[1])} }
	g := expr.Graph(ops.Infer, types, func(b expr.Builder, args []expr.Value) []expr.Value {
		return []expr.Value{b.Elementwise(double, args...)}
	})
	emitted := &emitter{}
	expr.New(untraced{emitted}, ops.Infer).Elementwise(double, g.Params[0], g.Params[1])
	if len(g.Nodes) != 1 || g.Nodes[0].Code != ir.Add || fmt.Sprint(emitted.codes) != "[Add]" {
		t.Errorf("emitted %v and %v", g.Nodes, emitted.codes)
	}
}

// An emitter records operations. The result of each is its first operand.
type emitter struct{ codes []ir.Code }

func (e *emitter) Emit(c ir.Code, _ any, _ []*ir.Graph, args []expr.Value) []expr.Value {
	e.codes = append(e.codes, c)
	return args[:1]
}

// TestForOfNumbers checks the passes of loops between numbers, whose counter is i32, and that a slice along one axis
// starts at 0 along the others.
func TestForOfNumbers(t *testing.T) {
	matrix := shape.Of(dtype.F64, 3, 2)
	for _, c := range []struct {
		low, high any
		want      string
	}{{1, 3, "[30 40 50 60]"}, {0, 1, "[10 20 30 40]"}, {0, 3, "[30 40 50 60]"}, {2, 2, "[0 0 0 0]"}, {3, 1, "[0 0 0 0]"}} {
		g := expr.Graph(ops.Infer, []shape.Type{matrix}, func(b expr.Builder, args []expr.Value) []expr.Value {
			none := b.Number(0.0, dtype.F64, 2, 2)
			return b.For(c.low, c.high, []expr.Value{none}, args, func(b expr.Builder, i expr.Value, _, shared []expr.Value) []expr.Value {
				if i.DType() != dtype.I32 {
					t.Errorf("the counter is %s", i.DType())
				}
				return []expr.Value{b.Mul(b.DynamicSlice(shared[0], 0, i, 2), 10)}
			})
		})
		x := array.Store(array.New(matrix), []float64{1, 2, 3, 4, 5, 6})
		out, err := reference.Run(context.Background(), g, []array.Array{x})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(array.Load[float64](out[0])); got != c.want {
			t.Errorf("for %v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// TestRefusedExpressions checks that expressions panic with an error if an operand does not fit.
func TestRefusedExpressions(t *testing.T) {
	g := &ir.Graph{}
	b := expr.On(g, ops.Infer)
	x, y := g.Param(shape.Of(dtype.I32, 2)), g.Param(shape.Of(dtype.F64, 3))
	for name, f := range map[string]func(){
		"shapes that do not broadcast": func() { b.Add(x, y) },
		"dtypes that differ":           func() { b.Add(x, b.Convert(x, dtype.F64)) },
		"a number that is text":        func() { b.Add(x, "1") },
		"no dtype":                     func() { b.Number(1, dtype.Invalid) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(error); !ok {
					t.Errorf("%s: no error", name)
				}
			}()
			f()
		}()
	}
}
