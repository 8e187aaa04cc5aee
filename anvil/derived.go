package anvil

import (
	"sync"

	"github.com/goanvil/notebook/anvil/ir"
)

// A derivedPrograms is a cache of programs that are derived from traced programs, such as gradients. A key includes the
// key of the traced program.
type derivedPrograms struct {
	mu     sync.Mutex
	graphs map[string][]*ir.Graph
}

// maxDerived is the number of keys at which the cache is emptied.
const maxDerived = 1000

// get returns the programs for key, calling derive if they are not in the cache.
func (p *derivedPrograms) get(key string, derive func() ([]*ir.Graph, error)) ([]*ir.Graph, error) {
	p.mu.Lock()
	graphs := p.graphs[key]
	p.mu.Unlock()
	if graphs != nil {
		return graphs, nil
	}
	graphs, err := derive()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.graphs == nil || len(p.graphs) >= maxDerived {
		p.graphs = map[string][]*ir.Graph{}
	}
	p.graphs[key] = graphs
	return graphs, nil
}
