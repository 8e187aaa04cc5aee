package engine

import "sync"

// recent lists the operations written since the last look, in order. A look is the computation of a value that is
// about to be read (see Session.look); it may compute recent operations too.
type recent struct {
	mu       sync.Mutex // guards nodes and taken
	nodes    []*node
	taken    []*node // the last result of take; reused
	lastLook uint64  // serial of the last operation before the last look; guarded by the session's lock
}

// add appends n. It drops the oldest operations if there are too many for one program.
func (r *recent) add(n *node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.nodes) >= 2*MaxOps {
		r.nodes = r.nodes[:copy(r.nodes, r.nodes[MaxOps:])]
		clear(r.nodes[len(r.nodes):cap(r.nodes)])
	}
	r.nodes = append(r.nodes, n)
}

// take returns the pending operations that no other operation has used, and clears the list.
// The result is valid until the next call.
func (r *recent) take() []*node {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.taken)
	r.taken = r.taken[:0]
	for _, n := range r.nodes {
		if !n.used.Load() && n.pending() {
			r.taken = append(r.taken, n)
		}
	}
	r.clear()
	return r.taken
}

// forget clears the list.
func (r *recent) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clear()
}

// clear clears the list. The caller holds r.mu.
func (r *recent) clear() {
	clear(r.nodes)
	r.nodes = r.nodes[:0]
}
