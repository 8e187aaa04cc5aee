package engine

import (
	"testing"

	"github.com/goanvil/notebook/anvil/ir"
)

// fibonacci records n operations, each of the two before: their operands' own
// counts add up to more than any program has after a few.
func fibonacci(t *testing.T, s *Session, n int) Array {
	t.Helper()
	a, b := bytesOf(t, s, 1), bytesOf(t, s, 1)
	for range n {
		a, b = b, apply(t, s, ir.Add, a, b)
	}
	return b
}

// A recipe is walked through when it may be too long for one program, not at each
// operation that shares what it needs with others.
func TestSharedOperationsAreNotCounted(t *testing.T) {
	s := New(Options{Backend: "reference"})
	walks := s.plan.epoch
	b := fibonacci(t, s, MaxOps-2)
	if n := s.plan.epoch - walks; n != 0 || !b.n.pending() {
		t.Error(n, "walks for", MaxOps-2, "operations")
	}
}

// What is too long for one program is computed at the same operation whether or
// not others have been recorded between.
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
