package ir

import "sync"

// A Scope names the layer of a model that a node belongs to. It does not affect results. The name of the zero
// Scope is empty.
type Scope uint32

// scopes has the names of all scopes; names[s] is the name of s.
var scopes = struct {
	sync.RWMutex
	byName map[string]Scope
	names  []string
}{byName: map[string]Scope{"": 0}, names: []string{""}}

// ScopeOf returns the Scope of the given name.
func ScopeOf(name string) Scope {
	scopes.RLock()
	s, known := scopes.byName[name]
	scopes.RUnlock()
	if known {
		return s
	}
	scopes.Lock()
	defer scopes.Unlock()
	if s, known = scopes.byName[name]; !known {
		s = Scope(len(scopes.names))
		scopes.byName[name], scopes.names = s, append(scopes.names, name)
	}
	return s
}

// String returns the name of s.
func (s Scope) String() string {
	scopes.RLock()
	defer scopes.RUnlock()
	return scopes.names[s]
}
