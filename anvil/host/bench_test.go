package host_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// BenchmarkOperations measures one operation on vectors in the unit ns/element. The costs of
// package host follow from it.
func BenchmarkOperations(b *testing.B) {
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.BF16, dtype.F16} {
		for _, c := range []ir.Code{ir.Add, ir.Mul, ir.Div, ir.Max, ir.Neg, ir.Sqrt, ir.Exp, ir.Tanh, ir.Sin, ir.Log, ir.Pow, ir.Rem, ir.Sign} {
			for _, n := range []int{4, 4000} {
				b.Run(fmt.Sprintf("%v/%v/%d", c, d, n), func(b *testing.B) { benchmark(b, c, d, n) })
			}
		}
	}
}

func benchmark(b *testing.B, c ir.Code, d dtype.DType, n int) {
	g, t := &ir.Graph{}, shape.Of(d, n)
	x, y := g.Param(t), g.Param(t)
	args := []*ir.Value{x, y}
	if c < ir.Add {
		args = args[:1]
	}
	g.Outputs = g.Add(c, nil, nil, args, t).Results
	data := array.New(t)
	for i := range n {
		dtype.PutFloat(data.Data[i*d.Size():], d, float64(i%17)+0.5)
	}
	p, v := host.Compile(g), host.Of(t, data.Data)
	if p == nil {
		b.Skip("more than the budget")
	}
	out := make([]host.Value, 1)
	for b.Loop() {
		if err := p.Run(context.Background(), []host.Value{v, v}, out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
}
