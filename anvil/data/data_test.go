package data_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
)

// numbers returns n examples: row i of X is i, i; Y is i.
func numbers(n int) data.Set {
	y := nv.Arange(n)
	return data.Set{X: nv.Stack(1, y, y).AsType(nv.F32), Y: y}
}

// TestBatches checks that every example is in one batch, that the last batch is padded or
// dropped, and that all batches have the same shape.
func TestBatches(t *testing.T) {
	tests := []struct {
		n, size int
		opts    []data.BatchOption
		batches int
		seen    int
	}{
		{10, 4, nil, 3, 10},
		{10, 5, nil, 2, 10},
		{10, 4, []data.BatchOption{data.DropLast}, 2, 8},
		{10, 4, []data.BatchOption{data.Shuffle(random.Key(1))}, 3, 10},
		{10, 4, []data.BatchOption{data.Shuffle(random.Key(1)), data.DropLast}, 2, 8},
		{3, 8, nil, 1, 3},
		{3, 8, []data.BatchOption{data.DropLast}, 0, 0},
		{1, 1, nil, 1, 1},
		{0, 4, nil, 0, 0},
	}
	for _, test := range tests {
		var seen []int
		batches := 0
		for b := range numbers(test.n).Batches(test.size, test.opts...) {
			batches++
			if got, want := b.X.Type().String()+b.Y.Type().String()+b.Mask.Type().String(), types(test.size); got != want {
				t.Errorf("%+v: %s, want %s", test, got, want)
			}
			x, y, mask := nv.Values[int](b.X), nv.Values[int](b.Y), nv.Values[bool](b.Mask)
			for i, keep := range mask {
				if x[2*i] != y[i] || x[2*i+1] != y[i] {
					t.Errorf("%+v: row %d has X %v and Y %d", test, i, x[2*i:2*i+2], y[i])
				}
				if keep {
					seen = append(seen, y[i])
				}
			}
		}
		slices.Sort(seen)
		if got := numbers(test.n).Steps(test.size, test.opts...); got != test.batches {
			t.Errorf("%+v: %d steps", test, got)
		}
		if batches != test.batches || len(seen) != test.seen || len(slices.Compact(seen)) != test.seen {
			t.Errorf("%+v: %d batches with the examples %v", test, batches, seen)
		}
	}
}

// types returns the types of X, Y and Mask of a batch of numbers.
func types(size int) string {
	n := nv.Shape{size}
	return nv.Zeros(nv.Shape{size, 2}, nv.F32).Type().String() + nv.Zeros(n, nv.I32).Type().String() +
		nv.Zeros(n, nv.I1).Type().String()
}

func TestShuffleFollowsTheKey(t *testing.T) {
	order := func(opts ...data.BatchOption) []int {
		var seen []int
		for b := range numbers(20).Batches(4, opts...) {
			seen = append(seen, nv.Values[int](b.Y)...)
		}
		return seen
	}
	k := random.Key(3)
	plain, first, again, other := order(), order(data.Shuffle(k)), order(data.Shuffle(k)), order(data.Shuffle(k.FoldIn(1)))
	if !slices.IsSorted(plain) {
		t.Errorf("without a key the order is %v", plain)
	}
	if slices.Equal(first, plain) || !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("orders: %v, again %v, with another key %v", first, again, other)
	}
}

func TestSplit(t *testing.T) {
	a, b := numbers(10).Split(0.75)
	if got := nv.Values[int](a.Y); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7}) || b.Len() != 2 {
		t.Errorf("in order: %v and %d others", got, b.Len())
	}
	a, b = numbers(10).Split(0.7, random.Key(0))
	all := slices.Concat(nv.Values[int](a.Y), nv.Values[int](b.Y))
	if a.Len() != 7 || slices.IsSorted(all) {
		t.Errorf("at random: %v, the first %d apart", all, a.Len())
	}
	slices.Sort(all)
	if !slices.Equal(all, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("the examples are %v", all)
	}
	a, b = numbers(3).Split(1)
	if a.Len() != 3 || b.Len() != 0 {
		t.Errorf("all: %d and %d", a.Len(), b.Len())
	}
}

func TestScaler(t *testing.T) {
	x := nv.New([][]float64{{1, 7, 10}, {3, 7, 30}})
	s := data.NewScaler(x)
	if got := nv.Values[float64](s.Apply(x)); !slices.Equal(got, []float64{-1, 0, -1, 1, 0, 1}) {
		t.Errorf("standardized: %v", got)
	}
	if got := nv.Values[float64](s.Invert(s.Apply(x))); !slices.Equal(got, nv.Values[float64](x)) {
		t.Errorf("undone: %v", got)
	}
	torch := nv.NewContext(nv.ContextOptions{Backend: "reference", System: promote.Torch}) // where Std takes a correction of 1
	if got := data.NewScaler(torch.New([][]float64{{0}, {2}})).Std; !slices.Equal(nv.Values[float64](got), []float64{1}) {
		t.Errorf("deviation under PyTorch: %v", got)
	}
}

// TestHalves checks that means and deviations of half precision do not overflow, and that
// counts stay exact.
func TestHalves(t *testing.T) {
	x := nv.Stack(1, nv.Full(nv.Shape{3000}, 301), nv.Full(nv.Shape{3000}, 299)).Reshape(nv.Shape{6000, 1}).AsType(nv.F16)
	s := data.NewScaler(x)
	if got := s.Apply(x).At(nv.Slice(0, 2, 1)); s.Mean.DType() != nv.F32 || !slices.Equal(nv.Values[int](got), []int{1, -1}) {
		t.Errorf("mean %v, standardized %v", s.Mean, got)
	}
	b := data.Batch{Mask: nv.Ones(nv.Shape{3000}, nv.I1)}
	for _, d := range []nv.DType{nv.F16, nv.BF16, nv.F64} {
		if got := b.Mean(nv.Full(nv.Shape{3000}, 40, d)); got.DType() != d || got.Float() != 40 {
			t.Errorf("the mean is %v", got)
		}
	}
	if got := b.Mean(nv.Full(nv.Shape{3000}, 3, nv.I8)); got.DType() != nv.F32 || got.Float() != 3 {
		t.Errorf("the mean of integers is %v", got)
	}
}

// TestMean checks that padding does not count, and that a compiled step can carry a Mean.
func TestMean(t *testing.T) {
	set := numbers(10)
	var m data.Mean
	step := nv.Jit(func(m data.Mean, b data.Batch) data.Mean { return m.Add(b.X, b.Mask) })
	carried := data.NewMean()
	for b := range set.Batches(4) {
		m = m.Add(b.Y, b.Mask)
		carried = step(carried, b)
	}
	if m.Value().Float() != 4.5 || carried.Value().Float() != 4.5 || carried.Count.Int() != 20 {
		t.Errorf("means %v, %v of %v", m.Value(), carried.Value(), carried.Count)
	}
	for b := range set.Batches(16) {
		if got := b.Mean(b.X).Float(); got != 4.5 {
			t.Errorf("the mean of the batch is %v", got)
		}
	}
	correct := data.Correct(nv.New([][]float64{{1, 2}, {3, 0}, {0, 1}}), nv.New([]int{1, 1, 1}))
	if got := (data.Mean{}).Add(correct).Value().Float(); got != 2.0/3 {
		t.Errorf("accuracy %v", got)
	}
	if got := data.NewMean().Value().Float(); got == got {
		t.Errorf("the mean of nothing is %v", got)
	}
}

func TestShippedSets(t *testing.T) {
	digits := data.Digits()
	if got := digits.String(); got != "data.Set of 1797 examples: X f32{1797,8,8}, Y i32{1797}" {
		t.Error(got)
	}
	if s := digits.X.Sum().Float() * 16; s != 561718 { // as scikit-learn's load_digits().data.sum()
		t.Errorf("the grey levels add up to %v", s)
	}
	iris := data.FromTable(data.Iris(), "species")
	want := `data.Set of 150 examples: X f32{150,4}, Y i32{150}, Classes ["setosa" "versicolor" "virginica"]`
	if got := iris.String(); got != want {
		t.Error(got)
	}
	for i, want := range []float64{5.843333, 3.057333, 3.758, 1.199333} {
		if got := iris.X.Mean(nv.Axis(0)).At(i).Float(); math.Abs(got-want) > 1e-5 {
			t.Errorf("the mean of %s is %v, want %v", iris.Features[i], got, want)
		}
	}
	housing := data.FromTable(data.Housing(), "price", "age", "stores")
	if got := housing.String(); got != "data.Set of 414 examples: X f32{414,2}, Y f32{414}" {
		t.Error(got)
	}
	mixed := data.FromTable(nv.NewTable([]string{"name", "x", "kind", "ok"},
		[]string{"a", "b"}, []float64{1, 2}, []string{"u", "v"}, []bool{true, false}), "kind")
	if got := fmt.Sprint(mixed.Features, mixed.Classes, mixed.X.Values()); got != "[x ok] [u v] [1 1 2 0]" {
		t.Errorf("of columns that are not all numbers: %s", got)
	}
	if got := housing.Y.Mean().Float(); math.Abs(got-37.98019) > 1e-4 {
		t.Errorf("the mean price is %v", got)
	}
}

// TestConfusion compares with scikit-learn's precision_recall_fscore_support for labels
// 0 0 1 1 2 and predictions 0 1 1 1 0.
func TestConfusion(t *testing.T) {
	predicted := nv.OneHot(nv.New([]int{0, 1, 1, 1, 0, 2}), 3)
	labels, mask := nv.New([]int{0, 0, 1, 1, 2, 2}), nv.New([]bool{true, true, true, true, true, false})
	step := nv.Jit(func(c data.Confusion, l, y, m nv.Tensor) data.Confusion { return c.Add(l, y, m) })
	c := step(data.NewConfusion(3), predicted, labels, mask)
	if got := nv.Values[int](c.Counts); !slices.Equal(got, []int{1, 1, 0, 0, 2, 0, 1, 0, 0}) {
		t.Errorf("counts %v", got)
	}
	for name, test := range map[string]struct {
		got  nv.Tensor
		want []float64
	}{
		"accuracy":  {c.Accuracy(), []float64{0.6}},
		"precision": {c.Precision(), []float64{0.5, 2.0 / 3, 0}},
		"recall":    {c.Recall(), []float64{0.5, 1, 0}},
		"F1":        {c.F1(), []float64{0.5, 0.8, 0}},
	} {
		for i, got := range nv.Values[float64](test.got) {
			if d := got - test.want[i]; d > 1e-15 || d < -1e-15 {
				t.Errorf("%s %v, want %v", name, test.got, test.want)
			}
		}
	}
}

func TestEarlyStopping(t *testing.T) {
	e := data.EarlyStopping{Patience: 2, MinDelta: 0.1}
	nan := 0.0
	nan /= nan
	for i, test := range []struct {
		value          float64
		improved, stop bool
	}{{nan, false, false}, {3, true, false}, {2, true, false}, {1.95, false, false}, {1.5, true, false}, {nan, false, false}, {1.6, false, true}} {
		if e = e.Add(test.value); e.Improved() != test.improved || e.Stop() != test.stop {
			t.Errorf("value %d: %+v", i+1, e)
		}
	}
	if e.Best != 1.5 || e.BestAt != 5 {
		t.Errorf("%+v", e)
	}
}

func TestErrors(t *testing.T) {
	x, y := nv.Zeros(nv.Shape{3, 2}), nv.Zeros(nv.Shape{4})
	for want, f := range map[string]func(){
		"data.Len(Set{}): the set has no X; write data.Set{X: x, Y: y}": func() { data.Set{}.Len() },
		"data.Batches(f32{3,2}, f32{4}): X has 3 rows, Y has 4; the first axis of X and of Y counts the examples": func() {
			data.Set{X: x, Y: y}.Batches(2)
		},
		"data.Len(i32{}): a scalar has no rows; the first axis of X and of Y counts the examples":             func() { data.Set{X: nv.Scalar(1)}.Len() },
		"data.Mean.Add(c64{}): the values are complex; add nv.Abs(values), or nv.Real and nv.Imag separately": func() { data.Mean{}.Add(nv.Scalar(1i)) },
		"data.Batches(0): a batch must have at least one row":                                                 func() { data.Set{X: x}.Batches(0) },
		"data.Steps(0): a batch must have at least one row":                                                   func() { data.Set{X: x}.Steps(0) },
		"data.Split(1.5): the fraction is not between 0 and 1":                                                func() { data.Set{X: x}.Split(1.5) },
		`data.FromArrays("y"): there is no such array; the arrays are ["x"]`: func() {
			data.FromArrays(map[string]nv.Tensor{"x": x}, "x", "y")
		},
		"data.Mean.Add(f32{3,2}, f32{4}): the mask does not fit the values; give a bool tensor with the first axes of the values, such as {8} for values {8,3}": func() {
			data.Mean{}.Add(x, y)
		},
		"data.Confusion.Add(f32{3,2}): the logits do not have the shape {n,4}": func() { data.NewConfusion(4).Add(x, y) },
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if got := (data.Set{}).String(); got != "data.Set without examples" {
		t.Error(got)
	}
}
