package erase

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// composite lowers a composite literal of type t, which may be elided in the source.
func (f *scope) composite(p at, e *ast.CompositeLit, t types.Type) ast.Expr {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return f.addressOf(p, e, u.Elem())
	case *types.Struct:
		return f.structLit(p, e, t, u)
	case *types.Map:
		return f.mapLit(p, e, t, u)
	case *types.Slice:
		return f.listLit(p, e, f.typeExpr(p, t), u.Elem())
	case *types.Array:
		return f.listLit(p, e, f.typeExpr(p, t), u.Elem())
	}
	fail(p, "composite literal of %s", celltype.Text(t))
	return nil
}

// addressOf lowers &T{...}.
func (f *scope) addressOf(p at, e *ast.CompositeLit, t types.Type) ast.Expr {
	x := f.composite(p, e, t)
	if _, ok := t.Underlying().(*types.Struct); ok {
		return p.ref(x)
	}
	// The interpreter takes the address of struct literals only.
	return f.newOf(p, x, t)
}

// newOf returns the address of a new variable with value x.
func (f *scope) newOf(p at, x ast.Expr, t types.Type) ast.Expr {
	name := f.helper("new "+f.s.Table.Key(t), func(name string) *ast.FuncDecl {
		ft := p.funcType([]*ast.Field{p.field("v", f.typeExpr(p, t))}, []*ast.Field{p.field("", p.star(f.typeExpr(p, t)))})
		return p.funcDecl(name, ft, p.block(
			p.define("r", p.call(p.id("new"), f.typeExpr(p, t))),
			p.set(p.star(p.id("r")), p.id("v")),
			p.ret(p.id("r"))))
	})
	return p.call(p.id(name), x)
}

// element lowers an element, whose type may be elided if it is a literal.
func (f *scope) element(e ast.Expr, t types.Type) ast.Expr {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		return f.composite(f.at(e), lit, t)
	}
	return f.exprTo(e, t)
}

func (f *scope) structLit(p at, e *ast.CompositeLit, t types.Type, s *types.Struct) ast.Expr {
	lit := &ast.CompositeLit{Type: f.typeExpr(p, t), Lbrace: token.Pos(p), Rbrace: token.Pos(p)}
	for i, elt := range e.Elts {
		n, v := i, elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, v = fieldIndex(s, kv.Key.(*ast.Ident).Name), kv.Value
		}
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{
			Key: p.id(f.fieldName(t, s, n)), Colon: token.Pos(p), Value: f.element(v, s.Field(n).Type()),
		})
	}
	return lit
}

func fieldIndex(s *types.Struct, name string) int {
	for i := range s.NumFields() {
		if celltype.AuthorName(s.Field(i).Name()) == celltype.AuthorName(name) {
			return i
		}
	}
	return -1
}

// fieldName returns the name of field i of t in lowered code.
func (f *scope) fieldName(t types.Type, s *types.Struct, i int) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && !check.IsCell(n.Obj().Pkg()) {
		return s.Field(i).Name()
	}
	return celltype.FieldName(s, i)
}

func (f *scope) mapLit(p at, e *ast.CompositeLit, t types.Type, m *types.Map) ast.Expr {
	lit := &ast.CompositeLit{Type: f.typeExpr(p, t), Lbrace: token.Pos(p), Rbrace: token.Pos(p)}
	for _, elt := range e.Elts {
		kv := elt.(*ast.KeyValueExpr)
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: f.element(kv.Key, m.Key()), Colon: token.Pos(p), Value: f.element(kv.Value, m.Elem())})
	}
	return lit
}

func (f *scope) listLit(p at, e *ast.CompositeLit, t ast.Expr, elem types.Type) ast.Expr {
	lit := &ast.CompositeLit{Type: t, Lbrace: token.Pos(p), Rbrace: token.Pos(p)}
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			lit.Elts = append(lit.Elts, f.element(elt, elem))
			continue
		}
		n, _ := constant.Int64Val(constant.ToInt(f.info.Types[kv.Key].Value))
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: p.num(int(n)), Colon: token.Pos(p), Value: f.element(kv.Value, elem)})
	}
	return lit
}
