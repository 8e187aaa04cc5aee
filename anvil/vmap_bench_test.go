package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// BenchmarkPerExampleGradients computes the gradients of 128 examples with respect to the
// weights of a network with layers of 784, 128, 128 and 10: by Vmap, one after the other,
// and by Vmap with only the norm of each gradient kept.
func BenchmarkPerExampleGradients(b *testing.B) {
	type network struct{ W1, B1, W2, B2, W3, B3 nv.Tensor }
	init := func(seed int, s ...int) nv.Tensor { return nv.Mul(wave64(seed, s...).AsType(nv.F32), 0.05) }
	p := network{init(1, 784, 128), init(2, 128), init(3, 128, 128), init(4, 128), init(5, 128, 10), init(6, 10)}
	x, y := init(7, 128, 784), nv.OneHot(nv.ArgMax(init(8, 128, 10), nv.Axis(1)), 10, nv.F32)
	grad := nv.GradAny(func(p network, x, y nv.Tensor) nv.Tensor {
		h := nv.Tanh(nv.Add(nv.MatMul(x, p.W1), p.B1))
		h = nv.Tanh(nv.Add(nv.MatMul(h, p.W2), p.B2))
		return nv.Neg(nv.Sum(nv.Mul(nv.LogSoftmax(nv.Add(nv.MatMul(h, p.W3), p.B3)), y)))
	}).(func(network, nv.Tensor, nv.Tensor) network)
	each := nv.Vmap(grad, nv.InAxes(nv.NotMapped, 0, 0))
	wait := func(b *testing.B, g network) {
		for _, x := range []nv.Tensor{g.W1, g.B1, g.W2, g.B2, g.W3, g.B3} {
			if err := x.Wait(); err != nil {
				b.Fatal(err)
			}
		}
	}
	jitted, one := nv.Jit(each), nv.Jit(grad)
	norms := nv.Jit(func(p network, x, y nv.Tensor) nv.Tensor {
		g := each(p, x, y)
		return nv.Sqrt(nv.Add(nv.Sum(nv.Square(g.W1), nv.Axis(1), nv.Axis(2)), nv.Sum(nv.Square(g.W2), nv.Axis(1), nv.Axis(2))))
	})
	b.Run("vmap", func(b *testing.B) {
		for b.Loop() {
			wait(b, each(p, x, y))
		}
	})
	b.Run("jit of vmap", func(b *testing.B) {
		for b.Loop() {
			wait(b, jitted(p, x, y))
		}
	})
	b.Run("norms", func(b *testing.B) {
		for b.Loop() {
			if err := norms(p, x, y).Wait(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("loop of jit", func(b *testing.B) {
		for b.Loop() {
			gs := make([]network, 128)
			for i := range gs {
				gs[i] = one(p, x.At(i), y.At(i))
			}
			for _, g := range gs {
				wait(b, g)
			}
		}
	})
}
