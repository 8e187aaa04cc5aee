package anvil_test

import (
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
		"TreeReplace(anvil_test.layer, 1 tensors): the tree has 2 tensors; give as many as TreeLeaves returns": func() {
			nv.TreeReplace(layer{}, []nv.Tensor{x})
		},
		"TreeReplace(<nil>): the tree is nil; give a value that contains tensors": func() { nv.TreeReplaceAny(nil, nil) },
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
