package anvil_test

import (
	"math"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestLargeProducts32 checks that products of f32 matrices that are large enough for
// the plugin's kernels equal those of i32, in all orders of axes and for sides that are
// not multiples of a block. The elements are small integers, whose sums are exact.
func TestLargeProducts32(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	whole := func(step int, s nv.Shape) nv.Tensor {
		return c.Iota(nv.Shape{s.Size()}, 0, nv.I32).Mul(step).Rem(13).Sub(6).Reshape(s)
	}
	for _, s := range []struct{ a, b nv.Shape }{
		{nv.Shape{128, 100}, nv.Shape{100, 96}}, {nv.Shape{1, 1031}, nv.Shape{1031, 1033}}, {nv.Shape{1500, 700}, nv.Shape{700, 1}},
		{nv.Shape{701, 3}, nv.Shape{3, 599}}, {nv.Shape{5, 67, 71}, nv.Shape{5, 71, 59}}, {nv.Shape{3, 1, 65, 70}, nv.Shape{2, 70, 61}},
	} {
		for _, turned := range []bool{false, true} {
			x, y := whole(5, s.a), whole(7, s.b)
			multiply := func(x, y nv.Tensor) nv.Tensor { return x.MatMul(y) }
			if turned {
				multiply = func(x, y nv.Tensor) nv.Tensor { return y.SwapAxes(-1, -2).MatMul(x.SwapAxes(-1, -2)) }
			}
			want, got := multiply(x, y), multiply(x.AsType(nv.F32), y.AsType(nv.F32))
			if w, g := nv.Values[int64](want), nv.Values[int64](got); !slices.Equal(g, w) {
				t.Errorf("%v x %v (turned: %v) is %v, want %v", s.a, s.b, turned, g[:5], w[:5])
			}
		}
	}
}

// TestLargeSums checks that sums of an f32 parameter that is large enough for the
// plugin's kernels equal those of i32 along any axes, alone and in a program with
// other sums. A maximum in such a program still propagates NaN.
func TestLargeSums(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	for _, s := range []nv.Shape{{64, 1024}, {70001}, {11, 130, 67}} {
		x := c.Iota(nv.Shape{s.Size()}, 0, nv.I32).Mul(5).Rem(13).Sub(6).Reshape(s)
		y := x.AsType(nv.F32)
		all := nv.Jit(func(x nv.Tensor) []nv.Tensor {
			sums := []nv.Tensor{x.Sum(), x.Sum(nv.Axis(0)), x.Sum(nv.Axis(-1), nv.KeepDims), x.Mul(2).Sum(nv.Axis(-1)), x.Add(x).Sum()}
			if x.Rank() > 2 {
				sums = append(sums, x.Sum(nv.Axis(1)), x.Sum(nv.Axis(0), nv.Axis(2)), x.Sum(nv.Axis(1), nv.Axis(2)))
			}
			return sums
		})
		want := all(x)
		for i, sum := range all(y) {
			if w, g := nv.Values[int64](want[i]), nv.Values[int64](sum); !slices.Equal(g, w) || !sum.Shape().Equal(want[i].Shape()) {
				t.Errorf("sum %d of %v is %v, want %v", i, s, g[:min(5, len(g))], w[:min(5, len(w))])
			}
		}
	}
	x := c.Ones(nv.Shape{256, 512}).Set(math.NaN(), 3, 5).Set(math.Inf(1), 3, 7).Set(math.Inf(-1), 9, 11)
	both := nv.Jit(func(x nv.Tensor) []nv.Tensor { return []nv.Tensor{x.Sum(nv.Axis(1)), x.Max(nv.Axis(1)), x.Min()} })(x)
	sum, most := nv.Values[float64](both[0]), nv.Values[float64](both[1])
	if !math.IsNaN(sum[3]) || !math.IsInf(sum[9], -1) || sum[0] != 512 {
		t.Errorf("sums of rows with 1, NaN and -inf: %v, %v, %v", sum[0], sum[3], sum[9])
	}
	if !math.IsNaN(most[3]) || most[9] != 1 || !math.IsNaN(both[2].Float()) {
		t.Errorf("extremes where there is a NaN: %v, %v, %v", most[3], most[9], both[2].Float())
	}
}

// TestLargeProducts64 checks that products of f64 matrices equal those of i64: of operands that are pending, as
// operands of other operations, and under Jit. A NaN affects only its row.
func TestLargeProducts64(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	x := c.Iota(nv.Shape{170 * 190}, 0, nv.I64).Mul(5).Rem(13).Sub(6).Reshape(nv.Shape{170, 190})
	y := c.Iota(nv.Shape{190 * 180}, 0, nv.I64).Mul(7).Rem(11).Sub(5).Reshape(nv.Shape{190, 180})
	f := func(x, y nv.Tensor) nv.Tensor { return x.Add(1).MatMul(y).Sub(3).T() }
	want := nv.Values[int64](f(x, y))
	a, b := x.AsType(nv.F64), y.AsType(nv.F64)
	if got := nv.Values[int64](f(a, b)); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got[:5], want[:5])
	}
	multiply := func(x, y nv.Tensor) nv.Tensor { return x.MatMul(y) }
	want = nv.Values[int64](multiply(x, y))
	for name, got := range map[string]nv.Tensor{"jit": nv.Jit(multiply)(a, b), "in a larger program": nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x.MatMul(y).Add(0) })(a, b)} {
		if g := nv.Values[int64](got); !slices.Equal(g, want) {
			t.Errorf("%s: %v, want %v", name, g[:5], want[:5])
		}
	}
	product := nv.Values[float64](a.Set(math.NaN(), 7, 100).MatMul(b))
	for i, v := range product {
		if math.IsNaN(v) != (i/180 == 7) {
			t.Fatalf("element %d, %d of a product with a NaN in row 7 is %v", i/180, i%180, v)
		}
	}
}

// TestLargeSoftmax checks that a softmax of an f32 parameter that is large enough for
// the plugin's kernels, whose maximum may ignore NaN, equals that of f64 along either
// axis, also for rows with NaN and infinities; and that similar programs are not taken
// for a softmax.
func TestLargeSoftmax(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	x := c.Iota(nv.Shape{300 * 300}, 0, nv.I32).Mul(7).Rem(1013).AsType(nv.F32).Mul(0.125).Reshape(nv.Shape{300, 300})
	inf := math.Inf(1)
	x = x.Set(math.NaN(), 3, 5).Set(inf, 7, 9).Set(-inf, 11, 13).Set(inf, 17, 0).Set(math.NaN(), 17, 299).Set(-inf, 19)
	top := func(x nv.Tensor) nv.Tensor { return x.Max(nv.Axis(1), nv.KeepDims) }
	names := []string{"rows", "columns", "logarithms", "exponentials", "by the columns' top", "by the columns' sum", "the maximum too"}
	all := nv.Jit(func(x nv.Tensor) []nv.Tensor {
		sum := func(e nv.Tensor) nv.Tensor { return e.Sum(nv.Axis(1), nv.KeepDims) }
		turned, e, m := x.Sub(top(x).T()).Exp(), x.Sub(top(x)).Exp(), top(x)
		again := x.Sub(m).Exp()
		return []nv.Tensor{x.Softmax(nv.Axis(1)), x.Softmax(nv.Axis(0)), x.LogSoftmax(nv.Axis(1)), x.Sub(top(x)).Exp(),
			turned.Div(sum(turned)), e.Div(sum(e).T()), again.Div(sum(again)).Mul(m)}
	})
	want := all(x.AsType(nv.F64))
	for k, result := range all(x) {
		got, want := nv.Values[float64](result), nv.Values[float64](want[k])
		for i, w := range want {
			if g := got[i]; math.IsNaN(g) != math.IsNaN(w) || g != w && math.Abs(g-w) > 1e-5*math.Max(1e-30, math.Abs(w)) {
				t.Errorf("%s: element %d, %d is %v, want %v", names[k], i/300, i%300, g, w)
				break
			}
		}
	}
}

// TestLargeExtremes checks that maxima and minima of much data propagate NaN, whatever
// computes them: along axes, in windows, and as a sum is computed.
func TestLargeExtremes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	at := map[string]func(x nv.Tensor) nv.Tensor{
		"Max": func(x nv.Tensor) nv.Tensor { return x.Max(nv.Axis(1)) }, "Min": func(x nv.Tensor) nv.Tensor { return x.Min() },
		"MaxPool": func(x nv.Tensor) nv.Tensor { return c.MaxPool(x, []int{2, 2}) },
		"MinPool": func(x nv.Tensor) nv.Tensor { return c.MinPool(x, []int{3, 3}, nv.Stride(2)) },
		"Relu":    func(x nv.Tensor) nv.Tensor { return c.Relu(x).Sum(nv.Axis(2)) }, "Clamp": func(x nv.Tensor) nv.Tensor { return c.Clamp(x, 0, 1).Sum() },
		"Maximum":    func(x nv.Tensor) nv.Tensor { return c.Maximum(2, x).Mean(nv.Axis(3)) },
		"SegmentMax": func(x nv.Tensor) nv.Tensor { return c.SegmentMax(x, c.New([]int32{0, 1, 0, 1}), 2) },
	}
	for _, d := range []nv.DType{nv.F32, nv.F64, nv.BF16} {
		x := c.Ones(nv.Shape{4, 64, 32, 8}, d)
		with := x.Set(math.NaN(), 2, 33, 5, 1)
		for name, f := range at {
			if f := nv.Jit(f); f(x).IsNaN().Any().Bool() || !f(with).IsNaN().Any().Bool() {
				t.Errorf("%s of %v: a NaN is lost, or there is one too many", name, d)
			}
		}
	}
}
