package anvil_test

import (
	"runtime"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

func TestDroppedTensorsGiveTheirMemoryBack(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	work := func() {
		x := c.Ones(nv.Shape{1000})
		for i := range 50 {
			x = x.Add(i)
			if err := x.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	}
	live := func() int64 { // when collections no longer change it
		least, same := c.Stats().LiveBytes, 0
		for same < 20 {
			runtime.GC()
			same++
			if b := c.Stats().LiveBytes; b < least {
				least, same = b, 0
			}
		}
		return least
	}
	work()
	before := live()
	work()
	work()
	if after := live(); after > before {
		t.Errorf("%d bytes live on the device, %d before", after, before)
	}
}

func TestAllocations(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	x, y := c.New([]float64{1, 2, 3, 4}), c.New([]float64{10, 20, 30, 40})
	if n := testing.AllocsPerRun(1000, func() { x.Add(y) }); n > 5 {
		t.Errorf("%v allocations for an operation", n)
	}
	if n := testing.AllocsPerRun(1000, func() { x.Add(1.5) }); n > 16 {
		t.Errorf("%v allocations for an operation with a literal", n)
	}
}

func TestMetadataWaitsForNothing(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	x := c.Zeros(nv.Shape{3, 4}).Add(1).MatMul(c.Ones(nv.Shape{4, 5})).Sum(nv.Axis(0))
	if x.Rank() != 1 || x.Len() != 5 || x.DType() != nv.F32 || x.Ambiguous() {
		t.Error(x.Typed(), x.Shape())
	}
	if s := c.Stats(); s.Launches != 0 || s.Compiles != 0 {
		t.Errorf("%+v", s)
	}
}

func TestLookingAtAPartMovesThePart(t *testing.T) {
	for _, n := range []int{1_000, 1_000_000} {
		c := nv.NewContext(nv.ContextOptions{})
		x := c.Iota(nv.Shape{n}, 0)
		if err := x.Wait(); err != nil {
			t.Fatal(err)
		}
		before := c.Stats().BytesToHost
		if _, err := x.Window(nv.Shape{n - 10}, nv.Shape{n}); err != nil {
			t.Fatal(err)
		}
		if got := c.Stats().BytesToHost - before; got != 40 {
			t.Errorf("%d bytes moved for 10 of %d elements", got, n)
		}
	}
}

// TestDroppedTensorsDoNotPileUp allocates 2.4 GB of tensors, each dropped at once. Go's
// collector sees only a few hundred bytes of each; their memory must be freed all the same.
func TestDroppedTensorsDoNotPileUp(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	var most int64
	for i := range 300 {
		if err := c.Full(nv.Shape{1 << 21}, float32(i)).Wait(); err != nil {
			t.Fatal(err)
		}
		most = max(most, c.Stats().LiveBytes)
	}
	if most > 1200<<20 {
		t.Errorf("%d bytes were live at once", most)
	}
}

func TestTooLargeIsAnErrorAtOnce(t *testing.T) {
	for _, backend := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: backend})
		x := c.Ones(nv.Shape{1 << 20})
		for name, f := range map[string]func(){
			"Zeros(": func() { c.Zeros(nv.Shape{1 << 40}) }, "Eye(": func() { c.Eye(1 << 31) },
			"BroadcastTo(f32{1048576}": func() { x.BroadcastTo(nv.Shape{1 << 21, 1 << 20}) },
			"Add(f32{1048576}":         func() { x.Add(x.ExpandDims(1).ExpandDims(2)) },
			"Arange(int ":              func() { c.Arange(1<<41, nv.I64) },
			"Kron(f32{1048576}":        func() { nv.Kron(x, nv.Kron(x, x)) },
			"Full(":                    func() { c.Full(nv.Shape{1 << 31, 1 << 31, 1 << 31}, 1) },
		} {
			if s := errorOf(t, f); !strings.HasPrefix(s, name) || strings.Contains(s, "xla.") {
				t.Errorf("%s: %s", name, s)
			}
		}
		if n := c.Stats().Launches; n != 0 {
			t.Error(n, "launches")
		}
	}
}
