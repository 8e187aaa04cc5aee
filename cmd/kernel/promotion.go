package main

import (
	"fmt"

	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/interp/universe"
)

// promotePath is where the promotion systems are variables.
const promotePath = universe.Module + "/anvil/promote"

// promotion sets the system that cells are written under, this one the first,
// or tells which it is.
func (r *cellRun) promotion(name string) error {
	if name == "" {
		fmt.Fprintln(r.out, r.system.Name())
		return nil
	}
	s, err := promote.ByName(name)
	if err != nil {
		return err
	}
	return r.writeUnder(s)
}

// writeUnder makes sys the system that cells are written under.
func (s *session) writeUnder(sys *promote.System) error {
	if sys == promote.Anvil {
		s.interp.Under("", "")
	} else if name := s.variableOf(sys); name != "" {
		s.interp.Under(promotePath, name)
	} else {
		return fmt.Errorf("%%promotion %s: no variable of package promote holds it", sys)
	}
	s.system = sys
	return nil
}

// variableOf returns the name that package promote has for the system named as
// sys is, the first of several, or "". The session's own may stand for sys.
func (s *session) variableOf(sys *promote.System) (found string) {
	for name, v := range s.world.Symbols(promotePath) {
		if held, ok := v.Interface().(*promote.System); ok && v.CanAddr() && held.Name() == sys.Name() { // a type is no variable
			if found == "" || name < found {
				found = name
			}
		}
	}
	return found
}
