package interp

import (
	"reflect"

	"github.com/goanvil/notebook/interp/check"
)

// Env returns the names that cells have declared and imported. It is not to be
// read while a cell runs.
func (s *Session) Env() *check.Env { return s.env }

// Value returns the variable that name means now, addressable.
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
