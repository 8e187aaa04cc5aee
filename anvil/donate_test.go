package anvil_test

import (
	"context"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

const gone = "the tensor was given away with nv.Donate; use the result of the function that took it"

func TestDonate(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		type model struct{ W, B nv.Tensor }
		step := nv.Jit(func(m model, k nv.Tensor) model { return model{m.W.Add(k), m.B.Mul(2)} })
		m := model{c.Zeros(nv.Shape{1 << 15}), c.New([]int{1, 2})}
		for range 3 {
			old := m
			m = step(nv.Donate(m), c.Scalar(1.0))
			for name, f := range map[string]func(){
				"Add": func() { old.W.Add(1) }, "Item": func() { old.B.Values() }, "call": func() { step(old, c.Scalar(1.0)) },
				"Donate": func() { nv.Donate(old) }, "Wait": func() { nv.Must(0, old.W.Wait()) }, "ToDevice": func() { old.W.ToDevice(old.W.Device()) },
			} {
				if s := errorOf(t, f); !strings.Contains(s, gone) {
					t.Errorf("%s: %s", name, s)
				}
			}
		}
		want(t, m.B, "i32{2} [8 16]")
		want(t, m.W.Sum(), "f32{} [98304]")
		if old := c.New([]int{1, 2}); nv.Donate(old).Add(1).At(1).Int() != 3 || !strings.Contains(old.String(), gone) { // no other operation takes it
			t.Error(old)
		}
	})
}

// TestDonateComputesPendingResults checks the values of results that were recorded before an operand was donated.
func TestDonateComputesPendingResults(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		f := nv.Jit(func(w, v nv.Tensor) (nv.Tensor, nv.Tensor) { return w.Add(1), v.Mul(2) })
		w, v := c.Ones(nv.Shape{1 << 15}), c.Ones(nv.Shape{1 << 15})
		total, largest := w.Sum(), v.Add(w).ArgMax()
		half := v.Mul(0.5)
		w, v = f(nv.Donate(w), nv.Donate(v))
		want(t, total, "f32{} [32768]")
		want(t, half.Sum(), "f32{} [16384]")
		want(t, w.Sum().Add(v.Sum()), "f32{} [131072]")
		want(t, largest, "i32{} [0]")
	})
}

func TestDonateIsRefused(t *testing.T) {
	type node struct {
		Next *node
		W    nv.Tensor
	}
	c := nv.NewContext(nv.ContextOptions{})
	add := nv.Jit(func(x, y nv.Tensor) nv.Tensor { return x.Add(y) })
	x := c.Ones(nv.Shape{1 << 15})
	d := nv.Donate(x)
	y, z := c.Ones(nv.Shape{2}), c.Ones(nv.Shape{3})
	for part, f := range map[string]func(){
		"Jit(f32{32768}, f32{32768}): a donated tensor is used twice in the call; pass it once":                           func() { add(d, d) },
		"Jit(f32{32768}, f32{32768}): " + gone:                                                                            func() { add(nv.Donate(c.Ones(nv.Shape{1 << 15})), x) },
		"Donate([]nv.Tensor): the value contains a tensor twice; give each tensor to nv.Donate once":                      func() { nv.Donate([]nv.Tensor{y, z, y}) },
		"Donate(int): the value contains no tensor; give a Tensor, or a struct, slice or map of them":                     func() { nv.Donate(3) },
		"Donate(anvil_test.node): the type is recursive; give a slice or a map of tensors":                                func() { nv.Donate(node{W: x}) },
		"Donate(Tensor(nil)): the operand is a Tensor that has not been set; make one with nv.Scalar, nv.New or nv.Zeros": func() { nv.Donate(nv.Tensor{}) },
		"Donate(<nil>): the value contains no tensor; give a Tensor, or a struct, slice or map of them":                   func() { nv.DonateAny(nil) },
	} {
		if s := errorOf(t, f); s != part {
			t.Errorf("%s\nwant %s", s, part)
		}
	}
	if s := errorOf(t, func() { nv.Donate([]nv.Tensor{y, z, x}) }); !strings.Contains(s, gone) {
		t.Error(s)
	}
	want(t, add(y.Sum(), z.Sum()), "f32{} [5]") // a refused Donate gives nothing away
	want(t, add(d, c.Scalar(1)).Sum(), "f32{} [65536]")
	if s := errorOf(t, func() { add(d, d) }); !strings.Contains(s, gone) {
		t.Error(s)
	}
	traced := nv.Jit(func(x nv.Tensor) nv.Tensor { return nv.Donate(x).Add(x) }) // XLA knows what is dead
	want(t, traced(c.Scalar(2)), "i32?{} [4]")
}

// TestDonatedMemoryIsUsedAgain checks that a step that donates its state needs memory for one state, not for two.
func TestDonatedMemoryIsUsedAgain(t *testing.T) {
	const bytes = 8 << 20
	peak := func(of func(w nv.Tensor) nv.Tensor) int64 {
		c := nv.NewContext(nv.ContextOptions{})
		step := c.JitAny(func(w nv.Tensor) nv.Tensor { return w.Mul(0.5).Add(1) }).(func(nv.Tensor) nv.Tensor)
		w := c.Iota(nv.Shape{bytes / 4}, 0).AsType(nv.F32)
		for range 5 {
			w = step(of(w))
			if err := w.Wait(); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.At(31).Float(); got != 31./32+2*(1-1./32) {
			t.Error(got)
		}
		if strings.HasPrefix(c.Backend(), "reference") {
			return 0
		}
		return c.Stats().PeakBytes
	}
	kept, given := peak(func(w nv.Tensor) nv.Tensor { return w }), peak(nv.Donate[nv.Tensor])
	if kept != 0 && (kept < 2*bytes || given >= 2*bytes) {
		t.Errorf("%d bytes at most, %d if the state is donated", kept, given)
	}
}

// TestDonateLeavesHostMemory checks that a result does not reuse memory
// that belongs to the caller's slice, or that is kept for the next large slice.
func TestDonateLeavesHostMemory(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Compiled: true})
	step := nv.Jit(func(w nv.Tensor) nv.Tensor { return w.Mul(2) })
	filled := func(n int, v float32) []float32 {
		data := make([]float32, n)
		for i := range data {
			data[i] = v
		}
		return data
	}
	for _, n := range []int{1 << 15, 1 << 21} {
		data := filled(n, 1)
		given := step(nv.Donate(c.New(data)))
		for v := range 3 { // later slices take the memory of earlier ones
			other := c.New(filled(n, float32(v+5)))
			want(t, other.Max(), "f32{} ["+[]string{"5", "6", "7"}[v]+"]")
		}
		want(t, given.Max().Add(given.Min()), "f32{} [4]")
		if data[0] != 1 || data[n-1] != 1 {
			t.Error(n, data[0], data[n-1])
		}
	}
}

// TestDonateIsRevived checks that Revive makes donated tensors usable again if the function
// panics or the call is interrupted.
func TestDonateIsRevived(t *testing.T) {
	contexts(t, func(t *testing.T, c *nv.Context) {
		w := c.Ones(nv.Shape{1 << 15})
		wrong := nv.Jit(func(w nv.Tensor) nv.Tensor { return w.Add(c.Ones(nv.Shape{3})) })
		if s := errorOf(t, func() { wrong(nv.Donate(w)) }); s !=
			"Add(f32{32768}, f32{3}): shapes {32768} and {3} do not broadcast; lengths must be equal or 1, "+
				"counted from the last axis" {
			t.Error(s)
		}
		if s := errorOf(t, func() { w.Sum() }); !strings.Contains(s, gone) {
			t.Error(s)
		}
		c.Revive()
		want(t, w.Sum(), "f32{} [32768]")
		step := nv.Jit(func(w nv.Tensor) nv.Tensor { return w.Add(1) })
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c.SetInterrupt(ctx)
		failed := nv.Try(func() { step(nv.Donate(w)) }) != nil
		c.SetInterrupt(context.Background())
		c.Revive()
		if failed {
			want(t, w.Sum(), "f32{} [32768]")
		}
		old := w
		w = step(nv.Donate(w))
		c.Revive()
		want(t, w.Sum(), "f32{} [65536]")
		if s := errorOf(t, func() { old.Sum() }); !strings.Contains(s, gone) {
			t.Error(s)
		}
	})
}
