package nn_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
)

func initialized[M any](t *testing.T, model M, x ...nv.Tensor) M {
	t.Helper()
	m := nn.Init(model, random.Key(3), x...)
	return m
}

func checkFinite(t *testing.T, what string, x nv.Tensor) {
	t.Helper()
	for _, v := range numbers(x) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s is not finite: %v", what, numbers(x))
			return
		}
	}
}

// TestDecode compares decoding element by element with causal attention to all of them.
func TestDecode(t *testing.T) {
	const length = 64
	x := random.Normal(random.Key(0), nv.Shape{2, length, 8})
	a := initialized(t, nn.MultiHeadAttention{Heads: 2, Causal: true}, x)
	full := a.Apply(x)
	step := nv.Jit(func(a nn.MultiHeadAttention, x nv.Tensor, c nn.Cache) (nv.Tensor, nn.Cache) { return a.Decode(x, c) })
	cache := a.NewCache(x.At(nv.All, nv.Range(0, 1)), length)
	for i := range length {
		var y nv.Tensor
		y, cache = step(a, x.At(nv.All, nv.Range(i, i+1)), cache)
		if d := y.Sub(full.At(nv.All, nv.Range(i, i+1))).Abs().Max().Float(); !(d <= 1e-6) {
			t.Fatalf("element %d differs by %g", i, d)
		}
	}
	// Several elements at once.
	y, cache := a.Decode(x.At(nv.All, nv.Range(0, 5)), a.NewCache(x, length))
	y2, _ := a.Decode(x.At(nv.All, nv.Range(5, 9)), cache)
	if d := nv.Concatenate(1, y, y2).Sub(full.At(nv.All, nv.Range(0, 9))).Abs().Max().Float(); !(d <= 1e-6) {
		t.Errorf("several elements differ by %g", d)
	}
}

// TestCacheDType checks that a cache has the dtypes of the keys and values for which it is made.
func TestCacheDType(t *testing.T) {
	k := nv.Ones(nv.Shape{1, 2, 3, 4})
	c := nn.NewCache(k, k, 8).Append(k, k)
	q := k.AsType(nv.BF16)
	y := nn.DotProductAttention(q, c.Key.AsType(nv.BF16), c.Value.AsType(nv.BF16))
	if c.Key.DType() != nv.F32 || c.Value.DType() != nv.F32 || y.DType() != nv.BF16 {
		t.Errorf("cache %v, %v; result %v", c.Key.DType(), c.Value.DType(), y.DType())
	}
}

func TestAttentionMasks(t *testing.T) {
	x := random.Normal(random.Key(0), nv.Shape{1, 3, 4})
	a := initialized(t, nn.MultiHeadAttention{Heads: 2}, x)
	y := a.Attend(x, x, nv.Zeros(nv.Shape{3, 3}, nv.I1))
	checkFinite(t, "the attention of queries without keys", y)
	if !nv.ArrayEqual(y, nv.Zeros(y.Shape()).Add(a.Out.Bias)).Bool() {
		t.Errorf("without keys the result is %v", y)
	}
	g := nv.Grad(func(x nv.Tensor) nv.Tensor { return a.Attend(x, x, nv.Zeros(nv.Shape{3, 3}, nv.I1)).Sum() })(x)
	checkFinite(t, "its gradient", g)
	b := initialized(t, nn.MultiHeadAttention{Heads: 2, Rate: 0.5}, x)
	if y1, y2 := b.Apply(x, nn.Train(random.Key(1))), b.Apply(x, nn.Train(random.Key(2))); nv.ArrayEqual(y1, y2).Bool() {
		t.Error("dropout of the weights does nothing")
	}
	z, masked := x.AsType(nv.C64), nv.Ones(nv.Shape{3, 3}, nv.I1)
	withComplexKernel := a
	withComplexKernel.Key.Kernel = a.Key.Kernel.AsType(nv.C64)
	for name, f := range map[string]func(){
		"DotProductAttention(c64{1,3,4})": func() { nn.DotProductAttention(z, x, x) },
		// The promotion of real queries and complex keys is complex, and so are keys by a complex kernel.
		"DotProductAttention(c64{1,3,4}) of keys":       func() { nn.DotProductAttention(x, z, x) },
		"MultiHeadAttention(c64{1,3,4})":                func() { a.Attend(z, x, masked) },
		"MultiHeadAttention(c64{1,3,4}) of real inputs": func() { withComplexKernel.Attend(x, x, masked) },
	} {
		call, _, _ := strings.Cut(name, " of ")
		want := "nn." + call + ": softmax is not defined for complex numbers, which have no order; take nv.Real or nv.Abs"
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAttentionFeatures checks the shapes of the kernels and of the result: where a number of features is not given,
// it is that of the input.
func TestAttentionFeatures(t *testing.T) {
	x := random.Normal(random.Key(0), nv.Shape{3, 4})
	for _, c := range []struct{ heads, given, givenOut, features, out int }{
		{2, 0, 0, 4, 4}, {2, 6, 0, 6, 4}, {2, 0, 3, 4, 3}, {1, 1, 1, 1, 1}, {3, 3, 5, 3, 5},
	} {
		a := initialized(t, nn.MultiHeadAttention{Heads: c.heads, Features: c.given, OutFeatures: c.givenOut}, x)
		for _, d := range []nn.Dense{a.Query, a.Key, a.Value} {
			if got, want := d.Kernel.Shape(), (nv.Shape{4, c.features}); !slices.Equal(got, want) {
				t.Errorf("%+v: a kernel of shape %v, want %v", c, got, want)
			}
		}
		if got, want := a.Out.Kernel.Shape(), (nv.Shape{c.features, c.out}); !slices.Equal(got, want) {
			t.Errorf("%+v: the kernel of Out has the shape %v, want %v", c, got, want)
		}
		if got, want := a.Apply(x).Shape(), (nv.Shape{3, c.out}); !slices.Equal(got, want) {
			t.Errorf("%+v: the result has the shape %v, want %v", c, got, want)
		}
	}
}

func TestDropout(t *testing.T) {
	x := nv.Ones(nv.Shape{1000})
	d := nn.Dropout{Rate: 0.25}
	if !nv.ArrayEqual(d.Apply(x), x).Bool() {
		t.Error("Dropout drops outside of training")
	}
	y := d.Apply(x, nn.Train(random.Key(0)))
	if kept := y.Ne(0).AsType(nv.F32).Mean().Float(); kept < 0.7 || kept > 0.8 {
		t.Errorf("%g of the elements are kept", kept)
	}
	mode := nn.Train(random.Key(0))
	if nv.ArrayEqual(d.Apply(x, mode), d.Apply(x, mode)).Bool() {
		t.Error("two layers drop the same elements")
	}
	if !nv.ArrayEqual(y, d.Apply(x, nn.Train(random.Key(0)))).Bool() {
		t.Error("the same key drops other elements")
	}
	for _, rate := range []float64{0, 1} {
		checkFinite(t, "dropout at the ends", nn.Dropout{Rate: rate}.Apply(x, nn.Train(random.Key(0))))
		g := nv.Grad(func(x nv.Tensor) nv.Tensor { return nn.Dropout{Rate: rate}.Apply(x, nn.Train(random.Key(0))).Sum() })(x)
		checkFinite(t, "its gradient", g)
	}
}

// TestNormsOfHalves checks that statistics do not overflow and are computed at f32.
func TestNormsOfHalves(t *testing.T) {
	noise := random.Normal(random.Key(0), nv.Shape{1, 4096}, nv.F64)
	for name, x := range map[string]nv.Tensor{"300±1": noise.Sign().Add(300), "mean 30000": noise.Mul(100).Add(30000)} {
		x = x.AsType(nv.F16)
		for kind, l := range map[string]any{
			"LayerNorm": nn.LayerNorm{}, "RMSNorm": nn.RMSNorm{},
			"GroupNorm": nn.GroupNorm{Groups: 1}, "BatchNorm": nn.BatchNorm{},
		} {
			m := nn.InitAny(l, random.Key(0), x)
			mode := nn.Train(random.Key(1))
			g := nv.Grad(func(a arguments) nv.Tensor {
				return apply(a.Model, a.X, mode).AsType(nv.F32).Mul(noise.AsType(nv.F32)).Sum()
			})(arguments{m, x})
			for _, leaf := range nv.TreeLeaves(g) {
				if leaf.Valid() {
					checkFinite(t, "the gradient of "+kind+" of "+name, leaf)
				}
			}
		}
		wide := x.AsType(nv.F64)
		want := wide.Sub(wide.Mean()).Div(wide.Var().Add(1e-6).Sqrt())
		for kind, l := range map[string]any{
			"LayerNorm": nn.LayerNorm{DType: nv.F16}, "GroupNorm": nn.GroupNorm{DType: nv.F16, Groups: 1},
		} {
			m := nn.InitAny(l, random.Key(0), x)
			y := apply(m, x)
			if d := y.AsType(nv.F64).Sub(want).Abs().Max().Float(); y.DType() != nv.F16 || !(d <= 4e-3) {
				t.Errorf("%s of %s: %v, differs by %g", kind, name, y.DType(), d)
			}
		}
		r := initialized(t, nn.RMSNorm{DType: nv.F16}, x).Apply(x)
		root := wide.Div(wide.Square().Mean().Sqrt())
		if d := r.AsType(nv.F64).Sub(root).Abs().Max().Float(); r.DType() != nv.F16 || !(d <= 4e-3) {
			t.Errorf("RMSNorm of %s: %v, differs by %g", name, r.DType(), d)
		}
		column := x.Reshape(nv.Shape{4096, 1})
		b := initialized(t, nn.BatchNorm{DType: nv.F16, Momentum: 1e-9}, column)
		y, after := b.Train(column)
		variance := wide.Var().Float()
		if got := after.Var.Float(); y.DType() != nv.F16 || after.Var.DType() != nv.F32 || !(math.Abs(got-variance) <= 1e-3*variance) {
			t.Errorf("BatchNorm of %s: %v, variance %v %g, want %g", name, y.DType(), after.Var.DType(), got, variance)
		}
	}
}

func TestNormsOfComplex(t *testing.T) {
	x := nv.New([]complex128{1i, -1i}, nv.C64)
	m := initialized(t, nn.LayerNorm{}, x)
	y := numbers(m.Apply(x))
	if math.Abs(y[1]-1) > 1e-5 || math.Abs(y[3]+1) > 1e-5 || y[0] != 0 || y[2] != 0 {
		t.Errorf("LayerNorm of ±i = %v", y)
	}
	b := initialized(t, nn.BatchNorm{}, x.Reshape(nv.Shape{2, 1}))
	_, after := b.Train(x.Reshape(nv.Shape{2, 1}))
	if after.Mean.DType() != nv.C64 || after.Var.DType() != nv.F32 {
		t.Errorf("running statistics %v, %v", after.Mean.DType(), after.Var.DType())
	}
}

// TestFewElements applies layers to empty batches, single examples, features and elements
// of a sequence.
func TestFewElements(t *testing.T) {
	for name, c := range map[string]struct {
		layer  any
		shapes []nv.Shape
	}{
		"Dense":     {nn.Dense{Features: 2}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"Conv":      {nn.Conv{Features: 2, Window: nv.Shape{3}}, []nv.Shape{{0, 4, 3}, {1, 1, 3}, {2, 4, 1}}},
		"transpose": {nn.ConvTranspose{Features: 2, Window: nv.Shape{3}}, []nv.Shape{{0, 4, 3}, {1, 1, 3}, {2, 4, 1}}},
		"MaxPool":   {nn.MaxPool{Window: nv.Shape{1}}, []nv.Shape{{0, 4, 3}, {1, 1, 3}, {2, 4, 1}}},
		"AvgPool":   {nn.AvgPool{Window: nv.Shape{1}}, []nv.Shape{{0, 4, 3}, {1, 1, 3}, {2, 4, 1}}},
		"Dropout":   {nn.Dropout{Rate: 0.5}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"LayerNorm": {nn.LayerNorm{}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"RMSNorm":   {nn.RMSNorm{}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"GroupNorm": {nn.GroupNorm{Groups: 1}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"BatchNorm": {nn.BatchNorm{}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"Embed":     {embedding{nn.Embed{Count: 3, Features: 2}}, []nv.Shape{{0, 3}, {1, 3}, {2, 1}}},
		"attention": {nn.MultiHeadAttention{Heads: 1}, []nv.Shape{{0, 3, 2}, {1, 1, 2}, {2, 3, 1}}},
		"LSTM":      {nn.RNN{Cell: nn.LSTM{Features: 2}}, []nv.Shape{{0, 3, 2}, {1, 1, 2}, {2, 3, 1}}},
		"GRU":       {nn.RNN{Cell: nn.GRU{Features: 2}}, []nv.Shape{{0, 3, 2}, {1, 1, 2}, {2, 3, 1}}},
	} {
		for _, s := range c.shapes {
			x := nv.Ones(s)
			m := nn.InitAny(c.layer, random.Key(0), x)
			for _, mode := range [][]nn.Mode{nil, {nn.Train(random.Key(1))}} {
				checkFinite(t, name, apply(m, x, mode...))
				g := nv.Grad(func(a arguments) nv.Tensor { return apply(a.Model, a.X, mode...).Square().Sum() })(arguments{m, x})
				for _, leaf := range nv.TreeLeaves(g) {
					if leaf.Valid() {
						checkFinite(t, "the gradient of "+name, leaf)
					}
				}
			}
			if b, ok := m.(nn.BatchNorm); ok {
				_, after := b.Train(x)
				checkFinite(t, "the running mean", after.Mean.Tensor)
				checkFinite(t, "the running variance", after.Var.Tensor)
			}
		}
	}
}

// embedding is an Embed that converts its input to integers.
type embedding struct{ nn.Embed }

func (e embedding) Apply(x nv.Tensor, mode ...nn.Mode) nv.Tensor {
	return e.Embed.Apply(x.AsType(nv.I32))
}

// TestRecurrentIsOneProgram runs a jitted RNN and compares it with single steps.
func TestRecurrentIsOneProgram(t *testing.T) {
	x := random.Normal(random.Key(0), nv.Shape{2, 5, 3})
	r := initialized(t, nn.RNN{Cell: nn.LSTM{Features: 4}}, x)
	y := nv.Jit(func(r nn.RNN, x nv.Tensor) nv.Tensor { return r.Apply(x) })(r, x)
	cell := r.Cell.(nn.LSTM)
	state := cell.Start(x.At(nv.All, 0))
	for i := range 5 {
		var h nv.Tensor
		state, h = cell.Step(state, x.At(nv.All, i))
		if d := h.Sub(y.At(nv.All, i)).Abs().Max().Float(); !(d <= 1e-6) {
			t.Errorf("step %d differs by %g", i, d)
		}
	}
	back := nn.RNN{Cell: r.Cell, Reverse: true}.Apply(x.Flip(1)).Flip(1)
	if d := back.Sub(y).Abs().Max().Float(); !(d <= 1e-6) {
		t.Errorf("reversed it differs by %g", d)
	}
	// For complex numbers, the user gives a Gate.
	z := x.AsType(nv.C64)
	gate := func(x nv.Tensor) nv.Tensor { return x.Real().Logistic().AsType(nv.C64) }
	c := initialized(t, nn.RNN{Cell: nn.LSTM{Features: 4, Gate: gate}}, z)
	if d := c.Apply(z).DType(); d != nv.C64 {
		t.Errorf("the result of complex numbers is %v", d)
	}
}

func TestSequential(t *testing.T) {
	x := random.Normal(random.Key(0), nv.Shape{8, 3})
	m := initialized(t, nn.Sequential{
		nn.Dense{Features: 4}, nn.BatchNorm{Momentum: 0.5}, nv.Tensor.Relu,
		nn.Residual{Part: nn.Sequential{nn.Dense{Features: 4}, nv.Relu}}, nn.Dropout{Rate: 0.5},
		func(x nv.Tensor) nv.Tensor { return x.Mul(2) }, nn.Dense{Features: 1},
	}, x)
	want := "0.Kernel 0.Bias 1.Scale 1.Bias 1.Mean 1.Var 3.Part.0.Kernel 3.Part.0.Bias 6.Kernel 6.Bias"
	if got := strings.Join(nn.Names(m), " "); got != want {
		t.Errorf("Names = %s, want %s", got, want)
	}
	if s := m.Apply(x).Shape(); !s.Equal(nv.Shape{8, 1}) {
		t.Errorf("the result has shape %v", s)
	}
	_, after := m.Train(x, nn.Train(random.Key(0)))
	if nv.ArrayEqual(after[1].(nn.BatchNorm).Mean.Tensor, m[1].(nn.BatchNorm).Mean.Tensor).Bool() {
		t.Error("Train leaves the running mean")
	}
	g := nv.Grad(func(m nn.Sequential) nv.Tensor { return m.Apply(x, nn.Train(random.Key(0))).Square().Sum() })(m)
	if got := strings.Join(nn.Names(g), " "); got != strings.ReplaceAll(want, "1.Mean 1.Var ", "") {
		t.Errorf("the gradient has %s", got)
	}
	if got := (nn.Sequential{nv.Softmax}).Apply(x); !nv.ArrayEqual(got, nv.Softmax(x)).Bool() {
		t.Errorf("a function with options returns %v", got)
	}
	err := nv.Try(func() { nn.Init(nn.Sequential{3}, random.Key(0), x) })
	if want := "nn.Sequential(int): part 0 is neither a layer nor a function of a tensor; a layer has a method " +
		"Apply(x nv.Tensor, mode ...nn.Mode) nv.Tensor"; err == nil || err.Error() != want {
		t.Error(err)
	}
}

// TestGradientDType checks that gradients have the dtype of the parameters, in every layer,
// whatever dtypes the input and the computation have.
func TestGradientDType(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference", NoCache: true})
	defer c.Close()
	for kind, s := range layerSamples {
		for _, d := range []struct{ input, computation, parameters nv.DType }{
			{nv.F32, nv.BF16, nv.F32}, {nv.F16, 0, nv.F32}, {nv.BF16, nv.F16, nv.F64}, {nv.F64, nv.F32, nv.F16},
		} {
			v := reflect.New(reflect.TypeOf(s.layer)).Elem()
			v.Set(reflect.ValueOf(s.layer))
			v.FieldByName("DType").Set(reflect.ValueOf(d.computation))
			v.FieldByName("ParamDType").Set(reflect.ValueOf(d.parameters))
			layer, shape := v.Interface(), s.shape
			if cell, ok := layer.(nn.Cell); ok {
				layer, shape = nn.RNN{Cell: cell}, nv.Shape{2, 3, 4}
			}
			x := c.Ones(shape, d.input)
			if kind == "Embed" {
				x = x.AsType(nv.I32)
			}
			m := nn.InitAny(layer, random.In(c).Key(0), x)
			g := nv.Grad(func(m any) nv.Tensor { return apply(m, x).AsType(nv.F32).Sum() })(m)
			n := 0
			for i, leaf := range nv.TreeLeaves(g) {
				if !leaf.Valid() {
					continue
				}
				if n++; leaf.DType() != d.parameters {
					t.Errorf("%s %v: the gradient of %s is %v", kind, d, nv.TreePaths(g)[i], leaf.DType())
				}
			}
			if n == 0 {
				t.Errorf("%s: no gradients", kind)
			}
		}
	}
}

func TestComplexTruncation(t *testing.T) {
	var log strings.Builder
	c := nv.NewContext(nv.ContextOptions{Backend: "reference", NoCache: true, Log: &log})
	defer c.Close()
	x := c.New([][]complex128{{1 + 2i}})
	d := nn.Dense{Features: 1, KernelInit: nn.Ones}.Init(random.In(c).Key(0), x)
	if z := numbers(d.Apply(x)); z[0] != 1 || z[1] != 2 {
		t.Errorf("without DType the result is %v", z)
	}
	d.DType = nv.F32
	err := nv.Try(func() { d.Apply(x) })
	if want := "nn.Dense(c64{1,1}): the imaginary parts would be lost at f32; leave DType out, take x.Real(), or " +
		"call nn.OnComplexTruncation(nn.Silent)"; err == nil || err.Error() != want {
		t.Errorf("by default: %v", err)
	}
	for _, policy := range []nv.Truncation{nn.Warn, nn.Silent} {
		log.Reset()
		nn.In(c).OnComplexTruncation(policy)
		if y := numbers(d.Apply(x)); len(y) != 1 || y[0] != 1 {
			t.Errorf("the result is %v", y)
		}
		want := ""
		if policy == nn.Warn {
			want = "warning: nn.Dense(c64{1,1}): the imaginary parts are lost at f32\n"
		}
		if log.String() != want {
			t.Errorf("the log has %q", log.String())
		}
	}
}

// TestAttentionEdges checks half-precision dtypes, dropout of all weights, empty batches and
// full caches.
func TestAttentionEdges(t *testing.T) {
	for _, d := range []nv.DType{nv.F16, nv.BF16, nv.F64} {
		x := random.Normal(random.Key(0), nv.Shape{2, 3, 4}, d).Mul(100)
		a := initialized(t, nn.MultiHeadAttention{Heads: 2, DType: d}, x)
		masked := func(x nv.Tensor) nv.Tensor { return a.Attend(x, x, nv.Zeros(nv.Shape{3, 3}, nv.I1)) }
		checkFinite(t, "the attention of large numbers", a.Apply(x))
		checkFinite(t, "without keys", masked(x))
		checkFinite(t, "its gradient", nv.Grad(func(x nv.Tensor) nv.Tensor { return masked(x).AsType(nv.F64).Sum() })(x))
		if y := a.Apply(x); y.DType() != d {
			t.Errorf("the result is %v, want %v", y.DType(), d)
		}
	}
	x := random.Normal(random.Key(0), nv.Shape{2, 3, 4})
	a := initialized(t, nn.MultiHeadAttention{Heads: 2, Rate: 1}, x)
	if y := a.Apply(x, nn.Train(random.Key(0))); !nv.ArrayEqual(y, nv.Zeros(y.Shape()).Add(a.Out.Bias)).Bool() {
		t.Errorf("without weights the result is %v", y)
	}
	empty := nv.Zeros(nv.Shape{0, 1, 4})
	y, cache := a.Decode(empty, a.NewCache(empty, 2))
	if !y.Shape().Equal(nv.Shape{0, 1, 4}) || cache.Used.Int() != 1 {
		t.Errorf("an empty batch gives %v after %v", y.Shape(), cache.Used)
	}
	one := x.At(nv.All, nv.Range(0, 1))
	_, full := a.Decode(one, a.NewCache(one, 1))
	if err := nv.Try(func() { _, c := a.Decode(one, full); _ = c.Key.String() }); err == nil {
		t.Error("a full cache takes another element")
	}
}

// TestPoolsMove checks that windows move by Stride, by their own length without Stride, and over padding with Same.
func TestPoolsMove(t *testing.T) {
	x := nv.Reshape(nv.New([]float64{1, 5, 2, 8, 3}), nv.Shape{1, 5, 1})
	for _, c := range []struct {
		layer interface {
			Apply(nv.Tensor, ...nn.Mode) nv.Tensor
		}
		want string
	}{
		{nn.MaxPool{Window: nv.Shape{2}}, "[5 8]"},
		{nn.MaxPool{Window: nv.Shape{2}, Stride: []int{1}}, "[5 5 8 8]"},
		{nn.MaxPool{Window: nv.Shape{2}, Stride: []int{3}, Same: true}, "[5 8]"},
		{nn.MaxPool{Window: nv.Shape{2}, Stride: []int{1}, Same: true}, "[5 5 8 8 3]"},
		{nn.AvgPool{Window: nv.Shape{2}}, "[3 5]"},
		{nn.AvgPool{Window: nv.Shape{3}, Stride: []int{2}}, "[2.6666667 4.3333335]"},
		{nn.AvgPool{Window: nv.Shape{2}, Stride: []int{1}, Same: true}, "[3 3.5 5 5.5 3]"},
	} {
		if got := fmt.Sprint(c.layer.Apply(x).Values()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.layer, got, c.want)
		}
	}
}
