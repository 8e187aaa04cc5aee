package support_test

import (
	"fmt"
	"testing"

	"github.com/goanvil/notebook/interp/yaegi/support"
)

// recovered runs f and returns what it panicked with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestDefersRunLastFirst(t *testing.T) {
	var order string
	d := support.NewDefers()
	d.Run(func() {
		d.Defer(func() { order += "a" })
		d.DeferNamed(func() { order += "b" })
		order += "body "
	})
	if order != "body ba" {
		t.Error(order)
	}
}

func TestPanicGoesOnAfterTheDefers(t *testing.T) {
	ran := 0
	v := recovered(func() {
		d := support.NewDefers()
		d.Run(func() {
			d.Defer(func() { ran++ })
			d.Defer(func() { panic("second") })
			panic("first")
		})
	})
	if v != "second" || ran != 1 {
		t.Error(v, ran)
	}
}

func TestRecoverByAnotherFunction(t *testing.T) {
	var got any
	d := support.NewDefers()
	d.Run(func() {
		d.DeferNamed(func() { got = support.Recover() })
		panic(fmt.Errorf("an error"))
	})
	if fmt.Sprint(got) != "an error" {
		t.Error(got)
	}
	if v := support.Recover(); v != nil {
		t.Error("recover without a panic:", v)
	}
}

func TestRecoverOfNothing(t *testing.T) {
	d := support.NewDefers()
	d.Run(func() { d.Defer(func() { t.Log(d.Recover()) }) })
	if v := d.Recover(); v != nil {
		t.Error(v)
	}
}
