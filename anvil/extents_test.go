package anvil_test

import (
	"errors"
	"maps"
	"math"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/random"
)

// An extent calls a function with n as a length, a count or an axis. x is f32{2,3}.
type extent = func(c *nv.Context, x nv.Tensor, n int) any

// extents are the functions whose results grow with n.
var extents = map[string]extent{
	"Zeros":          func(c *nv.Context, x nv.Tensor, n int) any { return c.Zeros(nv.Shape{n}) },
	"Ones":           func(c *nv.Context, x nv.Tensor, n int) any { return c.Ones(nv.Shape{2, n}) },
	"Full":           func(c *nv.Context, x nv.Tensor, n int) any { return c.Full(nv.Shape{n}, 2.5) },
	"Constant":       func(c *nv.Context, x nv.Tensor, n int) any { return c.Constant(nv.Shape{n}, 1, nv.F32) },
	"Iota":           func(c *nv.Context, x nv.Tensor, n int) any { return c.Iota(nv.Shape{n, 2}, 0) },
	"Arange/F32":     func(c *nv.Context, x nv.Tensor, n int) any { return c.Arange(0, n, 0.5, nv.F32) },
	"Arange/tiny":    func(c *nv.Context, x nv.Tensor, n int) any { return c.Arange(0, 1, 1/float64(n)) },
	"Linspace":       func(c *nv.Context, x nv.Tensor, n int) any { return c.Linspace(0, 1, n) },
	"Logspace":       func(c *nv.Context, x nv.Tensor, n int) any { return c.Logspace(0, 1, n) },
	"Geomspace":      func(c *nv.Context, x nv.Tensor, n int) any { return c.Geomspace(1, 2, n) },
	"Eye":            func(c *nv.Context, x nv.Tensor, n int) any { return c.Eye(n) },
	"Tri":            func(c *nv.Context, x nv.Tensor, n int) any { return c.Tri(n, 2, 0) },
	"Tri/columns":    func(c *nv.Context, x nv.Tensor, n int) any { return c.Tri(2, n, 0) },
	"TrilIndices":    func(c *nv.Context, x nv.Tensor, n int) any { a, b := c.TrilIndices(n); return []nv.Tensor{a, b} },
	"TriuIndices":    func(c *nv.Context, x nv.Tensor, n int) any { a, b := c.TriuIndices(n); return []nv.Tensor{a, b} },
	"Hanning":        func(c *nv.Context, x nv.Tensor, n int) any { return c.Hanning(n) },
	"Hamming":        func(c *nv.Context, x nv.Tensor, n int) any { return c.Hamming(n) },
	"Blackman":       func(c *nv.Context, x nv.Tensor, n int) any { return c.Blackman(n) },
	"Bartlett":       func(c *nv.Context, x nv.Tensor, n int) any { return c.Bartlett(n) },
	"FFTFreq":        func(c *nv.Context, x nv.Tensor, n int) any { return c.FFTFreq(n, 1) },
	"RFFTFreq":       func(c *nv.Context, x nv.Tensor, n int) any { return c.RFFTFreq(n, 1) },
	"FFT":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.FFT(x, nv.FFTLength(n)) },
	"RFFT":           func(c *nv.Context, x nv.Tensor, n int) any { return nv.RFFT(x, nv.FFTLength(n)) },
	"IFFT":           func(c *nv.Context, x nv.Tensor, n int) any { return nv.IFFT(x, nv.FFTLength(n)) },
	"IRFFT":          func(c *nv.Context, x nv.Tensor, n int) any { return nv.IRFFT(x, nv.FFTLength(n)) },
	"FFT2":           func(c *nv.Context, x nv.Tensor, n int) any { return nv.FFT2(x, nv.FFTLength(n, 2)) },
	"FFTN":           func(c *nv.Context, x nv.Tensor, n int) any { return nv.FFTN(x, nv.FFTLength(2, n)) },
	"IRFFTN":         func(c *nv.Context, x nv.Tensor, n int) any { return nv.IRFFTN(x, nv.FFTLength(2, n)) },
	"OneHot":         func(c *nv.Context, x nv.Tensor, n int) any { return c.OneHot(c.New([]int{0, 1}), n) },
	"Vander":         func(c *nv.Context, x nv.Tensor, n int) any { return nv.Vander(x.At(0), n) },
	"Tile":           func(c *nv.Context, x nv.Tensor, n int) any { return nv.Tile(x, nv.Shape{n, 1}) },
	"Repeat":         func(c *nv.Context, x nv.Tensor, n int) any { return nv.Repeat(x, n) },
	"Repeat/axis":    func(c *nv.Context, x nv.Tensor, n int) any { return nv.Repeat(x, n, 1) },
	"BroadcastTo":    func(c *nv.Context, x nv.Tensor, n int) any { return x.BroadcastTo(nv.Shape{n, 2, 3}) },
	"BroadcastTo/1":  func(c *nv.Context, x nv.Tensor, n int) any { return c.Scalar(1).BroadcastTo(nv.Shape{n}) },
	"Pad":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.Pad(x, nv.Shape{0, n}, nv.Shape{0, 0}, 0) },
	"Pad/both":       func(c *nv.Context, x nv.Tensor, n int) any { return nv.Pad(x, nv.Shape{n, 0}, nv.Shape{n, 0}, 0) },
	"Resize":         func(c *nv.Context, x nv.Tensor, n int) any { return nv.Resize(x, nv.Shape{n, 3}, "linear") },
	"Resize/nearest": func(c *nv.Context, x nv.Tensor, n int) any { return nv.Resize(x, nv.Shape{2, n}, "nearest") },
	"Resize/cubic":   func(c *nv.Context, x nv.Tensor, n int) any { return nv.Resize(x, nv.Shape{2, n}, "cubic") },
	"SegmentSum":     func(c *nv.Context, x nv.Tensor, n int) any { return nv.SegmentSum(x, c.New([]int{0, 1}), n) },
	"SegmentMax":     func(c *nv.Context, x nv.Tensor, n int) any { return nv.SegmentMax(x, c.New([]int{0, 1}), n) },
	"Histogram":      func(c *nv.Context, x nv.Tensor, n int) any { a, b := nv.Histogram(x, n); return []nv.Tensor{a, b} },
	"Indices":        func(c *nv.Context, x nv.Tensor, n int) any { return c.Indices(nv.Shape{n, 2}) },
	"FromFunction": func(c *nv.Context, x nv.Tensor, n int) any {
		return c.FromFunction(nv.Shape{n, 2}, func(i []nv.Tensor) nv.Tensor { return i[0].Add(i[1]) })
	},
	"Outer": func(c *nv.Context, x nv.Tensor, n int) any { y := c.Zeros(nv.Shape{n}); return nv.Outer(y, y) },
	"SlidingWindow": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.SlidingWindow(c.Zeros(nv.Shape{n}), max(1, n/2))
	},
	"Kron": func(c *nv.Context, x nv.Tensor, n int) any { y := c.Zeros(nv.Shape{n}); return nv.Kron(y, y) },
	"Add":  func(c *nv.Context, x nv.Tensor, n int) any { y := c.Zeros(nv.Shape{n}); return y.Add(y.ExpandDims(1)) },
	"Concatenate": func(c *nv.Context, x nv.Tensor, n int) any {
		y := c.Zeros(nv.Shape{n})
		return nv.Concatenate(0, y, y, y)
	},
	"Stack":       func(c *nv.Context, x nv.Tensor, n int) any { y := c.Zeros(nv.Shape{n}); return nv.Stack(0, y, y, y) },
	"Diag/long":   func(c *nv.Context, x nv.Tensor, n int) any { return nv.Diag(c.Zeros(nv.Shape{n})) },
	"Meshgrid":    func(c *nv.Context, x nv.Tensor, n int) any { y := c.Zeros(nv.Shape{n}); return nv.Meshgrid("xy", y, y) },
	"Vander/long": func(c *nv.Context, x nv.Tensor, n int) any { return nv.Vander(c.Zeros(nv.Shape{n})) },
	"MatMul": func(c *nv.Context, x nv.Tensor, n int) any {
		y := c.Zeros(nv.Shape{n, 1})
		return y.MatMul(y.Transpose())
	},
	"Einsum": func(c *nv.Context, x nv.Tensor, n int) any {
		y := c.Zeros(nv.Shape{n})
		return nv.Einsum("i,j,k->ijk", y, y, y)
	},
	"Convolve":   func(c *nv.Context, x nv.Tensor, n int) any { y := c.Zeros(nv.Shape{n}); return nv.Convolve(y, y) },
	"Cov":        func(c *nv.Context, x nv.Tensor, n int) any { return nv.Cov(c.Zeros(nv.Shape{n, 1})) },
	"AsType":     func(c *nv.Context, x nv.Tensor, n int) any { return c.Zeros(nv.Shape{n}, nv.I8).AsType(nv.C128) },
	"UnpackBits": func(c *nv.Context, x nv.Tensor, n int) any { return nv.UnpackBits(c.Zeros(nv.Shape{n}, nv.U8)) },
	"Unstack":    func(c *nv.Context, x nv.Tensor, n int) any { return nv.Unstack(c.Zeros(nv.Shape{n})) },
	"Split":      func(c *nv.Context, x nv.Tensor, n int) any { return nv.Split(x, n) },
	"Split/long": func(c *nv.Context, x nv.Tensor, n int) any { return nv.Split(c.Zeros(nv.Shape{n}), n) },
}

// drawnExtents are the functions whose results grow with n and that compute random numbers at once.
var drawnExtents = map[string]extent{
	"random.Normal":  func(c *nv.Context, x nv.Tensor, n int) any { return random.Normal(random.In(c).Key(1), nv.Shape{n}) },
	"random.Uniform": func(c *nv.Context, x nv.Tensor, n int) any { return random.Uniform(random.In(c).Key(1), nv.Shape{n}) },
	"random.Bits":    func(c *nv.Context, x nv.Tensor, n int) any { return random.Bits(random.In(c).Key(1), nv.Shape{n}) },
	"random.RandInt": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.RandInt(random.In(c).Key(1), nv.Shape{n}, 0, 5)
	},
	"random.Permutation": func(c *nv.Context, x nv.Tensor, n int) any { return random.Permutation(random.In(c).Key(1), n) },
	"random.Gamma":       func(c *nv.Context, x nv.Tensor, n int) any { return random.Gamma(random.In(c).Key(1), 2, nv.Shape{n}) },
	"random.Poisson": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Poisson(random.In(c).Key(1), 2, nv.Shape{n})
	},
	"random.Binomial": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Binomial(random.In(c).Key(1), 5, 0.5, nv.Shape{n})
	},
	"random.Orthogonal": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Orthogonal(random.In(c).Key(1), n, nv.Shape{})
	},
	"random.Split": func(c *nv.Context, x nv.Tensor, n int) any { return random.In(c).Key(1).SplitN(n) },
	"random.Categorical": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Categorical(random.In(c).Key(1), x.At(0), nv.Shape{n})
	},
	"random.Dirichlet": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Dirichlet(random.In(c).Key(1), x.At(0), nv.Shape{n})
	},
}

// counts are the functions for which n is not a length: an axis, a position, a step.
var counts = map[string]extent{
	"Arange":          func(c *nv.Context, x nv.Tensor, n int) any { return c.Arange(n) },
	"Tri/k":           func(c *nv.Context, x nv.Tensor, n int) any { return c.Tri(2, 2, n) },
	"TriuIndices/k":   func(c *nv.Context, x nv.Tensor, n int) any { a, b := c.TriuIndices(3, n); return []nv.Tensor{a, b} },
	"Tril":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.Tril(x, n) },
	"Triu":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.Triu(x, n) },
	"Diag":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.Diag(x.At(0), n) },
	"Diagonal":        func(c *nv.Context, x nv.Tensor, n int) any { return nv.Diagonal(x, n) },
	"Reshape":         func(c *nv.Context, x nv.Tensor, n int) any { return x.Reshape(nv.Shape{n, 2}) },
	"Reshape/empty":   func(c *nv.Context, x nv.Tensor, n int) any { return c.Zeros(nv.Shape{0}).Reshape(nv.Shape{0, n}) },
	"Pad/high":        func(c *nv.Context, x nv.Tensor, n int) any { return nv.Pad(x, nv.Shape{0, 0}, nv.Shape{n, 0}, 0) },
	"Roll":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.Roll(x, n) },
	"Roll/axis":       func(c *nv.Context, x nv.Tensor, n int) any { return nv.Roll(x, n, 1) },
	"Rot90":           func(c *nv.Context, x nv.Tensor, n int) any { return nv.Rot90(x, n) },
	"TopK":            func(c *nv.Context, x nv.Tensor, n int) any { a, b := nv.TopK(x, n); return []nv.Tensor{a, b} },
	"Partition":       func(c *nv.Context, x nv.Tensor, n int) any { return nv.Partition(x, n) },
	"ArgPartition":    func(c *nv.Context, x nv.Tensor, n int) any { return nv.ArgPartition(x, n) },
	"Insert":          func(c *nv.Context, x nv.Tensor, n int) any { return nv.Insert(x, n, 1) },
	"Delete":          func(c *nv.Context, x nv.Tensor, n int) any { return nv.Delete(x, n) },
	"Diff":            func(c *nv.Context, x nv.Tensor, n int) any { return nv.Diff(x, n) },
	"MatrixPower":     func(c *nv.Context, x nv.Tensor, n int) any { return nv.MatrixPower(c.Eye(2), n) },
	"PolyFit":         func(c *nv.Context, x nv.Tensor, n int) any { return nv.PolyFit(x.At(0), x.At(1), n) },
	"BinCount/values": func(c *nv.Context, x nv.Tensor, n int) any { return nv.BinCount(c.New([]int{1, n}, nv.I64)) },
	"UnravelIndex":    func(c *nv.Context, x nv.Tensor, n int) any { return c.UnravelIndex(c.New([]int{1, 2}), nv.Shape{n, 2}) },
	"RavelMultiIndex": func(c *nv.Context, x nv.Tensor, n int) any {
		return c.RavelMultiIndex([]nv.Tensor{c.New([]int{1}), c.New([]int{1})}, nv.Shape{n, 2})
	},
	"MaxPool": func(c *nv.Context, x nv.Tensor, n int) any { return nv.MaxPool(c.Ones(nv.Shape{1, 4, 1}), nv.Shape{n}) },
	"AvgPool/strides": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.AvgPool(c.Ones(nv.Shape{1, 4, 1}), nv.Shape{2}, nv.Stride(n))
	},
	"ReduceWindow": func(c *nv.Context, x nv.Tensor, n int) any { return nv.ReduceWindow(x, nv.Shape{n, 1}, "sum") },
	"ReduceWindow/padding": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.ReduceWindow(x, nv.Shape{2, 1}, "sum", nv.Padding(n, 0))
	},
	"ReduceWindow/dilation": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.ReduceWindow(x, nv.Shape{2, 1}, "sum", nv.Dilation(n, 1))
	},
	"Conv1D/padding": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.Conv1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.Padding(n))
	},
	"Conv1D/strides": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.Conv1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.Stride(n))
	},
	"Conv1D/dilation": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.Conv1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.Dilation(n))
	},
	"Conv1D/groups": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.Conv1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.Groups(n))
	},
	"ConvTranspose1D/strides": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.ConvTranspose1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.Stride(n))
	},
	"At":               func(c *nv.Context, x nv.Tensor, n int) any { return x.At(n) },
	"At/range":         func(c *nv.Context, x nv.Tensor, n int) any { return x.At(nv.Range(0, n)) },
	"At/step":          func(c *nv.Context, x nv.Tensor, n int) any { return x.At(nv.Slice(0, 2, n)) },
	"At/steps":         func(c *nv.Context, x nv.Tensor, n int) any { return x.At(nv.Slice(n, 0, -1)) },
	"At/clipped":       func(c *nv.Context, x nv.Tensor, n int) any { return x.At(nv.Clipped(c.New([]int{n}, nv.I64))) },
	"Set":              func(c *nv.Context, x nv.Tensor, n int) any { return x.Set(1, nv.Range(n, n)) },
	"Delete/long":      func(c *nv.Context, x nv.Tensor, n int) any { return nv.Delete(c.Zeros(nv.Shape{n}), 3) },
	"Take":             func(c *nv.Context, x nv.Tensor, n int) any { return nv.Take(x, n) },
	"Axis/Sum":         func(c *nv.Context, x nv.Tensor, n int) any { return x.Sum(nv.Axis(n)) },
	"Axis/Transpose":   func(c *nv.Context, x nv.Tensor, n int) any { return x.Transpose(nv.Axis(n), 0) },
	"Axis/Stack":       func(c *nv.Context, x nv.Tensor, n int) any { return nv.Stack(nv.Axis(n), x, x) },
	"Axis/ExpandDims":  func(c *nv.Context, x nv.Tensor, n int) any { return x.ExpandDims(nv.Axis(n)) },
	"Axis/Cumsum":      func(c *nv.Context, x nv.Tensor, n int) any { return nv.Cumsum(x, nv.Axis(n)) },
	"Axis/Concatenate": func(c *nv.Context, x nv.Tensor, n int) any { return nv.Concatenate(nv.Axis(n), x, x) },
	"Axis/MoveAxis":    func(c *nv.Context, x nv.Tensor, n int) any { return nv.MoveAxis(x, 0, nv.Axis(n)) },
	"Axis/Softmax":     func(c *nv.Context, x nv.Tensor, n int) any { return nv.Softmax(x, nv.Axis(n)) },
	"Axis/TensorDot": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.TensorDot(x, x, []nv.Axis{nv.Axis(n)}, []nv.Axis{0})
	},
	"GroupNorm": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.GroupNorm(x, c.Ones(nv.Shape{3}), c.Ones(nv.Shape{3}), n)
	},
	"Polygamma": func(c *nv.Context, x nv.Tensor, n int) any { return nv.Polygamma(n, x) },
	"ForI": func(c *nv.Context, x nv.Tensor, n int) any {
		if n > 0 {
			return nil
		}
		return nv.ForI(n, x, func(i, y nv.Tensor) nv.Tensor { return y })
	},
	"Zeros/lattice": func(c *nv.Context, x nv.Tensor, n int) any { return c.Zeros(nv.Shape{n, 0}) },
	"EinopsReduce": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.EinopsReduce(x, "(a b) c -> a b c", "sum", nv.Sizes{"a": n})
	},
	"EinopsRepeat": func(c *nv.Context, x nv.Tensor, n int) any {
		return nv.EinopsReduce(x, "a b -> a b c", "sum", nv.Sizes{"c": n})
	},
	"random.RandInt/high": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.RandInt(random.In(c).Key(1), nv.Shape{2}, 0, n)
	},
	"random.Choice": func(c *nv.Context, x nv.Tensor, n int) any { return random.Choice(random.In(c).Key(1), n, nv.Shape{2}) },
	"random.Binomial/n": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Binomial(random.In(c).Key(1), n, 0.5, nv.Shape{2})
	},
	"random.Multinomial/n": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Multinomial(random.In(c).Key(1), n, c.New([]float64{.5, .5}), nv.Shape{2})
	},
	"random.Ball": func(c *nv.Context, x nv.Tensor, n int) any {
		return random.Ball(random.In(c).Key(1), n, 2, nv.Shape{2})
	},
}

// TestGuardOfLengthsThatNoMemoryHolds checks that results too large for any memory
// are errors that name the function, before anything is allocated or launched. Large
// results that may fit are only recorded.
func TestGuardOfLengthsThatNoMemoryHolds(t *testing.T) {
	c := compiledContext()
	x := c.Ones(nv.Shape{2, 3})
	for _, table := range []map[string]extent{extents, drawnExtents} {
		for name, f := range table {
			for _, n := range []int{1 << 40, 1 << 53, math.MaxInt} {
				if made, refused := tried(t, name, func() any { return f(c, x, n) }); !refused {
					t.Errorf("%s of %d gives %v", name, n, made)
				}
			}
		}
	}
	for name, f := range extents {
		tried(t, name, func() any { return f(c, x, 1<<31) })
		tried(t, name, func() any { return f(c, x, 1<<31-1) })
	}
	if n := c.Stats().Launches; n != 0 {
		t.Error(n, "launches")
	}
}

// TestGuardOfNumbers calls functions with negative and very large numbers. Each is
// an error, or a valid argument whose result is computed.
func TestGuardOfNumbers(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	x := c.Ones(nv.Shape{2, 3})
	var made []nv.Tensor
	for _, row := range []struct {
		table map[string]extent
		ns    []int
	}{{extents, []int{-2, math.MinInt}}, {drawnExtents, []int{-2, math.MinInt}}, {counts, []int{1 << 31, 1<<31 - 1, 1<<53 + 1, math.MaxInt, -2, math.MinInt}}} {
		for _, name := range slices.Sorted(maps.Keys(row.table)) {
			for _, n := range row.ns {
				results, _ := tried(t, name, func() any { return row.table[name](c, x, n) })
				for _, y := range nv.TreeLeaves(results) {
					if y.Size() <= 1<<20 {
						made = append(made, y)
					}
				}
			}
		}
	}
	for _, y := range made {
		tried(t, y.Type().String(), func() any { return nv.Must(0, y.Wait()) })
	}
}

// TestGuardOfDepth checks that deep nesting is an error: a compiler takes hours for branches nested a thousand deep.
func TestGuardOfDepth(t *testing.T) {
	c := compiledContext()
	deep := func(inside func(x nv.Tensor, body func(nv.Tensor) nv.Tensor) nv.Tensor) func(nv.Tensor) nv.Tensor {
		var nest func(x nv.Tensor, n int) nv.Tensor
		nest = func(x nv.Tensor, n int) nv.Tensor {
			if n == 0 {
				return x
			}
			return inside(x, func(x nv.Tensor) nv.Tensor { return nest(x, n-1) })
		}
		return func(x nv.Tensor) nv.Tensor { return nest(x, 1000) }
	}
	branches := deep(func(x nv.Tensor, body func(nv.Tensor) nv.Tensor) nv.Tensor {
		return nv.If(x.Gt(0), func() nv.Tensor { return body(x.Mul(2)) }, func() nv.Tensor { return x })
	})
	loops := deep(func(x nv.Tensor, body func(nv.Tensor) nv.Tensor) nv.Tensor {
		return nv.ForI(2, x, func(_, y nv.Tensor) nv.Tensor { return body(y) })
	})
	x := c.Scalar(1.0, nv.F32)
	refusedCalls(t, map[string]func(){
		"If(i1{}): branches and loops are nested 64 deep": func() { branches(x) },
		"branches and loops are nested 64 deep":           func() { nv.Jit(loops)(x) },
		"nested 64 deep":                                  func() { nv.Jit(branches)(x) },
	})
	if n := c.Stats().Compiles; n != 0 {
		t.Error(n, "compiles")
	}
}

// TestLongRanges checks that long ranges, which the device computes, have the numbers of those that the host computes.
func TestLongRanges(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	n := 1<<24 + 5
	for text, x := range map[string]nv.Tensor{
		"i64{3} [33554439 33554441 33554443]":                      c.Arange(3, 2*n+3, 2, nv.I64),
		"f64{3} [1.677721825e+07 1.677721925e+07 1.677722025e+07]": c.Arange(0.25, float64(n)+0.25, 1.0, nv.F64),
		"i8{3} [2 3 4]":                  c.Arange(0, n, 1, nv.I8),
		"f32{3} [2.9999995 2.9999998 3]": c.Linspace(-1, 3, n),
	} {
		want(t, x.At(nv.Range(n-3, n)), text)
	}
}

// tried calls f, and returns its result and whether it panicked with an *Error. The
// test fails if the *Error names no operation or f allocates much memory.
func tried(t *testing.T, name string, f func() any) (made any, refused bool) {
	t.Helper()
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	err := nv.Try(func() { made = f() })
	var e *nv.Error
	if err != nil && (!errors.As(err, &e) || e.Op == "") {
		t.Errorf("%s: %T: %v", name, err, err)
	}
	metrics.Read(sample)
	if n := sample[0].Value.Uint64() - before; n > 256<<20 {
		t.Errorf("%s takes %d MB", name, n>>20)
	}
	return made, err != nil
}

// TestGuardOfParts checks that a call that would return millions of tensors is an error.
func TestGuardOfParts(t *testing.T) {
	x := nv.Zeros(nv.Shape{1 << 21})
	for name, f := range map[string]func(){"Unstack": func() { x.Unstack() }, "Split": func() { x.Split(1 << 21) }} {
		if got := errorOf(t, f); !strings.Contains(got, ": the result would be 2097152 tensors; keep one tensor, and take parts with At") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
