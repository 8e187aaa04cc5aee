package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
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
	if names := strings.Fields(name); len(names) > 1 {
		return fmt.Errorf("%%promotion: %d names; a cell is written under one system: %%promotion %s; %%%%compare %s runs a cell under each",
			len(names), strings.Trim(names[0], ","), strings.ReplaceAll(strings.Join(names, " "), ",", ""))
	}
	s, err := systemNamed(name)
	if err != nil {
		return err
	}
	return r.writeUnder(s)
}

// systemNamed returns the system that a cell names to compute under.
func systemNamed(name string) (*promote.System, error) {
	s, err := promote.ByName(name)
	switch near := strings.ToLower(strings.Trim(name, ",;")); {
	case err == nil && promote.OnlyTable(s):
		e := promote.Computes(s).(*dtype.Error)
		return nil, errors.New(e.Reason + "; " + e.Hint)
	case err == nil:
		return s, nil
	case strings.Contains(near, ","):
		return nil, fmt.Errorf("%s: names of systems are parted by spaces: %s", name, strings.ReplaceAll(near, ",", " "))
	case near != name && slices.Contains(computing(), near):
		return nil, fmt.Errorf("no promotion system is called %s; write %s", name, near)
	}
	return nil, fmt.Errorf("no promotion system is called %s; there are %s", name, strings.Join(computing(), ", "))
}

// computing returns the names of the systems that cells compute under.
func computing() (names []string) {
	for _, s := range promote.Systems() {
		if !promote.OnlyTable(s) {
			names = append(names, s.Name())
		}
	}
	return names
}

// magicArguments returns what the command named magic ("%promotion") may be
// followed by, for completion.
func magicArguments(magic string) []string {
	if magic == "%promotion" || magic == "%%compare" {
		return computing()
	}
	return nil
}

func systemNames() (names []string) {
	for _, s := range promote.Systems() {
		names = append(names, s.Name())
	}
	return names
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
