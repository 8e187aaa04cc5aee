package compile

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Two goroutines that use a map at once, one of them writing, end the process. Once a cell's
// functions run in several goroutines, what they do to a map is done under a lock of the map,
// and one that finds the map being written panics.

// A mapLock is the lock of the maps at some addresses.
type mapLock struct {
	sync.RWMutex
	written atomic.Pointer[byte] // the map that is being written
}

var mapLocks [256]mapLock

// lockOf returns the lock of the map m.
func lockOf(m unsafe.Pointer) *mapLock {
	return &mapLocks[uintptr(m)>>4*0x9e3779b97f4a7c15>>56%uintptr(len(mapLocks))]
}

// sharing makes the session lock maps, because another goroutine begins to run functions of
// cells. A step that has begun without a lock ends while sharing waits.
func (s *Session) sharing() {
	if !s.shared.Swap(true) {
		time.Sleep(time.Millisecond)
	}
}

// locked does the step of a function that uses the map m while no other goroutine uses it, or
// none writes it if the step only reads.
func (th *thread) locked(m unsafe.Pointer, writes bool, fr unsafe.Pointer, step op) {
	l := lockOf(m)
	if writes {
		if !l.TryLock() {
			l.failWritten(m, "concurrent map writes")
			l.Lock()
		}
		l.written.Store((*byte)(m))
	} else if !l.TryRLock() {
		l.failWritten(m, "concurrent map read and map write")
		l.RLock()
	}
	th.locks = true
	defer func() {
		th.locks = false
		if writes {
			l.written.Store(nil)
			l.Unlock()
		} else {
			l.RUnlock()
		}
	}()
	step(fr)
}

// failWritten panics if m is being written.
func (l *mapLock) failWritten(m unsafe.Pointer, text string) {
	if m != nil && l.written.Load() == (*byte)(m) {
		panic(runtimeError(text))
	}
}

// locks reports whether a step that uses a map must be done by locked: other goroutines run
// functions of cells, and the step is not being done by locked already.
func (s *Session) locks(fr unsafe.Pointer) bool { return s.shared.Load() && !(*frame)(fr).th.locks }
