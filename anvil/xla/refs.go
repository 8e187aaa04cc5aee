package xla

import "sync/atomic"

// A refCount counts the users of a C object, which must not be freed while it is in
// use. The owner counts as one user until it closes the object.
type refCount struct {
	users  atomic.Int64
	closed atomic.Bool
}

func (r *refCount) init() { r.users.Store(1) }

// acquire adds a user. It reports false if the object is closed.
func (r *refCount) acquire() bool {
	for !r.closed.Load() {
		n := r.users.Load()
		if n == 0 {
			return false
		}
		if r.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// release removes a user and reports whether it was the last one: the caller must
// then free the object.
func (r *refCount) release() bool { return r.users.Add(-1) == 0 }

// close marks the object as closed and reports whether it was open: the caller must
// then release it.
func (r *refCount) close() bool { return !r.closed.Swap(true) }
