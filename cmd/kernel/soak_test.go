package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging/wire"
)

// soakCells are the cells of a long session, which are run in turn. They must succeed or, if they
// begin with "!", fail. N is replaced by the number of the request. No cell declares a type, since
// run-time types are never freed.
var soakCells = []string{
	"1 + 1",
	"func f(n int) int { return n + N }\nf(1)",
	"y := 0.5*x + 2\ny.Sum()",
	"!undefinedN",
	"!panic(N)",
	"for i := range 3 { fmt.Println(i, N) }",
	"v := N",
	"v := \"N\"",
	"nv.Grad(func(t nv.Tensor) nv.Tensor { return (t * t).Sum() })(x)",
	"step := nv.Jit(func(t nv.Tensor) nv.Tensor { return t*2 + 1 })\nstep(x)",
	"m := map[string][]int{\"a\": {N}}\nm",
	"x",
	"chart.Line([]float64{1, 2, N})",
	"!x + nv.Ones(nv.Shape{3})",
	"!if {",
	"done := make(chan int)\ngo func() { done <- N }()\n<-done",
	"func() (err error) { defer func() { err = fmt.Errorf(\"%v\", recover()) }(); panic(N) }().Error()",
	"%promotion torch\nx + 1",
	"%promotion anvil\nx + 1",
	"import \"strings\"\nstrings.Repeat(\"a\", N%5)",
	"nv.Why(y)",
}

// TestSoak sends requests of all kinds for a long time. Each must be answered, and after the first
// third the heap may grow by at most a fifth. GOANVIL_SOAK is the number of requests; about 30,000
// fill the bounded memory of the kernel: history, digests of requests, traces.
func TestSoak(t *testing.T) {
	requests := 2200
	if n, err := strconv.Atoi(os.Getenv("GOANVIL_SOAK")); err == nil {
		requests = n
	}
	f, s := newMeasuredFront(t, "xla")
	f.text("x := nv.New([]float64{1, 2, 3, 4})")
	var heap, device int64
	for n := range requests {
		if n == requests/3 {
			heap, device = liveHeap(), liveOnDevice(s)
		}
		code := soakCells[n%len(soakCells)]
		want := wire.StatusOK
		if after, fails := strings.CutPrefix(code, "!"); fails {
			code, want = after, wire.StatusError
		}
		code = strings.ReplaceAll(code, "N", strconv.Itoa(n))
		if a := f.run(code); a.Status != want {
			t.Fatalf("request %d: %s: %s %s", n, code, a.Status, strings.Join(a.Traceback, "\n"))
		}
		switch n % 20 {
		case 0:
			f.completes("x.Su", "Sum")
		case 5:
			f.completes("strings.Rep", "Repeat")
		case 10:
			if r, err := f.client.Inspect(t.Context(), "x", 1, 0); err != nil || !r.Found {
				t.Fatalf("request %d: %v, %v", n, r, err)
			}
		case 15:
			if _, err := f.client.KernelInfo(t.Context()); err != nil {
				t.Fatalf("request %d: %v", n, err)
			}
		}
	}
	now := liveHeap()
	t.Logf("%d requests: live heap %d after a third, %d at the end", requests, heap, now)
	if now > heap+heap/5 {
		t.Errorf("the live heap is %d bytes, after a third of the requests %d", now, heap)
	}
	if now := liveOnDevice(s); now != device {
		t.Errorf("%d bytes on the device, after a third %d", now, device)
	}
}
