package tensor

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/interp/explain"
)

// dtypeArguments replaces string literals that name dtypes, such as "f64", in the arguments of the call e. It does so
// where the parameter has type dtype.DType or dtype.Option.
func (o *operators) dtypeArguments(e *ast.CallExpr) {
	s, ok := o.Info.TypeOf(e.Fun).(*types.Signature)
	if !ok {
		return
	}
	params := s.Params()
	for i, arg := range e.Args {
		var t types.Type
		switch last := params.Len() - 1; {
		case i < last || i == last && !s.Variadic():
			t = params.At(i).Type()
		case s.Variadic():
			if rest, ok := params.At(last).Type().(*types.Slice); ok {
				t = rest.Elem()
			}
		}
		e.Args[i] = o.dtypeNamed(arg, t)
	}
}

// dtypeFields is dtypeArguments for the values of the fields in a struct literal.
func (o *operators) dtypeFields(e *ast.CompositeLit) {
	t := o.Info.TypeOf(e)
	if t == nil || o.Tensor == nil {
		return
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range e.Elts {
		pair, isPair := elt.(*ast.KeyValueExpr)
		if !isPair {
			if i < s.NumFields() {
				e.Elts[i] = o.dtypeNamed(elt, s.Field(i).Type())
			}
			continue
		}
		for k := range s.NumFields() {
			if id, ok := pair.Key.(*ast.Ident); ok && id.Name == s.Field(k).Name() {
				pair.Value = o.dtypeNamed(pair.Value, s.Field(k).Type())
			}
		}
	}
}

// dtypeNamed returns e, or an expression such as nv.F64 that replaces it. It replaces e if e is a string literal with
// the name of a dtype and t, the type that is required of e, is dtype.DType or dtype.Option. It sets o.err if such a
// literal does not name a dtype.
func (o *operators) dtypeNamed(e ast.Expr, t types.Type) ast.Expr {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || t == nil {
		return e
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != o.Path+"/dtype" {
		return e
	}
	if name := named.Obj().Name(); name != "DType" && name != "Option" {
		return e
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return e
	}
	d, err := dtype.Parse(text)
	if err != nil {
		o.err = &explain.Error{Pos: e.Pos(), Msg: err.Error()}
		return e
	}
	scope := o.tensorScope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || c.Val().Kind() != constant.Int || types.Unalias(c.Type()).String() != o.Path+"/dtype.DType" {
			continue
		}
		if v, ok := constant.Uint64Val(c.Val()); ok && v == uint64(d) {
			o.changed = true
			fresh := o.TensorPackage(e.Pos(), name)
			o.authored[fresh] = e
			return fresh
		}
	}
	return e
}

// tensorScope returns the scope of the tensor package.
func (o *operators) tensorScope() *types.Scope {
	return o.Tensor.(*types.Named).Obj().Pkg().Scope()
}
