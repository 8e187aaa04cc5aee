package engine

import (
	"slices"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A recipe says how a computed node was made: by which operation, from which operands. The node itself drops its
// operands. A recipe is kept for FindNaN, until recipes of later launches replace it.
type recipe struct {
	args   []*node // nil if the recipe was dropped
	inline [2]*node
	code   ir.Code
	attrs  any
	parts  *parts
	result int32
	of     ir.Code   // see ir.Node.Of
	scope  ir.Scope  // see ir.Node.Scope
	graph  *ir.Graph // if not nil, the node is a result of a call of this traced program; all results share the recipe
}

// recipes holds the recipes of the results of the latest launches. The session's lock guards it.
type recipes struct {
	launches [maxRecipeLaunches]struct { // a ring buffer
		results []recipe
		bytes   int // of the program's parameters
	}
	// Launches are numbered from 0: next is the number of the next launch, and oldest that of the oldest launch that is
	// kept, or next if none is. A number modulo maxRecipeLaunches is an index of launches.
	next, oldest uint
	bytes        int // the sum over the launches that are kept
}

// The recipes of at most maxRecipeLaunches launches are kept. The parameters of these launches have at most
// maxRecipeBytes in total, because recipes keep them alive.
const (
	maxRecipeLaunches = 256
	maxRecipeBytes    = 16 << 20
)

// add returns n empty recipes, for the results of a launch with the given parameters. It returns nil if no recipes
// are kept for the launch, because its parameters are too large or one of them is donated.
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
		clear(old.results) // frees the operands, although nodes still point to these recipes
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

// set fills in r as the recipe of n. It must be called before n drops its operands.
func (r *recipe) set(n *node) {
	r.args = append(r.inline[:0], n.args...)
	r.code, r.attrs, r.parts, r.result, r.of, r.scope = n.code, n.attrs, n.parts, n.result, n.of, n.scope
	n.recipe = r
}

// recreate returns a pending node that computes the same value as the computed node n, or nil if n has no recipe or
// the recipe was dropped.
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
