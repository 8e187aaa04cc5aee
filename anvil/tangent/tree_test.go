package tangent_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
)

// TestTree checks that the tree of a tangent is folded below its first level, says how many
// bytes each part holds, and computes no thunk.
func TestTree(t *testing.T) {
	type layer struct{ W, B, Scale nv.Tensor }
	type model struct {
		Layer layer
		Table nv.Tensor
		Rate  float64
		Steps []float64
		Name  string
		Later float64
	}
	m := model{}
	sparse := tangent.Add(tangent.OneElement{Shape: nv.Shape{1000}, Index: []int{1}, Value: 2.0},
		tangent.OneElement{Shape: nv.Shape{1000}, Index: []int{5}, Value: 3.0})
	d := tangent.New(m, tangent.F{
		"Layer": tangent.New(layer{}, tangent.F{
			"W": nv.Ones(nv.Shape{2, 3}, nv.F64), "B": tangent.Zero,
			"Scale": tangent.OneElement{Shape: nv.Shape{10, 10}, Index: []int{3, 4}, Value: float32(1)}}),
		"Table": sparse,
		"Rate":  0.5,
		"Steps": []float64{1, 2},
		"Name":  tangent.None,
		"Later": tangent.Thunk(func() any { t.Error("a thunk was computed"); return 1.0 }),
	})
	got := regexp.MustCompile(`(.)(<(?:div|details)\b)`).ReplaceAllString(d.HTML(), "$1\n$2")
	want := `<details open><summary>Tangent{model} &middot; 140 B, 1 Zero, 1 Thunk</summary>
<details style="margin-left:1.5em"><summary>Layer = Tangent{layer} &middot; 84 B, 1 Zero</summary>
<div style="margin-left:1.5em">W = <code>f64{2,3} [[1 1 1] [1 1 1]]</code> &middot; 48 B</div>
<div style="margin-left:1.5em">B = <code>ZeroTangent()</code> &middot; 0 B</div>
<div style="margin-left:1.5em">Scale = <code>OneElement(1 at [3 4] of [10 10])</code> &middot; 36 B</div></details>
<div style="margin-left:1.5em">Table = <code>Sparse(2 of [1000])</code> &middot; 32 B</div>
<div style="margin-left:1.5em">Rate = <code>0.5</code> &middot; 8 B</div>
<div style="margin-left:1.5em">Steps = <code>[1 2]</code> &middot; 16 B</div>
<div style="margin-left:1.5em">Name = <code>NoTangent()</code> &middot; 0 B</div>
<div style="margin-left:1.5em">Later = <code>Thunk(...)</code> &middot; 0 B</div></details>`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
