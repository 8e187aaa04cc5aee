package display

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestEdgesPassBesideBoxes checks that no bend of an edge lies in a box or outside of the drawing.
func TestEdgesPassBesideBoxes(t *testing.T) {
	c := newContext()
	x := c.Ones(nv.Shape{3})
	f := func(x nv.Tensor) nv.Tensor { return nv.Sum(nv.Sin(x).Mul(x).Div(x.Mul(x).Add(1))) }
	d := layoutGraph(c.Lower(nv.Grad(f), x).Graph())
	if len(d.bends) < 5 {
		t.Fatalf("%d bends", len(d.bends))
	}
	for _, p := range d.bends {
		if p.x < 0 || p.x > d.width {
			t.Errorf("a bend at %v in a drawing of width %v", p.x, d.width)
		}
		for _, b := range d.boxes {
			if b.layer == p.layer && p.x > b.x-b.width/2 && p.x < b.x+b.width/2 {
				t.Errorf("an edge passes behind %s", b.label)
			}
		}
	}
}
