package display

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
	"pgregory.net/rapid"
)

// drawArray draws a tensor of any dtype with elements of all magnitudes, so that every style occurs.
func drawArray(t *rapid.T) (array, []any) {
	d := rapid.SampledFrom(dtype.All()).Draw(t, "dtype")
	s := shape.Shape(rapid.SliceOfN(rapid.IntRange(1, 60), 0, 3).Draw(t, "shape"))
	element := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1e7, 1e7), rapid.Map(rapid.IntRange(-2000000, 2000000), func(i int) float64 { return float64(i) }),
		rapid.SampledFrom([]float64{0, 1e-5, 2e-5, inf, -inf, nan, math.Copysign(0, -1)}))
	few := rapid.SliceOfN(element, 1, 5).Draw(t, "elements")
	vs := make([]any, s.Size())
	for i := range vs {
		vs[i] = few[(i*7+i/11)%len(few)]
	}
	return valuesArray(t, d, s, vs), vs
}

func valuesArray(t *rapid.T, d dtype.DType, s shape.Shape, vs []any) array {
	a := array{typed: dtype.Typed{DType: d}, shape: s, platform: "CPU"}
	a.read = func(matrices, rows, cols int) (out []byte, err error) {
		_, allRows, allCols := a.extent()
		for m := range matrices {
			for r := range rows {
				for c := range cols {
					if out, err = dtype.Append(out, d, vs[(m*allRows+r)*allCols+c]); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		return out, nil
	}
	return a
}

var trailing = regexp.MustCompile(`(?m)[ \t]$`)

// TestPrintProperties checks that printed text keeps to the width, has no trailing blanks, shows every element
// once, and does not depend on elements that it leaves out.
func TestPrintProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, vs := drawArray(t)
		opts := Options{MaxRows: rapid.IntRange(-1, 40).Draw(t, "rows"), MaxWidth: rapid.SampledFrom([]int{-1, 5, 30, 85}).Draw(t, "width"), Precision: 4}
		v, err := opts.layOut(a)
		if err != nil {
			t.Fatal(err)
		}
		text := a.text(v)
		if trailing.MatchString(text) {
			t.Fatalf("trailing blanks:\n%s", text)
		}
		checkWidth(t, opts, v)
		checkHidden(t, opts, a, v, vs, text)
	})
}

func checkWidth(t *rapid.T, opts Options, v view) {
	for _, p := range v.pages {
		next := 0
		for _, b := range p.blocks {
			if b.from != next {
				t.Fatalf("block from %d after column %d", b.from, next)
			}
			next = b.to
			n := b.to - b.from
			if w := n * (b.width + 1); opts.MaxWidth > 0 && n > 1 && w > opts.MaxWidth {
				t.Fatalf("%d columns of %d are wider than %d", n, b.width, opts.MaxWidth)
			}
		}
	}
}

// checkHidden checks that the text does not change if elements that are not shown are replaced, except for those in
// the first hidden column, whose width decides that it is hidden.
func checkHidden(t *rapid.T, opts Options, a array, v view, vs []any, text string) {
	_, rows, cols := a.extent()
	other := make([]any, len(vs))
	for i := range vs {
		m, r, c := i/(rows*cols), i/cols%rows, i%cols
		other[i] = vs[i]
		if m >= len(v.pages) || r >= len(v.pages[m].blocks[0].rows) || c > v.pages[m].blocks[len(v.pages[m].blocks)-1].to {
			other[i] = 1e-30
		}
	}
	b := valuesArray(t, a.typed.DType, a.shape, other)
	w, err := opts.layOut(b)
	if err != nil {
		t.Fatal(err)
	}
	if again := b.text(w); again != text {
		t.Fatalf("what is not shown changes what is:\n%s\n%s", text, again)
	}
}

// TestPrintShowsEverything checks that without limits every element is printed, in order.
func TestPrintShowsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, vs := drawArray(t)
		v, err := Options{MaxRows: -1, MaxWidth: 85, Precision: 4}.layOut(a)
		if err != nil {
			t.Fatal(err)
		}
		if n := v.elements(); n != len(vs) || strings.Contains(a.text(v), "more") {
			t.Fatalf("%d of %d elements shown", n, len(vs))
		}
	})
}
