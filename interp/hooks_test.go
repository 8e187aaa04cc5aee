package interp_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// names returns the values of tensors of rank 0 as text.
func names(found []reflect.Value) string {
	var all []string
	for _, v := range found {
		x := v.Interface().(anvil.Tensor)
		all = append(all, fmt.Sprint(x.Float()))
		if !v.CanAddr() {
			all = append(all, "(not addressable)")
		}
	}
	return strings.Join(all, " ")
}

// TestCut checks that the hook Cut is called once for each iteration of a loop that assigns tensors, and for no other
// loop.
func TestCut(t *testing.T) {
	cells := []struct{ code, want string }{
		{"for i := range 3 {\n\tw = w*2 + i\n}", "2 5 12"},
		{"for i := 0; i < 4; i++ {\n\tif i == 1 {\n\t\tcontinue\n\t}\n\tw += 1\n}", "2 2 3 4"},
		{"for range 2 {\n\tm.w -= 0.5\n}", "1.5 1"},
		{"for range 2 {\n\txs[0] += 1\n}", "6|6 7|6"},
		{"func train(w nv.Tensor) nv.Tensor {\n\tfor range 2 {\n\t\tw = w + 1\n\t}\n\treturn w\n}\ntrain(w)", "2 3"},
		{"for i := range 2 {\n\tlocal := w * i\n\tlocal += 1\n}", ""},
		{"n := 0\nfor i := range 5 {\n\tn += i\n}", ""},
		{"outer:\nfor range 2 {\n\tfor range 3 {\n\t\tw += 1\n\t\tcontinue outer\n\t}\n}", "2 3"},
	}
	for _, c := range cells {
		var cuts []string
		nb := interptest.New(t, interp.Options{Cut: func(found []reflect.Value) { cuts = append(cuts, strings.ReplaceAll(names(found), " ", "|")) }})
		nb.MustRun(t, 1, "type Model struct{ w nv.Tensor }\nw := nv.Scalar(1.0)\nm := Model{nv.Scalar(2.0)}\nxs := []nv.Tensor{nv.Scalar(5.0), nv.Scalar(6.0)}\nxs[0], xs[1] = xs[1]-1, xs[0]+1")
		nb.MustRun(t, 2, c.code)
		if got := strings.Join(cuts, " "); got != c.want {
			t.Errorf("%s\ncut with %q, want %q", c.code, got, c.want)
		}
	}
}

// TestErrorNames tests the names of errors.
func TestErrorNames(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "import \"errors\"\ntype E struct{}\nfunc (E) Error() string { return \"\" }")
	for _, c := range []struct{ code, want string }{
		{"zero := 0; 1 / zero", "runtime error"},
		{"var x any = 1; x.(string)", "runtime error"},
		{"make([]int, 1<<44)", "runtime error"},
		{"panic(E{})", "main.E"},
		{"panic(errors.New(\"\"))", "error"},
		{"panic(1)", "panic"},
	} {
		if res := nb.Run(t.Context(), c.code, 2); res.Err == nil || res.Err.Name != c.want {
			t.Errorf("%s: %+v, want the name %q", c.code, res.Err, c.want)
		}
	}
}

// A rootError is the error of the tensor with this index.
type rootError int

func (e rootError) Error() string { return fmt.Sprint("tensor ", int(e)) }
func (e rootError) Failed() int   { return int(e) }

// TestAfterCell checks that the hook gets the tensors of the names that a cell mentions, and that its error becomes
// the cell's.
func TestAfterCell(t *testing.T) {
	var seen string
	var fail error
	nb := interptest.New(t, interp.Options{AfterCell: func(_ context.Context, found []reflect.Value) error {
		seen = names(found)
		return fail
	}})
	nb.MustRun(t, 1, "a := nv.Scalar(1.0)\nb := []nv.Tensor{a + 1, a + 2}\nn := 3")
	if seen != "1 2 3" {
		t.Errorf("cell 1: %q", seen)
	}
	nb.MustRun(t, 2, "n + 1")
	if seen != "" {
		t.Errorf("cell 2: %q", seen)
	}
	nb.MustRun(t, 3, "a = a * 4")
	if seen != "4" {
		t.Errorf("cell 3: %q", seen)
	}
	fail = errors.New("out of memory")
	if res := nb.Run(context.Background(), "a", 4); res.Err == nil || res.Err.Message != "out of memory" {
		t.Errorf("cell 4: %+v", res)
	}
	fail = fmt.Errorf("%w", rootError(1))
	res := nb.Run(context.Background(), "n = 4\nc, d := nv.Scalar(1.0), nv.Scalar(2.0)\nd = d +\n\t3", 5)
	if want := "cell[5]:3:7: tensor 1\n    d = d +\n          ^"; res.Err == nil || res.Err.Text() != want {
		t.Errorf("cell 5: %+v\nwant %s", res.Err, want)
	}
	fail = nil
	res = nb.Run(context.Background(), "e := 1\na, e", 6)
	if got := nb.DisplayError(res, errors.New("no memory")).Text(); got != "cell[6]:2:1: no memory\n    a, e\n    ^" {
		t.Errorf("cell 6: %s", got)
	}
}

// TestNoteOfMethod checks that a method that is shown without being called gives a note.
func TestNoteOfMethod(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "x := nv.Arange(3)")
	res := nb.Run(context.Background(), "x.Shape", 2)
	if res.Err != nil || len(res.Notes) != 1 || res.Notes[0] != "cell[2]:1:3: x.Shape is a method; x.Shape() calls it" {
		t.Errorf("notes %q, %v", res.Notes, res.Err)
	}
	if res := nb.Run(context.Background(), "x.Shape(), x.Size()", 3); len(res.Notes) != 0 {
		t.Errorf("notes %q of calls", res.Notes)
	}
}
