package explain

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// Operand returns the error message for op(x, v), where x is a tensor and v is a value of type t. It returns "" if v
// can be an operand.
func Operand(op string, t types.Type) string {
	if why := refused(t); why != "" {
		return fmt.Sprintf("%s(tensor, %s): %s", op, TypeName(t), why)
	}
	return ""
}

// refused returns why a value of type t cannot be an operand together with a tensor, and what to write instead. It
// returns "" if the value can be an operand.
func refused(t types.Type) string {
	basic, ok := types.Unalias(t).(*types.Basic)
	if ok && basic.Info()&(types.IsNumeric|types.IsBoolean) != 0 {
		return ""
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ""
	}
	if under, ok := t.Underlying().(*types.Basic); ok && under.Info()&(types.IsNumeric|types.IsBoolean) != 0 {
		return "a named type has no dtype; convert it: " + under.Name() + "(v)"
	}
	if isColumn(t) {
		return "a column is not a tensor; write " + ColumnTensor
	}
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return ""
	case *types.Signature:
		return "a function is not a number; call it: f()"
	case *types.Slice:
		if !isString(t.Elem()) {
			return "make a tensor of it first: nv.New(v)"
		}
	case *types.Array:
		return "make a tensor of it first: nv.New(v)"
	case *types.Basic:
		if t.Kind() == types.UntypedNil {
			return "nil is not a tensor; x.Valid() reports whether x holds one"
		}
	}
	return "not a number; operands are tensors, bools and numbers"
}

// ColumnTensor is the code that converts a numeric column of a table to a tensor.
const ColumnTensor = `t.Col("name").Tensor()`

// isColumn reports whether t is *nv.Column.
func isColumn(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Name() == "Column" && named.Obj().Pkg() != nil && named.Obj().Pkg().Name() == "anvil"
}

// TypeName returns t as the author writes it: types that cells declare have no qualifier, and other types are qualified
// by the name of their package.
func TypeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if check.IsCell(p) {
			return ""
		}
		return p.Name()
	})
}

// SeveralValues returns the error message for e, a call that is used as one value but has the given results. The
// message names things as lowered code does; Cell.InOwnNames restores the author's names.
func SeveralValues(e ast.Expr, results *types.Tuple) string {
	f := "the call"
	if call, ok := e.(*ast.CallExpr); ok {
		f = types.ExprString(call.Fun)
	}
	names := make([]string, results.Len())
	for i := range names {
		switch names[i] = results.At(i).Name(); {
		case names[i] != "":
		case returnsError(results) && i == len(names)-1:
			names[i] = "err"
		default:
			names[i] = string(rune('a' + i))
		}
	}
	return fmt.Sprintf("%s returns %d values; write %s := %s(...), with _ for values that are not needed",
		f, len(names), strings.Join(names, ", "), f)
}

// returnsError reports whether the last of results is an error.
func returnsError(results *types.Tuple) bool {
	return types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type())
}
