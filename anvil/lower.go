package anvil

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// A Lowered is the program that Jit would run for a function.
type Lowered struct {
	graph *ir.Graph
}

// Lower returns the program of f for args. The values of the tensors in args do not matter,
// only their types; other values are constants of the program. Tensors that f captures, and
// literals, are further parameters of the program. Gradients and jitted functions that f
// calls are inlined, so that nv.Lower(nv.Grad(f), x) is the program of a gradient.
func Lower(f any, args ...any) *Lowered { return Default().Lower(f, args...) }

// Lower is the function Lower for tensors of c.
func (c *Context) Lower(f any, args ...any) *Lowered {
	v := reflect.ValueOf(f)
	checkFunction("Lower", v)
	in := lowerArguments(c, v.Type(), args)
	ctx := c // or the context of the last tensor among the arguments
	for _, a := range in {
		leaves(a, "", func(_ string, x Tensor) { ctx = x.must("Lower").ctx })
	}
	t := traceFunction(ctx, "Lower", v, in, nil, 0)
	g := ir.Inline(t.program.Graph)
	g.Names = ctx.parameterNames(v, in, t.program)
	return &Lowered{g}
}

// parameterNames returns a name for each parameter of p, the program of f. For a tensor of an
// argument of f it is the name of that argument in the source, followed by the place of the
// tensor: "w.Bias". For a captured variable it is the name of the variable, for a literal its
// value, and otherwise "".
func (c *Context) parameterNames(f reflect.Value, in []reflect.Value, p *engine.Program) []string {
	names := make([]string, len(p.Graph.Params))
	for o := originOf(f); o != nil && o.f.Type().NumIn() == f.Type().NumIn(); o = originOf(f) {
		f = o.f // the function that Grad or another transformation was given, whose parameters have the same names
	}
	var params, variables []string
	var values []reflect.Value
	if sourceNames, reads := c.names.Load(), c.reads.Load(); sourceNames != nil && reads != nil {
		params, variables = (*sourceNames)(f)
		_, values, _ = (*reads)(f)
	}
	n := 0 // the number of parameters for tensors of the arguments so far
	for i, a := range in {
		leaves(a, "", func(place string, _ Tensor) {
			if len(params) == len(in) && params[i] != "_" {
				names[n] = params[i] + place
			}
			n++
		})
	}
	for i, a := range p.Captured {
		if data, ok := a.Known(); ok && a.Type().Shape.Size() == 1 {
			names[n+i] = fmt.Sprint(dtype.Get(data, a.Type().DType))
		}
		for k, v := range values[:min(len(values), len(variables))] {
			leaves(v, variables[k], func(name string, x Tensor) {
				if x.t != nil && x.t.arr.Same(a) {
					names[n+i] = name
				}
			})
		}
	}
	return names
}

// lowerArguments returns args as arguments of a function of type t. Numbers become literals
// where the function takes a Tensor.
func lowerArguments(c *Context, t reflect.Type, args []any) []reflect.Value {
	variadic, fixed := t.IsVariadic(), t.NumIn() // fixed is the number of parameters that are not variadic
	if variadic {
		fixed--
	}
	if len(args) < fixed || len(args) > fixed && !variadic {
		takes := plural(fixed, "argument", "arguments")
		if variadic {
			takes += " or more"
		}
		panic(&Error{Op: "Lower", Operands: typename.Text(t.String()),
			Reason: "the function takes " + takes + ", not " + itoa(len(args))})
	}
	var in []reflect.Value
	for i, a := range args {
		want := t.In(min(i, t.NumIn()-1))
		if i >= fixed {
			want = want.Elem()
		}
		in = append(in, lowerArgument(c, want, a))
	}
	if !variadic {
		return in
	}
	rest := reflect.MakeSlice(t.In(fixed), 0, len(in)-fixed)
	return append(in[:fixed:fixed], reflect.Append(rest, in[fixed:]...))
}

// lowerArgument returns a as a value of type want.
func lowerArgument(c *Context, want reflect.Type, a any) reflect.Value {
	if _, number := dtype.Of(a); number && want == tensorType {
		a = c.Lit(a)
	}
	v := reflect.ValueOf(a)
	if !v.IsValid() || !v.Type().AssignableTo(want) {
		panic(&Error{Op: "Lower", Operands: typeName(v),
			Reason: "the function takes " + typename.Text(want.String())})
	}
	return v
}

// Graph returns the program as a graph of operations.
func (l *Lowered) Graph() *ir.Graph { return l.graph }

// StableHLO returns the program as StableHLO text.
func (l *Lowered) StableHLO() string { return string(engine.StableHLO(l.graph)) }

// A ValueType describes a value of a program.
type ValueType struct {
	Name  string // "%1"
	Op    string // the operation that computes the value, or "parameter"
	Type  shape.Type
	Typed dtype.Typed // the dtype of Type, and whether it is ambiguous
}

// String returns "%1 = multiply: f32?{2}".
func (v ValueType) String() string {
	return v.Name + " = " + v.Op + ": " + v.Typed.String() + v.Type.Shape.String()
}

// Types returns the type of every value of the program: the parameters first, then the
// results of operations in the order in which they are computed.
func (l *Lowered) Types() []ValueType {
	var types []ValueType
	add := func(op string, v *ir.Value) {
		types = append(types, ValueType{fmt.Sprintf("%%%d", len(types)), op, v.Type,
			dtype.Typed{DType: v.Type.DType, Ambiguous: v.Ambiguous}})
	}
	for _, v := range l.graph.Params {
		add("parameter", v)
	}
	for _, n := range l.graph.Nodes {
		for _, v := range n.Results {
			add(n.Code.String(), v)
		}
	}
	return types
}

// Results returns the dtypes of the results, and whether they are ambiguous.
func (l *Lowered) Results() []dtype.Typed {
	var ts []dtype.Typed
	for _, v := range l.graph.Outputs {
		ts = append(ts, dtype.Typed{DType: v.Type.DType, Ambiguous: v.Ambiguous})
	}
	return ts
}

// String returns the program as text, with the type of each value.
func (l *Lowered) String() string { return strings.TrimRight(ir.Print(l.graph), "\n") }
