package anvil_test

import (
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// An indexed is a line of indexing.txt.
type indexed struct {
	line                 string
	shape, value, result nv.Shape
	index                []any
	digests              string
}

// readIndexed returns the lines of indexing.txt.
func readIndexed(t *testing.T) (all []indexed) {
	data, err := os.ReadFile("testdata/indexing.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		if len(part) != 5 {
			continue
		}
		all = append(all, indexed{line, shapeOf(part[0]), shapeOf(part[2]), shapeOf(part[3]), indexOf(part[1]), part[4]})
	}
	return all
}

func numbers(s, separator string) (ns []int) {
	for _, w := range strings.Split(s, separator) {
		if w == "" {
			continue
		}
		n, err := strconv.Atoi(w)
		if w == "E" {
			n, err = nv.End, nil
		}
		if w == "S" {
			n, err = nv.Start, nil
		}
		if err != nil {
			panic(err)
		}
		ns = append(ns, n)
	}
	return ns
}

func shapeOf(s string) nv.Shape { return append(nv.Shape{}, numbers(s, ",")...) }

// indexOf parses arguments of At: "1;0:E:-1;new;(2)[0 -1];m(2)[1 0]".
func indexOf(s string) (index []any) {
	for _, w := range strings.Split(s, ";") {
		mask, isMask := strings.CutPrefix(w, "m")
		switch {
		case w == "":
		case w == "new":
			index = append(index, nv.NewAxis)
		case w == "...":
			index = append(index, nv.Ellipsis)
		case isMask, w[0] == '(':
			shape, elements, _ := strings.Cut(strings.Trim(mask, "(]"), ")[")
			index = append(index, nestedOf(shapeOf(shape), numbers(elements, " "), isMask))
		case strings.Contains(w, ":"):
			n := numbers(w, ":")
			index = append(index, nv.Slice(n[0], n[1], n[2]))
		default:
			index = append(index, numbers(w, ";")[0])
		}
	}
	return index
}

// nestedOf returns elements as slices of ints or bools, one or two deep.
func nestedOf(s nv.Shape, elements []int, mask bool) any {
	if len(s) == 1 && mask {
		holds := make([]bool, s[0])
		for i, e := range elements {
			holds[i] = e != 0
		}
		return holds
	}
	if len(s) == 1 {
		return elements
	}
	rows := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(nestedOf(s[1:], nil, mask))), s[0], s[0])
	for i := range s[0] {
		rows.Index(i).Set(reflect.ValueOf(nestedOf(s[1:], elements[i*s[1]:(i+1)*s[1]], mask)))
	}
	return rows.Interface()
}

// TestIndexing takes, sets and adds elements at the random indices of indexing.txt,
// and compares with NumPy's results: all under the reference, and some in two
// programs of XLA.
func TestIndexing(t *testing.T) {
	rows := readIndexed(t)
	if len(rows) != 2000 {
		t.Fatal(len(rows), "rows")
	}
	t.Run("reference", func(t *testing.T) { checkIndexed(t, nv.NewContext(nv.ContextOptions{Backend: "reference"}), rows) })
	var few []indexed
	for i := 0; i < len(rows); i += 50 {
		few = append(few, rows[i])
	}
	t.Run("default", func(t *testing.T) { checkIndexed(t, nv.NewContext(nv.ContextOptions{}), few) })
}

func checkIndexed(t *testing.T, c *nv.Context, rows []indexed) {
	counting := func(s nv.Shape) nv.Tensor { return c.Arange(s.Size(), nv.I64).Reshape(s) }
	rows = slices.Clone(rows)
	for k, r := range rows { // every second time, tensors
		rows[k].index = slices.Clone(r.index)
		for i, ix := range r.index {
			if reflect.TypeOf(ix).Kind() == reflect.Slice && len(r.line)%2 == 0 {
				rows[k].index[i] = c.New(ix)
			}
		}
	}
	got := make([]nv.Tensor, len(rows))
	for i, r := range rows {
		if got[i] = counting(r.shape).At(r.index...); !got[i].Shape().Equal(r.result) {
			t.Fatalf("%s\ngot shape %v", r.line, got[i].Shape())
		}
	}
	taken := elementsOf(c, got)
	var changed []nv.Tensor
	for i, r := range rows {
		x, v := counting(r.shape), counting(r.value).Neg().Sub(1)
		put := v
		if twice(taken[i]) {
			put = c.FullLike(v, -1)
		}
		changed = append(changed, c.Set(x, put, r.index...), c.AddAt(x, v, r.index...))
	}
	after := elementsOf(c, changed)
	for i, r := range rows {
		if got := digest(taken[i]) + " " + digest(after[2*i]) + " " + digest(after[2*i+1]); got != r.digests {
			t.Errorf("%s\ngot %s", r.line, got)
		}
	}
}

// elementsOf returns the elements of each of xs, computed as one program.
func elementsOf(c *nv.Context, xs []nv.Tensor) [][]int64 {
	flat := make([]any, len(xs))
	for i, x := range xs {
		flat[i] = x.Flatten()
	}
	all := nv.Values[int64](c.Concatenate(0, flat...))
	parts := make([][]int64, len(xs))
	for i, x := range xs {
		parts[i], all = all[:x.Size()], all[x.Size():]
	}
	return parts
}

func twice(elements []int64) bool {
	sorted := slices.Sorted(slices.Values(elements))
	return len(slices.Compact(sorted)) < len(elements)
}

// digest returns the sum of (i + 1) * element i, modulo 1000003.
func digest(elements []int64) string {
	sum := int64(0)
	for i, e := range elements {
		sum += int64(i+1) * e
	}
	return strconv.Itoa(int(sum%1000003+1000003) % 1000003)
}

// TestTracedIndices checks that tensors of positions may be arguments of a jitted
// function. Positions out of range are clamped, in reading and in writing.
func TestTracedIndices(t *testing.T) {
	for _, backend := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: backend})
		m := c.Arange(12).Reshape(nv.Shape{3, 4})
		f := c.JitAny(func(m, i, at nv.Tensor) []nv.Tensor {
			return []nv.Tensor{m.At(at), m.At(nv.All, i), m.At(at, i), m.Set(0, at, i), m.AddAt(100, nv.All, at), m.At(nv.Slice(nv.Start, nv.End, -1), at)}
		}).(func(m, i, at nv.Tensor) []nv.Tensor)
		out := f(m, c.Scalar(-1), c.New([]int{-9, -1, 7}))
		for i, s := range []string{"i32{3,4} [0 1 2 3 8 9 10 11 8 9 10 11]", "i32{3} [3 7 11]", "i32{3} [3 11 11]",
			"i32{3,4} [0 1 2 0 4 5 6 7 8 9 10 0]", "i32{3,4} [100 1 2 203 104 5 6 207 108 9 10 211]", "i32{3,3} [8 11 11 4 7 7 0 3 3]"} {
			want(t, out[i], s)
		}
		stride := c.JitAny(func(m, i nv.Tensor) nv.Tensor { return m.Set(0, i, nv.Slice(0, 4, 2)) }).(func(m, i nv.Tensor) nv.Tensor)
		want(t, stride(m, c.Scalar(7)), "i32{3,4} [0 1 2 3 4 5 6 7 0 9 0 11]")
	}
}

// TestMasks checks that a mask as index takes and sets elements, and that a traced
// mask may be the index of Set with a number.
func TestMasks(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	m := c.Arange(6).Reshape(nv.Shape{2, 3})
	odd := m.Rem(2).Eq(1)
	want(t, m.At(odd), "i32{3} [1 3 5]")
	want(t, m.At(odd.At(nv.All, 0)), "i32{1,3} [3 4 5]")
	want(t, m.At([]bool{false, true}), "i32{1,3} [3 4 5]")
	want(t, m.Set(0, odd), "i32{2,3} [0 0 2 0 4 0]")
	want(t, m.Set([]int{7, 8, 9}, odd), "i32{2,3} [0 7 2 8 4 9]")
	want(t, m.Set(c.New([][]int{{7, 8, 9}}), []bool{true, false}), "i32{2,3} [7 8 9 3 4 5]")
	want(t, m.MaxAt(4, odd), "i32{2,3} [0 4 2 4 4 5]")
	want(t, m.MulAt(10, nv.All, []bool{true, false, true}), "i32{2,3} [0 1 20 30 4 50]")
	f := c.JitAny(func(m, mask nv.Tensor) nv.Tensor { return c.Set(m, 9, mask) }).(func(m, mask nv.Tensor) nv.Tensor)
	want(t, f(m, odd), "i32{2,3} [0 9 2 9 4 9]")
}

// TestClipped checks that Clipped clamps indices without reading them.
func TestClipped(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	m := c.Arange(6).Reshape(nv.Shape{2, 3})
	at := nv.Clipped(c.New([]int{5, -1, -9, 0}))
	launches := c.Stats().Launches
	x, y, z := m.At(nv.All, at), m.At(nv.Clipped(7), 1), m.Set(9, at, 0)
	if n := c.Stats().Launches - launches; n != 0 {
		t.Error(n, "programs ran")
	}
	want(t, x, "i32{2,4} [2 2 0 0 5 5 3 3]")
	want(t, y, "i32{} [4]")
	want(t, z, "i32{2,3} [9 1 2 9 4 5]")
	want(t, c.Zeros(nv.Shape{0}).At(nv.Clipped([]int{})), "f32{0} []")
	want(t, m.At(nv.Clipped(c.Scalar(uint64(1)<<63)), 0), "i32{} [3]")
}

func TestIndexErrors(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	m, mask := c.Arange(6).Reshape(nv.Shape{2, 3}), c.New([]bool{true, false})
	traced := func(f func(x, y nv.Tensor) nv.Tensor) func() {
		return func() { c.JitAny(f).(func(x, y nv.Tensor) nv.Tensor)(m, mask) }
	}
	for _, test := range []struct {
		f    func()
		want string
	}{
		{func() { m.At(2) }, "At(i32{2,3}, int 2): index 2 is out of range: axis 0 has length 2"},
		{func() { m.At(nv.All, c.New([]int{0, -4})) }, "At(i32{2,3}, :, i32{2}): index -4 is out of range: axis 1 has length 3"},
		{func() { m.At([]int{0, 2}) }, "At(i32{2,3}, []int): index 2 is out of range: axis 0 has length 2"},
		{func() { m.At(c.Arange(2000)) }, "At(i32{2,3}, i32{2000}): index 2 is out of range: axis 0 has length 2"},
		{func() { m.Set(0, c.New([]uint8{255})) }, "Set(i32{2,3}, int 0, ui8{1}): index 255 is out of range: axis " +
			"0 has length 2"},
		{func() { m.At(nv.Slice(2, 1, 1)) }, "At(i32{2,3}, 2:1): bounds 2:1 are in the wrong order; give the lower " +
			"one first"},
		{func() { m.At(nv.Slice(0, 3, 1)) }, "At(i32{2,3}, :3): bounds :3 are out of range: the axis has length 2; " +
			"0: takes the elements up to the end, as in x[0:]"},
		{func() { m.At(nv.Slice(2, nv.End, -1)) }, "At(i32{2,3}, 2::-1): bounds 2::-1 are out of range: the axis " +
			"has length 2"},
		{func() { m.At([]int{0, 1}, []int{0, 1, 2}) },
			"At(i32{2,3}, []int, []int): shapes {2} and {3} do not broadcast; lengths must be equal or 1, " +
				"counted from the last axis"},
		{func() { m.At(nv.Ellipsis, nv.Ellipsis) }, "At(i32{2,3}, nv.ellipsis, nv.ellipsis): nv.Ellipsis is given " +
			"twice; write nv.All for some of the axes"},
		{func() { m.At([]float64{0}) }, "At(i32{2,3}, []float64): index []float64 does not contain integers; give " +
			"integers, nv.All, nv.Range, nv.Slice, nv.NewAxis, nv.Ellipsis, integer tensors and masks"},
		{func() { m.At(1.5) }, "At(i32{2,3}, float64 1.5): index float64 1.5 is not an integer; give integers, " +
			"nv.All, nv.Range, nv.Slice, nv.NewAxis, nv.Ellipsis, integer tensors and masks"},
		{func() { m.At(true) }, "At(i32{2,3}, bool true): index bool true is not an integer; give integers, " +
			"nv.All, nv.Range, nv.Slice, nv.NewAxis, nv.Ellipsis, integer tensors and masks"},
		{func() { m.At(c.New([]bool{true})) }, "At(i32{2,3}, i1{1}): a mask of shape {1} does not match axis 0 of " +
			"shape {2}; give a mask with the shape of the axes that it selects from"},
		{func() { c.Zeros(nv.Shape{0}).At(nv.Clipped(0)) }, "At(f32{0}, nv.Clipped(int 0)): axis 0 has length 0: no index is in range"},
		{func() { m.At(nv.Clipped(0.5)) }, "At(i32{2,3}, nv.Clipped(float64 0.5)): positions must be integers, not " +
			"f32; convert them with AsType(nv.I32)"},
		{func() { m.At(0, m.Gt(0)) }, "At(i32{2,3}, int 0, i1{2,3}): 3 indices for 2 axes; a new axis is nv.NewAxis"},
		{func() { m.Set([]int{1, 2, 3, 4}, m.Gt(3)) },
			"Set(i32{2,3}, []int, i1{2,3}): a value of shape {4} does not broadcast to the part of shape " +
				"{2}"},
		{func() { m.Set(0.5, mask) }, "Set(i32{2,3}, float64 0.5, i1{2}): the value would change the dtype of the " +
			"tensor from i32 to f32; convert the tensor to f32 with AsType, or the value to i32"},
		{traced(func(x, y nv.Tensor) nv.Tensor { return x.At(y) }),
			"At(i32{2,3}, i1{2}): index i1{2} is a traced mask, and the number of elements that it takes " +
				"is not known until it has a value; nv.Where(mask, x, 0) keeps the shape, and " +
				"x.At(nv.Nonzero(mask, nv.Size(n))[0]) takes n elements"},
		{traced(func(x, y nv.Tensor) nv.Tensor { return c.Set(x, []int{1, 2}, 0, nv.All) }),
			"Set(i32{2,3}, []int, int 0, :): a value of shape {2} does not broadcast to the part of shape " +
				"{3}"},
	} {
		if got := errorOf(t, test.f); got != test.want {
			t.Errorf("%s; want %q", got, test.want)
		}
	}
}

// TestIndicesAreParameters checks that other positions do not need another program.
func TestIndicesAreParameters(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	x := c.Arange(10)
	use := func(i int) {
		at, mask := []int{i, i + 1, -i}, x.Lt(i)
		for _, y := range []nv.Tensor{x.At(i), x.At(nv.Range(i, i+2)), x.At(at), x.Set(i, i), x.Set(i, nv.Range(i, i+2)), x.AddAt(1, at), x.Set(0, mask), x.At(mask)} {
			y.Values()
		}
	}
	use(1)
	before := c.Stats().Programs
	for i := 2; i < 7; i++ {
		use(i)
	}
	if n := c.Stats().Programs - before; n != 0 || before == 0 {
		t.Error(n, "programs more than", before)
	}
}
