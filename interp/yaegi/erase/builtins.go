package erase

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// builtin lowers a call of a predeclared function.
func (f *scope) builtin(p at, e *ast.CallExpr, name string) ast.Expr {
	switch name {
	case "append":
		return f.appendCall(p, e)
	case "new":
		return f.newCall(p, e)
	case "make":
		return f.makeCall(p, e)
	case "min", "max":
		return f.minMax(p, e, name)
	case "clear":
		return p.rt("Clear", f.expr(e.Args[0]))
	case "delete":
		return p.call(p.id("delete"), f.expr(e.Args[0]), f.exprTo(e.Args[1], f.under(e.Args[0]).(*types.Map).Key()))
	case "panic":
		return p.rt("Panic", f.anyOf(e.Args[0]))
	case "recover":
		if f.recoverFrom != "" {
			return p.call(p.sel(p.id(f.recoverFrom), "Recover"))
		}
		return p.rt("Recover")
	case "print", "println":
		var args []ast.Expr
		for _, a := range e.Args {
			args = append(args, f.expr(a))
		}
		return p.call(p.id(name), args...)
	case "cap", "len", "close", "copy", "complex", "real", "imag":
		return f.plainBuiltin(p, e, name)
	}
	fail(p, "%s cannot run in a cell", name)
	return nil
}

func (f *scope) plainBuiltin(p at, e *ast.CallExpr, name string) ast.Expr {
	var args []ast.Expr
	for _, a := range e.Args {
		args = append(args, f.expr(a))
	}
	return p.call(p.id(name), args...)
}

func (f *scope) appendCall(p at, e *ast.CallExpr) ast.Expr {
	elem := f.under(e).(*types.Slice).Elem()
	args := []ast.Expr{f.exprTo(e.Args[0], f.typ(e))}
	if f.info.Types[e.Args[0]].IsNil() {
		args[0] = p.call(p.paren(f.typeExpr(p, f.typ(e))), p.id("nil"))
	}
	for _, a := range e.Args[1:] {
		if e.Ellipsis.IsValid() {
			args = append(args, f.expr(a))
			continue
		}
		args = append(args, f.exprTo(a, elem))
	}
	c := p.call(p.id("append"), args...)
	c.Ellipsis = e.Ellipsis
	return c
}

// makeCall lowers make. How many elements memory holds is asked before they are
// made: the run time ends the process where it gets no memory.
func (f *scope) makeCall(p at, e *ast.CallExpr) ast.Expr {
	t := f.typ(e)
	made, size := t, int64(0)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		size = f.sizeOf(p, u.Elem())
	case *types.Map:
		size = f.sizeOf(p, u.Key()) + f.sizeOf(p, u.Elem())
	case *types.Chan:
		size = f.sizeOf(p, u.Elem())
		made = types.NewChan(types.SendRecv, u.Elem()) // reflection makes no others
	}
	args := []ast.Expr{f.typeExpr(p, made)}
	for _, a := range e.Args[1:] {
		args = append(args, f.count(p, a, size))
	}
	c := p.call(p.id("make"), args...)
	if f.sameInner(made, t) {
		return c
	}
	return p.call(p.paren(f.typeExpr(p, t)), c)
}

// smallMake is the size in bytes up to which make does not ask for memory.
const smallMake = 1 << 20

// count lowers the number of elements of size bytes that make is asked for.
func (f *scope) count(p at, e ast.Expr, size int64) ast.Expr {
	if v := f.info.Types[e].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n >= 0 && n <= smallMake/max(size, 1) {
			return f.operand(e)
		}
	}
	if b, ok := f.under(e).(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return p.rt("CountUnsigned", p.call(p.id("uint64"), f.operand(e)), p.num(int(size)))
	}
	return p.rt("Count", p.call(p.id("int"), f.operand(e)), p.num(int(size)))
}

// sizeOf returns the size of a value of type t in bytes.
func (f *scope) sizeOf(p at, t types.Type) int64 {
	r, err := f.s.Table.Inner(t)
	if err != nil {
		fail(p, "%v", err)
	}
	return int64(r.Size())
}

// newCall lowers new(T), and new(x) of Go 1.26.
func (f *scope) newCall(p at, e *ast.CallExpr) ast.Expr {
	elem, _ := elemOf(f.typ(e))
	if f.info.Types[e.Args[0]].IsType() {
		return p.call(p.id("new"), f.typeExpr(p, elem))
	}
	return f.newOf(p, f.exprTo(e.Args[0], elem), elem)
}

// minMax lowers min and max to nested calls of a function of two operands.
func (f *scope) minMax(p at, e *ast.CallExpr, name string) ast.Expr {
	t := f.typ(e)
	fn := f.helper(name+f.s.Table.Key(t), func(helper string) *ast.FuncDecl {
		return f.minMaxFunc(p, helper, name, t)
	})
	x := f.exprTo(e.Args[0], t)
	for _, a := range e.Args[1:] {
		x = p.call(p.id(fn), x, f.exprTo(a, t))
	}
	return x
}

func (f *scope) minMaxFunc(p at, helper, name string, t types.Type) *ast.FuncDecl {
	typ := func() ast.Expr { return f.typeExpr(p, t) }
	ft := p.funcType([]*ast.Field{p.field("x", typ()), p.field("y", typ())}, []*ast.Field{p.field("", typ())})
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		fail(p, "%s of %s", name, celltype.Text(t))
	}
	if b.Info()&types.IsFloat != 0 {
		float := map[string]string{"min": "MinFloat", "max": "MaxFloat"}[name]
		arg := func(v string) ast.Expr { return p.call(p.id("float64"), p.id(v)) }
		return p.funcDecl(helper, ft, p.block(p.ret(p.call(typ(), p.rt(float, arg("x"), arg("y"))))))
	}
	op := map[string]token.Token{"min": token.LSS, "max": token.GTR}[name]
	return p.funcDecl(helper, ft, p.block(p.ifThen(p.bin(p.id("y"), op, p.id("x")), p.ret(p.id("y"))), p.ret(p.id("x"))))
}
