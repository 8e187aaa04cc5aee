package engine

import (
	"sync"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// recordings holds, for each goroutine, the traces whose functions the goroutine is calling, innermost last. A host
// call made by a goroutine is part of its innermost trace even if it does not depend on the trace's parameters.
type recordings struct {
	mu          sync.Mutex
	byGoroutine map[uintptr][]*Trace // by goroutine.Key
}

// Record records that the calling goroutine is calling the function of t, until end is called.
func (t *Trace) Record() (end func()) {
	r, key := &t.s.recordings, goroutine.Key()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byGoroutine == nil {
		r.byGoroutine = map[uintptr][]*Trace{}
	}
	r.byGoroutine[key] = append(r.byGoroutine[key], t)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.byGoroutine[key] = r.byGoroutine[key][:len(r.byGoroutine[key])-1]; len(r.byGoroutine[key]) == 0 {
			delete(r.byGoroutine, key) // another goroutine may get the key
		}
	}
}

// recording returns the innermost trace whose function the calling goroutine is calling, or nil.
func (s *Session) recording() *Trace {
	if ts := s.recordings.ofCaller(); len(ts) > 0 {
		return ts[len(ts)-1]
	}
	return nil
}

// Depth returns the number of nested traces whose functions the calling goroutine is calling.
func (s *Session) Depth() int { return len(s.recordings.ofCaller()) }

// ofCaller returns the traces whose functions the calling goroutine is calling, innermost last.
func (r *recordings) ofCaller() []*Trace {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.byGoroutine) == 0 {
		return nil
	}
	return r.byGoroutine[goroutine.Key()]
}
