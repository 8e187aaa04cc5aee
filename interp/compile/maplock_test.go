package compile

import (
	"testing"
	"time"
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
