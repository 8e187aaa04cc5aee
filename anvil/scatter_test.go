package anvil_test

import (
	"os"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestSearchingTraced: inside a jitted function, the functions of searching.txt have the
// results that they have outside. Those whose shape depends on values fail without a Size.
func TestSearchingTraced(t *testing.T) {
	data, err := os.ReadFile("testdata/searching.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	refused := map[string]int{}
	for line := range strings.Lines(string(data)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		words := strings.Fields(parts[0])
		if words[0] == "#" {
			continue
		}
		var xs []nv.Tensor
		for _, p := range parts[1 : len(parts)-1] {
			xs = append(xs, tensorOf(c, p))
		}
		var got nv.Tensor
		f := c.JitAny(func(xs []nv.Tensor) nv.Tensor { return searching[words[0]].f(c.Lib, xs, words[1:]) }).(func([]nv.Tensor) nv.Tensor)
		if err := nv.Try(func() { got = f(xs) }); err != nil {
			if !strings.Contains(err.Error(), "is traced, so the length of the result is not known") || !strings.Contains(err.Error(), "give it with nv.Size(n)") {
				t.Errorf("%s\n%v", line, err)
			}
			refused[words[0]]++
			continue
		}
		if a, b := show(got), show(searching[words[0]].f(c.Lib, xs, words[1:])); a != b {
			t.Errorf("%s\ngot %s, outside %s", line, a, b)
		}
	}
	if len(refused) != 4 || refused["Nonzero"]*refused["ArgWhere"]*refused["Unique"]*refused["BinCount"] == 0 {
		t.Error(refused)
	}
}

// TestScatter: gather and scatter with the dimension numbers of StableHLO, and
// combiners that are one operation or several.
func TestScatter(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		m := c.Arange(12).Reshape(nv.Shape{4, 3})
		want(t, c.Gather(m, c.New([][]int{{0, 1}, {2, 0}}), nv.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0},
			StartIndexMap: []int{0, 1}, IndexVectorDim: 1, SliceSizes: nv.Shape{1, 2}}), "i32{2,2} [1 2 6 7]")
		rows := nv.ScatterDims{UpdateWindowDims: []int{1}, InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}
		at, rowsOf := c.New([]int{3, 0, 3, 9}), c.Ones(nv.Shape{4, 3}, nv.I32)
		want(t, c.Scatter(m, at, rowsOf.Mul(100), rows, nil).At(nv.All, 0), "i32{4} [100 3 6 100]")
		want(t, c.Scatter(m, at, rowsOf, rows, func(a, b nv.Tensor) nv.Tensor { return a.Add(b) }), "i32{4,3} [1 2 3 3 4 5 6 7 8 11 12 13]")
		want(t, c.Scatter(m, at, rowsOf, rows, func(a, b nv.Tensor) nv.Tensor { return a.Mul(2).Add(b) }), "i32{4,3} [1 3 5 3 4 5 6 7 8 39 43 47]")
		want(t, c.Reduce(m, 1, func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) }, nv.Axis(1), nv.KeepDims), "i32{4,1} [0 60 336 990]")
		want(t, c.Reduce(m.Rem(5), 0, func(a, b nv.Tensor) nv.Tensor { return nv.Where(a.Gt(b), a, b) }), "i32{} [4]")
	})
}

func TestSearchingErrors(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	x, m, none := c.New([]float64{1, 2}), c.Ones(nv.Shape{2, 3}, nv.I32), nv.ScatterDims{}
	add := func(a, b nv.Tensor) nv.Tensor { return a.Add(b) }
	for _, test := range []struct {
		f    func()
		want string
	}{
		{func() { c.Cumprod(m, nv.Axis(2)) }, "Cumprod(i32{2,3}): axis 2 does not exist"},
		{func() { c.Cumprod(1.0) }, "a scalar has no axes"},
		{func() { c.Cummax(m, nv.Exclusive) }, "Cummax(i32{2,3}): nv.Exclusive is not an option of Cummax; it takes nv.Axis and nv.Reverse"},
		{func() { c.Cummin(m, nv.Accumulate(nv.F32)) }, "nv.Accumulate is not an option of Cummin"},
		{func() { c.Cummax(c.New([]complex64{1})) }, "the operand must be real, not c64"},
		{func() { c.Diff(m, -1) }, "Diff(i32{2,3}): n is -1; give 0 or more"},
		{func() { c.Take(m, []int{6}) }, "Take(i32{2,3}, []int): index 6 is out of range: axis 0 has length 6"},
		{func() { c.Take(m, x, 1) }, "index f32{2} is not an integer"},
		{func() { c.TakeAlongAxis(m, []int{0}) }, "indices have 1 axis, and x has 2; nv.Take takes one set of indices for the whole tensor"},
		{func() { c.TakeAlongAxis(m, c.Zeros(nv.Shape{3, 1}, nv.I32)) }, "shapes {2,3} and {3,1} do not broadcast on axes other than 1"},
		{func() { c.PutAlongAxis(m, [][]int{{0}, {1}}, 0.5) }, "the value would change the dtype of the tensor from i32 to f32"},
		{func() { c.PutAlongAxis(m, [][]int{{0}, {3}}, 1) }, "index 3 is out of range: axis 1 has length 3"},
		{func() { c.UnravelIndex(x, nv.Shape{2}) }, "UnravelIndex(f32{2}): positions must be integers, not f32"},
		{func() { c.RavelMultiIndex([]nv.Tensor{m}, nv.Shape{2, 2}) }, "1 tensor of positions cannot index 2 axes"},
		{func() { c.SegmentSum(m, []int{1}, 2) }, "SegmentSum(i32{2,3}, []int): segments of shape {1} do not match the rows of {2,3}"},
		{func() { c.SegmentSum(m, x, 2) }, "segments must be integers, not f32"},
		{func() { c.SearchSorted(m, 1) }, "SearchSorted(i32{2,3}, int 1): sorted has shape {2,3} and is not a vector; nv.Flatten makes one"},
		{func() { c.Histogram(x, 0) }, "the number of bins is 0"},
		{func() { c.Histogram(x, []float64{1}) }, "no bins are given"},
		{func() { c.Histogram(x, 2, nv.Size(2)) }, "nv.Size is not an option of Histogram; it takes nv.Weights and nv.Within"},
		{func() { c.Histogram(x, 2, nv.Weights(m)) }, "6 weights are given for 2 elements"},
		{func() { c.BinCount(c.New([]int{1, -2})) }, "x contains -2, which is negative; BinCount counts integers of 0 or more"},
		{func() { c.BinCount(x) }, "the elements must be integers, not f32"},
		{func() { c.Nonzero(1) }, "a scalar has no positions"},
		{func() { c.Unique(c.New([]complex64{1})) }, "the operand must be real"},
		{func() { c.Insert(x, 3, 1.0) }, "Insert(f32{2}, float64 1): position 3 is out of range: axis 0 has length 2"},
		{func() { c.Insert(m, 0, []int{1, 2}, 0) }, "values of shape {2} do not broadcast to {1,3}"},
		{func() { c.Delete(x, 2) }, "Delete(f32{2}): index 2 is out of range: axis 0 has length 2"},
		{func() { c.Delete(x, x) }, "position f32{2} is not an integer"},
		{func() { c.LexSort() }, "no key is given"},
		{func() { c.LexSort(x, c.Arange(3)) }, "keys have lengths 2 and 3"},
		{func() { x.Sum(nv.Only(x)) }, "nv.Only is given f32{2}, which is not a mask; give bools: nv.Only(x.Gt(0))"},
		{func() { x.Sum(nv.Only(nil)) }, "nv.Only is given nil, which is not a mask"},
		{func() { x.Max(nv.Only(m.Gt(0))) }, "a mask of shape {2,3} does not broadcast to {2}"},
		{func() { x.ArgMax(nv.Only(x.Gt(0))) }, "nv.Only is not an option of ArgMax; it takes nv.Axis and nv.KeepDims"},
		{func() { c.ReduceXor(x) }, "the operand must be integers or bools, not f32"},
		{func() { c.Quantile(x, 1.5) }, "the quantile 1.5 is out of range; give 0 to 1"},
		{func() { c.Percentile(x, 50, nv.Interpolation("cubic")) }, `unknown interpolation "cubic"`},
		{func() { c.Quantile(c.New([]complex64{1}), 0.5) }, "the operand must be real"},
		{func() { c.Average(m, x) }, "weights of shape {2} do not broadcast to {2,3}"},
		{func() { c.Average(m, x, nv.Axis(1)) }, "2 weights are given for axis 1 of length 3"},
		{func() { c.Cov(c.Ones(nv.Shape{2, 2, 2})) }, "the operand must be a matrix, whose rows are variables, or a vector"},
		{func() { c.Reduce(x, 0, nil) }, "f is nil"},
		{func() { c.Reduce(x, 0, func(a, b nv.Tensor) nv.Tensor { return x }) }, "f returns f32{2} for two f32{}"},
		{func() { c.Reduce(x, 0, func(a, b nv.Tensor) nv.Tensor { return a.Add(x.Sum()) }) }, "f uses a captured tensor"},
		{func() { c.Reduce(m, 0.5, add) }, "the value would change the dtype of the tensor from i32 to f32"},
		{func() { c.Scatter(x, 0, 1.0, none, add) }, "Scatter(f32{2}, int 0, float64 1): window, inserted and batching axes must be 1 in all"},
		{func() { c.Scatter(x, x, x, none, add) }, "scatter_indices is f32"},
		{func() { c.Gather(x, 0, nv.GatherDims{OffsetDims: []int{-1}}) }, "dimension number -1 is negative"},
		{func() { c.Gather(x, 0, nv.GatherDims{}) }, "offset, collapsed and batching axes must be 1 in all"},
	} {
		if got := errorOf(t, test.f); !strings.Contains(got, test.want) {
			t.Errorf("%s; want %q in it", got, test.want)
		}
	}
}
