package anvil_test

import (
	"reflect"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

type rated struct{ Rate int }

// A layered value contains parts other than tensors in each kind of Go type.
type layered struct {
	W       nv.Tensor
	times   int
	Plus    *rated
	All     map[string][]*rated
	Apply   func(nv.Tensor) nv.Tensor
	Numbers []float64
	Any     any
}

// TestArgumentsAreSeenWhole: a jitted function is traced again if any part of an argument has
// changed, also behind pointers, in unexported fields and in functions.
func TestArgumentsAreSeenWhole(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	plus := func(n int) func(nv.Tensor) nv.Tensor { return func(x nv.Tensor) nv.Tensor { return x.Add(n) } }
	traces := 0
	f := c.JitAny(func(l *layered) nv.Tensor {
		traces++
		y := l.W.Mul(l.times).Add(l.Plus.Rate).Add(l.All["a"][0].Rate)
		if l.Apply != nil {
			y = l.Apply(y)
		}
		return y.Add(int(l.Numbers[1])).Add(l.Any.(*rated).Rate)
	}).(func(*layered) nv.Tensor)
	l := &layered{W: c.New([]int{1, 2}), times: 1, Plus: &rated{0}, All: map[string][]*rated{"a": {{0}}}, Numbers: []float64{0, 0}, Any: &rated{0}}
	for i, change := range []func(){
		func() {}, func() { l.times = 10 }, func() { l.Plus.Rate = 3 }, func() { l.All["a"][0].Rate = 5 },
		func() { l.Numbers[1] = 7 }, func() { l.Any.(*rated).Rate = 9 }, func() { l.Apply = plus(100) }, func() { l.Apply = plus(200) }, func() { l.Apply = nil },
		func() { l.Apply = plusThousand }, func() { l.Apply = nv.Tensor.Abs }, func() { l.Apply = bound(1) }, func() { l.Apply = bound(2) },
		func() { l.Apply = nil },
	} {
		change()
		want := l.times + l.Plus.Rate + l.All["a"][0].Rate + int(l.Numbers[1]) + l.Any.(*rated).Rate
		if l.Apply != nil {
			want += l.Apply(c.Scalar(0)).Int()
		}
		if got := f(l); nv.Values[int](got)[0] != want {
			t.Errorf("after change %d: %v, want %d", i, got, want)
		}
	}
	for _, apply := range []func(nv.Tensor) nv.Tensor{nil, plusThousand, nv.Tensor.Abs, bound(3)} {
		l.Apply = apply
		f(l)
		before := traces
		f(l)
		if traces != before {
			t.Error("an argument that is as before is traced again")
		}
	}
}

func plusThousand(x nv.Tensor) nv.Tensor { return x.Add(1000) }

type offset int

func (o offset) Plus(x nv.Tensor) nv.Tensor { return x.Add(int(o)) }

// bound returns a method bound by package reflect, like the functions of nv in cells.
func bound(n int) func(nv.Tensor) nv.Tensor {
	return reflect.ValueOf(offset(n)).MethodByName("Plus").Interface().(func(nv.Tensor) nv.Tensor)
}

type hiding struct {
	W nv.Tensor
	b nv.Tensor
}

// TestTensorsOutOfSight: tensors in unexported fields, which programs would lose, are an
// error that names the field.
func TestTensorsOutOfSight(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	x := c.New([]int{1, 2})
	h := hiding{x, x}
	const why = "has tensors in the unexported field .b; rename the field to B"
	for want, f := range map[string]func(){
		"Jit(anvil_test.hiding): the result " + why:            func() { c.JitAny(func(y nv.Tensor) hiding { return hiding{y, h.b} }) },
		"If(anvil_test.hiding): the result of a branch " + why: func() { c.IfAny(true, func() hiding { return h }, func() hiding { return h }) },
		"While(anvil_test.hiding): the argument " + why: func() {
			c.WhileAny(h, func(hiding) nv.Tensor { return x }, func(h hiding) hiding { return h })
		},
		"Map(anvil_test.hiding): the result of body " + why: func() { c.MapAny(func(y nv.Tensor) hiding { return hiding{y, y} }, x) },
		"While(struct { β nv.Tensor }): the argument has tensors in the unexported field .β; rename the field to " +
			"Β": func() { c.WhileAny(struct{ β nv.Tensor }{x}, nil, nil) },
		"While(struct { _w nv.Tensor }): the argument has tensors in the unexported field ._w; give the field a " +
			"name that begins with a capital letter": func() {
			c.WhileAny(struct{ _w nv.Tensor }{x}, nil, nil)
		},
		"While(struct { 重み nv.Tensor }): the argument has tensors in the unexported field .重み; give the " +
			"field a name that begins with a capital letter": func() {
			c.WhileAny(struct{ 重み nv.Tensor }{x}, nil, nil)
		},
		"ForI(struct { Layers []anvil_test.hiding }): the argument has tensors in the unexported field " +
			".Layers[].b; rename the field to B": func() {
			c.ForIAny(3, struct{ Layers []hiding }{}, func(_ nv.Tensor, s struct{ Layers []hiding }) struct{ Layers []hiding } { return s })
		},
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("%v\n want %s", err, want)
		}
	}
}

type applier interface{ Apply(x nv.Tensor) nv.Tensor }

type factor struct{ By nv.Tensor }

func (f factor) Apply(x nv.Tensor) nv.Tensor { return x.Mul(f.By) }

// TestTensorsInInterfaces: tensors in interfaces with methods are arguments, like those in
// values of type any.
func TestTensorsInInterfaces(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	type alone struct{ Layer applier }
	type beside struct {
		Plus  nv.Tensor
		Layer applier
	}
	traces := 0
	f := c.JitAny(func(m alone, n beside, x nv.Tensor) nv.Tensor {
		traces++
		return n.Layer.Apply(m.Layer.Apply(x)).Add(n.Plus)
	}).(func(alone, beside, nv.Tensor) nv.Tensor)
	x, plus := c.New([]float64{1, 2}), c.New([]float64{1})
	for _, each := range []struct {
		by     []float64
		want   []float64
		traces int
	}{{[]float64{3}, []float64{19, 37}, 1}, {[]float64{5}, []float64{31, 61}, 1}, {[]float64{3, 4}, []float64{19, 49}, 2}} {
		by := factor{c.New(each.by)}
		got := nv.Values[float64](f(alone{by}, beside{plus, factor{c.New([]float64{6})}}, x).AsType(nv.F64))
		if !reflect.DeepEqual(got, each.want) || traces != each.traces {
			t.Errorf("by %v: %v after %d traces, want %v after %d", each.by, got, traces, each.want, each.traces)
		}
	}
	donated := nv.Donate(alone{factor{c.New([]float64{2})}})
	if got := nv.Values[float64](f(donated, beside{plus, factor{c.New([]float64{1})}}, x).AsType(nv.F64)); got[1] != 5 {
		t.Errorf("donated: %v, want 5 at the end", got)
	}
}
