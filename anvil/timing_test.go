package anvil_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

func TestWhyCompiled(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Compiled: true, NoCache: true})
	if s := c.WhyCompiled().String(); s != "nothing was compiled" {
		t.Error(s)
	}
	f := nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x.Mul(2).Add(y) })
	ones := func(n int) nv.Tensor { return c.Ones(nv.Shape{n}) }
	steps := []struct {
		run    func() nv.Tensor
		reason string // "": nothing is compiled
	}{
		{func() nv.Tensor { return f(ones(3), c.Scalar(1.0)) }, "its operations are new"},
		{func() nv.Tensor { return f(ones(3), c.Scalar(2.0)) }, ""},
		{func() nv.Tensor { return f(ones(4), c.Scalar(2.0)) }, "input 1 changed from f32{3} to f32{4}"},
		{func() nv.Tensor { return f(ones(4), c.Scalar(2, nv.I32)) }, "a conversion from i32 to f32 is new, input 2 changed from f32{} to i32{}"},
		{func() nv.Tensor { return f(ones(5), c.Scalar(2.0)) }, "input 1 changed from f32{4} to f32{5}"},
		{func() nv.Tensor { return ones(3).Sub(1).Sub(c.Arange(3).AsType(nv.F32)) }, "its operations are new"},
		{func() nv.Tensor { return ones(3).Sub(1).Sub(c.New([]float64{0, 1, 2})) }, "a conversion from i32 to f32 is gone"},
		{func() nv.Tensor { return ones(3).Reshape(nv.Shape{3, 1}).Exp() }, "its operations are new"},
		{func() nv.Tensor { return ones(3).Reshape(nv.Shape{1, 3}).Exp() }, "an axis, a length or another fixed part"},
	}
	for i, s := range steps {
		before := c.WhyCompiled().Number
		if err := s.run().Wait(); err != nil {
			t.Fatal(err)
		}
		why := c.WhyCompiled()
		if compiled := why.Number > before; compiled != (s.reason != "") || compiled && !strings.Contains(why.Reason, s.reason) {
			t.Errorf("step %d: %v", i, why)
		}
	}
	if s := c.Stats(); s.CompileTime <= 0 || s.TraceTime <= 0 || s.PeakBytes < 16 {
		t.Errorf("%+v", s)
	}
}

func TestBench(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Compiled: true, NoCache: true})
	x := c.Ones(nv.Shape{100})
	f := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Sum() })
	b := c.Bench(func() any { return []nv.Tensor{f(x)} })
	if b.Programs != 1+1 || b.Trace <= 0 || b.Compile <= 0 || b.First < b.Compile || b.Rounds != 7 || b.Calls < 1 || b.Min > b.Median || b.Median > b.Max || b.Launches < 0.9 {
		t.Errorf("%+v", b)
	}
	if b := c.Bench(func() any { return x.Exp() }); b.Launches < 0.9 { // what nobody waits for is not computed
		t.Errorf("%+v", b)
	}
}
