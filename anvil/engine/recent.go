package engine

import "sync"

// recent are the operations that were written since the last look, in order: a look
// computes some of them as well.
type recent struct {
	mu    sync.Mutex
	nodes []*node
	space []*node
	epoch uint64 // serial of the last operation before the last look
}

// add appends n, and drops the oldest operations when they are too many for a
// program.
func (r *recent) add(n *node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.nodes) >= 2*MaxOps {
		r.nodes = r.nodes[:copy(r.nodes, r.nodes[MaxOps:])]
		clear(r.nodes[len(r.nodes):cap(r.nodes)])
	}
	r.nodes = append(r.nodes, n)
}

// take returns the pending operations that no other has used, and clears the list.
// The result is valid until the next call.
func (r *recent) take() []*node {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.space)
	r.space = r.space[:0]
	for _, n := range r.nodes {
		if !n.used.Load() && n.pending() {
			r.space = append(r.space, n)
		}
	}
	r.clear()
	return r.space
}

// forget clears the list.
func (r *recent) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clear()
}

func (r *recent) clear() {
	clear(r.nodes)
	r.nodes = r.nodes[:0]
}
