package tensor

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// CutLoops adds a cut at the end of each iteration of every loop that carries tensors from one iteration to the next.
// A cut is a call of the aid Cut, which starts computing these tensors. Without it, the graph of operations that are
// not yet computed would grow with the number of iterations.
func (c *Cell) CutLoops() {
	if c.Tensor == nil {
		return
	}
	labels := map[ast.Node]string{} // the labels of statements
	ast.Inspect(c.File, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels[n.Stmt] = n.Label.Name
			return true
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			return true
		}
		if carried := c.carried(n, body); len(carried) > 0 {
			c.keepAssigned(body, carried)
			c.cutLoop(body, labels[n], carried)
		}
		return true
	})
}

// carried returns the variables that a loop carries from one iteration to the next: those that hold tensors, are
// declared outside the loop, and are assigned in its body.
func (c *Cell) carried(loop ast.Node, body *ast.BlockStmt) (carried []*types.Var) {
	seen := map[types.Object]bool{}
	add := func(e ast.Expr) {
		id := root(e)
		if id == nil || id.Name == "_" {
			return
		}
		v, ok := c.Info.ObjectOf(id).(*types.Var)
		if !ok || seen[v] {
			return
		}
		if inLoop := loop.Pos() <= v.Pos() && v.Pos() < loop.End(); inLoop && v.Parent() != c.Pkg.Scope() {
			return
		}
		if seen[v] = true; c.HoldsTensor(v.Type()) {
			carried = append(carried, v)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					add(l)
				}
			}
		case *ast.IncDecStmt:
			add(n.X)
		}
		return true
	})
	return carried
}

// root returns the identifier of the variable that an assignment to e changes, or nil if e does not begin with one.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// HoldsTensor reports whether values of type t are tensors, or contain or point to tensors.
func (c *Cell) HoldsTensor(t types.Type) bool { return c.holdsTensor(t, map[types.Type]bool{}) }

// holdsTensor is HoldsTensor, except that it returns false for types in seen. It adds t and its parts to seen.
func (c *Cell) holdsTensor(t types.Type, seen map[types.Type]bool) bool {
	if c.IsTensor(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if c.holdsTensor(f.Type(), seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // slices, arrays, pointers, maps and channels
		if _, ok := t.(*types.Chan); !ok {
			return c.holdsTensor(t.Elem(), seen)
		}
	}
	return false
}

// cutLoop adds the cut at the end of body and before each continue statement of the loop.
func (c *Cell) cutLoop(body *ast.BlockStmt, label string, carried []*types.Var) {
	cut := func(pos token.Pos) ast.Stmt {
		var args []ast.Expr
		for _, v := range carried {
			args = append(args, c.Address(c.Use(pos, v)))
		}
		return &ast.ExprStmt{X: c.CallAid(pos, "Cut", args...)}
	}
	rewriteBranches(body, func(s *ast.BranchStmt, inner bool) ast.Stmt {
		refersToLoop := !inner
		if s.Label != nil {
			refersToLoop = s.Label.Name == label
		}
		if s.Tok != token.CONTINUE || !refersToLoop {
			return s
		}
		return &ast.BlockStmt{Lbrace: s.Pos(), List: []ast.Stmt{cut(s.Pos()), s}, Rbrace: s.End()}
	})
	body.List = append(body.List, cut(body.Rbrace))
}

// keepAssigned adds calls of the aid Keep after assignments to carried tensors. Keep marks these tensors: if the rest
// of the iteration reads a tensor that depends on them, the program that computes it also returns the marked tensors,
// and the cut does not compute them again.
func (c *Cell) keepAssigned(body *ast.BlockStmt, carried []*types.Var) {
	end := len(body.List) // each statement of body from this index on assigns carried tensors
	for end > 0 && len(c.assigned(body.List[end-1], carried)) > 0 {
		end--
	}
	astutil.Apply(body, func(at *astutil.Cursor) bool {
		switch n := at.Node().(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.AssignStmt:
			args := c.assigned(n, carried)
			if at.Index() < 0 || len(args) == 0 {
				return false
			}
			if atEnd := at.Parent() == body && at.Index() >= end; atEnd {
				return false // the cut follows, with no read in between
			}
			at.InsertAfter(&ast.ExprStmt{X: c.CallAid(n.Pos(), "Keep", args...)})
		}
		return true
	}, nil)
}

// assigned returns the addresses of the carried tensors that s assigns.
func (c *Cell) assigned(s ast.Stmt, carried []*types.Var) (addresses []ast.Expr) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok == token.DEFINE {
		return nil
	}
	for _, l := range a.Lhs {
		id := root(l)
		if id == nil || !c.IsTensor(c.Info.TypeOf(l)) {
			continue
		}
		if v, ok := c.Info.ObjectOf(id).(*types.Var); ok && slices.Contains(carried, v) && hasAddress(l) {
			addresses = append(addresses, c.Address(c.copyOf(l)))
		}
	}
	return addresses
}

// hasAddress reports whether e is a variable or a field of a variable.
func hasAddress(e ast.Expr) bool {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return hasAddress(sel.X)
	}
	_, ok := e.(*ast.Ident)
	return ok
}
