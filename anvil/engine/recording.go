package engine

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
)

// recordings are the traces whose functions are being called now, the innermost
// last, by goroutine: what a function does on its goroutine is a part of its
// trace, also where it depends on none of its parameters.
type recordings struct {
	mu sync.Mutex
	by map[uint64][]*Trace
}

// Record says that the function of t is being called, on this goroutine, until
// what it returns is called.
func (t *Trace) Record() (end func()) {
	r, id := &t.s.recordings, goroutine()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[uint64][]*Trace{}
	}
	r.by[id] = append(r.by[id], t)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.by[id] = r.by[id][:len(r.by[id])-1]; len(r.by[id]) == 0 {
			delete(r.by, id)
		}
	}
}

// recording returns the innermost trace that this goroutine records, or nil.
func (s *Session) recording() *Trace {
	if ts := s.recordings.mine(); len(ts) > 0 {
		return ts[len(ts)-1]
	}
	return nil
}

// Depth returns how many traces this goroutine records, one inside the other.
func (s *Session) Depth() int { return len(s.recordings.mine()) }

// mine returns the traces that this goroutine records.
func (r *recordings) mine() []*Trace {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.by) == 0 {
		return nil
	}
	return r.by[goroutine()]
}

// goroutine returns the number of this goroutine, which only the head of a stack
// trace tells: "goroutine 7 [running]:".
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	id, _ := strconv.ParseUint(string(number), 10, 64)
	return id
}
