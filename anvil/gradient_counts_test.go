package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/ir"
)

// TestGradientPrograms counts what decides the time of gradients: the operations of the
// program, compilations and launches.
func TestGradientPrograms(t *testing.T) {
	type layer struct{ W, B nv.Tensor }
	c := nv.NewContext(nv.ContextOptions{Compiled: true})
	defer c.Close()
	layers := []layer{{c.Full(nv.Shape{64, 32}, 0.1), c.Full(nv.Shape{32}, 0.1)}, {c.Full(nv.Shape{32, 10}, 0.1), c.Full(nv.Shape{10}, 0.1)}}
	x, y := c.Full(nv.Shape{8, 64}, 0.5), c.Full(nv.Shape{8, 10}, 0.1)
	for _, in := range []nv.Tensor{layers[0].W, layers[0].B, layers[1].W, layers[1].B, x, y} {
		if err := in.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	grad := c.GradAny(func(layers []layer, x, y nv.Tensor) nv.Tensor {
		h := nv.Relu(x.MatMul(layers[0].W).Add(layers[0].B))
		return nv.LogSoftmax(h.MatMul(layers[1].W).Add(layers[1].B)).Mul(y).Sum(nv.Axis(1)).Mean().Neg()
	}).(func([]layer, nv.Tensor, nv.Tensor) []layer)

	g := c.Lower(grad, layers, x, y).Graph()
	products := 0
	for _, n := range g.Nodes {
		switch n.Code {
		case ir.DotGeneral:
			products++
		case ir.Compare:
			if n.Args[0].Type.Shape.Equal(nv.Shape{8, 10}) {
				t.Errorf("the maximum of the softmax is differentiated:\n%v", g)
			}
		}
	}
	if products != 5 {
		t.Errorf("%d products, want 2 forward and 3 back", products)
	}
	if n := len(g.Nodes); n > 70 {
		t.Errorf("the gradient has %d operations, want at most 70:\n%v", n, g)
	}

	jit := c.JitAny(grad).(func([]layer, nv.Tensor, nv.Tensor) []layer)
	for name, f := range map[string]func([]layer, nv.Tensor, nv.Tensor) []layer{"eager": grad, "jit": jit} {
		run := func() {
			out := f(layers, x, y)
			if err := out[0].W.Wait(); err != nil {
				t.Fatal(err)
			}
		}
		run()
		before := c.Stats()
		run()
		after := c.Stats()
		if n := after.Compiles - before.Compiles; n != 0 {
			t.Errorf("%s: the second call compiles %d programs", name, n)
		}
		if n := after.Launches - before.Launches; n != 1 {
			t.Errorf("%s: the second call launches %d programs, want 1", name, n)
		}
	}
}

// TestScanKeepsItsCarries counts the bytes that the gradient of a Scan stores for its steps:
// only the carry at the start of each.
func TestScanKeepsItsCarries(t *testing.T) {
	const steps, rows, width = 50, 8, 4
	c := nv.NewContext(nv.ContextOptions{})
	defer c.Close()
	h, xs := c.Zeros(nv.Shape{rows, width}), c.Zeros(nv.Shape{steps})
	body := func(w, h, x nv.Tensor) nv.Tensor { return h.MatMul(w).Add(x).Tanh() }
	for name, f := range map[string]func(w, h, x nv.Tensor) nv.Tensor{"plain": body, "checkpointed": nv.Checkpoint(body)} {
		g := c.Lower(c.GradAny(func(w nv.Tensor) nv.Tensor {
			last, _ := nv.Scan(h, xs, func(h, x nv.Tensor) (nv.Tensor, nv.Tensor) { return f(w, h, x), x })
			return last.Sum()
		}), c.Zeros(nv.Shape{width, width})).Graph()
		kept := 0
		for _, n := range g.Nodes {
			if n.Code != ir.Scan {
				continue
			}
			for _, r := range n.Results[n.Attrs.(ir.ScanAttrs).Carried:] {
				kept += r.Type.Bytes()
			}
		}
		if want := 4 * steps * rows * width; kept < want || kept > want+4*steps {
			t.Errorf("%s: %d bytes are kept, want %d:\n%v", name, kept, want, g)
		}
	}
}
