package anvil_test

import (
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

func TestEndOfCell(t *testing.T) {
	lazy(t, func(t *testing.T, c *nv.Context) {
		x := c.Arange(4).Add(1)
		y, unused := x.Mul(2), x.Mul(3)
		if err := c.EndCell([]nv.Tensor{x, y, {}, y}); err != nil {
			t.Fatal(err)
		}
		before := c.Stats()
		if before.Launches != 1 {
			t.Error(before.Launches, "launches for a cell")
		}
		want(t, x, "i32{4} [1 2 3 4]")
		want(t, y, "i32{4} [2 4 6 8]")
		if n := c.Stats().Launches - before.Launches; n != 0 {
			t.Error(n, "launches to read the results of the cell")
		}
		want(t, unused, "i32{4} [3 6 9 12]") // computed again from its recipe
		want(t, unused.Add(y), "i32{4} [5 10 15 20]")
	})
}

func TestManyResultsAreSeveralPrograms(t *testing.T) {
	lazy(t, func(t *testing.T, c *nv.Context) {
		x := c.Arange(2)
		var roots []nv.Tensor
		for i := range 400 {
			roots = append(roots, x.Add(i).Mul(x))
		}
		if err := c.EndCell(roots); err != nil {
			t.Fatal(err)
		}
		if s := c.Stats(); s.LargestOps > 512 || s.Launches < 2 {
			t.Errorf("%+v", s)
		}
		for i, r := range roots {
			if got := r.At(1).Int(); got != i+1 {
				t.Error(i, got)
			}
		}
	})
}

// TestReadComputesSharedWork checks that reading a result also computes pending results that share work
// with it, in the same launch.
func TestReadComputesSharedWork(t *testing.T) {
	lazy(t, func(t *testing.T, c *nv.Context) {
		x, other := c.Arange(4).AsType(nv.F32), c.Arange(5)
		if err := c.EndCell([]nv.Tensor{x, other}); err != nil {
			t.Fatal(err)
		}
		d := x.Sub(1)
		loss, next, apart := d.Mul(d).Sum(), x.Sub(d), other.Mul(7)
		before := c.Stats()
		want(t, loss, "f32{} [6]")
		want(t, next, "f32{4} [1 1 1 1]")
		if n := c.Stats().Launches - before.Launches; n != 1 {
			t.Error(n, "launches for two results that share their work")
		}
		want(t, apart, "i32{5} [0 7 14 21 28]")
		if n := c.Stats().Launches - before.Launches; n != 2 {
			t.Error(n, "launches in all")
		}
	})
}

// TestConcatenateMany checks that many operands are concatenated in groups, by few programs,
// and that the elements have the order of the operands, whatever their lengths.
func TestConcatenateMany(t *testing.T) {
	lazy(t, func(t *testing.T, c *nv.Context) {
		for _, n := range []int{64, 65, 129, 4161, 6000} {
			var xs []any
			var want []float32
			for i := range n {
				x := []float64{float64(i), float64(-i)}[:1+i%2]
				xs = append(xs, c.New(x).Mul(2))
				for _, v := range x {
					want = append(want, float32(2*v))
				}
			}
			got := nv.Values[float32](c.Concatenate(0, xs...))
			if !slices.Equal(got, want) {
				t.Errorf("%d operands: %v ...", n, got[:4])
			}
		}
		rows := make([]any, 200)
		for i := range rows {
			rows[i] = c.Full(nv.Shape{2}, i).AsType(nv.I32)
		}
		stacked := c.Stack(1, rows...)
		if got := nv.Values[int32](stacked.Reshape(nv.Shape{-1})); !stacked.Shape().Equal(nv.Shape{2, 200}) || got[199] != 199 || got[200] != 0 {
			t.Errorf("%v: %v", stacked.Shape(), got)
		}
		if n := c.Stats().Compiles; n > 20 {
			t.Errorf("%d programs compiled", n)
		}
	})
}
