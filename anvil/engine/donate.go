package engine

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

var errDonated = errors.New("the tensor was given away with nv.Donate; use the result of the function that took it")

var errGivenTwice = errors.New("the value contains a tensor twice; give each tensor to nv.Donate once")

var errDonatedTwice = errors.New("a donated tensor is used twice in the call; pass it once")

// minDonated is the size in bytes from which reusing the memory of an argument is worth compiling
// a program for it.
const minDonated = 1 << 16

// Donate returns copies of the arrays, which share memory with them. The first program that is called
// with a copy may reuse its memory for results. Using one of the arrays after Donate is an error, so
// Donate first computes the arrays and the recent operations that have one of them as an operand.
// A traced array is returned unchanged.
func (s *Session) Donate(arrays []Array) ([]Array, error) {
	eager := make([]Array, 0, len(arrays))
	for _, a := range arrays {
		if a.n.trace == nil {
			eager = append(eager, a)
		}
	}
	users, err := s.usersOf(eager)
	if err != nil {
		return nil, err
	}
	if err := s.force(append(users, eager...), false); err != nil {
		return nil, err
	}
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.unlock()
	if err := s.markDonated(eager); err != nil {
		return nil, err
	}
	out := make([]Array, len(arrays))
	donors := make([]node, len(eager)) // one allocation, since one program usually takes them all
	next := 0
	for i, a := range arrays {
		n := a.n
		if n.trace != nil {
			out[i] = a
			continue
		}
		d := &donors[next]
		next++
		d.typ, d.device, d.serial, d.host, d.donor, d.twin = n.typ, n.device, s.serial.Add(1), n.host, true, n
		if b := n.value(); b != nil {
			d.setBuffer(b, int(n.bufferDevice))
		}
		out[i] = Array{d}
	}
	return out, nil
}

// markDonated marks the arrays as given away, and remembers them for Revive. If it returns an error, it has marked
// none. The caller holds the session's lock.
func (s *Session) markDonated(arrays []Array) error {
	if len(arrays) == 0 {
		return nil
	}
	nodes := make([]*node, 0, len(arrays))
	for _, a := range arrays {
		if !a.n.donated.Swap(true) {
			nodes = append(nodes, a.n)
			continue
		}
		err := errDonated
		if slices.Contains(nodes, a.n) {
			err = errGivenTwice
		}
		for _, n := range nodes {
			n.donated.Store(false)
		}
		return err
	}
	if s.donations = append(s.donations, nodes); len(s.donations) > maxDonations {
		s.donations = slices.Delete(s.donations, 0, 1)
	}
	return nil
}

// maxDonations is the number of calls of Donate that Revive undoes.
const maxDonations = 4

// Revive makes the arrays of the latest maxDonations calls of Donate usable again, except those whose memory a
// program has taken. It is called when a cell fails.
func (s *Session) Revive() {
	if s.lock() != nil {
		return
	}
	defer s.unlock()
	for _, nodes := range s.donations {
		for _, n := range nodes {
			if !n.taken {
				n.donated.Store(false)
			}
		}
	}
	s.donations = nil
}

// Finishing reports whether a program that reuses the memory of its arguments is running. An
// interrupt waits for such a program, at most xla.DonatedGrace.
func (s *Session) Finishing() bool { return s.finishing.Load() }

// Donated reports whether the memory of a was given away, by Donate or to a program, and was not revived. Such an
// array cannot be used.
func (a Array) Donated() bool { return a.n.donated.Load() }

// usersOf returns the recent operations that are pending and have one of the arrays as an operand.
func (s *Session) usersOf(arrays []Array) ([]Array, error) {
	if err := s.lock(); err != nil {
		return nil, err
	}
	defer s.unlock()
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	s.plan.epoch++
	used := false
	for _, a := range arrays {
		a.n.mark = s.plan.epoch
		used = used || a.n.used.Load()
	}
	if !used {
		return nil, nil
	}
	var users []Array
	for _, m := range s.recent.nodes {
		args := m.args
		if m.code == projection && len(args) > 0 { // args[0] is the operation
			args = args[0].args
		}
		if m.pending() && slices.ContainsFunc(args, func(n *node) bool { return n.mark == s.plan.epoch }) {
			users = append(users, Array{m})
		}
	}
	return users, nil
}

// donorIndices returns the indices of the leaves that Donate has made, whose memory a program may reuse.
// It returns an error if a leaf was given away before, or if a leaf that Donate has made occurs twice. The caller
// holds the session's lock.
func (s *Session) donorIndices(leaves []*node) ([]int, error) {
	s.plan.epoch++ // no leaf has the new epoch as its mark
	var indices []int
	for i, n := range leaves {
		if n.donated.Load() {
			return nil, errDonated
		}
		if !n.donor {
			continue
		}
		if n.mark == s.plan.epoch {
			return nil, errDonatedTwice
		}
		n.mark = s.plan.epoch
		if indices == nil {
			indices = make([]int, 0, len(leaves)-i)
		}
		indices = append(indices, i)
	}
	return indices, nil
}

// aliases pairs the parameters of g whose indices are in donors with the results that reuse their memory. It pairs each
// such parameter of at least minDonated bytes with the first result of the same type that is not paired yet.
func aliases(g *ir.Graph, donors []int) []stablehlo.Alias {
	var taken []bool
	var all []stablehlo.Alias
	for _, i := range donors {
		t := g.Params[i].Type
		if t.Bytes() < minDonated {
			continue
		}
		if taken == nil {
			taken = make([]bool, len(g.Outputs))
		}
		for k, v := range g.Outputs {
			if !taken[k] && v.Type.Equal(t) {
				taken[k] = true
				all = append(all, stablehlo.Alias{Param: i, Result: k})
				break
			}
		}
	}
	return all
}

// appendAliases appends the aliases to the key of a program.
func appendAliases(key []byte, all []stablehlo.Alias) []byte {
	for _, a := range all {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(a.Param)), uint64(a.Result))
	}
	return key
}

// giveAway marks as given away the leaves of a launch of c whose indices are in donors. It also frees their memory,
// unless package host runs c: such a program may still read its arguments.
func (c *compiled) giveAway(leaves []*node, donors []int) {
	for _, i := range donors {
		n := leaves[i]
		n.donated.Store(true)
		if n.twin != nil {
			n.twin.donated.Store(true)
			n.twin.taken = true
			n.twin = nil
		}
		if b := n.value(); b != nil && c.origin != InHost {
			b.Release()
		}
	}
}
