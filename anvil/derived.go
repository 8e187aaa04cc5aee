package anvil

import (
	"sync"

	"github.com/goanvil/notebook/anvil/ir"
)

// A derivedPrograms caches derived programs by the key of the original.
type derivedPrograms struct {
	mu sync.Mutex
	by map[string][]*ir.Graph
}

// maxDerived limits the number of cached programs.
const maxDerived = 1000

// get returns the programs for key, calling derive if they are not in the cache.
func (p *derivedPrograms) get(key string, derive func() ([]*ir.Graph, error)) ([]*ir.Graph, error) {
	p.mu.Lock()
	g := p.by[key]
	p.mu.Unlock()
	if g != nil {
		return g, nil
	}
	g, err := derive()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil || len(p.by) >= maxDerived {
		p.by = map[string][]*ir.Graph{}
	}
	p.by[key] = g
	return g, nil
}
