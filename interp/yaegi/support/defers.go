package support

import (
	"reflect"
	"sync"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// Defers is what one call of a function has deferred, and its panic. The
// interpreter's own defer statement runs deferred calls under a lock, loses
// those after one that panics, and recovers in function literals only.
type Defers struct {
	calls []deferred
	panic *panicking
}

type deferred struct {
	call  func()
	named bool // not a function literal at the place: its recover has to look for d
}

type panicking struct{ value any }

// NewDefers returns the record of one call.
func NewDefers() *Defers { return &Defers{} }

// Run calls body and then what it deferred, last first, also where
// runtime.Goexit ends the goroutine, as an interrupt does. A panic that nothing
// recovered goes on.
func (d *Defers) Run(body func()) {
	returned := false
	defer func() {
		if !returned {
			d.rest()
		}
	}()
	d.try(body)
	d.rest()
	returned = true
	if d.panic != nil {
		panic(d.panic.value)
	}
}

// rest calls what is deferred still.
func (d *Defers) rest() {
	for len(d.calls) > 0 {
		last := d.calls[len(d.calls)-1]
		d.calls = d.calls[:len(d.calls)-1]
		if last.named {
			d.tryNamed(last.call)
		} else {
			d.try(last.call)
		}
	}
}

// try calls f; a panic takes the place of an earlier one.
func (d *Defers) try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			d.panic = &panicking{Recovered(v)}
		}
	}()
	f()
}

// Defer adds the call of a function literal that stands in the defer statement.
func (d *Defers) Defer(call func()) { d.calls = append(d.calls, deferred{call, false}) }

// DeferNamed adds any other call.
func (d *Defers) DeferNamed(call func()) { d.calls = append(d.calls, deferred{call, true}) }

// Recover stops the panic and returns its value, nil if there is none.
func (d *Defers) Recover() any {
	if d.panic == nil {
		return nil
	}
	v := d.panic.value
	d.panic = nil
	return v
}

// running holds, by goroutine.Key, the Defers whose deferred call runs, where
// that is no function literal.
var running sync.Map

func (d *Defers) tryNamed(f func()) {
	if d.panic == nil {
		d.try(f)
		return
	}
	key := goroutine.Key()
	outer, _ := running.Load(key)
	running.Store(key, d)
	defer func() { // also where runtime.Goexit ends f: another goroutine may get the key
		if outer != nil {
			running.Store(key, outer)
		} else {
			running.Delete(key)
		}
	}()
	d.try(f)
}

// Recover is recover in a function that is not deferred where it is written.
func Recover() any {
	if d, ok := running.Load(goroutine.Key()); ok {
		return d.(*Defers).Recover()
	}
	return nil
}

// Panic is panic. What the interpreter's own panics with is a reflect.Value.
func Panic(v any) { panic(plain(v)) }

// plain unwraps a value that the interpreter has wrapped.
func plain(v any) any {
	if r, ok := v.(reflect.Value); ok && r.IsValid() && r.CanInterface() {
		return plain(r.Interface())
	}
	return v
}
