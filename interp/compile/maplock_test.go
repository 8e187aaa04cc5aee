package compile

import (
	"testing"
	"time"
	"unsafe"
)

// TestGoroutinesWaitForAMapStep tests that goroutines which begin while another one uses a map without a lock wait
// until it has done its step: they might use the same map.
func TestGoroutinesWaitForAMapStep(t *testing.T) {
	s := new(Session)
	defer s.Own()()
	s.maps.reset()
	if s.maps.begin(nil) {
		t.Fatal("a single goroutine must lock maps")
	}
	const n = 8
	begun := make(chan bool, n)
	for range n {
		go func() {
			defer s.Own()()
			begun <- true
		}()
	}
	time.Sleep(20 * time.Millisecond)
	if len(begun) > 0 {
		t.Errorf("%d of %d goroutines began during a step", len(begun), n)
	}
	s.maps.end()
	for range n {
		<-begun
	}
	if !s.maps.shared.Load() {
		t.Error("several goroutines use maps without locks")
	}
}

// TestLocks tests that most maps that are close to each other in memory have different locks, and that maps which share
// a lock are not taken for the same map.
func TestLocks(t *testing.T) {
	objects := make([][48]byte, len(mapLocks)+1) // so many that at least two of them share a lock
	byLock := map[*mapLock]unsafe.Pointer{}
	var first, second unsafe.Pointer
	for i := range objects {
		m := unsafe.Pointer(&objects[i])
		l := lockOf(m)
		if byLock[l] != nil {
			first, second = byLock[l], m
		}
		byLock[l] = m
	}
	if len(byLock) < len(mapLocks)/2 {
		t.Errorf("%d maps have %d locks", len(objects), len(byLock))
	}
	l := lockOf(first)
	l.failWritten(nil, "a nil map is not written")
	l.written.Store((*byte)(first))
	defer l.written.Store(nil)
	l.failWritten(nil, "a nil map is not written")
	l.failWritten(second, "another map is written")
	func() {
		defer func() {
			if e, _ := recover().(runtimeError); e != "the map is written" {
				t.Errorf("%q", e)
			}
		}()
		l.failWritten(first, "the map is written")
	}()
}
