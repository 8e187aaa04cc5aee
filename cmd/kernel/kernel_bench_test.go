package main

import (
	"testing"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// BenchmarkCell measures a cell from request to idle, over the loopback
// interface.
func BenchmarkCell(b *testing.B) {
	for name, code := range map[string]string{
		"1+1":     "1 + 1",
		"tensor":  "2*x + 1;",
		"shown":   "x",
		"declare": "y := 1",
	} {
		b.Run(name, func(b *testing.B) {
			k, err := startLoopback(b.Context(), backend{name: "reference"})
			if err != nil {
				b.Fatal(err)
			}
			defer k.close()
			run := func(code string) {
				reply, err := k.client.Execute(b.Context(), client.Execution{Code: code})
				if err != nil || reply.Status != wire.StatusOK {
					b.Fatal(err, reply)
				}
			}
			run("x := nv.New([]float64{1, 2, 3})")
			for b.Loop() {
				run(code)
			}
		})
	}
}

func BenchmarkComplete(b *testing.B) {
	k, err := startLoopback(b.Context(), backend{name: "reference"})
	if err != nil {
		b.Fatal(err)
	}
	defer k.close()
	for b.Loop() {
		if _, err := k.client.Complete(b.Context(), "(nv.Scalar(1)*2).Su", 19); err != nil {
			b.Fatal(err)
		}
	}
}
