package interp_test

import (
	"context"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// BenchmarkCell measures the time of running small cells, and the bytes that a cell leaves on the heap.
func BenchmarkCell(b *testing.B) {
	for _, code := range []string{"1+1", "x := 2", "2*t + 1", "func f(n int) int { return n + 1 }", "type P struct{ X, Y int }", "for i := range 3 {\n\tx += i\n}"} {
		b.Run(code, func(b *testing.B) {
			nb := interptest.New(b, interp.Options{})
			nb.MustRun(b, 1, "t := nv.Scalar(1.0)\nx := 1")
			b.ReportAllocs()
			for n := range b.N {
				if res := nb.Run(context.Background(), code, n+2); res.Err != nil {
					b.Fatal(res.Err)
				}
			}
		})
	}
}
