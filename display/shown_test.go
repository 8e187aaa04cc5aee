package display

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestManyRecords checks how many elements of a slice of maps are rows of a table, and that the others are counted.
func TestManyRecords(t *testing.T) {
	for n, more := range map[int]string{1: "", maxRecords: "", maxRecords + 1: "1 more row<", maxRecords + 12: "12 more rows<"} {
		page, _ := Render(slices.Repeat([]map[string]int{{"a": 1}}, n)).Data[MIMEHTML].(string)
		if rows := strings.Count(page, "<tr>") - 1; rows != min(n, maxRecords) || strings.Contains(page, "more row") != (more != "") || !strings.Contains(page, more) {
			t.Errorf("%d elements have %d rows in %s", n, rows, page)
		}
	}
}

// TestDrawnPrograms checks up to how many operations, also those of regions, a program has a drawing.
func TestDrawnPrograms(t *testing.T) {
	ty := shape.Of(dtype.F32)
	chain := func(n int) *ir.Graph {
		g := &ir.Graph{}
		x := g.Param(ty)
		for range n {
			x = g.Add(ir.Neg, nil, nil, []*ir.Value{x}, ty).Results[0]
		}
		g.Outputs = []*ir.Value{x}
		return g
	}
	within := func(body *ir.Graph) *ir.Graph {
		g := &ir.Graph{}
		g.Outputs = g.Add(ir.Call, ir.CallAttrs{}, []*ir.Graph{body, body}, []*ir.Value{g.Param(ty)}, ty).Results
		return g
	}
	for name, c := range map[string]struct {
		g     *ir.Graph
		drawn bool
	}{
		"most": {chain(maxNodes), true}, "one more": {chain(maxNodes + 1), false},
		"regions": {within(chain(maxNodes/2 - 1)), true}, "larger regions": {within(chain(maxNodes / 2)), false},
	} {
		b := Render(c.g)
		_, svg := b.Data[MIMESVG]
		_, png := b.Data[MIMEPNG]
		if svg != c.drawn || png != c.drawn || !strings.Contains(b.Text(), "neg(") {
			t.Errorf("%s: svg %t, png %t, %.80s", name, svg, png, b.Text())
		}
	}
	if b := Render((*ir.Graph)(nil)); b.Text() != "(*ir.Graph)(nil)" || len(b.Data) != 1 {
		t.Errorf("no program is shown as %v", b.Data)
	}
}

// TestSystemOnPages checks that the page of a tensor names the promotion system, except the default one.
func TestSystemOnPages(t *testing.T) {
	c := newContext()
	x := c.New([]float64{1, 2})
	for _, s := range []*promote.System{promote.Anvil, promote.Torch, promote.NumPy} {
		page, _ := Render(c.With(s).Add(x, 1)).Data[MIMEHTML].(string)
		head, _, _ := strings.Cut(page, "shape")
		if want := s != promote.Anvil; strings.Contains(head, " under "+s.Name()) != want || strings.Contains(head, " under ") != want {
			t.Errorf("%s: %s", s.Name(), head)
		}
	}
}

// TestTablesOfNothing checks the error of a table of no system, and the cells without a common dtype.
func TestTablesOfNothing(t *testing.T) {
	var e *nv.Error
	if err := nv.Try(func() { Table(nil) }); !errors.As(err, &e) ||
		err.Error() != "display.Table(nil): the promotion system is nil; write display.Table(promote.Anvil)" {
		t.Errorf("of no system: %v", err)
	}
	table := promote.Table{System: promote.Anvil, Rows: []dtype.DType{dtype.F32, dtype.I8}, Cols: []dtype.DType{dtype.F64},
		Cells: [][]promote.Cell{{{Err: errors.New("<none>")}}, {{Result: promote.Known(dtype.F64)}}}}
	b := Render(table)
	page, _ := b.Data[MIMEHTML].(string)
	if !strings.Contains(page, `title="&lt;none&gt;">-</td>`) || strings.Count(page, ">-<") != 1 || strings.Count(page, ">f64</td>") != 1 {
		t.Error(page)
	}
	if lines := strings.Split(b.Text(), "\n"); !slices.Equal(strings.Fields(lines[len(lines)-2]), []string{"f32", "-"}) ||
		!slices.Equal(strings.Fields(lines[len(lines)-1]), []string{"i8", "f64"}) {
		t.Error(b.Text())
	}
}

// TestNotesOfDifferences checks that the page of the differences of two systems has the notes.
func TestNotesOfDifferences(t *testing.T) {
	for _, c := range [][2]*promote.System{{promote.NumPy, promote.Torch}, {promote.Anvil, promote.IvyFast}, {promote.Torch, promote.Torch}} {
		d := promote.Diff(c[0], c[1])
		page := differencesHTML(d)
		for _, note := range d.Notes() {
			if !strings.Contains(page, "<div>"+escape(note)+"</div>") {
				t.Errorf("%s and %s: %q is not in %s", c[0], c[1], note, page)
			}
		}
		if strings.Contains(page, "<table") != (len(d.Found) > 0) {
			t.Errorf("%s and %s: %d differences, a table: %t", c[0], c[1], len(d.Found), strings.Contains(page, "<table"))
		}
	}
}

// TestReadError checks that an error of reading a tensor names it, unless it is an error of an operation already.
func TestReadError(t *testing.T) {
	x := newContext().Zeros(nv.Shape{2, 3}, nv.I8)
	own := &nv.Error{Op: "Log"}
	if got := readError(x, fmt.Errorf("in between: %w", own)); got != own {
		t.Errorf("of an operation: %v", got)
	}
	if got := readError(x, io.ErrUnexpectedEOF); got.Error() != "display(i8{2,3}): unexpected EOF" || !errors.Is(got, io.ErrUnexpectedEOF) {
		t.Errorf("of another error: %+v", got)
	}
}

// TestWatchedFloats checks that a snapshot keeps the value of a variable, even if the variable changes later.
func TestWatchedFloats(t *testing.T) {
	wide, narrow, x := 1.5, float32(2.5), newContext().Scalar(3.5)
	for want, p := range map[float64]any{1.5: &wide, 2.5: &narrow, 3.5: &x} {
		read := watches("Progress", []any{p})[0].snapshot()
		wide, narrow = 7, 8
		if got, err := read(); got != want || err != nil {
			t.Errorf("%T: %v, %v; want %v", p, got, err, want)
		}
		wide, narrow = 1.5, 2.5
	}
	var unset nv.Tensor
	if got, err := watches("Progress", []any{&unset})[0].snapshot()(); err == nil {
		t.Errorf("a tensor that is not set has the value %v", got)
	}
}

// TestLargeTables checks up to how many elements a tensor has a page.
func TestLargeTables(t *testing.T) {
	o := NewOutlet(&recorder{})
	o.MaxRows(-1)
	o.MaxWidth(1 << 20)
	for _, c := range []struct {
		shape nv.Shape
		page  bool
	}{{nv.Shape{100, 100}, true}, {nv.Shape{10_000}, true}, {nv.Shape{10_001}, false}, {nv.Shape{73, 137}, false}} {
		if page := o.Render(newContext().Zeros(c.shape, nv.I8)).Data[MIMEHTML] != nil; page != c.page {
			t.Errorf("%v has a page: %t", c.shape, page)
		}
	}
}

// TestNarrowTables checks that each column stands in a block of its own if nothing else fits.
func TestNarrowTables(t *testing.T) {
	o := NewOutlet(&recorder{})
	x := newContext().New([][]int{{1, 2}, {3, 4}})
	for width, want := range map[int]string{1: "Columns 1 to 1\n", 3: "Columns 1 to 1\n", 4: ""} {
		o.MaxWidth(width)
		text := o.Text(x)
		if strings.Contains(text, "Columns") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%d characters wide:\n%s", width, text)
		}
	}
}
