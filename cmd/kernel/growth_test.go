package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/messagingtest"
)

// newMeasuredFront returns a front as newFront does, and its session.
func newMeasuredFront(t *testing.T, backendName string) (*front, *session) {
	t.Helper()
	t.Setenv("GOANVIL_CACHE", t.TempDir())
	s, err := newSession(backend{name: backendName})
	if err != nil {
		t.Fatal(err)
	}
	return &front{T: t, client: messagingtest.NewServer(t, s, messaging.Options{}).Client()}, s
}

// mixed returns cell n of a long session: an expression, a type, a function
// and a tensor operation in turn. The last three declare the same names again.
func mixed(n int) string {
	switch n % 4 {
	case 1:
		return fmt.Sprintf("type point struct{ x, y int; z [%d]int }\npoint{x: %[1]d}.x", n)
	case 2:
		return fmt.Sprintf("func f(n int) int { return n + %d }\nf(1)", n)
	case 3:
		return fmt.Sprintf("y := 0.5*x + %d\ny.Sum()", n)
	}
	return "1 + 1"
}

// allocated returns the number of allocations of fn.
func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// liveHeap returns the bytes of the Go heap that are in use.
func liveHeap() int64 {
	least := int64(math.MaxInt64)
	for same := 0; same < 5; same++ { // the first collections empty pools and run cleanups, also of other tests
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if now := int64(m.HeapAlloc); now < least {
			least, same = now, 0
		}
	}
	return least
}

// liveOnDevice returns the bytes in use on the devices. It collects until they no longer
// change, since the memory of tensors is freed when they are found to be unreachable.
func liveOnDevice(s *session) int64 {
	least := s.ctx.Stats().LiveBytes
	for same := 0; same < 20; same++ {
		runtime.GC()
		runtime.Gosched()
		if now := s.ctx.Stats().LiveBytes; now < least {
			least, same = now, 0
		}
	}
	return least
}

// TestLongSession runs a thousand cells. The last ones must allocate as often as the
// first ones, and leave little memory in use.
func TestLongSession(t *testing.T) {
	const cells = 1000
	f, s := newMeasuredFront(t, "xla")
	f.text("x := nv.New([]float64{1, 2, 3, 4})")
	allocations := make([]uint64, cells+1)
	var heap, device int64
	for n := 1; n <= cells; n++ {
		allocations[n] = allocated(func() { f.text(mixed(n)) })
		if n%10 == 0 {
			f.completes("poin", "point")
			f.completes("y.Su", "Sum")
		}
		if n == 60 {
			heap, device = liveHeap(), liveOnDevice(s)
		}
	}
	early, late := median(allocations[11:61]), median(allocations[951:1001])
	if late > early*1.2 {
		t.Errorf("cells 951 to 1000 allocate %v times, cells 11 to 60 %v times", late, early)
	}
	if grown := (liveHeap() - heap) / (cells - 60); grown > 3_000 {
		t.Errorf("the heap grew by %d bytes a cell", grown)
	}
	if now := liveOnDevice(s); now != device {
		t.Errorf("%d bytes on the device, after 60 cells %d", now, device)
	}
	t.Logf("%v allocations in early cells, %v in late ones; device %d bytes", early, late, device)
	if n := s.ctx.Stats().Compiles; n > 2 {
		t.Errorf("%d programs compiled for one expression", n)
	}
}

// TestVariablesOfFunctionsAreFreed tests that the variables of functions are freed after their last call, even
// while the goroutine that called them goes on.
func TestVariablesOfFunctionsAreFreed(t *testing.T) {
	f := newFront(t, "reference")
	heap := func() int {
		n, err := strconv.Atoi(f.text("import \"runtime\"\nvar m runtime.MemStats\nruntime.GC()\nruntime.ReadMemStats(&m)\nint(m.HeapAlloc)"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := heap()
	for n := range 100 {
		f.text(fmt.Sprintf("func f%d() int {\n\tvar z [20_000]int\n\tz[%[1]d] = 1\n\treturn z[%[1]d]\n}\nf%[1]d()", n))
	}
	if grown := heap() - before; grown > 8_000_000 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

func median(counts []uint64) float64 {
	sorted := slices.Sorted(slices.Values(counts))
	return float64(sorted[(len(sorted)-1)/2]+sorted[len(sorted)/2]) / 2
}

// completes fails the test unless want is among the completions of code.
func (f *front) completes(code, want string) {
	f.Helper()
	r, err := f.client.Complete(f.Context(), code, len(code))
	if err != nil {
		f.Fatal(err)
	}
	if !slices.Contains(r.Matches, want) {
		f.Errorf("%s completes to %q", code, r.Matches)
	}
}

// TestManyUpdates updates one tensor again and again: no memory of earlier values
// stays in use, and Why describes the last update.
func TestManyUpdates(t *testing.T) {
	steps := 200_000
	if testing.Short() {
		steps = 20_000
	}
	f, s := newMeasuredFront(t, "xla")
	f.text("w, g := nv.Ones(nv.Shape{4}), nv.Full(nv.Shape{4}, 1e-6)")
	loop := "for i := 0; i < %d; i++ {\n\tw = w - 0.1*g\n}"
	f.text(fmt.Sprintf(loop, 1000))
	heap, device := liveHeap(), liveOnDevice(s)
	compiled := s.ctx.Stats().Compiles
	f.text(fmt.Sprintf(loop, steps))
	if grown := liveHeap() - heap; grown > 100_000 {
		t.Errorf("the heap grew by %d bytes in %d updates", grown, steps)
	}
	if now := liveOnDevice(s); now != device {
		t.Errorf("%d bytes on the device, %d before", now, device)
	}
	if n := s.ctx.Stats().Compiles - compiled; n != 0 {
		t.Errorf("%d programs compiled for a loop that has been seen", n)
	}
	f.contains("nv.Why", f.text("nv.Why(w).String()"), "Sub(f32, f32?) -> f32 under anvil, at In[3]")
}

// TestPrintOfALargeTensor tests that only the shown elements are moved to the host.
func TestPrintOfALargeTensor(t *testing.T) {
	f, s := newMeasuredFront(t, "xla")
	moved := map[int]int64{}
	for _, n := range []int{1_000, 10_000_000} {
		f.text(fmt.Sprintf("x := (nv.Iota(nv.Shape{%d}, 0).AsType(nv.F32) * 12.9898).Sin() * 43758.5453\nx.Wait()", n))
		before := s.ctx.Stats().BytesToHost
		f.contains("x", f.text("x"), "more rows", fmt.Sprintf("f32{%d}", n))
		moved[n] = s.ctx.Stats().BytesToHost - before
	}
	if moved[1_000] != moved[10_000_000] || moved[1_000] > 4_000 {
		t.Errorf("bytes moved by size: %v", moved)
	}
}
