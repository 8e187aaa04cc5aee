package yaegi

import (
	"errors"
	"fmt"
	"testing"
)

// A loud panic value has methods, which Run must not call.
type loud struct{ calls *int }

func (l loud) Error() string { *l.calls++; return "loud" }

func TestRun(t *testing.T) {
	e, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	var ran []int
	for i := range 3 {
		if err := e.Run(func() { ran = append(ran, i) }); err != nil {
			t.Fatal(err)
		}
		calls := 0
		err := e.Run(func() { panic(loud{&calls}) })
		var p *Panic
		if !errors.As(err, &p) || p.Value != any(loud{&calls}) || p.Error() != "panic" {
			t.Errorf("a cell that panics: %#v", err)
		}
		if calls > 0 {
			t.Errorf("%d calls of the value's methods", calls)
		}
	}
	if fmt.Sprint(ran) != "[0 1 2]" {
		t.Errorf("ran %v", ran)
	}
}
