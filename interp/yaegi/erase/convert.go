package erase

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// exprTo lowers e for a place of type to, which e is assignable to.
func (f *scope) exprTo(e ast.Expr, to types.Type) ast.Expr {
	p := f.at(e)
	if tv := f.info.Types[e]; tv.Value != nil {
		return f.constantTo(p, e, to)
	} else if tv.IsNil() {
		return f.nilOf(p, to)
	}
	from := f.typ(e)
	return f.convert(p, f.expr(e), from, to)
}

// nilOf writes nil for a place of type to. The interpreter has none for a named
// function type.
func (f *scope) nilOf(p at, to types.Type) ast.Expr {
	if to != nil {
		_, isFunc := to.Underlying().(*types.Signature)
		if n, named := types.Unalias(to).(*types.Named); isFunc && named && (!check.IsCell(n.Obj().Pkg()) || celltype.Recursive(n)) {
			return f.zero(p, to)
		}
	}
	return p.id("nil")
}

// convert turns the lowered x of type from into type to.
func (f *scope) convert(p at, x ast.Expr, from, to types.Type) ast.Expr {
	switch {
	case to == nil || !isInterface(to):
		return x
	case isInterface(from):
		return f.interfaceTo(p, x, from, to)
	default:
		return f.box(p, x, from, to)
	}
}

// needsConversion reports whether convert does anything.
func (f *scope) needsConversion(from, to types.Type) bool {
	if to == nil || !isInterface(to) {
		return false
	}
	if isInterface(from) {
		return !types.Identical(from, to) && !(isErased(from) && isErased(to))
	}
	return true
}

// box turns a value that is no interface into one.
func (f *scope) box(p at, x ast.Expr, from, to types.Type) ast.Expr {
	var boxed ast.Expr
	switch {
	case f.isCell(p, from):
		f.visible(p, from, to)
		boxed = p.rt("Box", f.row(p, from), x)
	case isPlain(x, from):
		boxed = x
	default:
		boxed = p.rt("Any", x)
	}
	if isErased(to) {
		return boxed
	}
	return p.call(p.id(f.toInterface(p, to)), boxed)
}

// isPlain reports whether the interpreter itself makes an any of x right: a
// literal or a variable of a predeclared type.
func isPlain(x ast.Expr, t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.Basic); !ok {
		return false
	}
	switch x.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	}
	return false
}

// visible refuses what needs methods that compiled code cannot call here.
func (f *scope) visible(p at, from, to types.Type) {
	if celltype.HasMethods || isErased(to) {
		return
	}
	fail(p, "%s as %s: on this platform compiled code cannot call methods declared in cells", celltype.Text(from), celltype.Text(to))
}

func (f *scope) interfaceTo(p at, x ast.Expr, from, to types.Type) ast.Expr {
	switch {
	case types.Identical(from, to), isErased(from) && isErased(to):
		return x
	case isErased(to):
		return p.rt("Any", x)
	default:
		if !isErased(from) {
			x = p.rt("Any", x)
		}
		return p.call(p.id(f.toInterface(p, to)), x)
	}
}

// toInterface returns the function that turns an any into a compiled interface.
func (f *scope) toInterface(p at, to types.Type) string {
	return f.helper("to "+f.s.Table.Key(to), func(name string) *ast.FuncDecl {
		t := p.funcType([]*ast.Field{p.field("v", f.anyExpr(p))}, []*ast.Field{p.field("", f.typeExpr(p, to))})
		return p.funcDecl(name, t, p.block(p.variable("r", f.typeExpr(p, to)), p.expr(p.rt("Convert", p.id("v"), p.ref(p.id("r")))), p.ret(p.id("r"))))
	})
}

// helper returns the name of the file's function for a purpose, made once.
func (u *unit) helper(purpose string, make func(name string) *ast.FuncDecl) string {
	if name, ok := u.helpers[purpose]; ok {
		return name
	}
	name := u.unique("h")
	u.helpers[purpose] = name
	u.out.Decls = append(u.out.Decls, make(name))
	return name
}

// constantTo writes the constant e for a place of type to.
func (f *scope) constantTo(p at, e ast.Expr, to types.Type) ast.Expr {
	v, t := f.info.Types[e].Value, f.typ(e)
	if to != nil && !isInterface(to) {
		return f.constant(p, v, to)
	}
	t = types.Default(t)
	x := f.constant(p, v, t)
	if to == nil {
		return x
	}
	return f.box(p, x, t, to)
}

// constant writes v as a value of type t.
func (f *scope) constant(p at, v constant.Value, t types.Type) ast.Expr {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		fail(p, "constant of type %s", celltype.Text(t))
	}
	b = types.Default(b).(*types.Basic)
	x := p.literal(v, b)
	if named, ok := types.Unalias(t).(*types.Named); ok && !check.IsCell(named.Obj().Pkg()) {
		return p.call(f.typeExpr(p, t), x)
	}
	switch b.Kind() {
	case types.Int, types.Float64, types.String, types.Bool, types.Complex128:
		return x
	}
	return p.call(p.id(b.Name()), x)
}

// operand writes a constant beside an operator, where the other operand has
// the type, and lowers all else.
func (f *scope) operand(e ast.Expr) ast.Expr {
	p := f.at(e)
	tv := f.info.Types[e]
	if tv.Value == nil {
		return f.expr(e)
	}
	if b, ok := f.typ(e).Underlying().(*types.Basic); ok {
		return p.literal(tv.Value, types.Default(b).(*types.Basic))
	}
	return f.expr(e)
}

// literal writes v, a constant of kind b, without saying its type.
func (p at) literal(v constant.Value, b *types.Basic) ast.Expr {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return p.id(strconv.FormatBool(constant.BoolVal(v)))
	case info&types.IsString != 0:
		return p.str(constant.StringVal(v))
	case info&types.IsInteger != 0:
		return p.integer(constant.ToInt(v))
	case info&types.IsFloat != 0:
		return p.float(constant.ToFloat(v), b)
	default:
		v = constant.ToComplex(v)
		part := types.Typ[types.Float64]
		return p.call(p.id("complex"), p.float(constant.Real(v), part), p.float(constant.Imag(v), part))
	}
}

func (p at) integer(v constant.Value) ast.Expr {
	if n, exact := constant.Uint64Val(v); exact && n > math.MaxInt64 {
		return p.rt("Uint64", p.num(int(n>>32)), p.num(int(n&(1<<32-1))))
	}
	if constant.Sign(v) < 0 {
		if n, _ := constant.Int64Val(v); n == -1<<63 {
			return p.rt("MinInt64")
		}
		return p.negative(p.integer(constant.UnaryOp(token.SUB, v, 0)))
	}
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: v.ExactString()}
}

func (p at) negative(x ast.Expr) ast.Expr {
	return p.paren(&ast.UnaryExpr{OpPos: token.Pos(p), Op: token.SUB, X: x})
}

func (p at) float(v constant.Value, b *types.Basic) ast.Expr {
	if constant.Sign(v) < 0 {
		return p.negative(p.float(constant.UnaryOp(token.SUB, v, 0), b))
	}
	x, _ := constant.Float64Val(v)
	if b.Kind() == types.Float32 {
		y, _ := constant.Float32Val(v)
		x = float64(y)
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.FLOAT, Value: s}
}
