package nn_test

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/nn"
	"github.com/goanvil/notebook/anvil/random"
)

//go:embed testdata/layers.json
var layersJSON []byte

// A golden is a tensor of layers.json. Data has the real part of a complex number before its
// imaginary part.
type golden struct {
	DType string
	Shape []int
	Data  []float64
}

func (g golden) tensor(t *testing.T) nv.Tensor {
	t.Helper()
	d, err := dtype.Parse(g.DType)
	if err != nil {
		t.Fatal(err)
	}
	if d.Is(dtype.Complex) {
		zs := make([]complex128, len(g.Data)/2)
		for i := range zs {
			zs[i] = complex(g.Data[2*i], g.Data[2*i+1])
		}
		return nv.From(zs).Reshape(nv.Shape(g.Shape)).AsType(d)
	}
	return nv.From(g.Data).Reshape(nv.Shape(g.Shape)).AsType(d)
}

// numbers returns the elements of x, with real and imaginary parts in turn.
func numbers(x nv.Tensor) []float64 {
	if !x.DType().Is(dtype.Complex) {
		return nv.Values[float64](x.AsType(nv.F64))
	}
	var all []float64
	for _, z := range nv.Values[complex128](x.AsType(nv.C128)) {
		all = append(all, real(z), imag(z))
	}
	return all
}

// tolerance returns the greatest allowed result of difference. For bf16 and f16 it is two
// units in the last place.
func tolerance(d nv.DType) float64 {
	switch d {
	case nv.F64:
		return 1e-10
	case nv.BF16:
		return 2.0 / 128
	case nv.F16:
		return 2.0 / 1024
	}
	return 1e-5
}

// difference returns the greatest difference between got and want, relative to the greatest
// power of two that the elements of want reach, or to 1 if that is less: some gradients, such
// as that of the bias of keys, are 0 except for rounding.
func difference(got nv.Tensor, want golden) float64 {
	scale, worst := 1.0, 0.0
	for _, v := range want.Data {
		scale = max(scale, math.Abs(v))
	}
	scale = math.Exp2(math.Floor(math.Log2(scale)))
	for i, v := range numbers(got) {
		worst = max(worst, math.Abs(v-want.Data[i]))
		if math.IsNaN(v) != math.IsNaN(want.Data[i]) {
			return math.Inf(1)
		}
	}
	return worst / scale
}

// layers has the layer of each case of layers.json.
var layers = map[string]any{
	"dense":                   nn.Dense{Features: 4},
	"dense nobias":            nn.Dense{Features: 4, NoBias: true},
	"conv1":                   nn.Conv{Features: 4, Window: nv.Shape{3}},
	"conv2 stride":            nn.Conv{Features: 4, Window: nv.Shape{3, 2}, Stride: []int{2}},
	"conv2 padding":           nn.Conv{Features: 3, Window: nv.Shape{3, 3}, Stride: []int{2, 1}, Padding: []int{1}, Dilation: []int{2}, NoBias: true},
	"conv2 groups":            nn.Conv{Features: 4, Window: nv.Shape{2, 2}, Groups: 2, Padding: []int{0}},
	"conv3":                   nn.Conv{Features: 2, Window: nv.Shape{2, 2, 2}},
	"convtranspose1":          nn.ConvTranspose{Features: 4, Window: nv.Shape{3}, Stride: []int{2}},
	"convtranspose2":          nn.ConvTranspose{Features: 3, Window: nv.Shape{2, 4}, Stride: []int{3, 2}},
	"convtranspose2 valid":    nn.ConvTranspose{Features: 3, Window: nv.Shape{2, 4}, Stride: []int{3, 2}, Valid: true},
	"convtranspose2 dilation": nn.ConvTranspose{Features: 3, Window: nv.Shape{2, 3}, Stride: []int{1, 2}, Dilation: []int{2}, NoBias: true},
	"convtranspose3":          nn.ConvTranspose{Features: 2, Window: nv.Shape{2, 2, 2}, Stride: []int{2}},
	"embed":                   nn.Embed{Count: 5, Features: 3},
	"embed attend":            attending{nn.Embed{Count: 5, Features: 3}},
	"layernorm":               nn.LayerNorm{},
	"layernorm plain":         nn.LayerNorm{NoScale: true, NoBias: true},
	"rmsnorm":                 nn.RMSNorm{},
	"groupnorm":               nn.GroupNorm{Groups: 3},
	"batchnorm":               nn.BatchNorm{Momentum: 0.9},
	"batchnorm train":         nn.BatchNorm{Momentum: 0.9},
	"attention":               nn.MultiHeadAttention{Heads: 2, Features: 4, OutFeatures: 3},
	"attention half":          nn.MultiHeadAttention{Heads: 2, Features: 4, OutFeatures: 3},
	"attention causal":        nn.MultiHeadAttention{Heads: 2, Features: 4, OutFeatures: 3, Causal: true},
	"attention causal half":   nn.MultiHeadAttention{Heads: 2, Features: 4, OutFeatures: 3, Causal: true},
	"attention decode":        decoding{nn.MultiHeadAttention{Heads: 2, Features: 4, OutFeatures: 3}},
	"attention decode half":   decoding{nn.MultiHeadAttention{Heads: 2, Features: 4, OutFeatures: 3}},
	"lstm":                    nn.RNN{Cell: nn.LSTM{Features: 2}},
	"gru":                     nn.RNN{Cell: nn.GRU{Features: 2}},
	"maxpool":                 nn.MaxPool{Window: nv.Shape{2, 3}},
	"avgpool":                 nn.AvgPool{Window: nv.Shape{2, 2}},
}

// attending is a layer that applies Embed.Attend.
type attending struct{ nn.Embed }

func (a attending) Apply(x nv.Tensor) nv.Tensor { return a.Attend(x) }

// decoding is a layer that applies MultiHeadAttention.Decode to one element after the other.
type decoding struct{ nn.MultiHeadAttention }

func (d decoding) Apply(x nv.Tensor, mode ...nn.Mode) nv.Tensor {
	y, _ := d.run(x)
	return y
}

func (d decoding) run(x nv.Tensor) (nv.Tensor, nn.Cache) {
	var ys []any
	cache := d.NewCache(x, x.Shape()[1])
	for i := range x.Shape()[1] {
		var y nv.Tensor
		y, cache = d.Decode(x.At(nv.All, nv.Range(i, i+1)), cache)
		ys = append(ys, y)
	}
	return nv.Concatenate(1, ys...), cache
}

// fill returns model with the tensors of a golden case that have the prefix.
func fill(t *testing.T, model any, prefix string, c map[string]golden) any {
	t.Helper()
	names := nv.TreePaths(model)
	i := -1
	found := 0
	filled := nv.TreeMapAny(func(xs ...nv.Tensor) nv.Tensor {
		i++
		for !nv.TreeLeaves(model)[i].Valid() {
			i++
		}
		name := names[i]
		if g, ok := c[prefix+caseName(name)]; ok {
			found++
			return g.tensor(t)
		}
		return xs[0]
	}, model)
	want := 0
	for name := range c {
		if strings.HasPrefix(name, prefix) {
			want++
		}
	}
	if found != want {
		t.Fatalf("%d of %d tensors with prefix %s have a place among %q", found, want, prefix, names)
	}
	return filled
}

// caseName returns the name of a tensor in a case: its path without the fields of the
// layers of these tests.
func caseName(path string) string {
	for _, field := range []string{"Cell.", "Embed.", "MultiHeadAttention."} {
		path = strings.TrimPrefix(path, field)
	}
	return path
}

// TestFlax compares values, gradients and new states with those of Flax.
func TestFlax(t *testing.T) {
	var cases map[string]map[string]golden
	if err := json.Unmarshal(layersJSON, &cases); err != nil {
		t.Fatal(err)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kind := name[:strings.LastIndex(name, " ")]
			layer, ok := layers[kind]
			if !ok {
				t.Fatal("no such layer")
			}
			x, ct := c["x"].tensor(t), c["ct"].tensor(t)
			left := maps.Clone(c) // the results that are not compared yet: y, gradients and states
			maps.DeleteFunc(left, func(n string, _ golden) bool { return !strings.ContainsAny(n[:1], "ygs") })
			d := dtype.Invalid
			for n, g := range c {
				if strings.HasPrefix(n, "p.") {
					d, _ = dtype.Parse(g.DType)
				}
			}
			layer = withParamDType(layer, d)
			made := nn.InitAny(layer, random.Key(0), x)
			m := fill(t, fill(t, made, "p.", c), "b.", c)
			check := func(what string, got nv.Tensor) {
				t.Helper()
				want, ok := c[what]
				if !ok {
					t.Fatalf("no %s in the case", what)
				}
				delete(left, what)
				if got.DType().String() != want.DType {
					t.Errorf("%s is %v, and Flax has %s", what, got.DType(), want.DType)
				}
				if !slices.Equal(got.Shape(), want.Shape) {
					t.Fatalf("%s has shape %v, and Flax has %v", what, got.Shape(), want.Shape)
				}
				if e := difference(got, want); !(e <= tolerance(x.DType())) {
					t.Errorf("%s differs from Flax by %.2g\n got %v\nwant %v", what, e, numbers(got), want.Data)
				}
			}
			var mode []nn.Mode
			switch m := m.(type) {
			case nn.BatchNorm:
				if strings.HasSuffix(kind, " train") {
					mode = append(mode, nn.Train(random.Key(1)))
					_, m = m.Train(x)
				}
				check("s.Mean", m.Mean.Tensor)
				check("s.Var", m.Var.Tensor)
			case decoding:
				_, cache := m.run(x)
				check("s.Key", cache.Key)
				check("s.Value", cache.Value)
			case nn.RNN:
				_, last := m.Run(x, nil)
				check("s.h", last[len(last)-1])
				if len(last) > 1 {
					check("s.c", last[0])
				}
			}
			check("y", apply(m, x, mode...))
			loss := func(a arguments) nv.Tensor {
				y := apply(a.Model, a.X, mode...).Mul(ct)
				if y.DType().Is(dtype.Complex) {
					y = y.Real()
				}
				return y.AsType(nv.F64).Sum()
			}
			g := nv.Grad(loss)(arguments{m, x})
			if _, ok := c["g.x"]; ok {
				check("g.x", g.X)
			}
			names := nv.TreePaths(g.Model)
			for i, leaf := range nv.TreeLeaves(g.Model) {
				if key := "g." + caseName(names[i]); c[key].DType != "" {
					check(key, leaf)
				}
			}
			if len(left) > 0 {
				t.Errorf("not compared: %v", slices.Sorted(maps.Keys(left)))
			}
		})
	}
}

type arguments struct {
	Model any
	X     nv.Tensor
}

func apply(m any, x nv.Tensor, mode ...nn.Mode) nv.Tensor {
	if a, ok := m.(attending); ok {
		return a.Apply(x)
	}
	return m.(interface {
		Apply(nv.Tensor, ...nn.Mode) nv.Tensor
	}).Apply(x, mode...)
}

// withParamDType returns layer with its ParamDType set, if it has that field.
func withParamDType(layer any, d nv.DType) any {
	switch l := layer.(type) {
	case nn.RNN:
		return nn.RNN{Cell: withParamDType(l.Cell, d)}
	case attending:
		return attending{withParamDType(l.Embed, d).(nn.Embed)}
	case decoding:
		return decoding{withParamDType(l.MultiHeadAttention, d).(nn.MultiHeadAttention)}
	}
	v := reflect.New(reflect.TypeOf(layer)).Elem()
	v.Set(reflect.ValueOf(layer))
	if f := v.FieldByName("ParamDType"); f.IsValid() {
		f.Set(reflect.ValueOf(d))
	}
	return v.Interface()
}
