package engine

import (
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/anvil/ir"
)

// scopes holds, for each goroutine, the scopes that the goroutine has entered and not left, innermost last.
type scopes struct {
	entered     atomic.Int32 // the number of scopes of all goroutines; if it is 0, current needs no lock
	mu          sync.Mutex
	byGoroutine map[uintptr][]ir.Scope // by goroutine.Key
}

// Enter makes the operations of the calling goroutine belong to the scope (a layer of a model) with the given name,
// until leave is called.
func (s *Session) Enter(name string) (leave func()) { return s.enter(ir.ScopeOf(name)) }

func (s *Session) enter(scope ir.Scope) (leave func()) {
	e, key := &s.scopes, goroutine.Key()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byGoroutine == nil {
		e.byGoroutine = map[uintptr][]ir.Scope{}
	}
	e.byGoroutine[key] = append(e.byGoroutine[key], scope)
	e.entered.Add(1)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.entered.Add(-1)
		if e.byGoroutine[key] = e.byGoroutine[key][:len(e.byGoroutine[key])-1]; len(e.byGoroutine[key]) == 0 {
			delete(e.byGoroutine, key) // another goroutine may get the key
		}
	}
}

// current returns the innermost scope of the calling goroutine, or 0 if it is in none.
func (e *scopes) current() ir.Scope {
	if e.entered.Load() == 0 {
		return 0
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	mine := e.byGoroutine[goroutine.Key()]
	if len(mine) == 0 {
		return 0
	}
	return mine[len(mine)-1]
}
