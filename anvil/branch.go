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
)

// A branch is one of If and Switch, recorded: what it returned, a tree.
type branch struct {
	trace  *engine.Trace
	tree   reflect.Value
	leaves []Tensor
	places []string
	before int // faults of the branches before it
}

// selectBranch returns what the branch that selector chooses returns.
func (c *call) selectBranch(code ir.Code, selector expr.Value, functions []any) any {
	branches := make([]*branch, len(functions))
	var faults []error
	for i, f := range c.branchFunctions(functions) {
		b := c.recordBranch(i, f)
		b.before = len(faults)
		for _, f := range b.trace.Faults() {
			faults = append(faults, f.Err)
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
	out, err := c.ctx.session.ApplyMany(results, code, nil, regions, append([]engine.Array{selector.(*tensor).arr}, captured...)...)
	c.check(err)
	for i, err := range faults {
		c.failWhere(&tensor{ctx: c.ctx, arr: out[len(types)+i]}, err)
	}
	at := 0
	return rebuild(branches[0].tree, func(Tensor) Tensor {
		x := &tensor{ctx: c.ctx, arr: out[at]}
		c.xs = leavesAt(branches, at) // what is promoted, for Why
		at++
		return c.result(x, types[at-1].Ambiguous)
	}).Interface()
}

// leavesAt returns the tensors of branches at one place.
func leavesAt(branches []*branch, at int) []any {
	xs := make([]any, len(branches))
	for i, b := range branches {
		xs[i] = b.leaves[at]
	}
	return xs
}

// branchFunctions returns functions as what they must be: of one type, without
// parameters, with one result.
func (c *call) branchFunctions(functions []any) []reflect.Value {
	vs := make([]reflect.Value, len(functions))
	for i, f := range functions {
		v := reflect.ValueOf(f)
		switch {
		case v.Kind() != reflect.Func || v.Type().NumIn() != 0 || v.Type().NumOut() != 1:
			c.fail(fmt.Sprintf("branch %d is %T", i, f), "give a function that returns a Tensor, or a struct, slice or map of them")
		case v.IsNil():
			c.fail(fmt.Sprintf("branch %d is nil", i), "give a function that returns a Tensor")
		case i > 0 && v.Type() != vs[0].Type():
			c.fail(fmt.Sprintf("branches 0 and %d are %s and %s", i, vs[0].Type(), v.Type()), "make them of one type")
		case recursive(v.Type().Out(0), nil):
			c.fail(cellTypeName(v.Type().Out(0).String())+" holds itself", "use a slice or a map of tensors")
		}
		refuseHidden(c.op, "a branch returns", v.Type().Out(0))
		vs[i] = v
	}
	return vs
}

// recordBranch records f, the branch of that number.
func (c *call) recordBranch(i int, f reflect.Value) *branch {
	c.shallow()
	defer c.ctx.recording()()
	b := &branch{trace: c.ctx.session.NewTrace()}
	defer b.trace.Record()()
	b.tree = tensorize(c.ctx.Lib, f.Call(nil)[0])
	leaves(b.tree, "", func(place string, x Tensor) {
		if x.t == nil && place != "" {
			c.fail(fmt.Sprintf("branch %d returns the zero Tensor at %s, which holds nothing", i, place), "give every tensor a value")
		}
		if x.must(c.op).ctx != c.ctx {
			c.fail(fmt.Sprintf("branch %d returns a tensor of another context", i), "make all in one Context")
		}
		b.leaves, b.places = append(b.leaves, x), append(b.places, place)
	})
	return b
}

// checkStructures fails where branches return trees that differ in more than their tensors.
func (c *call) checkStructures(branches []*branch) {
	first := branches[0]
	for i, b := range branches[1:] {
		if where, how := treeDifference(first.tree, b.tree, ""); how != "" {
			c.fail(fmt.Sprintf("branches 0 and %d return different structures%s: %s", i+1, placed(where), how), "only tensors may differ")
		}
	}
	if len(first.leaves) == 0 {
		c.fail("there is no tensor to choose", "return a Tensor, or a struct, slice or map of them")
	}
}

// resultTypes returns the dtype and the flag of each result. One Tensor is promoted.
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

// commonKnown returns the one dtype of the tensors of branches at a place: that of those
// that are known, where there are some.
func (c *call) commonKnown(branches []*branch, at int, place string) dtype.Typed {
	of := max(0, slices.IndexFunc(branches, func(b *branch) bool { return !b.leaves[at].t.amb }))
	first := branches[of].leaves[at]
	for i, b := range branches {
		if x := b.leaves[at]; x.DType() != first.DType() && x.t.amb == first.t.amb {
			c.fail(fmt.Sprintf("branches %d and %d return %s and %s%s", of, i, describe(first), describe(x), placed(place)), "convert one with AsType")
		}
	}
	return first.Typed()
}

// regions returns the branches as graphs of one signature, and what they capture.
// Each returns its tensors as types have it, and a bool for each fault of all
// branches.
func (c *call) regions(branches []*branch, types []dtype.Typed, faults int) ([]*ir.Graph, []engine.Array) {
	programs, regions := make([]*engine.Program, len(branches)), make([]*ir.Graph, len(branches))
	for i, b := range branches {
		programs[i] = c.finishBranch(b, types, faults)
		regions[i] = programs[i].Graph
		for at, place := range b.places {
			first, got := regions[0].Outputs[at].Type, regions[i].Outputs[at].Type
			if !got.Equal(first) {
				c.fail(fmt.Sprintf("branches 0 and %d return %s and %s%s", i, first, got, placed(place)), "make the shapes agree")
			}
		}
	}
	return regions, engine.Share(0, programs...)
}

// finishBranch returns the branch as a program. Of the faults of all branches its own
// follow those of the branches before.
func (c *call) finishBranch(b *branch, types []dtype.Typed, faults int) *engine.Program {
	var outs []engine.Array
	for i, x := range b.leaves {
		c.amb = types[i].Ambiguous
		outs = append(outs, c.at(x, types[i].DType).(*tensor).arr)
	}
	own := b.trace.Faults()
	for i := range faults {
		if i >= b.before && i < b.before+len(own) {
			outs = append(outs, own[i-b.before].When)
		} else {
			outs = append(outs, c.Ne(c.literal(false, dtype.I1), false).(*tensor).arr)
		}
	}
	program, err := b.trace.Finish("branch", outs)
	c.check(err)
	return program
}
