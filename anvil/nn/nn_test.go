package nn_test

import (
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
)

type mlp struct {
	In, Out nn.Dense
	Scale   float64
}

func (m mlp) Apply(x nv.Tensor) nv.Tensor { return m.Out.Apply(nv.Relu(m.In.Apply(x))).Mul(m.Scale) }

func newMLP(t *testing.T, x nv.Tensor) mlp {
	t.Helper()
	m := nn.Init(mlp{nn.Dense{Features: 4}, nn.Dense{Features: 2, NoBias: true}, 1}, random.Key(0), x)
	return m
}

func TestInit(t *testing.T) {
	x := nv.Ones(nv.Shape{5, 3})
	m := newMLP(t, x)
	if names := nn.Names(m); !slices.Equal(names, []string{"In.Kernel", "In.Bias", "Out.Kernel"}) {
		t.Errorf("Names = %q", names)
	}
	if s := m.Apply(x).Shape(); !s.Equal(nv.Shape{5, 2}) {
		t.Errorf("the result has shape %v", s)
	}

	alone := nn.Dense{Features: 4}.Init(random.Key(0), x)
	if nv.ArrayEqual(alone.Kernel, m.In.Kernel).Bool() {
		t.Error("the path of a layer does not change its numbers")
	}
	again := newMLP(t, nv.Zeros(nv.Shape{1, 3}))
	if !nv.ArrayEqual(again.In.Kernel, m.In.Kernel).Bool() {
		t.Error("the batch changes the numbers")
	}
	// Init keeps the tensors that are present.
	m.In.Bias = nv.Ones(nv.Shape{4})
	m.In.Kernel = nv.Tensor{}
	m = nn.Init(m, random.Key(1), x)
	if !nv.ArrayEqual(m.In.Bias, nv.Ones(nv.Shape{4})).Bool() || !m.In.Kernel.Valid() {
		t.Error("Init replaces a tensor, or makes none")
	}
}

func TestInitComputesNothing(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	defer c.Close()
	before := c.Stats()
	nn.Init(mlp{nn.Dense{Features: 4}, nn.Dense{Features: 2}, 1}, random.In(c).Key(0), c.Ones(nv.Shape{5, 3}))
	if after := c.Stats(); after.Launches != before.Launches {
		t.Errorf("Init launches %d programs", after.Launches-before.Launches)
	}
}

func TestGradOfModel(t *testing.T) {
	x := nv.Ones(nv.Shape{5, 3})
	m := newMLP(t, x)
	loss := func(m mlp) nv.Tensor { return m.Apply(x).Square().Sum() }
	g := nv.Grad(loss)(m)
	if !slices.Equal(nn.Names(g), nn.Names(m)) {
		t.Errorf("the gradient has the tensors %q", nn.Names(g))
	}
	if err := nv.CheckGrad(loss, m); err != nil {
		t.Error(err)
	}
	g = nv.Grad(loss, nn.Freeze("In"))(m)
	if names := nn.Names(g); !slices.Equal(names, []string{"Out.Kernel"}) {
		t.Errorf("with In frozen the gradient has the tensors %q", names)
	}
	stepped := nv.Jit(func(m mlp) mlp {
		return nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor {
			if !xs[1].Valid() {
				return xs[0]
			}
			return xs[0].Sub(xs[1].Mul(0.1))
		}, m, nv.Grad(loss, nn.Freeze("In"))(m))
	})(m)
	if !nv.ArrayEqual(stepped.In.Kernel, m.In.Kernel).Bool() || nv.ArrayEqual(stepped.Out.Kernel, m.Out.Kernel).Bool() {
		t.Error("the frozen layer is trained, or the other layer is not")
	}
}

func TestErrors(t *testing.T) {
	x := nv.Ones(nv.Shape{5, 3})
	err := nv.Try(func() { nn.Init(struct{ hidden nn.Dense }{}, random.Key(0), x) })
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a hidden layer", err, "unexported field .hidden"},
		{"no parameters", nv.Try(func() { nn.Dense{Features: 2}.Apply(x) }), "the layer has no Kernel; make it with model = nn.Init(model, key, x)"},
		{"another width", nv.Try(func() { newMLP(t, x).Apply(nv.Ones(nv.Shape{5, 7})) }), "Kernel has the shape {3,4}, and the input needs {7,4}"},
		{"strides", nv.Try(func() {
			nn.ConvTranspose{Features: 1, Window: nv.Shape{3}, Stride: []int{1, 2}}.Init(random.Key(0), x)
		}), "Stride has 2 numbers for a window of 1 axes; give one number per axis, or one for all"},
		{"no such path", nv.Try(func() { nv.Grad(func(m mlp) nv.Tensor { return m.Apply(x).Sum() }, nn.Freeze("Ine"))(newMLP(t, x)) }),
			"no tensor is at the frozen path Ine; the paths are In.Kernel, In.Bias"},
		{"all frozen", nv.Try(func() {
			nv.Grad(func(m mlp) nv.Tensor { return m.Apply(x).Sum() }, nn.Freeze("In", "Out"))(newMLP(t, x))
		}),
			"frozen"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, c.err, c.want)
		}
	}
}

func TestUnder(t *testing.T) {
	x := nv.Ones(nv.Shape{2, 3}, nv.I32)
	m := nn.Sequential{nn.Dense{Features: 3}, nn.Residual{Part: nn.LayerNorm{}}}.Init(random.Key(0), x)
	if d := m.Apply(x).DType(); d != nv.F32 {
		t.Errorf("under JAX %v", d)
	}
	if d := nn.Under(promote.NumPy, m).Apply(x).DType(); d != nv.F64 {
		t.Errorf("under NumPy %v", d)
	}
	if d := m.Apply(x).DType(); d != nv.F32 {
		t.Errorf("Under changes its argument: %v", d)
	}
}

func TestInitOfCells(t *testing.T) {
	x := nv.Ones(nv.Shape{2, 3})
	l := nn.LSTM{Features: 4}.Init(random.Key(0), x)
	if names := nn.Names(l); !slices.Equal(names, []string{"Kernel", "Recurrent", "Bias"}) {
		t.Errorf("%q", names)
	}
	// The recurrent matrices of the gates are orthogonal.
	gate := l.Recurrent.At(nv.All, nv.Range(4, 8))
	if d := gate.MatMul(gate.SwapAxes(0, 1)).Sub(nv.Eye(4)).Abs().Max().Float(); d > 1e-5 {
		t.Errorf("a product with the transpose differs from the identity by %g", d)
	}
	g := nn.GRU{Features: 4, ParamDType: nv.F64}.Init(random.Key(0), x)
	if g.RecurrentBias.DType() != nv.F64 {
		t.Errorf("the parameters have %v", g.RecurrentBias.DType())
	}
}
