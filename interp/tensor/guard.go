package tensor

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/goanvil/notebook/interp/check"
)

// Functions such as nv.Jit trace their argument f: they call f with tensors that have no values yet. If f assigned such
// a tensor to a variable that is declared outside of f, later code could not use the variable. Therefore GuardVariables
// adds a check to such assignments: if the tensor is traced, the assignment panics and the variable keeps its value.

// tracing has the functions of the tensor package that trace their function arguments. The value is true for those
// that trace the body of a loop once for all steps.
var tracing = map[string]bool{
	"While": true, "ForI": true, "Scan": true, "Map": true,
	"Jit": false, "Lower": false, "If": false, "Switch": false, "AssociativeScan": false, "Vmap": false,
	"Grad": false, "ValueAndGrad": false, "VJP": false, "JVP": false, "Linearize": false, "Hessian": false,
	"HVP": false, "Jacobian": false, "JacFwd": false, "Checkpoint": false, "Custom": false, "CheckGrad": false,
}

// GuardVariables adds a check to assignments of tensors to outer variables: in a function, to variables at cell level;
// in a function literal that is traced, also to other variables declared outside of it. It returns an error for an
// assignment in a literal that is traced once for all steps of a loop, because the assignment would run once and not at
// each step.
func (c *Cell) GuardVariables() error {
	if c.Tensor == nil {
		return nil
	}
	g := &guard{Cell: c, traced: c.tracedLiterals()}
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			g.functions = 0
			if f.Name.Name != check.Entry {
				g.functions = 1
			}
			astutil.Apply(f.Body, g.enter, g.leave)
		}
	}
	return g.err
}

// tracedLiterals returns the function literals that are arguments of functions in tracing. The values are the names of
// these functions.
func (c *Cell) tracedLiterals() map[*ast.FuncLit]string {
	traced := map[*ast.FuncLit]string{}
	ast.Inspect(c.File, func(n ast.Node) bool {
		e, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f := c.Callee(e)
		if f == nil || f.Pkg() == nil || f.Pkg().Path() != c.Path {
			return true
		}
		name := strings.TrimSuffix(f.Name(), "Any")
		if _, ok := tracing[name]; ok {
			for _, arg := range e.Args {
				if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok {
					traced[lit] = name
				}
			}
		}
		return true
	})
	return traced
}

// A guard adds the checks to the functions of a cell.
type guard struct {
	*Cell
	traced    map[*ast.FuncLit]string // the result of tracedLiterals
	functions int                     // how many functions enclose the current node, not counting the entry function
	literals  []*ast.FuncLit          // the traced literals that enclose the current node
	err       error
}

// enter is called for each node before its children.
func (g *guard) enter(at *astutil.Cursor) bool {
	if lit, ok := at.Node().(*ast.FuncLit); ok {
		g.functions++
		if g.traced[lit] != "" {
			g.literals = append(g.literals, lit)
		}
	}
	return true
}

// leave is called for each node after its children. It replaces assignments.
func (g *guard) leave(at *astutil.Cursor) bool {
	switch n := at.Node().(type) {
	case *ast.FuncLit:
		g.functions--
		if g.traced[n] != "" {
			g.literals = g.literals[:len(g.literals)-1]
		}
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN || g.functions == 0 {
			return true
		}
		if s := g.guarded(n); s != nil {
			at.Replace(s)
		}
	}
	return true
}

// outerVariable returns the variable that an assignment to x changes, if x holds tensors and the variable is
// declared outside of the innermost traced literal, or at cell level. Otherwise it returns nil. It sets g.err if the
// innermost traced literal is traced once for all steps of a loop and the variable is declared outside of it.
func (g *guard) outerVariable(x ast.Expr) *types.Var {
	id := root(x)
	if id == nil || id.Name == "_" || !g.HoldsTensor(g.Info.TypeOf(x)) {
		return nil
	}
	v, ok := g.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	inside := len(g.literals) > 0 && declaredIn(v, g.literals[len(g.literals)-1])
	if v.Kind() != types.PackageVar && (len(g.literals) == 0 || inside) {
		return nil
	}
	if function := g.tracedBy(); tracing[function] && !inside && g.err == nil {
		name := check.AuthorName(v.Name())
		g.err = g.Errorf(x, "%s = ...: %s is declared outside of the function given to nv.%s, which is traced once "+
			"and not run at each step; add it to the values that the loop carries", name, name, function)
	}
	return v
}

// tracedBy returns the name of the library function that traces the innermost traced literal, or "".
func (g *guard) tracedBy() string {
	if len(g.literals) == 0 {
		return ""
	}
	return g.traced[g.literals[len(g.literals)-1]]
}

// declaredIn reports whether v is declared in lit.
func declaredIn(v *types.Var, lit *ast.FuncLit) bool {
	return lit.Pos() <= v.Pos() && v.Pos() < lit.End()
}

// guarded returns s with checks, or nil if there is nothing to check. A single value is checked before it is
// assigned. Several values are assigned first; then a variable that holds a traced tensor gets its old value back, and
// the statement panics.
func (g *guard) guarded(s *ast.AssignStmt) ast.Stmt {
	pos := s.Pos()
	set := func(lhs, rhs ast.Expr) ast.Stmt {
		return &ast.AssignStmt{Lhs: []ast.Expr{lhs}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{rhs}}
	}
	define := func(value ast.Expr, t types.Type) (*types.Var, ast.Stmt) {
		id, v := g.Define(pos, g.Fresh("v"), t)
		return v, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{value}}
	}
	// checkValue returns a statement that panics if value, which is assigned to outer, is traced.
	checkValue := func(value, outer *types.Var) ast.Stmt {
		name := g.String(pos, check.AuthorName(outer.Name()))
		return &ast.ExprStmt{X: g.CallAid(pos, "Untraced", g.Use(pos, value), name)}
	}
	if len(s.Lhs) == 1 {
		outer := g.outerVariable(s.Lhs[0])
		if outer == nil || g.Info.Types[s.Rhs[0]].IsNil() {
			return nil
		}
		value, defined := define(s.Rhs[0], g.Info.TypeOf(s.Lhs[0]))
		list := []ast.Stmt{defined, checkValue(value, outer), set(s.Lhs[0], g.Use(pos, value))}
		return &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: s.End()}
	}
	var before, after []ast.Stmt
	for _, x := range s.Lhs {
		id, isVariable := ast.Unparen(x).(*ast.Ident)
		outer := g.outerVariable(x)
		if outer == nil || !isVariable {
			continue
		}
		old, defineOld := define(g.Use(pos, outer), outer.Type())
		value, defineValue := define(g.Use(pos, outer), outer.Type())
		restore := []ast.Stmt{defineValue, set(g.copyIdent(id), g.Use(pos, old)), checkValue(value, outer)}
		before = append(before, defineOld)
		after = append(after, &ast.IfStmt{
			If: pos, Cond: g.CallAid(pos, "IsTraced", g.Use(pos, outer)),
			Body: &ast.BlockStmt{Lbrace: pos, List: restore, Rbrace: pos},
		})
	}
	if before == nil {
		return nil
	}
	return &ast.BlockStmt{Lbrace: pos, List: append(append(before, s), after...), Rbrace: s.End()}
}
