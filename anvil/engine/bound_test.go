package engine

import (
	"testing"

	"github.com/goanvil/notebook/anvil/ir"
)

// fibonacci records n operations, each with the previous two as operands, so that the
// sum of the operands' counts grows exponentially.
func fibonacci(t *testing.T, s *Session, n int) Array {
	t.Helper()
	a, b := bytesOf(t, s, 1), bytesOf(t, s, 1)
	for range n {
		a, b = b, apply(t, s, ir.Add, a, b)
	}
	return b
}

// The pending graph is walked only when it may be too large for one program, not at each
// operation whose operands share operations.
func TestSharedOperationsAreNotCounted(t *testing.T) {
	s := New(Options{Backend: "reference"})
	walks := s.plan.epoch
	b := fibonacci(t, s, MaxOps-2)
	if n := s.plan.epoch - walks; n != 0 || !b.n.pending() {
		t.Error(n, "walks for", MaxOps-2, "operations")
	}
}

// A chain that is too long for one program is computed at the same operation whether or
// not unrelated operations are recorded in between.
func TestBoundIsExact(t *testing.T) {
	for _, between := range []int{0, 1, 3} {
		s := New(Options{Backend: "reference"})
		a, b := bytesOf(t, s, 1), bytesOf(t, s, 1)
		n := 0
		for ; a.n.code == leaf || a.n.pending(); n++ {
			for range between {
				apply(t, s, ir.Max, bytesOf(t, s, 3), bytesOf(t, s, 4))
			}
			a, b = b, apply(t, s, ir.Add, a, b)
			if n > 2*MaxOps {
				t.Fatal("never computed")
			}
		}
		if n != MaxOps+1 {
			t.Errorf("with %d between, the operands of operation %d are computed", between, n)
		}
	}
}
