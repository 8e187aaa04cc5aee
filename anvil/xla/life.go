package xla

import "sync/atomic"

// A life counts who uses something of the C side, which must not be freed
// under them. Its owner is one of them, until it gives up.
type life struct {
	users atomic.Int64
	ended atomic.Bool
}

func (l *life) begin() { l.users.Store(1) }

// hold keeps the thing for one more user, unless its owner has given it up.
func (l *life) hold() bool {
	for !l.ended.Load() {
		n := l.users.Load()
		if n == 0 {
			return false
		}
		if l.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// drop reports whether the last user has gone, so that the thing is to be freed.
func (l *life) drop() bool { return l.users.Add(-1) == 0 }

// end reports whether the owner gives up now, for the first time; drop is due.
func (l *life) end() bool { return !l.ended.Swap(true) }
