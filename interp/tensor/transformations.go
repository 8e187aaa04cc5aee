package tensor

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
)

// transformations has the functions of the tensor package whose first argument is a function of tensors.
var transformations = map[string]bool{
	"Grad": true, "ValueAndGrad": true, "JVP": true, "VJP": true, "Linearize": true, "HVP": true,
	"Jacobian": true, "JacFwd": true, "Hessian": true, "CheckGrad": true, "Custom": true,
	"Jit": true, "Vmap": true, "Checkpoint": true,
}

// transformation rewrites e if e calls one of transformations with a function whose type differs from that of the
// parameter. It returns the replacement of e, or nil if e is not replaced; it may have changed the arguments of e. For
// example, the calls on the left become those on the right:
//
//	nv.Grad(f, nv.Wrt(0, 1))    nv.GradAny(f, nv.Wrt(0, 1)).(func(w, b nv.Tensor) (nv.Tensor, nv.Tensor))
//	nv.Grad(nv.Sum)             nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(x) })
func (o *operators) transformation(e *ast.CallExpr) ast.Expr {
	f := o.Callee(e)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != o.Path || len(e.Args) == 0 {
		return nil
	}
	sig, isFunc := o.Info.TypeOf(e.Args[0]).(*types.Signature)
	if !transformations[f.Name()] || !isFunc {
		return nil
	}
	if o.callableAsTensorFunc(sig) {
		e.Args[0] = o.tensorFunc(e.Args[0])
		o.changed = true
		return nil
	}
	if f.Name() != "Grad" && f.Name() != "ValueAndGrad" {
		return nil
	}
	wrt, given := o.wrt(e.Args[1:], sig)
	if wrt == nil || !given && sig.Params().Len() == 1 && sig.Results().Len() == 1 && !sig.Variadic() {
		return nil
	}
	var results []*types.Var
	if f.Name() == "ValueAndGrad" {
		for v := range sig.Results().Variables() {
			results = append(results, types.NewParam(e.Pos(), nil, "", v.Type()))
		}
	}
	for _, t := range wrt {
		results = append(results, types.NewParam(e.Pos(), nil, "", t))
	}
	derivative := types.NewSignatureType(nil, nil, nil, sig.Params(), types.NewTuple(results...), sig.Variadic())
	t, err := o.TypeExpr(e.Pos(), derivative)
	if err != nil {
		return nil
	}
	call := cell.Call(o.TensorPackage(e.Pos(), f.Name()+"Any"), e.Args...)
	call.Ellipsis, call.Rparen = e.Ellipsis, e.Rparen
	o.authored[call], o.authored[call.Fun] = e, e.Fun
	return &ast.TypeAssertExpr{X: call, Lparen: e.Pos(), Type: t, Rparen: e.End()}
}

// callableAsTensorFunc reports whether a function with signature sig can be called with one tensor and returns a
// tensor, but does not have the type func(nv.Tensor) nv.Tensor: its parameter has type any, or options follow it.
func (o *operators) callableAsTensorFunc(sig *types.Signature) bool {
	n := sig.Params().Len()
	if sig.Variadic() {
		n--
	}
	if n != 1 || sig.Results().Len() != 1 || !o.IsTensor(sig.Results().At(0).Type()) {
		return false
	}
	t := sig.Params().At(0).Type()
	return types.Identical(t, anyType) ||
		o.IsTensor(t) && sig.Variadic() && !o.IsTensor(sig.Params().At(1).Type().(*types.Slice).Elem())
}

// tensorFunc returns func(x nv.Tensor) nv.Tensor { return f(x) }.
func (o *operators) tensorFunc(f ast.Expr) ast.Expr {
	pos := f.Pos()
	x := cell.Ident(pos, "x")
	tensor := func(names ...*ast.Ident) *ast.FieldList {
		t := o.TensorPackage(pos, o.Tensor.(*types.Named).Obj().Name())
		return &ast.FieldList{List: []*ast.Field{{Names: names, Type: t}}}
	}
	result := &ast.ReturnStmt{Return: pos, Results: []ast.Expr{cell.Call(f, cell.Ident(pos, "x"))}}
	return &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: tensor(x), Results: tensor()},
		Body: &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{result}, Rbrace: pos},
	}
}

// wrt returns the types of the arguments by which a function with signature sig is differentiated: the arguments that
// the option Wrt in opts selects, or the first argument if opts has no Wrt. given reports whether opts has a Wrt.
// selected is nil if the types depend on values that are not constant.
func (o *operators) wrt(opts []ast.Expr, sig *types.Signature) (selected []types.Type, given bool) {
	params := sig.Params()
	at := func(i int) types.Type {
		if i < 0 || i >= params.Len() {
			return o.Tensor // the index is wrong: GradAny panics and names it
		}
		return params.At(i).Type()
	}
	for _, opt := range slices.Backward(opts) { // the last Wrt counts
		call, ok := ast.Unparen(opt).(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			continue
		}
		if f := o.Callee(call); f == nil || f.Pkg() == nil || f.Pkg().Path() != o.Path || f.Name() != "Wrt" {
			continue
		}
		if call.Ellipsis.IsValid() {
			return nil, true
		}
		for _, arg := range call.Args {
			i, exact := int64(0), false
			if v := o.constantOf(arg); v != nil {
				i, exact = constant.Int64Val(constant.ToInt(v))
			}
			if !exact && !sameTypes(params) {
				return nil, true
			}
			selected = append(selected, at(int(i)))
		}
		return selected, true
	}
	return []types.Type{at(0)}, false
}

// sameTypes reports whether all variables of t have the same type.
func sameTypes(t *types.Tuple) bool {
	for v := range t.Variables() {
		if !types.Identical(v.Type(), t.At(0).Type()) {
			return false
		}
	}
	return true
}

// constantOf returns the value of e if e is constant, and otherwise nil. Before the cell has been checked, it knows the
// values of literals, literals with a sign, and names only.
func (o *operators) constantOf(e ast.Expr) constant.Value {
	if v := o.Info.Types[e].Value; v != nil {
		return v
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.Ident:
		if c, ok := o.Info.Uses[e].(*types.Const); ok && c.Val().Kind() != constant.Unknown {
			return c.Val()
		}
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.BasicLit)
		if ok && lit.Kind != token.STRING && (e.Op == token.ADD || e.Op == token.SUB) {
			return constant.UnaryOp(e.Op, constant.MakeFromLiteral(lit.Value, lit.Kind, 0), 0)
		}
	}
	return nil
}

var anyType = types.Universe.Lookup("any").Type()
