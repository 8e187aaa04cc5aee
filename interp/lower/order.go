package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/goanvil/notebook/interp/check"
)

// initOrder sorts the var declarations at the beginning of a cell into Go's order of initialization, if the cell
// declares no variables elsewhere.
func (c *Cell) initOrder() {
	// isVarDecl reports whether a step is a declaration with var, and not x := v.
	isVarDecl := func(st *step) bool { return st.vars != nil && st.node == ast.Node(st.vars) }
	n := 0 // the number of var declarations at the beginning
	for n < len(c.steps) && isVarDecl(c.steps[n]) {
		n++
	}
	if slices.ContainsFunc(c.steps[n:], func(st *step) bool { return st.vars != nil }) {
		return
	}
	position := map[types.Object]int{}
	for i, init := range c.Info.InitOrder {
		for _, v := range init.Lhs {
			position[v] = i + 1
		}
	}
	lastPosition := func(st *step) (last int) {
		for _, id := range st.vars.Names {
			last = max(last, position[c.Info.Defs[id]])
		}
		return last
	}
	slices.SortStableFunc(c.steps[:n], func(a, b *step) int { return lastPosition(a) - lastPosition(b) })
}

// checkOrder returns an error if a variable is used before its declaration. go/types accepts such uses because the
// variables are declared at package level.
func (c *Cell) checkOrder() error {
	later := map[types.Object]bool{}
	for i := len(c.steps) - 1; i >= 0; i-- {
		st := c.steps[i]
		if st.vars != nil {
			for _, id := range st.vars.Names {
				later[c.Info.Defs[id]] = true
			}
		}
		if err := c.checkReads(st, later); err != nil {
			return err
		}
	}
	return nil
}

// checkReads returns an error for the first identifier of st that refers to a variable in later, or to a function
// that reads such a variable.
func (c *Cell) checkReads(st *step, later map[types.Object]bool) (err error) {
	st.inspectReads(func(id *ast.Ident) {
		if obj := c.Info.Uses[id]; err == nil && obj != nil && later[obj] {
			err = c.Errorf(id, "undefined: %s (declared only after this)", id.Name)
		} else if v := c.readsLater(obj, later, map[types.Object]bool{}); err == nil && v != nil {
			if st.vars != nil && slices.ContainsFunc(st.vars.Names, func(own *ast.Ident) bool { return c.Info.Defs[own] == v }) {
				err = c.Errorf(id, "initialization cycle: the value of %s needs %s, which reads %[1]s", v.Name(), id.Name)
			} else {
				err = c.Errorf(id, "%s reads %s, which is declared further down; declare it first", id.Name, v.Name())
			}
		}
	})
	return err
}

// readsLater returns a variable in later that f, a function of this cell, reads itself or through other functions,
// or nil. It ignores variables that share the storage of an earlier cell's variable, since they have a value.
func (c *Cell) readsLater(f types.Object, later, seen map[types.Object]bool) (v types.Object) {
	body := c.bodyOf(f)
	if body == nil || seen[f] {
		return nil
	}
	seen[f] = true
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || v != nil {
			return v == nil
		}
		obj := c.Info.Uses[id]
		if later[obj] {
			if old := c.Env.Lookup(id.Name); old == nil || !sameStorage(obj, old.Object) {
				v = obj
			}
			return true
		}
		v = c.readsLater(obj, later, seen)
		return true
	})
	return v
}

// bodyOf returns the body of a function or method that this cell declares, or nil.
func (c *Cell) bodyOf(f types.Object) *ast.BlockStmt {
	fn, ok := f.(*types.Func)
	if !ok {
		return nil
	}
	fn = fn.Origin()
	for _, late := range c.lateMethods {
		if late.added == fn {
			return late.function.Body
		}
	}
	for _, decl := range c.File.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Name.Name != check.Entry && c.Info.Defs[d.Name] == types.Object(fn) {
			return d.Body
		}
	}
	return nil
}
