package tensor

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// An element is an index expression X[Args...] of a tensor and the call X.At(Args...) that replaces it.
type element struct {
	X    ast.Expr
	Args []ast.Expr
	call *ast.CallExpr
}

// updateCall sets the receiver and the arguments of the call to X and Args, after these have changed.
func (at *element) updateCall() {
	at.call.Fun.(*ast.SelectorExpr).X = at.X
	at.call.Args = at.Args
}

// at returns the call x.At(args...), which replaces an index expression that ends at rbrack.
func (c *Cell) at(x ast.Expr, args []ast.Expr, rbrack token.Pos) *ast.CallExpr {
	e := method(x, "At", args...)
	e.Rparen = rbrack
	c.elements[e] = &element{x, args, e}
	return e
}

// index returns the replacement of e if e is x[i], x[i, j] or x[a:b] for a tensor x, and otherwise e.
func (o *operators) index(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IndexExpr:
		if o.isTensor(e.X) {
			return o.markTensor(o.at(e.X, []ast.Expr{e.Index}, e.Rbrack))
		}
	case *ast.IndexListExpr:
		if o.isTensor(e.X) {
			return o.markTensor(o.at(e.X, e.Indices, e.Rbrack))
		}
	case *ast.SliceExpr:
		if o.isTensor(e.X) {
			bounds := cell.Index{Pos: e.Lbrack, Colon: true, Lo: e.Low, Hi: e.High}
			return o.markTensor(o.at(e.X, []ast.Expr{o.slice(bounds, e.Max)}, e.Rbrack))
		}
	}
	return e
}

// slice returns the argument of At for the slice at.Lo:at.Hi:step: a call of Range or, if step is not nil, of Slice.
// For a slice without bounds and step it returns All.
func (c *Cell) slice(at cell.Index, step ast.Expr) ast.Expr {
	if at.Lo == nil && at.Hi == nil && step == nil {
		return c.TensorPackage(at.Pos, "All")
	}
	lo, hi := at.Lo, at.Hi
	if lo == nil && step != nil {
		lo = c.TensorPackage(at.Pos, "Start")
	} else if lo == nil {
		lo = cell.Int(at.Pos, 0)
	}
	if hi == nil {
		hi = c.TensorPackage(at.Pos, "End")
	}
	e := cell.Call(c.TensorPackage(at.Pos, "Range"), lo, hi)
	if step != nil {
		e = cell.Call(c.TensorPackage(at.Pos, "Slice"), lo, hi, step)
	}
	c.slices[e] = true
	return e
}

// PlaceIndexes replaces index expressions that Go does not have, such as x[:, 0], by calls of At. The parser has
// replaced them by x[_] and recorded the indices in syntax.Indexes.
func (c *Cell) PlaceIndexes(syntax *cell.Cell) {
	if len(syntax.Indexes) == 0 {
		return
	}
	var leave func(n ast.Node) ast.Node
	leave = func(n ast.Node) ast.Node {
		index, ok := n.(*ast.IndexExpr)
		if !ok {
			return n
		}
		indices, ok := syntax.Indexes[index.Lbrack]
		if !ok {
			return n
		}
		args := make([]ast.Expr, len(indices))
		authored := &ast.IndexListExpr{X: index.X, Lbrack: index.Lbrack, Rbrack: index.Rbrack}
		for i, at := range indices {
			at.Lo, at.Hi, at.Step = rewriteExpr(at.Lo, leave), rewriteExpr(at.Hi, leave), rewriteExpr(at.Step, leave)
			switch {
			case at.Ellipsis:
				args[i] = c.TensorPackage(at.Pos, "Ellipsis")
			case at.Colon:
				args[i] = c.slice(at, at.Step)
			default:
				args[i] = at.Lo
			}
			authored.Indices = append(authored.Indices, authoredIndex(at))
		}
		e := c.at(index.X, args, index.Rbrack)
		c.atCalls[e.Fun.(*ast.SelectorExpr).Sel] = e
		c.authored[e] = authored
		return e
	}
	for _, decl := range syntax.Decls {
		cell.Rewrite(decl, leave)
	}
	for i, stmt := range syntax.Stmts {
		list := &ast.BlockStmt{List: []ast.Stmt{stmt}}
		cell.Rewrite(list, leave)
		syntax.Stmts[i] = list.List[0]
	}
}

// authoredIndex returns an expression that is printed as the author wrote the index at. For a slice or an ellipsis, it
// is an identifier whose name is the text of the index.
func authoredIndex(at cell.Index) ast.Expr {
	text := "..."
	switch {
	case at.Colon:
		text = textOf(at.Lo) + ":" + textOf(at.Hi)
		if at.Step != nil {
			text += ":" + textOf(at.Step)
		}
	case !at.Ellipsis:
		return at.Lo
	}
	return cell.Ident(at.Pos, text)
}

// textOf returns the source text of e, or "" if e is nil.
func textOf(e ast.Expr) string {
	if e == nil {
		return ""
	}
	return types.ExprString(e)
}

// rewriteExpr is [cell.Rewrite] for an expression that may itself be replaced. It returns the replacement of e, or e.
func rewriteExpr(e ast.Expr, leave func(ast.Node) ast.Node) ast.Expr {
	if e == nil {
		return nil
	}
	holder := &ast.ParenExpr{X: e}
	cell.Rewrite(holder, func(n ast.Node) ast.Node {
		if n == ast.Node(holder) {
			return n
		}
		return leave(n)
	})
	return holder.X
}

// copyOf returns a copy of e with new nodes. e must have no side effects: it consists of names, selectors, indices,
// literals and elements of tensors.
func (o *operators) copyOf(e ast.Expr) ast.Expr {
	fresh := o.Cell.copyOf(e)
	if o.isTensor(e) {
		o.markTensor(fresh)
	}
	return fresh
}

// copyOf is operators.copyOf, except that it does not record that the copy is a tensor.
func (c *Cell) copyOf(e ast.Expr) ast.Expr {
	fresh := c.copyNode(e)
	if tv, ok := c.Info.Types[e]; ok {
		c.Info.Types[fresh] = tv
	}
	return fresh
}

// copyNode is copyOf, except that it does not record the type of the copy.
func (c *Cell) copyNode(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		return c.copyIdent(e)
	case *ast.BasicLit:
		lit := *e
		return &lit
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: e.Lparen, X: c.copyOf(e.X), Rparen: e.Rparen}
	case *ast.SelectorExpr:
		fresh := &ast.SelectorExpr{X: c.copyOf(e.X), Sel: c.copyIdent(e.Sel)}
		if s := c.Info.Selections[e]; s != nil {
			c.Info.Selections[fresh] = s
		}
		return fresh
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: c.copyOf(e.X)}
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: c.copyOf(e.X), Lbrack: e.Lbrack, Index: c.copyOf(e.Index), Rbrack: e.Rbrack}
	case *ast.CallExpr:
		return c.copyCall(e)
	}
	return e
}

// copyCall is copyNode for a call of At, or of Range or Slice in the arguments of At.
func (c *Cell) copyCall(e *ast.CallExpr) ast.Expr {
	fresh := &ast.CallExpr{Fun: c.copyOf(e.Fun), Lparen: e.Lparen, Rparen: e.Rparen}
	for _, arg := range e.Args {
		fresh.Args = append(fresh.Args, c.copyOf(arg))
	}
	if at := c.elements[e]; at != nil {
		c.elements[fresh] = &element{fresh.Fun.(*ast.SelectorExpr).X, fresh.Args, fresh}
	}
	if c.slices[e] {
		c.slices[fresh] = true
	}
	return fresh
}

// copyIdent returns a copy of id that refers to the same object.
func (c *Cell) copyIdent(id *ast.Ident) *ast.Ident {
	fresh := cell.Ident(id.NamePos, id.Name)
	if obj := c.Info.ObjectOf(id); obj != nil {
		c.Info.Uses[fresh] = obj
	}
	return fresh
}
