package anvil

import (
	"sync"

	"github.com/goanvil/notebook/anvil/ir"
)

// A derivedPrograms holds programs that were derived from others, by the key of
// these.
type derivedPrograms struct {
	mu sync.Mutex
	by map[string][]*ir.Graph
}

// maxDerived bounds how many programs are kept.
const maxDerived = 1000

// get returns the programs of the key, made by derive where they are new.
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
