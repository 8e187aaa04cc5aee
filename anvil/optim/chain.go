package optim

import (
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// A Chain applies its parts one after the other: the results of each part are the gradients for the
// next. The last part is an optimizer; the parts before it change gradients, like ClipNorm and Decay.
type Chain []Optimizer

// Init returns the combined state of the parts. The names of slots and values are prefixed with the index of
// their part, as in "1.Mu".
func (o Chain) Init(params []Param) State {
	if len(o) == 0 {
		fail("Chain", "", "the chain is empty", "give optim.Chain{optim.ClipNorm{Max: 1}, optim.Adam{Rate: 1e-3}}")
	}
	state := State{}
	for i, part := range o {
		state.join(strconv.Itoa(i)+".", part.Init(params))
	}
	return state
}

// Step returns the changes of the last part.
func (o Chain) Step(params []Param, state State) ([]nv.Tensor, State) {
	params = append([]Param(nil), params...)
	next := State{Count: state.Count}
	for i, part := range o {
		prefix := strconv.Itoa(i) + "."
		changes, s := part.Step(params, state.part(prefix))
		next.join(prefix, s)
		next.Count = s.Count
		for k, c := range changes {
			params[k].Grad = c
		}
	}
	return gradients(params), next
}

// join adds the slots and values of part to s, with prefix before their names.
func (s *State) join(prefix string, part State) {
	for name, slot := range part.Slots {
		if s.Slots == nil {
			s.Slots = map[string][]nv.Tensor{}
		}
		s.Slots[prefix+name] = slot
	}
	for name, x := range part.Values {
		if s.Values == nil {
			s.Values = map[string]nv.Tensor{}
		}
		s.Values[prefix+name] = x
	}
}

// part returns the slots and values of s whose names begin with prefix, without the prefix.
func (s State) part(prefix string) State {
	p := State{Count: s.Count, Slots: map[string][]nv.Tensor{}, Values: map[string]nv.Tensor{}}
	for name, slot := range s.Slots {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			p.Slots[short] = slot
		}
	}
	for name, x := range s.Values {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			p.Values[short] = x
		}
	}
	return p
}
