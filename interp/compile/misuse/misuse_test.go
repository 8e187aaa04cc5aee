package misuse

import (
	"reflect"
	"sync"
	"testing"
)

// TestStates: what is read of the memory of mutexes is what their methods make of it.
func TestStates(t *testing.T) {
	var m sync.Mutex
	check(t, "a new Mutex", isLocked(&m), false)
	m.Lock()
	check(t, "a locked Mutex", isLocked(&m), true)
	m.Unlock()
	check(t, "an unlocked Mutex", isLocked(&m), false)

	var rw sync.RWMutex
	states := func(of string, read, write bool) {
		t.Helper()
		check(t, of+", for readers", isReadLocked(&rw), read)
		check(t, of+", for a writer", isWriteLocked(&rw), write)
	}
	states("a new RWMutex", false, false)
	rw.RLock()
	rw.RLock()
	states("an RWMutex with readers", true, false)
	waits := make(chan bool)
	go func() {
		rw.Lock()
		waits <- true
	}()
	for rw.TryRLock() {
		rw.RUnlock()
	}
	check(t, "an RWMutex with readers and a writer that waits, for readers", isReadLocked(&rw), true)
	rw.RUnlock()
	rw.RUnlock()
	<-waits
	states("an RWMutex with a writer", false, true)
	rw.Unlock()
	states("an unlocked RWMutex", false, false)
}

func check(t *testing.T, of string, got, want bool) {
	t.Helper()
	if got != want {
		t.Errorf("%s: locked is %v", of, got)
	}
}

// TestNames: a replacement has the signature of its method.
func TestNames(t *testing.T) {
	for _, v := range []any{new(sync.Mutex), new(sync.RWMutex), new(sync.Cond), new(sync.RWMutex).RLocker()} {
		for m := range reflect.TypeOf(v).Methods() {
			f := MethodOf(reflect.TypeOf(v), m.Name)
			if f.Type() != m.Func.Type() && reflect.TypeOf(v) != readLocker {
				t.Errorf("%T.%s is %v, not %v", v, m.Name, f.Type(), m.Func.Type())
			}
		}
	}
	if f := methods["(*sync.rlocker).Unlock"]; !f.IsValid() || readLocker.String() != "*sync.rlocker" {
		t.Errorf("RLocker returns a %v", readLocker)
	}
}
