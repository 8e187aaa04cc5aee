package display

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// oneQuestion is a quiz of one question.
var oneQuestion = promote.NewQuiz(promote.Torch, promote.AskCommon(dtype.I32, dtype.F32))

// promoteResultCases are results of package promote about systems.
var promoteResultCases = []struct {
	name string
	v    any
}{
	{"comparison", Compare(promote.Anvil, promote.NumPy, promote.ArrayAPI)},
	{"comparison in agreement", Compare(promote.Torch, promote.Torch)},
	{"answers", Answers([]*promote.System{promote.Anvil, promote.JAX64, promote.Torch, promote.NumPy},
		promote.AskCommon(dtype.U64, dtype.I8), promote.AskCommon(dtype.I32, dtype.F32), promote.AskDivide(dtype.I32, dtype.I32), promote.AskCommon(dtype.F32, 1))},
	{"heat", Heat(promote.Anvil, promote.JAX64, promote.Torch, promote.NumPy)},
	{"lattice of jax", Lattice(promote.JAX)},
	{"path in jax64", Lattice(promote.JAX64, dtype.I8, dtype.U64)},
	{"path of a literal", Lattice(promote.JAX, dtype.I1, 1)},
	{"path in jax of i64", Lattice(promote.JAX, dtype.I64, dtype.I8)},
	{"not by the lattice", Lattice(promote.Torch, dtype.I8, 300)},
	{"no join", Lattice(promote.ArrayAPI, dtype.I8, dtype.F32)},
	{"derived lattice", Lattice(promote.Anvil, dtype.I16, dtype.U16)},
	{"derived order", Lattice(promote.NumPy, dtype.I8, dtype.U16)},
	{"audit", promote.Audit(promote.NumPy)},
	{"differences", promote.Diff(promote.Anvil, promote.AnvilRData)},
	{"one difference", promote.Diff(promote.Torch, promote.Julia)},
	{"no differences", promote.Diff(promote.Torch, promote.Torch)},
	{"puzzler", promote.Puzzlers(promote.NumPy, promote.Torch)[0]},
	{"puzzlers", promote.Puzzlers(promote.NumPy, promote.Torch)[:3]},
	{"no puzzlers", promote.Puzzlers(promote.NumPy)},
	{"prompt", oneQuestion.Ask(0)},
	{"right", oneQuestion.Answer(0, "f32")},
	{"wrong", oneQuestion.Answer(0, "f64")},
	{"unreadable", oneQuestion.Answer(0, "f33")},
	{"quiz", promote.NewQuiz(promote.Torch, promote.AskCommon(dtype.I32, dtype.F32))},
}

func TestLaboratory(t *testing.T) {
	g := openGolden(t, "testdata/promote_results.txtar")
	for _, c := range promoteResultCases {
		b := DefaultOptions.Render(c.v)
		g.compare(c.name, b.Text()+"\n")
		for _, mime := range []string{MIMEHTML, MIMESVG} {
			if data, ok := b.Data[mime].(string); ok {
				g.compare(c.name+" as "+mime, breakLines(data)+"\n")
			}
		}
		if _, drawn := c.v.(LatticeDrawing); drawn && b.Data[MIMEPNG] == nil {
			t.Errorf("%s: no picture", c.name)
		}
	}
}

// TestLaboratoryWithoutStyle checks that a page without its style, class and title attributes has all words of
// the text, and that it has no scripts and sets no colours of letters.
func TestLaboratoryWithoutStyle(t *testing.T) {
	for _, c := range promoteResultCases {
		b := DefaultOptions.Render(c.v)
		page, ok := b.Data[MIMEHTML].(string)
		if !ok {
			continue
		}
		if m := regexp.MustCompile(`(?i)<script|onclick|javascript:|<style|[^-]color:(#|black|white|rgb)`).FindString(page); m != "" {
			t.Errorf("%s has %q", c.name, m)
		}
		bare := regexp.MustCompile(` (style|class|title)="[^"]*"`).ReplaceAllString(page, "")
		words := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(bare, " ")
		text := regexp.MustCompile(`(?m)^ ?\d+\. `).ReplaceAllString(b.Text(), "") // a list numbers itself
		for _, w := range regexp.MustCompile(`\S*\d\S*`).FindAllString(text, -1) {
			if w = strings.Trim(w, ".:,"); !strings.Contains(words, escape(w)) {
				t.Errorf("%s: the page without styles does not say %q", c.name, w)
			}
		}
	}
}

// TestCompareCounts checks the marks and counts of a comparison against the systems' tables.
func TestCompareCounts(t *testing.T) {
	c := Compare(promote.NumPy, promote.Torch)
	n, of := c.Disagreements()
	want, pairs := 0, 0
	for i, a := range c.DTypes {
		for _, b := range c.DTypes[i:] {
			pairs++
			q := promote.AskCommon(a, b)
			if q.Ask(promote.NumPy).Answer() != q.Ask(promote.Torch).Answer() {
				want++
			}
		}
	}
	if n != want || of != pairs || n == 0 {
		t.Errorf("%d of %d, want %d of %d", n, of, want, pairs)
	}
	if marks := strings.Count(c.html(), `background:`+disagreementColor); marks != 2*2*n { // two tables, both orders
		t.Errorf("%d marks for %d disagreements", marks, n)
	}
	if all := Compare(); len(all.Systems) != len(promote.Systems()) {
		t.Errorf("%d systems", len(all.Systems))
	}
}

// TestHeatCounts checks that a map of two systems has a 2 where their tables differ.
func TestHeatCounts(t *testing.T) {
	h := Heat(promote.NumPy, promote.Torch)
	c := Compare(promote.NumPy, promote.Torch)
	if n, _ := c.Disagreements(); n == 0 {
		t.Fatal("they agree")
	}
	for i, a := range h.DTypes {
		for j, b := range h.DTypes {
			x, y := promote.AskCommon(a, b).Ask(promote.NumPy).Answer(), promote.AskCommon(a, b).Ask(promote.Torch).Answer()
			want := 1
			if x != y {
				want = 2
			}
			if !slices.Contains(c.DTypes, a) || !slices.Contains(c.DTypes, b) {
				want = 0
			}
			if h.Counts[i][j] != want {
				t.Errorf("%s with %s: %d answers, want %d (%s, %s)", a, b, h.Counts[i][j], want, x, y)
			}
		}
	}
}

// TestLatticeArrows checks that an arrow leads from a to b if a with b gives b and no dtype lies between them.
func TestLatticeArrows(t *testing.T) {
	for _, s := range promote.Systems() {
		l := Lattice(s)
		for a, above := range l.up {
			for _, b := range above {
				x, named := promote.Named(a)
				y, also := promote.Named(b)
				if !named || !also {
					continue
				}
				if e := s.Explain(x, y); e.Err == nil && e.Result.DType != y {
					t.Errorf("%s: %s -> %s, but together they give %s", s, a, b, e.Answer())
				}
			}
		}
		if len(l.nodes) < len(s.DTypes()) {
			t.Errorf("%s: %v", s, l.nodes)
		}
	}
	l := Lattice(promote.JAX64, dtype.I8, dtype.U64)
	if want := map[[2]string]bool{{"i8", "i16"}: true, {"i16", "i32"}: true, {"i32", "i64"}: true, {"i64", "f*"}: true, {"ui64", "f*"}: true}; len(l.path) != len(want) {
		t.Errorf("path %v", l.path)
	} else {
		for k := range want {
			if !l.path[k] {
				t.Errorf("no %v on the path %v", k, l.path)
			}
		}
	}
}
