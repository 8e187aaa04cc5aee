package anvil_test

import (
	"fmt"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// affine is an affine function. It has no bias if B is the zero Tensor.
type affine struct {
	W, B nv.Tensor
	N    nv.Tensor // an integer
}

func (a affine) apply(x nv.Tensor) nv.Tensor {
	y := nv.MatMul(x, a.W)
	if a.B.Valid() {
		y = y.Add(a.B)
	}
	return y
}

func TestAbsentTensors(t *testing.T) {
	c := nv.Default()
	x := c.New([][]float64{{1, 2}, {3, 4}})
	m := affine{W: c.New([][]float64{{1}, {2}}), N: c.New(3)}
	loss := func(m affine) nv.Tensor { return nv.Sum(nv.Square(m.apply(x))) }
	g := nv.Grad(loss)(m)
	if g.B.Valid() || g.N.Valid() || !g.W.Valid() {
		t.Fatalf("Grad: %+v", g)
	}
	if j := nv.Jit(nv.Grad(loss))(m); j.B.Valid() || j.N.Valid() || !nv.ArrayEqual(j.W, g.W).Bool() {
		t.Errorf("Jit of Grad: %+v", j)
	}
	y, pullback := nv.VJP(loss, m)
	if back := pullback(c.OnesLike(y)); back.B.Valid() || !nv.ArrayEqual(back.W, g.W).Bool() {
		t.Errorf("VJP: %+v", back)
	}
	if _, dy := nv.JVP(loss, m, affine{W: c.OnesLike(m.W)}); dy.Float() != nv.Sum(g.W).Float() {
		t.Errorf("JVP: %v", dy)
	}
	if _, dy := nv.JVP(func(m affine) affine { return m }, m, g); dy.B.Valid() || dy.N.Valid() {
		t.Errorf("JVP of the identity: %+v", dy)
	}
	if err := nv.CheckGrad(loss, m); err != nil {
		t.Error(err)
	}
	stepped := nv.TreeMap(func(xs ...nv.Tensor) nv.Tensor {
		if !xs[1].Valid() {
			return xs[0]
		}
		return xs[0].Sub(xs[1].Mul(0.1))
	}, m, g)
	if stepped.B.Valid() || stepped.N.Int() != 3 || loss(stepped).Float() == loss(m).Float() {
		t.Errorf("TreeMap: %+v", stepped)
	}
	all := nv.Vmap(func(m affine) nv.Tensor { return m.apply(x) })(affine{W: nv.Stack(0, m.W, m.W), N: c.New([]int{1, 2})})
	if !all.Shape().Equal(nv.Shape{2, 2, 1}) {
		t.Errorf("Vmap: %v", all)
	}
	if d := nv.Donate(m); d.B.Valid() || !d.W.Valid() {
		t.Errorf("Donate: %+v", d)
	}
}

// scaler is an interface with methods that holds tensors.
type scaler interface{ scale(x nv.Tensor) nv.Tensor }

type scale struct{ W nv.Tensor }

func (s scale) scale(x nv.Tensor) nv.Tensor { return nv.Mul(s.W, x) }

// A ring leads to itself.
type ring struct{ S scaler }

func (r *ring) scale(x nv.Tensor) nv.Tensor { return x }

// TestInterfacesBehindPointers checks that tensors behind a pointer to a struct with an interface with methods are
// leaves.
func TestInterfacesBehindPointers(t *testing.T) {
	type net struct{ S scaler }
	type model struct {
		Net *net
		B   nv.Tensor
	}
	m := model{&net{scale{nv.New([]float32{1, 2})}}, nv.New([]float32{3, 4})}
	got := nv.TreeReplace(m, []nv.Tensor{nv.Scalar(5), nv.Scalar(6)})
	if w := got.Net.S.(scale).W; w.Int() != 5 || got.B.Int() != 6 || m.Net.S.(scale).W.Rank() != 1 {
		t.Errorf("W is %v, and B is %v", w, got.B)
	}
	f := func(m model) nv.Tensor { return nv.Sum(m.Net.S.scale(m.B)) }
	g := nv.Grad(f)(m)
	want(t, g.Net.S.(scale).W, "f32{2} [3 4]")
	want(t, g.B, "f32{2} [1 2]")
	compiled := nv.Jit(f)
	want(t, compiled(m), "f32{} [11]")
	m.Net.S = scale{nv.New([]float32{10, 20})}
	want(t, compiled(m), "f32{} [110]")
	steps := nv.While(m, func(m model) nv.Tensor { return nv.Lt(nv.Sum(m.Net.S.(scale).W), 100) },
		func(m model) model { return model{&net{scale{nv.Mul(m.Net.S.(scale).W, 2)}}, m.B} })
	want(t, steps.Net.S.(scale).W, "f32{2} [40 80]")
	r := &ring{}
	r.S = r
	want(t, nv.Jit(func(r *ring, x nv.Tensor) nv.Tensor { return nv.Add(x, 1) })(r, nv.Scalar(1)), "i32?{} [2]")
}

// TestTreeReplace checks that absent tensors are replaced like others, and may replace others.
func TestTreeReplace(t *testing.T) {
	type layer struct {
		W, B nv.Tensor
		Name string
	}
	x, y := nv.Scalar(1), nv.Scalar(2)
	got := nv.TreeReplace([]layer{{W: x, Name: "a"}, {B: x}}, []nv.Tensor{{}, y, x, {}})
	if got[0].W.Valid() || got[0].B.Int() != 2 || got[1].W.Int() != 1 || got[1].B.Valid() || got[0].Name != "a" {
		t.Errorf("%+v", got)
	}
	for want, f := range map[string]func(){
		"TreeReplace(anvil_test.layer, 1 tensor): the tree has 2 tensors; give as many as TreeLeaves returns": func() {
			nv.TreeReplace(layer{}, []nv.Tensor{x})
		},
		"TreeReplace(<nil>): the tree is nil; give a value that contains tensors": func() { nv.TreeReplaceAny(nil, nil) },
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestTreePaths checks the paths of tensors in each kind of tree, and that Freeze takes them.
func TestTreePaths(t *testing.T) {
	type embedded struct{ nv.Tensor }
	type part struct {
		Scale embedded
		Parts map[string][]nv.Tensor
		Any   any
		Count int
	}
	type whole struct {
		Parts []*part
		Last  [2]nv.Tensor
	}
	x := nv.Scalar(2.0)
	for _, c := range []struct {
		tree any
		want string
	}{
		{nil, "[]"}, {x, `[""]`}, {&x, `[""]`}, {embedded{x}, `[""]`}, {[]nv.Tensor{x, {}}, `["0" "1"]`},
		{map[int]nv.Tensor{10: x, 9: x}, `["9" "10"]`},
		{&whole{Parts: []*part{nil, {Parts: map[string][]nv.Tensor{"b": {x}, "a": {x, x}}, Any: affine{}}}},
			`["Parts.1.Scale" "Parts.1.Parts.a.0" "Parts.1.Parts.a.1" "Parts.1.Parts.b.0" ` +
				`"Parts.1.Any.W" "Parts.1.Any.B" "Parts.1.Any.N" "Last.0" "Last.1"]`},
	} {
		if got := fmt.Sprintf("%q", nv.TreePaths(c.tree)); got != c.want {
			t.Errorf("the paths of %T are %s, want %s", c.tree, got, c.want)
		}
	}
	product := func(xs map[string][]nv.Tensor) nv.Tensor { return xs["a"][0].Mul(xs["a"][1]).Mul(xs["ab"][0]) }
	tree := map[string][]nv.Tensor{"a": {x, x}, "ab": {x}}
	for path, want := range map[string]string{"a": "[false false true]", "a.1": "[true false true]", "ab.0": "[true true false]"} {
		var valid []bool
		for _, dx := range nv.TreeLeaves(nv.Grad(product, nv.Freeze(path))(tree)) {
			valid = append(valid, dx.Valid())
		}
		if got := fmt.Sprint(valid); got != want {
			t.Errorf("with %q frozen, there are gradients of %s, want %s", path, got, want)
		}
	}
}
