package tensor

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/goanvil/notebook/interp/check"
)

// A function that is traced is called with tensors that have no values yet. A variable
// outside of the function would keep such a tensor, which is of no use later: assignments to
// such variables are checked, and undone by a panic.

// tracing lists the functions of the tensor package that trace the functions they are given. The value is
// true if one trace serves all steps of a loop.
var tracing = map[string]bool{
	"While": true, "ForI": true, "Scan": true, "Map": true,
	"Jit": false, "Lower": false, "If": false, "Switch": false, "AssociativeScan": false, "Vmap": false,
	"Grad": false, "ValueAndGrad": false, "VJP": false, "JVP": false, "Linearize": false, "Hessian": false, "HVP": false,
	"Jacobian": false, "JacFwd": false, "Checkpoint": false, "Custom": false, "CheckGrad": false,
}

// GuardVariables adds checks to assignments of tensors to outer variables in functions. It refuses such an
// assignment in a loop body that is traced once, because it would run once instead of at each step.
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

// tracedLiterals returns the literals that are given to functions that trace them, with the
// names of these.
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
		name := f.Name()
		if _, ok := tracing[name]; !ok && len(name) > 3 {
			name = name[:len(name)-len("Any")]
		}
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

// guard adds the checks to functions.
type guard struct {
	*Cell
	traced    map[*ast.FuncLit]string
	functions int            // around the current node, without the cell itself
	literals  []*ast.FuncLit // of these, those that are traced
	err       error
}

func (g *guard) enter(at *astutil.Cursor) bool {
	if lit, ok := at.Node().(*ast.FuncLit); ok {
		g.functions++
		if g.traced[lit] != "" {
			g.literals = append(g.literals, lit)
		}
	}
	return true
}

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

// outer returns the variable that an assignment to x changes, if that holds tensors and
// outlives the trace; otherwise nil.
func (g *guard) outer(x ast.Expr) *types.Var {
	id := root(x)
	if id == nil || id.Name == "_" || !g.HoldsTensor(g.Info.TypeOf(x)) {
		return nil
	}
	v, ok := g.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	inside := len(g.literals) > 0 && contains(g.literals[len(g.literals)-1], v)
	if v.Kind() != types.PackageVar && (len(g.literals) == 0 || inside) {
		return nil
	}
	if by := g.tracedBy(); tracing[by] && !inside && g.err == nil {
		name := check.AuthorName(v.Name())
		g.err = g.Errorf(x, "%s = ...: %s is declared outside of the function given to nv.%s, which is traced once and not run at each step; add it to the values that the loop carries", name, name, by)
	}
	return v
}

// tracedBy returns the name of the function that traces the innermost literal, or "".
func (g *guard) tracedBy() string {
	if len(g.literals) == 0 {
		return ""
	}
	return g.traced[g.literals[len(g.literals)-1]]
}

func contains(lit *ast.FuncLit, v *types.Var) bool {
	return lit.Pos() <= v.Pos() && v.Pos() < lit.End()
}

// guarded returns s with checks: one value is checked before it is assigned, several are
// assigned and put back. It returns nil if there is nothing to check.
func (g *guard) guarded(s *ast.AssignStmt) ast.Stmt {
	pos := s.Pos()
	set := func(lhs, rhs ast.Expr) ast.Stmt {
		return &ast.AssignStmt{Lhs: []ast.Expr{lhs}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{rhs}}
	}
	define := func(value ast.Expr, t types.Type) (*types.Var, ast.Stmt) {
		id, v := g.Define(pos, g.Fresh("v"), t)
		return v, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{value}}
	}
	check := func(v, of *types.Var) ast.Stmt {
		return &ast.ExprStmt{X: g.CallAid(pos, "Untraced", g.Use(pos, v), g.String(pos, check.AuthorName(of.Name())))}
	}
	if len(s.Lhs) == 1 {
		of := g.outer(s.Lhs[0])
		if of == nil || g.Info.Types[s.Rhs[0]].IsNil() {
			return nil
		}
		v, defined := define(s.Rhs[0], g.Info.TypeOf(s.Lhs[0]))
		return &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{defined, check(v, of), set(s.Lhs[0], g.Use(pos, v))}, Rbrace: s.End()}
	}
	var before, after []ast.Stmt
	for _, x := range s.Lhs {
		id, isVariable := ast.Unparen(x).(*ast.Ident)
		of := g.outer(x)
		if of == nil || !isVariable {
			continue
		}
		t := of.Type()
		old, remember := define(g.Use(pos, of), t)
		now, keep := define(g.Use(pos, of), t)
		before = append(before, remember)
		after = append(after, &ast.IfStmt{
			If: pos, Cond: g.CallAid(pos, "IsTraced", g.Use(pos, of)),
			Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{keep, set(g.copyIdent(id), g.Use(pos, old)), check(now, of)}, Rbrace: pos},
		})
	}
	if before == nil {
		return nil
	}
	return &ast.BlockStmt{Lbrace: pos, List: append(append(before, s), after...), Rbrace: s.End()}
}
