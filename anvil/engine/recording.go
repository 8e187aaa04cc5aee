package engine

import (
	"sync"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// recordings are the traces whose functions are being called, by the calling goroutine, innermost last.
// Everything that a function does on its goroutine is part of its trace, even if it does not depend on the
// parameters.
type recordings struct {
	mu sync.Mutex
	by map[uintptr][]*Trace // by goroutine.Key
}

// Record marks the calling goroutine as calling the function of t, until end is called.
func (t *Trace) Record() (end func()) {
	r, key := &t.s.recordings, goroutine.Key()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[uintptr][]*Trace{}
	}
	r.by[key] = append(r.by[key], t)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.by[key] = r.by[key][:len(r.by[key])-1]; len(r.by[key]) == 0 {
			delete(r.by, key) // another goroutine may get the key
		}
	}
}

// recording returns the innermost trace that the calling goroutine records, or
// nil.
func (s *Session) recording() *Trace {
	if ts := s.recordings.mine(); len(ts) > 0 {
		return ts[len(ts)-1]
	}
	return nil
}

// Depth returns the number of nested traces that the calling goroutine records.
func (s *Session) Depth() int { return len(s.recordings.mine()) }

// mine returns the traces that the calling goroutine records.
func (r *recordings) mine() []*Trace {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.by) == 0 {
		return nil
	}
	return r.by[goroutine.Key()]
}
