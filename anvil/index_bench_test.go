package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// BenchmarkIndex measures taking and setting elements, with waiting for each result.
func BenchmarkIndex(b *testing.B) {
	x := nv.Arange(1000)
	for _, c := range []struct {
		name string
		f    func(i int) nv.Tensor
	}{
		{"x[i]", func(i int) nv.Tensor { return x.At(i % 1000) }},
		{"x[i:i+2]", func(i int) nv.Tensor { return x.At(nv.Range(i%998, i%998+2)) }},
		{"x[i] = v", func(i int) nv.Tensor { return x.Set(i, i%1000) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				if err := c.f(i).Wait(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
