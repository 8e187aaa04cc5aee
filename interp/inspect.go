package interp

import (
	"reflect"

	"github.com/goanvil/notebook/interp/check"
)

// Env returns the names that cells have declared and imported. The result must not be used while a cell runs.
func (s *Session) Env() *check.Env { return s.env }

// Names calls f with Env. Unlike Env, it may be called during a Run: f sees the names from before or after the cell. f
// must not call other methods of s.
func (s *Session) Names(f func(*check.Env)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s.env)
}

// Value returns the variable that name currently refers to, as an addressable value. ok is false if there is none.
func (s *Session) Value(name string) (v reflect.Value, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.env.Lookup(name)
	if o == nil {
		return v, false
	}
	p, ok := s.vars[o.Engine]
	if !ok {
		return v, false
	}
	return p.Elem(), true
}

// Snapshot records the values of the cells' variables. It returns a function that restores the variables that still
// exist. Elements of slices and maps, and what pointers point to, are not recorded and not restored. Tensors are
// restored, since they never change.
func (s *Session) Snapshot() (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	values := make(map[string]reflect.Value, len(s.vars))
	for name, p := range s.vars {
		v := reflect.New(p.Type().Elem()).Elem()
		v.Set(p.Elem())
		values[name] = v
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for name, v := range values {
			if p, ok := s.vars[name]; ok {
				p.Elem().Set(v)
			}
		}
	}
}
