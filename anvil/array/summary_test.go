package array_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// arrayOf returns a vector of xs, converted to d.
func arrayOf(t testing.TB, d dtype.DType, xs []float64) array.Array {
	a := array.New(shape.Of(d, len(xs)))
	a.Data = a.Data[:0]
	for _, x := range xs {
		data, err := dtype.Append(a.Data, d, x)
		if err != nil {
			t.Fatal(err)
		}
		a.Data = data
	}
	return a
}

// TestSummaryOfCasts compares the counted losses with conversions by package dtype, for all
// f16 and bf16, for numbers next to the bounds of each dtype, and for random bit patterns.
func TestSummaryOfCasts(t *testing.T) {
	var xs []float64
	for u := range 1 << 16 {
		xs = append(xs, dtype.Decode(dtype.F16, uint64(u)), dtype.Decode(dtype.BF16, uint64(u)))
	}
	for e := -160; e <= 130; e++ {
		for _, m := range []float64{1, 1.25, 1.5, 1.75, 1.8125, 1.875, 1.9375, 1.99, 2 - 0x1p-8, 2 - 0x1p-9, 2 - 0x1p-11, 2 - 0x1p-12} {
			x := math.Ldexp(m, e)
			xs = append(xs, x, -x, math.Nextafter(x, 0), float64(math.Nextafter32(float32(x), 0)))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		xs = append(xs, math.Float64frombits(r.Uint64()), float64(math.Float32frombits(r.Uint32())))
	}
	for _, d := range []dtype.DType{dtype.F64, dtype.F32, dtype.F16, dtype.BF16} {
		a := arrayOf(t, d, xs)
		s, err := array.Summarize(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		want := map[dtype.DType]*array.CastLoss{}
		for _, to := range array.Narrower(d) {
			want[to] = &array.CastLoss{DType: to}
		}
		for i := range xs {
			x := dtype.GetFloat(a.Data[i*d.Size():], d)
			if x-x != 0 {
				continue
			}
			for to, c := range want {
				data, _ := dtype.Append(nil, to, x)
				switch y := dtype.GetFloat(data, to); {
				case y-y != 0:
					c.Overflow++
				case y == 0 && x != 0:
					c.Flush++
				case y != x:
					c.Round++
				}
			}
		}
		if len(s.Casts) != len(want) || len(want) < 3 {
			t.Fatalf("%v: %v", d, s.Casts)
		}
		for _, got := range s.Casts {
			if w := want[got.DType]; got != *w || w.Overflow == 0 && d != dtype.F16 || w.Round == 0 {
				t.Errorf("%v to %v: %+v, want %+v", d, got.DType, got, *w)
			}
		}
	}
}

// TestSummary checks the statistics of a few elements, and of enough for several goroutines.
func TestSummary(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	s, err := array.Summarize(context.Background(), arrayOf(t, dtype.F32, []float64{1, nan, 5, inf, 3, -inf, 3, nan}))
	if err != nil || s.Count != 8 || s.NaN != 2 || s.Infinite != 2 || s.Min != 1 || s.Max != 5 || s.Mean != 3 || s.Deviation != math.Sqrt2 {
		t.Errorf("%+v, %v", s, err)
	}
	if s.Bins != [array.SummaryBins]int{0: 1, 8: 2, 15: 1} {
		t.Error(s.Bins)
	}
	for _, xs := range [][]float64{{}, {nan}, {inf, inf}} {
		if s, _ := array.Summarize(context.Background(), arrayOf(t, dtype.F64, xs)); s.Min == s.Min || s.Mean == s.Mean || s.Deviation == s.Deviation {
			t.Errorf("%v: %+v", xs, s)
		}
	}
	for _, xs := range [][]float64{{math.MaxFloat64, -math.MaxFloat64}, {5e-324, 0}} {
		if s, _ := array.Summarize(context.Background(), arrayOf(t, dtype.F64, xs)); s.Bins[0]+s.Bins[15] != 2 {
			t.Errorf("%v: %v", xs, s.Bins)
		}
	}
	const n = 100_000
	many := make([]float64, n)
	for i := range many {
		many[i] = float64(i)
	}
	s, _ = array.Summarize(context.Background(), arrayOf(t, dtype.F64, many))
	if s.Max != n-1 || s.Mean != (n-1)/2.0 || math.Abs(s.Deviation-n/math.Sqrt(12)) > 1e-3 || s.Bins[3] != n/16 {
		t.Errorf("%+v", s)
	}
	a := array.New(shape.Of(dtype.I1, 10))
	a.Data[3], a.Data[7] = 1, 1
	if s, _ := array.Summarize(context.Background(), a); s.Mean != 0.2 || len(s.Casts) > 0 {
		t.Errorf("%+v", s)
	}
	a = array.New(shape.Of(dtype.C64, 1))
	a.Data, _ = dtype.Append(nil, dtype.C64, complex(3, -4))
	if s, _ := array.Summarize(context.Background(), a); s.Max != 5 {
		t.Errorf("%+v", s)
	}
	for d, want := range map[dtype.DType][2]float64{
		dtype.I8: {-2, 1}, dtype.I32: {-2, 1}, dtype.U8: {1, 254}, dtype.U16: {1, 65534}, dtype.I4: {-2, 1},
	} {
		a := array.New(shape.Of(d, 2))
		dtype.PutInt(a.Data, d, -2)
		dtype.PutInt(a.Data[d.Size():], d, 1)
		if s, _ := array.Summarize(context.Background(), a); s.Min != want[0] || s.Max != want[1] || s.Mean != (want[0]+want[1])/2 {
			t.Errorf("%v: %+v", d, s)
		}
	}
	a = array.New(shape.Of(dtype.C128, 3))
	a.Data, _ = dtype.Append(nil, dtype.C128, complex(nan, inf))
	a.Data, _ = dtype.Append(a.Data, dtype.C128, complex(-inf, nan))
	a.Data, _ = dtype.Append(a.Data, dtype.C128, complex(-inf, 1))
	if s, _ := array.Summarize(context.Background(), a); s.NaN != 2 || s.Infinite != 1 {
		t.Errorf("%+v", s)
	}
	a = array.New(shape.Of(dtype.C64, 1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := array.Summarize(ctx, a); err == nil {
		t.Error("Summarize ignores that its context has ended")
	}
}

func BenchmarkSummary(b *testing.B) {
	xs := make([]float64, 1_000_000)
	for i := range xs {
		xs[i] = rand.NormFloat64()
	}
	a := arrayOf(b, dtype.F32, xs)
	for b.Loop() {
		_, _ = array.Summarize(context.Background(), a)
	}
}
