package host_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestTakes checks which programs are run here: by their operations and dtypes, by the number of elements and by
// the work.
func TestTakes(t *testing.T) {
	type value = expr.Value
	// programOf returns a graph of f over one parameter.
	programOf := func(d dtype.DType, n int, f func(b expr.Builder, x value) value) *ir.Graph {
		return expr.Graph(ops.Infer, []shape.Type{shape.Of(d, n)}, func(b expr.Builder, args []value) []value {
			return []value{f(b, args[0])}
		})
	}
	repeat := func(n int, f func(b expr.Builder, x value) value) func(b expr.Builder, x value) value {
		return func(b expr.Builder, x value) value {
			for range n {
				x = f(b, x)
			}
			return x
		}
	}
	same := func(_ expr.Builder, x value) value { return x }
	sum := func(b expr.Builder, x value) value { return b.Sum(x, 0) }
	bits := func(b expr.Builder, x value) value { return b.Bitcast(b.Bitcast(x, dtype.I32), dtype.F32) }
	for name, row := range map[string]struct {
		g    *ir.Graph
		want bool
	}{
		"no operation":             {programOf(dtype.F32, 1<<14, same), true},
		"too many elements":        {programOf(dtype.F32, 1<<14+1, same), false},
		"too many inside":          {programOf(dtype.F32, 1<<13, func(b expr.Builder, x value) value { return b.Sum(b.Concatenate(0, x, x, x), 0) }), false},
		"complex":                  {programOf(dtype.C64, 2, same), false},
		"an f8":                    {programOf(dtype.F8E5M2, 2, same), false},
		"halves":                   {programOf(dtype.BF16, 2, same), true},
		"a sum":                    {programOf(dtype.F32, 1<<14, sum), true},
		"a sum of halves":          {programOf(dtype.F16, 1<<14, sum), false},
		"exponentials":             {programOf(dtype.F32, 1<<13, expr.Builder.Exp), true},
		"more exponentials":        {programOf(dtype.F32, 1<<14, expr.Builder.Exp), false},
		"steps within the budget":  {programOf(dtype.F64, 1<<13, repeat(122, expr.Builder.Square)), true},
		"steps beyond it":          {programOf(dtype.F64, 1<<13, repeat(123, expr.Builder.Square)), false},
		"many small steps":         {programOf(dtype.F64, 2, repeat(1000, expr.Builder.Square)), true},
		"many reshapes":            {programOf(dtype.F64, 1<<14, repeat(1000, func(b expr.Builder, x value) value { return b.Reshape(x, 1<<14) })), true},
		"an operation that is not": {programOf(dtype.F32, 2, func(b expr.Builder, x value) value { return b.Unary(ir.Digamma, x) }), false},
		"a loop":                   {programOf(dtype.F32, 2, func(b expr.Builder, x value) value { return loop(b, x) }), false},
		"bits":                     {programOf(dtype.F32, 2, bits), true},
		"a distribution":           {programOf(dtype.F32, 2, func(b expr.Builder, x value) value { return b.Log(bits(b, x)) }), false},
		"bits of integers and a sine": {programOf(dtype.F32, 2, func(b expr.Builder, x value) value {
			return b.Add(b.Sin(x), b.Convert(b.Bitcast(x, dtype.I32), dtype.F32))
		}), true},
		"many halves": {programOf(dtype.BF16, 1, func(b expr.Builder, x value) value {
			return b.Concatenate(0, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x)
		}), true},
		"bits and a square root": {programOf(dtype.F32, 2, func(b expr.Builder, x value) value { return b.Sqrt(bits(b, x)) }), true},
	} {
		if got := host.Takes(row.g); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
		if draws := name == "a distribution"; host.Draws(row.g) != draws {
			t.Errorf("%s: draws %v", name, !draws)
		}
	}
	for d, want := range map[dtype.DType]bool{dtype.I1: true, dtype.I8: true, dtype.I16: true, dtype.I32: true, dtype.I64: true, dtype.U8: true,
		dtype.U16: true, dtype.U32: true, dtype.U64: true, dtype.BF16: true, dtype.F16: true, dtype.F32: true, dtype.F64: true, dtype.I4: false,
		dtype.C64: false, dtype.C128: false, dtype.F8E4M3FN: false} {
		if host.Holds(shape.Of(d, 1<<14)) != want || host.Holds(shape.Of(d, 1<<14+1)) {
			t.Errorf("Holds is wrong for %s", d)
		}
	}
	for name, row := range map[string]struct {
		code     ir.Code
		operands []shape.Type
		want     bool
	}{
		"a sort":                   {ir.Sort, []shape.Type{shape.Of(dtype.F32, 1<<26)}, true},
		"a sort of too many":       {ir.Sort, []shape.Type{shape.Of(dtype.F32, 1<<26+1)}, false},
		"a sort of complex":        {ir.Sort, []shape.Type{shape.Of(dtype.C64, 2)}, false},
		"a sort with places":       {ir.Sort, []shape.Type{shape.Of(dtype.F32, 2), shape.Of(dtype.I32, 2)}, true},
		"a sort with complex":      {ir.Sort, []shape.Type{shape.Of(dtype.F32, 2), shape.Of(dtype.C64, 2)}, false},
		"another operation":        {ir.Neg, []shape.Type{shape.Of(dtype.F32, 2)}, false},
		"a sort with places later": {ir.Sort, []shape.Type{shape.Of(dtype.F32, 2), shape.Of(dtype.I32, 2), shape.Of(dtype.F8E5M2, 2)}, false},
	} {
		if got := host.Sorts(row.code, row.operands...); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// loop returns x after one step of a loop.
func loop(b expr.Builder, x expr.Value) expr.Value {
	return b.For(0, 1, []expr.Value{x}, nil, func(_ expr.Builder, _ expr.Value, carried, _ []expr.Value) []expr.Value { return carried })[0]
}
