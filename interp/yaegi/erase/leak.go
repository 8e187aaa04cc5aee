package erase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// A function that is traced is called with tensors that have no values yet. What
// it keeps of them in a variable of its surroundings would be of no use later,
// so such an assignment is checked, and undone by a panic.

// tracing are the functions, beside the type of tensors, that trace what they
// are given.
var tracing = map[string]bool{
	"Jit": true, "Lower": true, "If": true, "Switch": true, "While": true, "ForI": true, "Scan": true, "Map": true, "AssociativeScan": true, "Vmap": true,
	"Grad": true, "ValueAndGrad": true, "VJP": true, "JVP": true, "Linearize": true, "Hessian": true, "HVP": true, "Jacobian": true,
	"JacFwd": true, "Checkpoint": true, "Custom": true, "CheckGrad": true,
}

// repeating are those whose functions are traced once for all their steps.
var repeating = map[string]bool{"While": true, "ForI": true, "Scan": true, "Map": true}

// traces returns the name of such a function if fun is one, else "".
func (f *scope) traces(fun ast.Expr) string {
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || !tracing[sel.Sel.Name] {
		return ""
	}
	fn, ok := f.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Scope().Lookup("Tensor") == nil {
		return ""
	}
	return fn.Name()
}

// outer returns the variable of the function's surroundings that an assignment
// to x changes, nil if it changes none.
func (f *scope) outer(x ast.Expr) *types.Var {
	v := f.variableOf(x)
	switch {
	case v == nil || !f.function:
		return nil
	case v.Parent() == nil || v.Parent().Parent() == types.Universe: // of an earlier or of this cell
		return v
	case f.tracedLit != nil && !within(f.tracedLit, v):
		return v
	}
	return nil
}

func within(lit *ast.FuncLit, v *types.Var) bool { return lit.Pos() <= v.Pos() && v.Pos() < lit.End() }

// carried stops an assignment to v in the body of a loop that is traced once:
// it would be done once, not at each step.
func (f *scope) carried(p at, v *types.Var) {
	if f.tracedLit != nil && repeating[f.tracedBy] && !within(f.tracedLit, v) {
		name := celltype.AuthorName(v.Name())
		fail(p, "%s = ...: %s is declared outside of the function given to nv.%s, which is traced once and not run at each step; make it a part of what the loop carries", name, name, f.tracedBy)
	}
}

// variableOf returns the variable that x is or is a part of.
func (f *scope) variableOf(x ast.Expr) *types.Var {
	for {
		switch e := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, _ := f.object(e).(*types.Var)
			return v
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		default:
			return nil
		}
	}
}

// holdsTensors reports whether t is a type of tensors, or a slice, map, struct
// or pointer to one.
func holdsTensors(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && !check.IsCell(n.Obj().Pkg()) {
		obj, _, _ := types.LookupFieldOrMethod(n, false, n.Obj().Pkg(), "Traced")
		return n.Obj().Name() == "Tensor" && obj != nil
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for v := range t.Fields() {
			if holdsTensors(v.Type(), seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return holdsTensors(t.Elem(), seen)
	}
	return false
}

// keptOutside returns x = value, preceded by a check if value may be a traced
// tensor and x outlives the trace.
func (f *scope) keptOutside(p at, s *ast.AssignStmt) ([]ast.Stmt, bool) {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, false
	}
	v, t := f.outer(s.Lhs[0]), f.lhsType(s.Lhs[0])
	if v == nil || !holdsTensors(t, map[types.Type]bool{}) {
		return nil, false
	}
	f.carried(p, v)
	name := f.unique("v")
	return []ast.Stmt{
		p.variable(name, f.typeExpr(p, t)),
		p.set(p.id(name), f.exprTo(s.Rhs[0], t)),
		p.expr(p.rt("Untraced", p.id(name), p.str(celltype.AuthorName(v.Name())))),
		p.set(f.lhs(s.Lhs[0]), p.id(name)),
	}, true
}

// restored returns checks of the variables that an assignment of several has
// set, and before it the statements that remember what they held.
func (f *scope) restored(p at, s *ast.AssignStmt) (before, after []ast.Stmt) {
	if s.Tok != token.ASSIGN || len(s.Lhs) < 2 {
		return nil, nil
	}
	for _, x := range s.Lhs {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok || id.Name == "_" || f.outer(x) == nil || !holdsTensors(f.lhsType(x), map[types.Type]bool{}) {
			continue
		}
		f.carried(p, f.outer(x))
		old, now := f.unique("v"), f.unique("v")
		before = append(before, p.define(old, f.lhs(x)))
		after = append(after, p.ifThen(p.rt("IsTraced", f.lhs(x)),
			p.define(now, f.lhs(x)),
			p.set(f.lhs(x), p.id(old)),
			p.expr(p.rt("Untraced", p.id(now), p.str(celltype.AuthorName(id.Name))))))
	}
	return before, after
}
