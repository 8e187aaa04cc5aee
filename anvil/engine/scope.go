package engine

import (
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/anvil/ir"
)

// scopes are the scopes that goroutines have entered, innermost last.
type scopes struct {
	entered atomic.Int32
	mu      sync.Mutex
	by      map[uintptr][]ir.Scope // by goroutine.Key
}

// Enter assigns the operations that the calling goroutine adds to the scope with the given name, until leave
// is called.
func (s *Session) Enter(name string) (leave func()) { return s.enter(ir.ScopeOf(name)) }

func (s *Session) enter(scope ir.Scope) (leave func()) {
	e, key := &s.scopes, goroutine.Key()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.by == nil {
		e.by = map[uintptr][]ir.Scope{}
	}
	e.by[key] = append(e.by[key], scope)
	e.entered.Add(1)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.entered.Add(-1)
		if e.by[key] = e.by[key][:len(e.by[key])-1]; len(e.by[key]) == 0 {
			delete(e.by, key) // another goroutine may get the key
		}
	}
}

// current returns the innermost scope of the calling goroutine.
func (e *scopes) current() ir.Scope {
	if e.entered.Load() == 0 {
		return 0
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	mine := e.by[goroutine.Key()]
	if len(mine) == 0 {
		return 0
	}
	return mine[len(mine)-1]
}
