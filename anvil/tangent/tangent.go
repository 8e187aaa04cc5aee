// Package tangent implements the tangents and cotangents that ChainRules describes. A primal
// value is a value of a program; its tangents are the directions in which it can change. A
// primal type may have many tangent types, and a tangent type may serve many primal types.
//
// A tangent is one of
//
//   - a natural tangent, the usual difference of two primal values: a number for a number,
//     a Tensor for a Tensor, a time.Duration for a time.Time;
//   - a structural tangent, a [Struct], which has tangents of the fields or properties of a
//     primal value;
//   - [Zero], [None] or a [NotImplemented], which serve every primal type;
//   - a [Thunk] or an [InplaceableThunk], which computes its tangent when it is needed;
//   - a [OneElement] or a [Sparse], for a tensor whose tangent has few nonzero elements.
//
// Tangents form a vector space or nearly so: [Add] is commutative and associative, adding
// [Zero] changes nothing, and [Scale] distributes over Add. A tangent added to a primal
// value gives a primal value ([AddTo]), and the difference of two primal values is a
// tangent ([Diff]).
//
// The names, the precedence of the types in sums and products, and the printed forms are
// those of ChainRulesCore 1.x. Functions panic with an *anvil.Error if there is no rule.
package tangent

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// A Tangent is a tangent of one of the types that this package defines. Natural tangents
// have types of other packages, so the functions take and return any.
type Tangent interface {
	fmt.Stringer
	rank() rank
}

// A rank orders the types of tangents: of two tangents, the one of higher rank determines
// how they are added. Products have another order (see Mul).
type rank int

const (
	anyRank rank = iota // natural tangents, OneElement, Sparse
	structRank
	thunkRank
	zeroRank
	noneRank
	notImplementedRank
)

// rankOf returns the rank of t, which may be a natural tangent.
func rankOf(t any) rank {
	if t, ok := t.(Tangent); ok {
		return t.rank()
	}
	return anyRank
}

// A ZeroTangent is a zero tangent of every primal type. It takes no memory, and a product with it is Zero without any
// computation.
type ZeroTangent struct{}

// A NoTangent is the tangent of a value without a derivative, such as a string or an index, which cannot be
// perturbed.
type NoTangent struct{}

// Zero and None are the only values of their types. For example, the derivative of 2*x with respect to y is Zero, and
// the derivative of x[i] with respect to i is None.
var (
	Zero ZeroTangent
	None NoTangent
)

// A NotImplemented stands for a tangent that no rule can compute; its text says why. A sum with a NotImplemented is
// NotImplemented too, so an error arises only if the tangent is used.
type NotImplemented string

// A Thunk is a function that computes a tangent when the tangent is needed, for example in Add or Unthunk. The result
// is not stored: each use computes it again.
type Thunk func() any

func (ZeroTangent) rank() rank      { return zeroRank }
func (NoTangent) rank() rank        { return noneRank }
func (NotImplemented) rank() rank   { return notImplementedRank }
func (Thunk) rank() rank            { return thunkRank }
func (InplaceableThunk) rank() rank { return thunkRank }
func (Struct) rank() rank           { return structRank }
func (OneElement) rank() rank       { return anyRank }
func (Sparse) rank() rank           { return anyRank }

func (ZeroTangent) String() string      { return "ZeroTangent()" }
func (NoTangent) String() string        { return "NoTangent()" }
func (n NotImplemented) String() string { return "NotImplemented(" + string(n) + ")" }
func (Thunk) String() string            { return "Thunk(...)" }

// Unthunk returns the tangent that t computes if t is a Thunk or an InplaceableThunk, and otherwise t. It calls only
// the outermost of nested thunks.
func Unthunk(t any) any {
	f, ok := t.(Thunk)
	if it, inplace := t.(InplaceableThunk); inplace {
		f, ok = it.value, true
	}
	switch {
	case !ok:
		return t
	case f == nil:
		fail("Unthunk", []any{t}, "the thunk is nil", "give it a function: tangent.Thunk(func() any { ... })")
	}
	return f()
}

// unthunkAll is Unthunk for all nested thunks.
func unthunkAll(t any) any {
	for rankOf(t) == thunkRank {
		t = Unthunk(t)
	}
	return t
}

// fail panics with an *anvil.Error of the operation op.
func fail(op string, operands []any, reason, hint string) {
	texts := make([]string, len(operands))
	for i, v := range operands {
		texts[i] = describe(v)
	}
	panic(&nv.Error{Op: "tangent." + op, Operands: strings.Join(texts, ", "), Reason: reason, Hint: hint})
}

// describe returns the text for v in errors, its type: "Tangent{SVD}", "f32{3}", "DateTime".
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case Struct:
		return "Tangent{" + v.primal.name() + "}"
	case nv.Tensor:
		if !v.Valid() {
			return "Tensor(nil)"
		}
		return v.Type().String()
	}
	return typeName(reflect.TypeOf(v))
}

// qualifier matches the names of packages in the name of a type, and the paths of packages in its type arguments.
var qualifier = regexp.MustCompile(`(\w[\w.~-]*/)*[\pL_][\pL\pN_]*\.`)

// typeName returns the name of a type without its package.
func typeName(t reflect.Type) string {
	return strings.ReplaceAll(qualifier.ReplaceAllString(t.String(), ""), "interface {}", "any")
}

// failNotImplemented fails because an operand of op is the tangent n.
func failNotImplemented(op string, n NotImplemented, operands ...any) {
	fail(op, operands, "the tangent is not implemented: "+string(n), "")
}
