package nn_test

import (
	"slices"
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
		{"a hidden layer", err, "nn.Init(struct { hidden nn.Dense }): the tree has tensors in the unexported field " +
			".hidden; rename the field to Hidden"},
		{"no size", nv.Try(func() { nn.Init(nn.Dense{}, random.Key(0), x) }),
			"nn.Dense(f32{5,3}): Kernel would have the shape {3,0}, without elements; set the sizes of the " +
				"layer, as in nn.Dense{Features: 64}"},
		{"a size below 0", nv.Try(func() { nn.Init(nn.Dense{Features: -1}, random.Key(0), x) }),
			"nn.Dense(f32{5,3}): Kernel would have the shape {3,-1}, without elements; set the sizes of the " +
				"layer, as in nn.Dense{Features: 64}"},
		{"no parameters", nv.Try(func() { nn.Dense{Features: 2}.Apply(x) }), "nn.Dense(): the layer has no Kernel; make it with model = nn.Init(model, key, x)"},
		{"another width", nv.Try(func() { newMLP(t, x).Apply(nv.Ones(nv.Shape{5, 7})) }),
			"nn.Dense(Kernel f32{3,4}): with this input and the sizes of the layer, Kernel must have the " +
				"shape {7,4}; give an input like the one that the layer was made for, or make new parameters " +
				"with nn.Init"},
		{"strides", nv.Try(func() {
			nn.ConvTranspose{Features: 1, Window: nv.Shape{3}, Stride: []int{1, 2}}.Init(random.Key(0), x)
		}), "nn.ConvTranspose(f32{5,3}): Stride has 2 numbers for a window of rank 1; give one number per axis, or " +
			"one for all"},
		{"no such path", nv.Try(func() { nv.Grad(func(m mlp) nv.Tensor { return m.Apply(x).Sum() }, nn.Freeze("Ine"))(newMLP(t, x)) }),
			`Grad(func(nn_test.mlp) nv.Tensor): no tensor is at the frozen path "Ine"; the paths are In.Kernel, ` +
				"In.Bias, Out.Kernel, Out.Bias"},
		{"all frozen", nv.Try(func() {
			nv.Grad(func(m mlp) nv.Tensor { return m.Apply(x).Sum() }, nn.Freeze("In", "Out"))(newMLP(t, x))
		}),
			"Grad(func(nn_test.mlp) nv.Tensor): all floats of the argument are frozen or of type nn.State; the " +
				"gradient needs one that is neither"},
		{"no layer", nv.Try(func() { nn.InitAny(nil, random.Key(0), x) }), "nn.Init(nil): the model is nil; give a struct with layers"},
		{"no Apply", nv.Try(func() { nn.Init(affine{}, random.Key(0), x) }), "nn.Init(nn_test.affine): the model has no " +
			"method Apply; declare func (m nn_test.affine) Apply(x nv.Tensor) nv.Tensor"},
		{"a cell", nv.Try(func() { nn.Summary(nn.GRU{Features: 2}, x) }),
			"nn.Summary(nn.GRU): a cell computes only one element of a sequence; give a layer: " +
				"nn.RNN{Cell: nn.GRU{...}}"},
		{"one input for two or more", nv.Try(func() { nn.Init(joining{}, random.Key(0), x) }),
			"nn.Init(nn_test.joining): the number of inputs is 1, but Apply takes 2 or more; give one " +
				"input for each nv.Tensor that Apply takes"},
		{"no input", nv.Try(func() { nn.Init(nn.Dense{Features: 2}, random.Key(0)) }),
			"nn.Init(nn.Dense): no input is given; give example inputs: tensors with the shapes and dtypes that the model takes"},
		{"two inputs", nv.Try(func() { nn.Init(mlp{}, random.Key(0), x, x) }),
			"nn.Init(nn_test.mlp): the number of inputs is 2, but Apply takes 1; give one input for each nv.Tensor " +
				"that Apply takes"},
		{"two inputs of a layer with modes", nv.Try(func() { nn.Init(nn.Dense{}, random.Key(0), x, x) }),
			"nn.Init(nn.Dense): the number of inputs is 2, but Apply takes 1; give one input for each nv.Tensor " +
				"that Apply takes"},
		{"a number", nv.Try(func() { nn.Init(scaled{}, random.Key(0), x, x) }),
			"nn.Init(nn_test.scaled): argument 2 of Apply has type float64; make it a field of the model; Apply takes tensors, and may end with mode ...nn.Mode"},
		{"no system", nv.Try(func() { nn.Under(nil, nn.Dense{}) }),
			"nn.Under(nil): the promotion system is nil; write nn.Under(promote.Torch, model)"},
		{"no mode", nv.Try(func() { nn.Mode{}.Key() }), "nn.Key(Mode{}): the mode has no key; write nn.Train(key)"},
		{"a scalar", nv.Try(func() { nn.Dense{Features: 2}.Init(random.Key(0), nv.Ones(nil)) }),
			"nn.Dense(f32{}): the input has no axes; give it an axis of features"},
		{"an absent input", nv.Try(func() { newMLP(t, x).In.Apply(nv.Tensor{}) }),
			"Rank(Tensor(nil)): the operand is a Tensor that has not been set; make one with nv.Scalar, " +
				"nv.New or nv.Zeros"},
		{"a dtype of integers", nv.Try(func() { nn.Dense{Features: 2, DType: nv.I32}.Init(random.Key(0), x) }),
			"nn.Dense(i32): the field DType must be a float or complex dtype; leave it out, or give nv.F32"},
		{"one axis of attention", nv.Try(func() { nn.MultiHeadAttention{Heads: 1}.Init(random.Key(0), nv.Ones(nv.Shape{3})) }),
			"nn.MultiHeadAttention(f32{3}, f32{3}): the input has fewer than 2 axes; give axes (batch..., length, features)"},
		{"three features for two heads", nv.Try(func() { nn.MultiHeadAttention{Heads: 2}.Init(random.Key(0), x) }),
			"nn.MultiHeadAttention(f32{5,3}): 3 features cannot be split into 2 heads; set Heads, and set Features to a multiple of Heads"},
		{"no heads", nv.Try(func() { nn.MultiHeadAttention{}.Init(random.Key(0), x) }),
			"nn.MultiHeadAttention(f32{5,3}): 3 features cannot be split into 0 heads; set Heads, and set " +
				"Features to a multiple of Heads"},
		{"three channels in two groups", nv.Try(func() {
			nn.Conv{Features: 2, Window: nv.Shape{2}, Groups: 2}.Init(random.Key(0), x)
		}), "nn.Conv(f32{5,3}): 3 channels are not a multiple of 2 groups"},
		{"no window", nv.Try(func() { nn.Conv{Features: 2}.Init(random.Key(0), x) }),
			"nn.Conv(f32{5,3}): a Window with len 0 does not fit the input; give an input with axes (batch..., " +
				"spatial..., channels) and a Window with a length for each of its 1 to 3 spatial axes: " +
				"nv.Shape{3, 3}"},
		{"a window with as many axes as the input", nv.Try(func() {
			nn.Conv{Features: 2, Window: nv.Shape{2, 2}}.Init(random.Key(0), x)
		}), "nn.Conv(f32{5,3}): a Window with len 2 does not fit the input; give an input with axes (batch..., " +
			"spatial..., channels) and a Window with a length for each of its 1 to 3 spatial axes: " +
			"nv.Shape{3, 3}"},
		{"a window of 4 axes", nv.Try(func() {
			nn.Conv{Features: 2, Window: nv.Shape{1, 1, 1, 1}}.Init(random.Key(0), nv.Ones(nv.Shape{1, 1, 1, 1, 1, 1}))
		}), "nn.Conv(f32{1,1,1,1,1,1}): a Window with len 4 does not fit the input; give an input with axes " +
			"(batch..., spatial..., channels) and a Window with a length for each of its 1 to 3 spatial " +
			"axes: nv.Shape{3, 3}"},
		{"32 groups of 48 channels", nv.Try(func() { nn.GroupNorm{}.Init(random.Key(0), nv.Ones(nv.Shape{2, 48})) }),
			"nn.GroupNorm(f32{2,48}): the last axis cannot be split into 32 groups; x has axes (batch, ..., channels), " +
				"with a multiple of Groups channels"},
		{"a norm of groups without a batch", nv.Try(func() { nn.GroupNorm{Groups: 2}.Init(random.Key(0), nv.Ones(nv.Shape{4})) }),
			"nn.GroupNorm(f32{4}): the last axis cannot be split into 2 groups; x has axes (batch, ..., channels), " +
				"with a multiple of Groups channels"},
		{"no cell", nv.Try(func() { nn.RNN{Cell: 3}.Init(random.Key(0), x) }),
			"nn.RNN(int): the field Cell has no methods Start and Step; give nn.LSTM{Features: 64}"},
		{"one axis of a sequence", nv.Try(func() { nn.RNN{Cell: nn.GRU{Features: 2}}.Init(random.Key(0), nv.Ones(nv.Shape{3})) }),
			"nn.RNN(f32{3}): the input has fewer than 2 axes; give axes (batch..., length, inputs)"},
		{"a state of an LSTM for a GRU", nv.Try(func() {
			g := nn.GRU{Features: 2}.Init(random.Key(0), x)
			g.Step([]nv.Tensor{x, x}, x)
		}), "nn.GRU(f32{5,3}, f32{5,3}): the state has 2 tensors, but the cell needs 1; begin with Start(x)"},
		{"a layer for two widths", nv.Try(func() { nn.Init(again{nn.Dense{Features: 2}}, random.Key(0), x) }),
			"nn.Dense(Layer.Kernel): the layer is applied to inputs that need the shapes {3,2} and {2,2}; " +
				"give each use a layer of its own"},
		{"fractions as indices", nv.Try(func() { nn.Embed{Count: 2, Features: 2}.Init(random.Key(0), x) }),
			"nn.Embed(f32{5,3}): the indices are not integers; convert them with AsType(nv.I32)"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s: %v; want %q", c.name, c.err, c.want)
		}
	}
}

// affine has no method Apply.
type affine struct{ Layer nn.Dense }

// joining has a method Apply that takes two tensors or more.
type joining struct{}

func (joining) Apply(x, y nv.Tensor, more ...nv.Tensor) nv.Tensor { return x.Add(y) }

// scaled has a method Apply that takes a number.
type scaled struct{}

func (scaled) Apply(x nv.Tensor, factor float64) nv.Tensor { return x.Mul(factor) }

// again applies a layer to its own result.
type again struct{ Layer nn.Dense }

func (m again) Apply(x nv.Tensor) nv.Tensor { return m.Layer.Apply(m.Layer.Apply(x)) }

// kept holds layers in maps, pointers, slices and interfaces.
type kept struct {
	ByName       map[string]nn.Dense
	At, None     *nn.Dense
	List         []nn.Dense
	Array        [1]nn.Dense
	Any          any
	NoMap        map[string]nn.Dense
	NoList       []nn.Dense
	NoAny        any
	Number, Text int
}

func (m *kept) Apply(x nv.Tensor) nv.Tensor {
	y := m.ByName["a"].Apply(x).Add(m.At.Apply(x)).Add(m.List[0].Apply(x)).Add(m.Array[0].Apply(x))
	return y.Add(m.Any.(nn.Dense).Apply(x))
}

// TestInitOfKeptLayers checks that Init finds layers wherever they are kept, and leaves what it is given as it is.
func TestInitOfKeptLayers(t *testing.T) {
	layer := nn.Dense{Features: 2, NoBias: true}
	given := kept{ByName: map[string]nn.Dense{"a": layer}, At: &layer, List: []nn.Dense{layer}, Array: [1]nn.Dense{layer},
		Any: layer, Number: 7}
	x := nv.Ones(nv.Shape{4, 3})
	m := nn.Init(given, random.Key(0), x)
	want := []string{"ByName.a.Kernel", "At.Kernel", "List.0.Kernel", "Array.0.Kernel", "Any.Kernel"}
	if names := nn.Names(m); !slices.Equal(names, want) {
		t.Errorf("Init makes %q, want %q", names, want)
	}
	if names := nn.Names(given); len(names) > 0 {
		t.Errorf("Init changes its argument: %q", names)
	}
	if m.NoMap != nil || m.NoList != nil || m.NoAny != nil || m.None != nil || m.Number != 7 {
		t.Errorf("Init changes what is absent or no layer: %+v", m)
	}
	if m.At == given.At || !m.At.Kernel.Shape().Equal(nv.Shape{3, 2}) {
		t.Error("Init returns the pointer that it is given, or no layer behind it")
	}
}

// TestInitMethods checks that the method Init of each layer is the function Init.
func TestInitMethods(t *testing.T) {
	key := random.Key(5)
	x, ids := nv.Ones(nv.Shape{2, 3, 32}), nv.Zeros(nv.Shape{2}, nv.I32)
	layers := map[string][2]any{
		"Dense":              {nn.Dense{Features: 2}.Init(key, x), nn.Dense{Features: 2}},
		"Conv":               {nn.Conv{Features: 2, Window: nv.Shape{3}}.Init(key, x), nn.Conv{Features: 2, Window: nv.Shape{3}}},
		"LayerNorm":          {nn.LayerNorm{}.Init(key, x), nn.LayerNorm{}},
		"RMSNorm":            {nn.RMSNorm{}.Init(key, x), nn.RMSNorm{}},
		"GroupNorm":          {nn.GroupNorm{}.Init(key, x), nn.GroupNorm{}}, // of 32 groups
		"MultiHeadAttention": {nn.MultiHeadAttention{Heads: 2}.Init(key, x), nn.MultiHeadAttention{Heads: 2}},
		"RNN":                {nn.RNN{Cell: nn.GRU{Features: 2}}.Init(key, x), nn.RNN{Cell: nn.GRU{Features: 2}}},
		"Residual":           {nn.Residual{Part: nn.LayerNorm{}}.Init(key, x), nn.Residual{Part: nn.LayerNorm{}}},
		"Embed":              {nn.Embed{Count: 4, Features: 2}.Init(key, ids), nn.Embed{Count: 4, Features: 2}},
	}
	for name, l := range layers {
		input := x
		if name == "Embed" {
			input = ids
		}
		made := nn.InitAny(l[1], key, input)
		names := nn.Names(made)
		if len(names) == 0 || !slices.Equal(nn.Names(l[0]), names) {
			t.Errorf("%s: Init makes %q, want %q", name, nn.Names(l[0]), names)
			continue
		}
		for i, y := range nv.TreeLeaves(l[0]) {
			if y.Valid() && !nv.ArrayEqual(y, nv.TreeLeaves(made)[i]).Bool() {
				t.Errorf("%s: the methods and the function make other numbers", name)
			}
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
