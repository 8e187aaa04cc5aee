package anvil

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// A branch is a recorded branch of an If or Switch.
type branch struct {
	trace  *engine.Trace
	tree   reflect.Value // the result of the branch
	leaves []Tensor      // the tensors of tree
	places []string      // the path of each leaf in tree: ".W[0]"
	// firstFault is the index of the branch's first fault among the faults of all branches.
	firstFault int
}

// selectBranch records functions as the branches of an If or Switch, and returns the
// result of the branch that selector chooses.
func (c *call) selectBranch(code ir.Code, selector expr.Value, functions []any) any {
	branches := make([]*branch, len(functions))
	var faults []error
	for i, f := range c.branchFunctions(functions) {
		b := c.recordBranch(i, f)
		b.firstFault = len(faults)
		for _, fault := range b.trace.Faults() {
			faults = append(faults, fault.Err)
		}
		branches[i] = b
	}
	c.checkStructures(branches)
	types := c.resultTypes(branches)
	regions, captured := c.regions(branches, types, len(faults))
	results := make([]shape.Type, len(regions[0].Outputs))
	for i, v := range regions[0].Outputs {
		results[i] = v.Type
	}
	args := append([]engine.Array{selector.(*tensor).arr}, captured...)
	out, err := c.ctx.session.ApplyMany(results, code, nil, regions, args...)
	c.check(err)
	for i, err := range faults {
		c.failWhere(&tensor{ctx: c.ctx, arr: out[len(types)+i]}, err)
	}
	at := 0
	return rebuild(branches[0].tree, func(Tensor) Tensor {
		c.xs = leavesAt(branches, at) // the operands that Why shows
		x := c.result(&tensor{ctx: c.ctx, arr: out[at]}, types[at].Ambiguous)
		at++
		return x
	}).Interface()
}

// leavesAt returns leaf number at of each branch.
func leavesAt(branches []*branch, at int) []any {
	xs := make([]any, len(branches))
	for i, b := range branches {
		xs[i] = b.leaves[at]
	}
	return xs
}

// branchFunctions returns functions as values. It fails unless they have the same type,
// func() T for some T.
func (c *call) branchFunctions(functions []any) []reflect.Value {
	vs := make([]reflect.Value, len(functions))
	for i, f := range functions {
		v := reflect.ValueOf(f)
		switch {
		case v.Kind() != reflect.Func || v.Type().NumIn() != 0 || v.Type().NumOut() != 1:
			c.fail(fmt.Sprintf("branch %d has type %s", i, typeName(v)),
				"give a func() that returns a Tensor, or a struct, slice or map of them")
		case v.IsNil():
			c.fail(fmt.Sprintf("branch %d is nil", i), "give a func() that returns a Tensor")
		case i > 0 && v.Type() != vs[0].Type():
			c.fail(fmt.Sprintf("branches 0 and %d have the types %s and %s", i, typeName(vs[0]), typeName(v)),
				"give functions of one type")
		case recursive(v.Type().Out(0)):
			c.fail("the type "+typename.Text(v.Type().Out(0).String())+" is recursive",
				"return a slice or a map of tensors")
		}
		refuseHidden(c.op, "the result of a branch", v.Type().Out(0))
		vs[i] = v
	}
	return vs
}

// recordBranch records f as branch i.
func (c *call) recordBranch(i int, f reflect.Value) *branch {
	c.checkNesting()
	defer c.ctx.recording()()
	b := &branch{trace: c.ctx.session.NewTrace()}
	defer b.trace.Record()()
	b.tree = tensorize(c.ctx.Lib, f.Call(nil)[0])
	leaves(b.tree, "", func(place string, x Tensor) {
		if x.t == nil && place != "" {
			c.fail(fmt.Sprintf("branch %d does not set the tensor at %s", i, place), "give every tensor a value")
		}
		if x.must(c.op).ctx != c.ctx {
			c.fail(fmt.Sprintf("branch %d returns a tensor of another context", i), "make all tensors in one Context")
		}
		b.leaves, b.places = append(b.leaves, x), append(b.places, place)
	})
	return b
}

// checkStructures fails if the trees of branches differ in more than their tensors.
func (c *call) checkStructures(branches []*branch) {
	first := branches[0]
	for i, b := range branches[1:] {
		if where, how := treeDifference(first.tree, b.tree, ""); how != "" {
			c.fail(fmt.Sprintf("the structure of the result changes from branch 0 to branch %d%s: %s", i+1, atPath(where), how),
				"return structures that differ only in their tensors")
		}
	}
	if len(first.leaves) == 0 {
		c.fail("the branches return no tensor", "return a Tensor, or a struct, slice or map of them")
	}
}

// resultTypes returns the dtype of each result, which is ambiguous only if it is ambiguous in every branch. Results of
// type Tensor are promoted to their common dtype; in other results, the dtypes must agree (see commonKnown).
func (c *call) resultTypes(branches []*branch) []dtype.Typed {
	first := branches[0]
	types := make([]dtype.Typed, len(first.leaves))
	for at, place := range first.places {
		if first.tree.Type() == tensorType {
			types[at] = c.common(leavesAt(branches, at)...)
		} else {
			types[at] = c.commonKnown(branches, at, place)
		}
		types[at].Ambiguous = true
		for _, b := range branches {
			types[at].Ambiguous = types[at].Ambiguous && b.leaves[at].t.amb
		}
	}
	return types
}

// commonKnown returns the dtype that leaf number at has in the branches where it is known, or in all branches if it is
// ambiguous everywhere. It fails if the dtypes of these branches differ. place is the path of the leaf, for errors.
func (c *call) commonKnown(branches []*branch, at int, place string) dtype.Typed {
	known := slices.IndexFunc(branches, func(b *branch) bool { return !b.leaves[at].t.amb })
	known = max(0, known) // compare with branch 0 if all tensors are ambiguous
	first := branches[known].leaves[at]
	for i, b := range branches {
		if x := b.leaves[at]; x.DType() != first.DType() && x.t.amb == first.t.amb {
			types := describe(first) + " and " + describe(x)
			c.fail(fmt.Sprintf("branches %d and %d return %s%s", known, i, types, atPath(place)),
				"convert one with AsType")
		}
	}
	return first.Typed()
}

// regions returns the branches as graphs with one signature, and the arrays that they
// capture. See finishBranch for the outputs of the graphs.
func (c *call) regions(branches []*branch, types []dtype.Typed, faults int) ([]*ir.Graph, []engine.Array) {
	programs, regions := make([]*engine.Program, len(branches)), make([]*ir.Graph, len(branches))
	for i, b := range branches {
		programs[i] = c.finishBranch(b, types, faults)
		regions[i] = programs[i].Graph
		for at, place := range b.places {
			first, got := regions[0].Outputs[at].Type, regions[i].Outputs[at].Type
			if !got.Equal(first) {
				c.fail(fmt.Sprintf("branches 0 and %d return %s and %s%s", i, first, got, atPath(place)),
					"return tensors of one shape")
			}
		}
	}
	return regions, engine.Share(0, programs...)
}

// finishBranch returns the branch as a program. Its outputs are its leaves, converted to types, and then a bool for
// each of the faults of all branches. The bools for faults of other branches are false.
func (c *call) finishBranch(b *branch, types []dtype.Typed, faults int) *engine.Program {
	var outs []engine.Array
	for i, x := range b.leaves {
		c.amb = types[i].Ambiguous
		outs = append(outs, c.at(x, types[i].DType).(*tensor).arr)
	}
	own := b.trace.Faults()
	for i := range faults {
		if at := i - b.firstFault; at >= 0 && at < len(own) {
			outs = append(outs, own[at].When)
		} else {
			outs = append(outs, c.literal(false, dtype.I1).arr)
		}
	}
	program, err := b.trace.Finish("branch", outs)
	c.check(err)
	return program
}
