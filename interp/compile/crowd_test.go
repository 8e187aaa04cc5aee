package compile

import "testing"

// TestHandOver tests which of the waiting goroutines runs when another one stops: the one that has waited longest,
// unless too many are running.
func TestHandOver(t *testing.T) {
	var c crowd
	c.formed.Store(true)
	first, last := make(chan struct{}), make(chan struct{})
	c.waiting = []chan struct{}{first, last}
	c.excess = 1
	runs := func(next chan struct{}) bool {
		select {
		case <-next:
			return true
		default:
			return false
		}
	}
	for i, want := range [][2]bool{{false, false}, {true, false}, {true, true}, {true, true}} {
		c.yieldTurn()
		if got := [2]bool{runs(first), runs(last)}; got != want {
			t.Errorf("after %d goroutines have stopped, %v run, want %v", i+1, got, want)
		}
	}
	if c.excess != 0 || len(c.waiting) != 0 {
		t.Errorf("excess %d, %d goroutines wait", c.excess, len(c.waiting))
	}
	s := new(Session)
	first, last = make(chan struct{}), make(chan struct{})
	s.crowd.waiting = []chan struct{}{first, last}
	s.crowd.yieldTurn()
	if runs(first) {
		t.Error("a goroutine is woken by one of a crowd that has dispersed")
	}
	if s.Disperse(); !runs(first) || !runs(last) {
		t.Error("a goroutine waits after the crowd has dispersed")
	}
}
