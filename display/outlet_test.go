package display

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A recorder is a sink that records the calls of its methods.
type recorder struct{ calls []string }

func (r *recorder) Display(id string, b Bundle) {
	r.calls = append(r.calls, fmt.Sprintf("display %s %s", id, b.Text()))
}
func (r *recorder) Update(id string, b Bundle) {
	r.calls = append(r.calls, fmt.Sprintf("update %s %s", id, b.Text()))
}
func (r *recorder) Clear(wait bool) { r.calls = append(r.calls, fmt.Sprintf("clear %t", wait)) }

func TestOutlet(t *testing.T) {
	r := &recorder{}
	o := NewOutlet(r)
	h := o.Show(1)
	later := &recorder{}
	o.SetSink(later)
	h.Update("two")
	o.Clear(true)
	if got, want := strings.Join(append(r.calls, later.calls...), "; "), "display "+h.ID()+` 1; update `+h.ID()+` "two"; clear true`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if o.Show(1).ID() == h.ID() {
		t.Error("two things shown have one id")
	}
	if !o.Render(h).Empty() || !o.Render().Empty() {
		t.Error("a handle, or nothing, is shown")
	}
}

// TestOutletsAreApart checks that the options of an outlet do not affect another one.
func TestOutletsAreApart(t *testing.T) {
	x := newContext().Arange(5)
	a, b := NewOutlet(&recorder{}), NewOutlet(&recorder{})
	a.MaxRows(2)
	if got, want := a.Text(x), "AnvilTensor\n 0\n 1\n... 3 more rows; display.MaxRows(-1) shows all\n[ REFERENCEi32{5} ]"; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := b.Text(x), "AnvilTensor\n 0\n 1\n 2\n 3\n 4\n[ REFERENCEi32{5} ]"; got != want {
		t.Errorf("the other outlet has the option too: %s", got)
	}
	a.MaxRows(-1)
	a.MaxWidth(4)
	if got := a.Text(newContext().New([][]int{{1, 2, 3}})); got != "AnvilTensor\nColumns 1 to 2\n 1 2\nColumns 3 to 3\n 3\n[ REFERENCEi32{1,3} ]" {
		t.Errorf("got %s", got)
	}
	a.Precision(2)
	if got := a.Text(newContext().Scalar(1.23456)); got != "AnvilTensor\n 1.23\n[ REFERENCEf32?{} ]" {
		t.Errorf("got %s", got)
	}
	if got := b.Text(newContext().Scalar(1.23456)); got != "AnvilTensor\n 1.2346\n[ REFERENCEf32?{} ]" {
		t.Errorf("got %s", got)
	}
}

// TestBooleansInHTML checks that booleans are true and false in HTML, and 1 and 0 in text, as R prints them.
func TestBooleansInHTML(t *testing.T) {
	b := Render(newContext().New([]bool{true, false}))
	page, _ := b.Data[MIMEHTML].(string)
	if !strings.Contains(page, "<td>true</td><td>false</td>") || b.Text() != "AnvilTensor\n 1\n 0\n[ REFERENCEi1{2} ]" {
		t.Errorf("got %s\n%s", page, b.Text())
	}
}

func TestWriterSink(t *testing.T) {
	var b strings.Builder
	o := NewOutlet(WriterSink(&b))
	h := o.Show(newContext().Scalar(1, dtype.I8))
	h.Update(2)
	o.Clear(false)
	if want := "AnvilTensor\n 1\n[ REFERENCEi8{} ]\n2\n"; b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

// TestDefault checks that the functions of the package are those of the default outlet.
func TestDefault(t *testing.T) {
	before := Default
	defer func() { Default = before }()
	r := &recorder{}
	Default = NewOutlet(r)
	if Default.Options() != DefaultOptions {
		t.Errorf("a new outlet has the options %+v", Default.Options())
	}
	h := Show("a")
	Clear(true)
	Clear(false)
	for range Progress(1) {
		r.calls = append(r.calls, "step")
	}
	for v := range ProgressOver(slices.Values([]string{"v"})) {
		r.calls = append(r.calls, v)
	}
	got := strings.Join(r.calls, "; ")
	if !strings.HasPrefix(got, "display "+h.ID()+` "a"; clear true; clear false; `) ||
		!strings.Contains(got, "; step; ") || !strings.Contains(got, "; v") {
		t.Errorf("got %s", got)
	}
	for _, c := range []struct {
		set  func()
		want Options
	}{
		{func() { MaxRows(3) }, Options{MaxRows: 3}},
		{func() { MaxWidth(-1) }, Options{MaxWidth: -1}},
		{func() { R(true) }, Options{R: true}},
		{func() { Precision(7) }, Options{Precision: 7}},
		{func() { Precision(17) }, Options{Precision: 17}},
		{func() { Precision(18) }, Options{Precision: 17}},
		{func() { Precision(-1) }, Options{}},
	} {
		Default = &Outlet{sink: r}
		if c.set(); Default.Options() != c.want {
			t.Errorf("options %+v, want %+v", Default.Options(), c.want)
		}
	}
}
