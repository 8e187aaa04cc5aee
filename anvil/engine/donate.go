package engine

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

var errGiven = errors.New("a tensor is used that was given away with nv.Donate; use what the function returned in its place")

// errTwice says that a program would need what it gives up.
var errTwice = errors.New("a tensor that is donated is used twice; donate it once, and use it nowhere else in the call")

// leastDonated is from how many bytes on memory is worth a program that takes it.
const leastDonated = 1 << 16

// Donate returns a as an array that the next program called with it may take the
// memory of. It computes a, and what was written since the last look and takes a
// directly. Using a afterwards is an error. Of what is traced it returns a itself.
func (s *Session) Donate(a Array) (Array, error) {
	n := a.n
	if n.trace != nil {
		return a, nil
	}
	users, err := s.usersOf(n)
	if err != nil {
		return Array{}, err
	}
	if err := s.force(append(users, a), false); err != nil {
		return Array{}, err
	}
	if err := s.lock(); err != nil {
		return Array{}, err
	}
	defer s.unlock()
	if n.given.Swap(true) {
		return Array{}, errGiven
	}
	d := &node{typ: n.typ, device: n.device, serial: s.serial.Add(1), host: n.host, donor: true}
	if b := n.value(); b != nil {
		d.settle(b, int(n.on))
	}
	return Array{d}, nil
}

// Given reports whether a was given away.
func (a Array) Given() bool { return a.n.given.Load() }

// usersOf returns the pending operations on n that were written since the last look.
func (s *Session) usersOf(n *node) ([]Array, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.unlock()
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	var users []Array
	for _, m := range s.recent.nodes {
		args := m.args
		if m.code == projection && len(args) > 0 {
			args = args[0].args
		}
		if m.pending() && contains(args, n) {
			users = append(users, Array{m})
		}
	}
	return users, nil
}

// donated returns which of leaves a program may take the memory of, and fails
// where it would need one of them besides.
func donated(leaves []*node) ([]int, error) {
	var at []int
	for i, n := range leaves {
		if n.given.Load() {
			return nil, errGiven
		}
		if !n.donor {
			continue
		}
		if slices.Contains(leaves[:i], n) || slices.Contains(leaves[i+1:], n) {
			return nil, errTwice
		}
		at = append(at, i)
	}
	return at, nil
}

// aliases returns which results of g take the memory of which donated parameters:
// each that of the first of its type, where that is worth it.
func aliases(g *ir.Graph, donated []int) []stablehlo.Alias {
	if len(donated) == 0 {
		return nil
	}
	taken := make([]bool, len(g.Outputs))
	var all []stablehlo.Alias
	for _, i := range donated {
		t := g.Params[i].Type
		if t.Bytes() < leastDonated {
			continue
		}
		k := slices.IndexFunc(g.Outputs, func(v *ir.Value) bool { return v.Type.Equal(t) })
		for k >= 0 && k < len(taken) && (taken[k] || !g.Outputs[k].Type.Equal(t)) {
			k++
		}
		if k >= 0 && k < len(taken) {
			taken[k] = true
			all = append(all, stablehlo.Alias{Param: i, Result: k})
		}
	}
	return all
}

func appendAliases(key []byte, all []stablehlo.Alias) []byte {
	for _, a := range all {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(a.Param)+1), uint64(a.Result))
	}
	return key
}

// giveAway ends the donated leaves of c, which was launched. A program in host
// memory may take its operands later.
func (c *compiled) giveAway(leaves []*node, donated []int) {
	for _, i := range donated {
		n := leaves[i]
		n.given.Store(true)
		if b := n.value(); b != nil && c.origin != InHost {
			b.Release()
		}
	}
}
