package engine

import "sync"

// recent are the operations that were written since somebody last looked, in
// order: where a look finds what else to compute.
type recent struct {
	mu    sync.Mutex
	nodes []*node
	space []*node
	epoch uint64 // serial of the last operation before the last look
}

// add takes note of n. What is too long ago to go into one program is forgotten.
func (r *recent) add(n *node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.nodes) >= 2*MaxOps {
		r.nodes = r.nodes[:copy(r.nodes, r.nodes[MaxOps:])]
		clear(r.nodes[len(r.nodes):cap(r.nodes)])
	}
	r.nodes = append(r.nodes, n)
}

// take returns those that nothing has used, until the next take, and forgets all.
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

// forget forgets all: what is wanted has been said.
func (r *recent) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clear()
}

func (r *recent) clear() {
	clear(r.nodes)
	r.nodes = r.nodes[:0]
}
