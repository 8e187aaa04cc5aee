package anvil_test

import (
	"math"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestNaNsAreNamed plants NaNs and checks that the operation, the element and the operands
// are named, in values and in gradients.
func TestNaNsAreNamed(t *testing.T) {
	x := nv.New([]float64{4, -1, 0})
	sum := func(f func(x nv.Tensor) nv.Tensor) func() {
		return func() { nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(f(x)) })(x).Wait() }
	}
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"root", func() { nv.Sqrt(x) }, "Sqrt(f32{3}): element [1] of Sqrt is NaN, computed from -1"},
		{"logarithm", func() { nv.Add(nv.Log(nv.Sub(x, 2)), 1) }, "Log(f32{3}): element [1] of Log is NaN, computed from -3"},
		{"quotient", func() { nv.Div(nv.Mul(x, 0), x) }, "Div(f32{3}, f32{3}): element [2] of Div is NaN, computed from 0 and 0"},
		{"difference of infinities", func() { y := nv.Div(1, x); nv.Sub(y, y) },
			"Sub(f32{3}, f32{3}): element [2] of Sub is NaN, computed from +Inf and +Inf; the first " +
				"infinity came from Div at element [2], computed from 1 and 0"},
		{"hidden", func() { nv.Where(nv.Gt(x, 0), nv.Sqrt(x), 0) }, "Sqrt(f32{3}): element [1] of Sqrt is NaN, computed from -1"},
		{"product", func() { nv.MatMul(nv.Reshape(nv.Div(1, x), nv.Shape{1, 3}), nv.Reshape(x, nv.Shape{3, 1})) }, "MatMul(f32{1,3}, f32{3,1}): element [0, 0] of DotGeneral is NaN, computed from f32{1,3} and " +
			"f32{3,1}; the first infinity came from Div at element [2], computed from 1 and 0"},
		{"jitted", func() { nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Log(x) })(x) }, "Log(f32{3}): element [1] of Log is NaN, computed from -1"},
		{"in a function whose gradient is taken", sum(func(x nv.Tensor) nv.Tensor { return nv.Asin(x) }), "Asin(f32{3}): element [0] of Asin is NaN, computed from 4"},
		{"in a gradient", sum(func(x nv.Tensor) nv.Tensor { return nv.Sqrt(nv.Mul(x, x)) }),
			"Grad(): element [2] of MulNoNaN in the derivative of Mul is NaN, computed from +Inf and 0; " +
				"the first infinity came from Div at element [2], computed from 0.5 and 0"},
	} {
		stop := nv.Default().WatchNaN()
		err := nv.Try(c.f)
		stop()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if got := nv.WhyNaN(nv.Add(nv.Sqrt(x), 1)); got != "element [1] of Sqrt is NaN, computed from -1" {
		t.Errorf("WhyNaN of a pending tensor: %s", got)
	}
	slope := nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Sqrt(nv.Mul(x, x))) })(x)
	if got := nv.WhyNaN(slope); got != "element [2] of MulNoNaN in the derivative of Mul is NaN, computed from "+
		"+Inf and 0; the first infinity came from Div at element [2], computed from 0.5 and 0" {
		t.Errorf("WhyNaN of a pending gradient: %s", got)
	}
	_, roots := nv.Scan(nv.Scalar(1.0), x, func(c, x nv.Tensor) (nv.Tensor, nv.Tensor) { return c, nv.Sqrt(x) })
	if got := nv.WhyNaN(roots); got != "element [] of Sqrt is NaN, computed from -1" {
		t.Errorf("WhyNaN of a pending loop: %s", got)
	}
	given := nv.New([]float64{1, math.NaN()}).Mul(2)
	if got := nv.WhyNaN(nv.Exp(nv.Mul(x, 1e4))); got != "no element is NaN; the first infinity came from Exp at element [0], computed from 40000" {
		t.Errorf("WhyNaN of an infinity: %s", got)
	}
	if got := nv.WhyNaN(given); got != "element [1] of Mul is NaN, computed from NaN and 2; an operand already had "+
		"a NaN before the examined operations" {
		t.Errorf("WhyNaN of a NaN that was given: %s", got)
	}
	y := nv.Sqrt(x)
	y.Values()
	if got := nv.WhyNaN(y); got != "element [1] of Sqrt is NaN, computed from -1" {
		t.Errorf("WhyNaN of a computed tensor: %s", got)
	}
	root := nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Sqrt(x) })
	many := nv.Full(nv.Shape{1 << 15}, -1, nv.F32)
	y = root(many)
	nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Add(1) })(nv.Donate(many)).Wait()
	if got := nv.WhyNaN(y); got != "x has been computed, and its operands are gone; Sqrt made it: run the cell "+
		"that made it again with %%nan on its first line" {
		t.Errorf("WhyNaN where an operand was given away: %s", got)
	}
	y = nv.Sqrt(x)
	y.Values()
	for range 300 {
		nv.Exp(x).Wait()
	}
	if got := nv.WhyNaN(y); got != "x has been computed, and its operands are gone; Sqrt made it: run the cell that made it "+
		"again with %%nan on its first line" {
		t.Errorf("WhyNaN of a tensor that was computed long ago: %s", got)
	}
}

// TestNaNsOfNobody: WatchNaN does not stop functions whose formulas compute a NaN that they
// do not use, or gradients at points without a derivative.
func TestNaNsOfNobody(t *testing.T) {
	inf := math.Inf(1)
	vec := func(xs ...float64) nv.Tensor { return nv.New(xs, nv.F64) }
	for _, c := range []struct {
		name string
		f    func(x nv.Tensor) nv.Tensor
		at   nv.Tensor
	}{
		{"XLogY", func(x nv.Tensor) nv.Tensor { return nv.XLogY(0, x) }, vec(0, 2)},
		{"Sinc", func(x nv.Tensor) nv.Tensor { return nv.Sinc(x) }, vec(0, 2)},
		{"LogSumExp", func(x nv.Tensor) nv.Tensor { return nv.LogSumExp(x) }, vec(-inf, 1)},
		{"LogAddExp", func(x nv.Tensor) nv.Tensor { return nv.LogAddExp(x, x) }, vec(-inf, 1)},
		{"Softplus", func(x nv.Tensor) nv.Tensor { return nv.Softplus(x) }, vec(-inf, 800)},
		{"Hypot", func(x nv.Tensor) nv.Tensor { return nv.Hypot(x, x) }, vec(0, 1)},
		{"Norm", func(x nv.Tensor) nv.Tensor { return nv.Norm(x) }, vec(0, 0)},
		{"Std", func(x nv.Tensor) nv.Tensor { return nv.Std(x) }, vec(3, 3)},
		{"CDist", func(x nv.Tensor) nv.Tensor {
			return nv.CDist(nv.Reshape(x, nv.Shape{1, 2}), nv.Reshape(x, nv.Shape{1, 2}))
		}, vec(1, 2)},
		{"KLDivergenceLoss", func(x nv.Tensor) nv.Tensor { return nv.KLDivergenceLoss(x, vec(0, 1)) }, vec(-1, -2)},
		{"NanMean", func(x nv.Tensor) nv.Tensor { return nv.NanMean(x) }, vec(1, math.NaN())},
		{"NanMedian", func(x nv.Tensor) nv.Tensor { return nv.NanMedian(x) }, vec(1, math.NaN(), 3)},
		{"NanToNum", func(x nv.Tensor) nv.Tensor { return nv.NanToNum(x) }, vec(1, math.NaN())},
		{"Prod", func(x nv.Tensor) nv.Tensor { return nv.Prod(x) }, vec(0, 0)},
		{"Pow", func(x nv.Tensor) nv.Tensor { return nv.Pow(x, 0.0) }, vec(0, 1)},
		{"Where", func(x nv.Tensor) nv.Tensor { return nv.Where(nv.Gt(x, 0), nv.Sqrt(x), 0) }, vec(0, 4)},
		{"Lgamma", func(x nv.Tensor) nv.Tensor { return nv.Lgamma(x) }, vec(0.5, 3)},
		{"CorrCoef", func(x nv.Tensor) nv.Tensor { return nv.CorrCoef(nv.Reshape(x, nv.Shape{2, 2})) }, vec(1, 2, 3, 1)},
	} {
		stop := nv.Default().WatchNaN()
		value := nv.Try(func() { c.f(c.at) })
		slope := nv.Try(func() { nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(c.f(x)) })(c.at) })
		stop()
		if value != nil || slope != nil {
			t.Errorf("%s: %v; its gradient: %v", c.name, value, slope)
		}
	}
}

// A result without NaN is not blamed for the NaN in another result of the same program.
func TestWhyNaNOfOneResult(t *testing.T) {
	x := nv.New([]float64{-1, 2})
	both := nv.Jit(func(x nv.Tensor) []nv.Tensor { return []nv.Tensor{nv.Mul(x, 2), nv.Log(x)} })(x)
	if got := nv.WhyNaN(both[0]); got != "no element is NaN" {
		t.Error(got)
	}
	if got := nv.WhyNaN(both[1]); got != "element [0] of Log is NaN, computed from -1" {
		t.Error(got)
	}
}
