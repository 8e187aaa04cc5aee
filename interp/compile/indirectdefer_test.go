package compile

import "testing"

// TestIndirectDefer tests that the frame that defers a call is found once, by the goroutine that makes the call.
func TestIndirectDefer(t *testing.T) {
	s, by := new(Session), new(frame)
	if got := s.takeIndirectDefer(); got != nil {
		t.Errorf("before: %p", got)
	}
	release := s.beginIndirectDefer(by)
	if s.numIndirectDefers.Load() == 0 {
		t.Error("no calls are deferred")
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		if got := s.takeIndirectDefer(); got != nil {
			t.Errorf("in another goroutine: %p", got)
		}
	}()
	<-done
	if got := s.takeIndirectDefer(); got != by {
		t.Errorf("got %p, want %p", got, by)
	}
	if got := s.takeIndirectDefer(); got != nil {
		t.Errorf("again: %p", got)
	}
	release()
	s.beginIndirectDefer(by)()
	if got := s.takeIndirectDefer(); got != nil || s.numIndirectDefers.Load() != 0 {
		t.Errorf("afterwards: %p, %d calls are deferred", got, s.numIndirectDefers.Load())
	}
}
