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
			if !strings.Contains(err.Error(), "is traced, so the length of the result is not known; give it with nv.Size(n)") {
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
		{func() { c.Cumprod(m, nv.Axis(2)) }, "Cumprod(i32{2,3}): axis 2 does not exist: the rank is 2; axes are 0 " +
			"to 1, or -2 to -1"},
		{func() { c.Cumprod(1.0) }, "Cumprod(float64 1): axis 0 does not exist: a scalar has no axes; " +
			"x.ExpandDims(0) has one"},
		{func() { c.Cummax(m, nv.Exclusive) }, "Cummax(i32{2,3}): nv.Exclusive is not an option of Cummax; it takes nv.Axis and nv.Reverse"},
		{func() { c.Cummin(m, nv.Accumulate(nv.F32)) },
			"Cummin(i32{2,3}): nv.Accumulate is not an option of Cummin; it takes nv.Axis and nv.Reverse"},
		{func() { c.Cummax(c.New([]complex64{1})) }, "Cummax(c64{1}): the operand must be real, not c64; take " +
			"nv.Real, nv.Imag or nv.Abs first"},
		{func() { c.Diff(m, -1) }, "Diff(i32{2,3}): n is -1; give 0 or more"},
		{func() { c.Take(m, []int{6}) }, "Take(i32{2,3}, []int): index 6 is out of range: axis 0 has length 6"},
		{func() { c.Take(m, x, 1) }, "Take(i32{2,3}, f32{2}): index f32{2} is not an integer; convert it with " +
			"AsType(nv.I32)"},
		{func() { c.TakeAlongAxis(m, []int{0}) }, "TakeAlongAxis(i32{2,3}, []int): indices have 1 axis, and x has " +
			"2; nv.Take takes one set of indices for the whole tensor"},
		{func() { c.TakeAlongAxis(m, c.Zeros(nv.Shape{3, 1}, nv.I32)) },
			"TakeAlongAxis(i32{2,3}, i32{3,1}): shapes {2,3} and {3,1} do not broadcast on axes other than " +
				"1"},
		{func() { c.PutAlongAxis(m, [][]int{{0}, {1}}, 0.5) },
			"PutAlongAxis(i32{2,3}, [][]int, float64 0.5): the value would change the dtype of the tensor " +
				"from i32 to f32; convert the tensor to f32 with AsType, or the value to i32"},
		{func() { c.PutAlongAxis(m, [][]int{{0}, {3}}, 1) },
			"PutAlongAxis(i32{2,3}, [][]int, int 1): index 3 is out of range: axis 1 has length 3"},
		{func() { c.UnravelIndex(x, nv.Shape{2}) }, "UnravelIndex(f32{2}): positions must be integers, not f32; " +
			"convert them with AsType(nv.I32)"},
		{func() { c.RavelMultiIndex([]nv.Tensor{m}, nv.Shape{2, 2}) },
			"RavelMultiIndex(i32{2,3}): 1 tensor of positions cannot index 2 axes; give one tensor for " +
				"each axis"},
		{func() { c.SegmentSum(m, []int{1}, 2) }, "SegmentSum(i32{2,3}, []int): segments of shape {1} do not match " +
			"the rows of {2,3}; give one segment for each row"},
		{func() { c.SegmentSum(m, x, 2) }, "SegmentSum(i32{2,3}, f32{2}): segments must be integers, not f32; " +
			"convert them with AsType(nv.I32)"},
		{func() { c.SearchSorted(m, 1) }, "SearchSorted(i32{2,3}, int 1): sorted has shape {2,3} and is not a vector; nv.Flatten makes one"},
		{func() { c.Histogram(x, 0) }, "Histogram(f32{2}, int 0): the number of bins is 0; give at least 1"},
		{func() { c.Histogram(x, []float64{1}) }, "Histogram(f32{2}, []float64): no bins are given; give their " +
			"number, or at least two edges"},
		{func() { c.Histogram(x, 2, nv.Size(2)) }, "Histogram(f32{2}, int 2): nv.Size is not an option of " +
			"Histogram; it takes nv.Weights and nv.Within"},
		{func() { c.Histogram(x, 2, nv.Weights(m)) }, "Histogram(f32{2}, int 2): 6 weights are given for 2 " +
			"elements; give one for each"},
		{func() { c.BinCount(c.New([]int{1, -2})) }, "BinCount(i32{2}): x contains -2, which is negative; BinCount " +
			"counts integers of 0 or more"},
		{func() { c.BinCount(x) }, "BinCount(f32{2}): the elements must be integers, not f32; convert them with " +
			"AsType(nv.I32)"},
		{func() { c.Nonzero(1) }, "Nonzero(int 1): a scalar has no positions; nv.Reshape makes it a vector of one " +
			"element"},
		{func() { c.Unique(c.New([]complex64{1})) }, "Unique(c64{1}): the operand must be real, not c64; take " +
			"nv.Real, nv.Imag or nv.Abs first"},
		{func() { c.Insert(x, 3, 1.0) }, "Insert(f32{2}, float64 1): position 3 is out of range: axis 0 has length 2"},
		{func() { c.Insert(m, 0, []int{1, 2}, 0) }, "Insert(i32{2,3}, []int): values of shape {2} do not broadcast " +
			"to {1,3}"},
		{func() { c.Delete(x, 2) }, "Delete(f32{2}): index 2 is out of range: axis 0 has length 2"},
		{func() { c.Delete(x, x) }, "Delete(f32{2}): position f32{2} is not an integer; give ints, or select " +
			"elements by a mask: x.At(mask)"},
		{func() { c.LexSort() }, "LexSort(): no key is given; give at least one vector"},
		{func() { c.LexSort(x, c.Arange(3)) }, "LexSort(f32{2}, i32{3}): keys have lengths 2 and 3; give vectors " +
			"of equal length"},
		{func() { x.Sum(nv.Only(x)) }, "Sum(f32{2}): nv.Only is given f32{2}, which is not a mask; give bools: " +
			"nv.Only(x.Gt(0))"},
		{func() { x.Sum(nv.Only(nil)) }, "Sum(f32{2}): nv.Only is given nil, which is not a mask; give bools: " +
			"nv.Only(x.Gt(0))"},
		{func() { x.Max(nv.Only(m.Gt(0))) }, "Max(f32{2}): a mask of shape {2,3} does not broadcast to {2}"},
		{func() { x.ArgMax(nv.Only(x.Gt(0))) }, "ArgMax(f32{2}): nv.Only is not an option of ArgMax; it takes " +
			"nv.Axis and nv.KeepDims"},
		{func() { c.ReduceXor(x) }, "ReduceXor(f32{2}): the operand must be integers or bools, not f32; convert x " +
			"with AsType"},
		{func() { c.Quantile(x, 1.5) }, "Quantile(f32{2}): the quantile 1.5 is out of range; give 0 to 1"},
		{func() { c.Percentile(x, 50, nv.Interpolation("cubic")) },
			`Percentile(f32{2}): unknown interpolation "cubic"; give "linear", "lower", "higher", ` +
				`"nearest" or "midpoint"`},
		{func() { c.Quantile(c.New([]complex64{1}), 0.5) },
			"Quantile(c64{1}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first"},
		{func() { c.Average(m, x) }, "Average(i32{2,3}, f32{2}): weights of shape {2} do not broadcast to {2,3}; " +
			"give weights of the shape of x, or one axis and a vector along it"},
		{func() { c.Average(m, x, nv.Axis(1)) }, "Average(i32{2,3}, f32{2}): 2 weights are given for axis 1 of " +
			"length 3; give one weight for each element along the axis"},
		{func() { c.Cov(c.Ones(nv.Shape{2, 2, 2})) }, "Cov(f32{2,2,2}): the operand must be a matrix, whose rows " +
			"are variables, or a vector; reshape x to a matrix with a row for each variable"},
		{func() { c.Reduce(x, 0, nil) }, "Reduce(f32{2}, int 0): f is nil; give a function of two tensors"},
		{func() { c.Reduce(x, 0, func(a, b nv.Tensor) nv.Tensor { return x }) },
			"Reduce(f32{2}, int 0): f returns f32{2} for two f32{}; return a scalar of the dtype of x"},
		{func() { c.Reduce(x, 0, func(a, b nv.Tensor) nv.Tensor { return a.Add(x.Sum()) }) },
			"Reduce(f32{2}, int 0): f uses a captured tensor; use only the two arguments and numbers"},
		{func() { c.Reduce(m, 0.5, add) }, "Reduce(i32{2,3}, float64 0.5): the value would change the dtype of the " +
			"tensor from i32 to f32; convert the tensor to f32 with AsType, or the value to i32"},
		{func() { c.Scatter(x, 0, 1.0, none, add) }, "Scatter(f32{2}, int 0, float64 1): window, inserted and " +
			"batching axes must be 1 in all, one for each axis of the operand"},
		{func() { c.Scatter(x, x, x, none, add) }, "Scatter(f32{2}, f32{2}, f32{2}): scatter_indices is f32, and " +
			"the operation takes signed integers and unsigned integers; convert it with AsType"},
		{func() { c.Gather(x, 0, nv.GatherDims{OffsetDims: []int{-1}}) },
			"Gather(f32{2}, int 0): dimension number -1 is negative; count from 0"},
		{func() { c.Gather(x, 0, nv.GatherDims{}) }, "Gather(f32{2}, int 0): offset, collapsed and batching axes " +
			"must be 1 in all, one for each axis of the operand"},
	} {
		if got := errorOf(t, test.f); got != test.want {
			t.Errorf("%s; want %q", got, test.want)
		}
	}
}
