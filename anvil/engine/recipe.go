package engine

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A recipe tells how a computed node was made: the operation and its operands, which the node itself drops.
// It is kept for FindNaN until recipes of newer launches replace it.
type recipe struct {
	args   []*node // nil if the recipe was dropped
	inline [2]*node
	code   ir.Code
	attrs  any
	parts  *parts
	result int32
	of     ir.Code
	scope  ir.Scope
	graph  *ir.Graph // of a traced program, all of whose results have this recipe; or nil
}

// recipes holds the recipes of the results of the latest launches. The session's lock guards it.
type recipes struct {
	launches [maxRecipeLaunches]struct {
		results []recipe
		bytes   int // of the parameters of the program
	}
	next, oldest uint // increasing; modulo maxRecipeLaunches, they are indices of launches
	bytes        int
}

// The recipes of at most maxRecipeLaunches launches are kept, whose parameters have at most maxRecipeBytes in
// total.
const (
	maxRecipeLaunches = 256
	maxRecipeBytes    = 16 << 20
)

// add returns the recipes of the n results of a launch with the given parameters, to be filled in. It returns
// nil if they are not kept: the parameters are too large, or one gives its memory away.
func (r *recipes) add(leaves []*node, n int) []recipe {
	bytes := 0
	for _, l := range leaves {
		if bytes += l.typ.Bytes(); l.donor || bytes > maxRecipeBytes {
			return nil
		}
	}
	for r.oldest < r.next {
		fits := r.next-r.oldest < maxRecipeLaunches && r.bytes+bytes <= maxRecipeBytes
		if fits {
			break
		}
		old := &r.launches[r.oldest%maxRecipeLaunches]
		clear(old.results) // nodes still point to these recipes
		r.bytes -= old.bytes
		old.results = nil
		r.oldest++
	}
	launch := &r.launches[r.next%maxRecipeLaunches]
	r.next++
	launch.results, launch.bytes = make([]recipe, n), bytes
	r.bytes += bytes
	return launch.results
}

// set makes r the recipe of n, which still has its operands.
func (r *recipe) set(n *node) {
	r.args = append(r.inline[:0], n.args...)
	r.code, r.attrs, r.parts, r.result, r.of, r.scope = n.code, n.attrs, n.parts, n.result, n.of, n.scope
	n.recipe = r
}

// recreate returns a pending node that computes the computed node n again, or nil if its recipe was dropped.
func (s *Session) recreate(n *node) *node {
	if s.lock() != nil {
		return nil
	}
	defer s.unlock()
	r := n.recipe
	if r == nil || r.args == nil {
		return nil
	}
	again := &node{typ: n.typ, code: r.code, attrs: r.attrs, args: slices.Clone(r.args), parts: r.parts, result: r.result,
		of: r.of, scope: r.scope, device: n.device, serial: n.serial}
	if r.graph != nil { // n is a result of a call of the program
		again.parts = &parts{regions: []*ir.Graph{r.graph}, results: make([]shape.Type, len(r.graph.Outputs))}
		for i, v := range r.graph.Outputs {
			again.parts.results[i] = v.Type
		}
		again = &node{typ: n.typ, code: projection, result: n.result, args: []*node{again},
			device: n.device, serial: n.serial}
	}
	return again
}
