package tensor

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// TypeExpr returns an expression at pos that denotes t in rewritten code. It returns an error if t contains a type that
// the code cannot name, such as one that its package does not export.
func (c *Cell) TypeExpr(pos token.Pos, t types.Type) (e ast.Expr, err error) {
	w := &typeWriter{c, pos}
	defer func() {
		if r := recover(); r != nil {
			unnamed, ok := r.(unnameable)
			if !ok {
				panic(r)
			}
			err = &explain.Error{Pos: w.pos, Msg: unnamed.Error()}
		}
	}()
	return w.expr(t), nil
}

// A typeWriter makes expressions for types. Its methods panic with an unnameable if a type has no expression.
type typeWriter struct {
	c   *Cell
	pos token.Pos
}

// unnameable is the error that rewritten code cannot name t.
type unnameable struct{ t types.Type }

func (u unnameable) Error() string {
	return fmt.Sprintf("%s has no name outside its package; keep its values in variables of an interface type",
		types.TypeString(u.t, (*types.Package).Name))
}

// ident returns the identifier name at w.pos.
func (w *typeWriter) ident(name string) *ast.Ident { return cell.Ident(w.pos, name) }

// expr returns the expression for t.
func (w *typeWriter) expr(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Alias:
		return w.named(t.Obj(), t.TypeArgs())
	case *types.Named:
		return w.named(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		return w.ident(t.Obj().Name())
	case *types.Basic:
		return w.basic(t)
	case *types.Pointer:
		return &ast.StarExpr{Star: w.pos, X: w.expr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: w.pos, Elt: w.expr(t.Elem())}
	case *types.Array:
		n := &ast.BasicLit{ValuePos: w.pos, Kind: token.INT, Value: strconv.FormatInt(t.Len(), 10)}
		return &ast.ArrayType{Lbrack: w.pos, Len: n, Elt: w.expr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: w.pos, Key: w.expr(t.Key()), Value: w.expr(t.Elem())}
	case *types.Chan:
		return w.channel(t)
	case *types.Signature:
		return &ast.FuncType{Func: w.pos, Params: w.tuple(t.Params(), t.Variadic()), Results: w.tuple(t.Results(), false)}
	case *types.Struct:
		return w.structure(t)
	case *types.Interface:
		return w.iface(t)
	}
	panic(unnameable{t})
}

func (w *typeWriter) basic(t *types.Basic) ast.Expr {
	if t.Kind() == types.UnsafePointer {
		return w.c.Qualified(w.pos, "unsafe", "Pointer")
	}
	if t.Info()&types.IsUntyped != 0 || t.Kind() == types.Invalid {
		panic(unnameable{t})
	}
	return w.ident(t.Name())
}

// named returns the expression for a declared type and its type arguments: its engine name if a cell declares it, or
// its name qualified by the package.
func (w *typeWriter) named(obj *types.TypeName, args *types.TypeList) ast.Expr {
	var e ast.Expr
	switch {
	case obj.Pkg() == nil:
		e = w.ident(obj.Name())
	case w.c.Engine[obj] != "":
		e = w.ident(w.c.Engine[obj])
	case w.c.Env.Of(obj) != nil:
		e = w.ident(w.c.Env.Of(obj).Engine)
	case check.IsCell(obj.Pkg()):
		e = w.ident(obj.Name()) // a local type, or one that already has its engine name
	case obj.Exported():
		e = w.c.Qualified(w.pos, obj.Pkg().Path(), obj.Name())
	default:
		panic(unnameable{obj.Type()})
	}
	if args.Len() == 0 {
		return e
	}
	indices := make([]ast.Expr, args.Len())
	for i := range indices {
		indices[i] = w.expr(args.At(i))
	}
	if len(indices) == 1 {
		return &ast.IndexExpr{X: e, Lbrack: w.pos, Index: indices[0], Rbrack: w.pos}
	}
	return &ast.IndexListExpr{X: e, Lbrack: w.pos, Indices: indices, Rbrack: w.pos}
}

func (w *typeWriter) channel(t *types.Chan) ast.Expr {
	dirs := map[types.ChanDir]ast.ChanDir{
		types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV,
	}
	e := &ast.ChanType{Begin: w.pos, Dir: dirs[t.Dir()], Value: w.expr(t.Elem())}
	if t.Dir() != types.SendRecv {
		e.Arrow = w.pos
	}
	return e
}

// tuple returns a list of parameters or results without names.
func (w *typeWriter) tuple(t *types.Tuple, variadic bool) *ast.FieldList {
	list := &ast.FieldList{Opening: w.pos, Closing: w.pos}
	for i := range t.Len() {
		typ := t.At(i).Type()
		var e ast.Expr
		if variadic && i == t.Len()-1 {
			e = &ast.Ellipsis{Ellipsis: w.pos, Elt: w.expr(typ.(*types.Slice).Elem())}
		} else {
			e = w.expr(typ)
		}
		list.List = append(list.List, &ast.Field{Type: e})
	}
	return list
}

func (w *typeWriter) structure(t *types.Struct) ast.Expr {
	list := &ast.FieldList{Opening: w.pos, Closing: w.pos}
	for i := range t.NumFields() {
		f := t.Field(i)
		field := &ast.Field{Type: w.expr(f.Type())}
		if !f.Embedded() {
			field.Names = []*ast.Ident{w.ident(f.Name())}
		}
		if tag := t.Tag(i); tag != "" {
			field.Tag = cell.String(w.pos, tag).(*ast.BasicLit)
		}
		list.List = append(list.List, field)
	}
	return &ast.StructType{Struct: w.pos, Fields: list}
}

func (w *typeWriter) iface(t *types.Interface) ast.Expr {
	list := &ast.FieldList{Opening: w.pos, Closing: w.pos}
	for i := range t.NumExplicitMethods() {
		m := t.ExplicitMethod(i)
		list.List = append(list.List, &ast.Field{Names: []*ast.Ident{w.ident(m.Name())}, Type: w.expr(m.Signature())})
	}
	for i := range t.NumEmbeddeds() {
		list.List = append(list.List, &ast.Field{Type: w.union(t.EmbeddedType(i))})
	}
	return &ast.InterfaceType{Interface: w.pos, Methods: list}
}

// union returns the expression for an embedded element of a constraint, such as ~int | string.
func (w *typeWriter) union(t types.Type) ast.Expr {
	u, ok := t.(*types.Union)
	if !ok {
		return w.expr(t)
	}
	var e ast.Expr
	for i := range u.Len() {
		term := w.expr(u.Term(i).Type())
		if u.Term(i).Tilde() {
			term = &ast.UnaryExpr{OpPos: w.pos, Op: token.TILDE, X: term}
		}
		if e == nil {
			e = term
		} else {
			e = &ast.BinaryExpr{X: e, OpPos: w.pos, Op: token.OR, Y: term}
		}
	}
	return e
}
