package misuse

import (
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"testing"
)

// TestStates tests that isLocked, isReadLocked and isWriteLocked read the states of mutexes correctly.
func TestStates(t *testing.T) {
	var m sync.Mutex
	check(t, "a new Mutex", isLocked(&m), false)
	m.Lock()
	check(t, "a locked Mutex", isLocked(&m), true)
	m.Unlock()
	check(t, "an unlocked Mutex", isLocked(&m), false)

	var rw sync.RWMutex
	states := func(what string, read, write bool) {
		t.Helper()
		check(t, what+", for readers", isReadLocked(&rw), read)
		check(t, what+", for a writer", isWriteLocked(&rw), write)
	}
	states("a new RWMutex", false, false)
	rw.RLock()
	rw.RLock()
	states("an RWMutex with readers", true, false)
	locked := make(chan bool)
	go func() {
		rw.Lock()
		locked <- true
	}()
	for rw.TryRLock() {
		rw.RUnlock()
	}
	check(t, "an RWMutex with readers and a writer that waits, for readers", isReadLocked(&rw), true)
	rw.RUnlock()
	rw.RUnlock()
	<-locked
	states("an RWMutex with a writer", false, true)
	rw.Unlock()
	states("an unlocked RWMutex", false, false)
}

// check tests the state of what.
func check(t *testing.T, what string, got, want bool) {
	t.Helper()
	if got != want {
		t.Errorf("%s: locked is %v, want %v", what, got, want)
	}
}

// TestNames tests that replacements have the signatures of their methods.
func TestNames(t *testing.T) {
	for _, v := range []any{
		new(sync.Mutex), new(sync.RWMutex), new(sync.Cond), new(sync.RWMutex).RLocker(), new(sync.WaitGroup),
		new(exec.Cmd), new(http.Server), new(testing.B),
	} {
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

// TestSignals tests that signals to the own process are errors, and others are sent.
func TestSignals(t *testing.T) {
	own, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.StartProcess(os.Args[0], []string{os.Args[0], "-test.run=^$"}, &os.ProcAttr{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p    *os.Process
		want string
	}{{own, "os: a cell cannot signal the kernel's own process"}, {other, "os: process already finished"}} {
		send := Named("(*os.Process).Signal").Interface().(func(*os.Process, os.Signal) error)
		if err := send(c.p, os.Interrupt); err == nil || err.Error() != c.want {
			t.Errorf("Signal returns %v, want %s", err, c.want)
		}
		end := Named("(*os.Process).Kill").Interface().(func(*os.Process) error)
		if err := end(c.p); err == nil || err.Error() != c.want {
			t.Errorf("Kill returns %v, want %s", err, c.want)
		}
	}
}
