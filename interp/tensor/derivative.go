package tensor

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/cell"
)

// transformations lists the functions of the tensor package that take a function of tensors. The value is
// true if that function must have one argument and one result.
var transformations = map[string]bool{
	"Grad": true, "ValueAndGrad": true, "JVP": true, "VJP": true, "Linearize": true, "HVP": true, "Jacobian": true, "JacFwd": true,
	"Hessian": true, "CheckGrad": true, "Custom": true, "Jit": false, "Vmap": false, "Checkpoint": false,
}

// transformation rewrites a call of one of transformations whose function does not have the declared type:
//
//	nv.Grad(f, nv.Wrt(0, 1))    nv.GradAny(f, nv.Wrt(0, 1)).(func(w, b nv.Tensor) (nv.Tensor, nv.Tensor))
//	nv.Grad(nv.Sum)             nv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Sum(x) })
func (o *operators) transformation(e *ast.CallExpr) ast.Expr {
	f := o.Callee(e)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != o.Path || len(e.Args) == 0 {
		return nil
	}
	unary, ok := transformations[f.Name()]
	sig, isFunc := o.Info.TypeOf(e.Args[0]).(*types.Signature)
	if !ok || !isFunc {
		return nil
	}
	if o.ofAnything(sig) {
		e.Args[0] = o.ofTensor(e.Args[0])
		o.changed = true
		return nil
	}
	if !unary || f.Name() != "Grad" && f.Name() != "ValueAndGrad" {
		return nil
	}
	wrt, given := o.wrt(e.Args[1:])
	if !given && sig.Params().Len() == 1 && sig.Results().Len() == 1 && !sig.Variadic() {
		return nil
	}
	var results []*types.Var
	if f.Name() == "ValueAndGrad" {
		for v := range sig.Results().Variables() {
			results = append(results, types.NewParam(e.Pos(), nil, "", v.Type()))
		}
	}
	for _, i := range wrt {
		t := o.Tensor // for an index out of range, which Grad reports
		if i >= 0 && i < sig.Params().Len() {
			t = sig.Params().At(i).Type()
		}
		results = append(results, types.NewParam(e.Pos(), nil, "", t))
	}
	t, err := o.TypeExpr(e.Pos(), types.NewSignatureType(nil, nil, nil, sig.Params(), types.NewTuple(results...), sig.Variadic()))
	if err != nil {
		return nil
	}
	call := cell.Call(o.TensorPackage(e.Pos(), f.Name()+"Any"), e.Args...)
	call.Rparen = e.Rparen
	return &ast.TypeAssertExpr{X: call, Lparen: e.Pos(), Type: t, Rparen: e.End()}
}

// ofAnything reports whether a function takes one operand, a tensor or of type any, and
// perhaps options, and returns a tensor.
func (o *operators) ofAnything(sig *types.Signature) bool {
	n := sig.Params().Len()
	if sig.Variadic() {
		n--
	}
	if n != 1 || sig.Results().Len() != 1 || !o.IsTensor(sig.Results().At(0).Type()) {
		return false
	}
	t := sig.Params().At(0).Type()
	return types.Identical(t, anyType) || o.IsTensor(t) && sig.Variadic() && !o.IsTensor(sig.Params().At(1).Type().(*types.Slice).Elem())
}

// ofTensor returns func(x nv.Tensor) nv.Tensor { return f(x) }.
func (o *operators) ofTensor(f ast.Expr) ast.Expr {
	pos := f.Pos()
	x := cell.Ident(pos, "x")
	tensor := func() *ast.FieldList { return results(o.TensorPackage(pos, o.Tensor.(*types.Named).Obj().Name())) }
	params := tensor()
	params.List[0].Names = []*ast.Ident{x}
	return &ast.FuncLit{
		Type: &ast.FuncType{Func: pos, Params: params, Results: tensor()},
		Body: returning(pos, cell.Call(f, cell.Ident(pos, "x"))),
	}
}

// wrt returns the indices of the arguments to differentiate by: those of the option Wrt, or 0.
func (o *operators) wrt(opts []ast.Expr) (indices []int, given bool) {
	for _, opt := range opts {
		call, ok := ast.Unparen(opt).(*ast.CallExpr)
		if !ok {
			continue
		}
		if f := o.Callee(call); f == nil || f.Name() != "Wrt" {
			continue
		}
		for _, arg := range call.Args {
			v := o.Info.Types[arg].Value
			if lit, ok := ast.Unparen(arg).(*ast.BasicLit); ok && v == nil {
				v = constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
			}
			if minus, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && v == nil {
				if lit, ok := ast.Unparen(minus.X).(*ast.BasicLit); ok {
					v = constant.UnaryOp(minus.Op, constant.MakeFromLiteral(lit.Value, lit.Kind, 0), 0)
				}
			}
			if v == nil {
				continue
			}
			if n, exact := constant.Int64Val(constant.ToInt(v)); exact {
				indices = append(indices, int(n))
			}
		}
		if len(indices) > 0 {
			return indices, true
		}
	}
	return []int{0}, false
}

// results returns the list of results of a function that returns a t.
func results(t ast.Expr) *ast.FieldList {
	return &ast.FieldList{List: []*ast.Field{{Type: t}}}
}

// returning returns { return e }.
func returning(pos token.Pos, e ast.Expr) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ReturnStmt{Return: pos, Results: []ast.Expr{e}}}, Rbrace: pos}
}

var anyType = types.Universe.Lookup("any").Type()
