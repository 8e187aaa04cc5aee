package compile

import (
	"testing"
	"time"
)

// Several goroutines that begin at once all wait until the one that ran before has done its
// step: each would use the map that the step still uses.
func TestGoroutinesWaitForAMapStep(t *testing.T) {
	s := new(Session)
	defer s.Own()()
	s.maps.reset()
	if s.maps.begin(nil) {
		t.Fatal("one goroutine locks maps")
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
		t.Error("goroutines use maps without locks")
	}
}
