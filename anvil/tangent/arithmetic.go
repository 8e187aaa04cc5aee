package tangent

import (
	"fmt"
	"reflect"

	nv "github.com/goanvil/notebook/anvil"
)

// Add returns a + b. If a or b has one of the types NotImplemented, NoTangent, ZeroTangent, Thunk, InplaceableThunk
// and Struct, the type that comes first in this list determines the sum:
//
//	NotImplemented + x = NotImplemented
//	None + Zero        = None
//	None + x           = x
//	Zero + x           = x, the same value
//	thunk + x          = its value + x
//	Tangent{P} + Tangent{P} adds part by part
//
// The sum of a structural and a natural tangent of the same primal type is natural. Other values are added by
// the rules of RegisterAdd, or else as numbers, tensors, or slices of them.
func (r *Registry) Add(a, b any) any {
	high, low := a, b
	if rankOf(a) < rankOf(b) {
		high, low = b, a
	}
	switch rankOf(high) {
	case notImplementedRank:
		return high
	case noneRank, zeroRank:
		if rankOf(low) >= zeroRank {
			return high
		}
		return low
	case thunkRank:
		return r.Add(unthunkAll(a), unthunkAll(b))
	case structRank:
		return r.addWithStruct(a, b)
	}
	return r.addValues(a, b)
}

// addWithStruct returns a + b, where at least one is a Struct. The other is a Struct too, a natural tangent of
// the same primal type, or a value of that type, to which AddTo adds the Struct.
func (r *Registry) addWithStruct(a, b any) any {
	s, aIsStruct := a.(Struct)
	t, bIsStruct := b.(Struct)
	if aIsStruct && bIsStruct {
		return r.addStructs(s, t)
	}
	other := b
	if bIsStruct {
		s, other = t, a
	}
	if other == nil {
		r.failNoRule("Add", a, b)
	}
	if n, ok := s.primal.naturalFor(other); ok {
		return r.Add(r.naturalOf("Add", s, n), other)
	}
	if r.primalOf(reflect.TypeOf(other)) == s.primal {
		return r.AddTo(other, s)
	}
	if sum, ok := r.registeredSum(a, b); ok {
		return sum
	}
	r.failNoRule("Add", a, b)
	return nil
}

// naturalOf converts s to a natural tangent, with the function that RegisterConvert has declared for Structs. If there
// is none it returns the natural tangent n from the zero value z of the primal type to AddTo(z, s).
func (r *Registry) naturalOf(op string, s Struct, n natural) any {
	for _, c := range s.primal.declarations().conversions {
		if c.Type().In(0) == reflect.TypeFor[Struct]() {
			return call(op, c, s)
		}
	}
	origin := reflect.Zero(s.primal.typ).Interface()
	return call(op, n.diff, r.AddTo(origin, s), origin)
}

// addValues returns a + b for natural tangents, OneElements and Sparses.
func (r *Registry) addValues(a, b any) any {
	if x, ok := a.(float64); ok { // the most frequent case, without reflection
		if y, ok := b.(float64); ok {
			return x + y
		}
	}
	if isNil(a) || isNil(b) {
		r.failNoRule("Add", a, b)
	}
	if sum, ok := r.addSparse(a, b); ok {
		return sum
	}
	if sum, ok := r.registeredSum(a, b); ok {
		return sum
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if isTensor(a) && (isTensor(b) || isNumber(y.Type())) || isTensor(b) && isNumber(x.Type()) {
		return nv.Add(a, b)
	}
	if isNumber(x.Type()) && isNumber(y.Type()) {
		if t, ok := commonType(x, y); ok {
			return addNumbers("Add", x, y, t)
		}
	}
	if isList(x.Type()) && x.Type() == y.Type() && x.Type().Elem().Kind() != reflect.Interface {
		return r.addLists(x, y)
	}
	r.failNoRule("Add", a, b)
	return nil
}

// addLists returns the sum of two slices or arrays, element by element.
func (r *Registry) addLists(x, y reflect.Value) any {
	if x.Len() != y.Len() {
		fail("Add", []any{x.Interface(), y.Interface()},
			fmt.Sprintf("the operands have lengths %d and %d", x.Len(), y.Len()), "")
	}
	out := newList(x)
	for i := range x.Len() {
		set("Add", out.Index(i), r.Add(x.Index(i).Interface(), y.Index(i).Interface()))
	}
	return out.Interface()
}

// isList reports whether t is a slice or array type.
func isList(t reflect.Type) bool { return t.Kind() == reflect.Slice || t.Kind() == reflect.Array }

// newList returns a slice or array of zero values with the type and length of x.
func newList(x reflect.Value) reflect.Value {
	out := reflect.New(x.Type()).Elem()
	if x.Kind() == reflect.Slice && !x.IsNil() {
		out.Set(reflect.MakeSlice(x.Type(), x.Len(), x.Len()))
	}
	return out
}

// isTensor reports whether v is a tensor.
func isTensor(v any) bool { _, ok := v.(nv.Tensor); return ok }

// failNoRule panics with the error that there is no rule for op on a and b.
func (r *Registry) failNoRule(op string, a, b any) {
	operands := []any{a, b}
	for _, v := range operands {
		if _, ok := v.(F); ok {
			fail(op, operands, "untyped tangent: an F has no primal type",
				"use tangent.New(value, F{...})")
		}
	}
	if a != nil && b != nil && reflect.TypeOf(a) == reflect.TypeOf(b) && len(r.Natural(a)) > 0 {
		fail(op, operands,
			fmt.Sprintf("a %s is a point, not a tangent, so two of them have no sum", describe(a)),
			"use tangent.Diff for their difference, and tangent.AddTo to add a tangent to one")
	}
	advice := "" // a rule cannot have nil
	if a != nil && b != nil {
		advice = fmt.Sprintf("declare one: tangent.RegisterAdd(func(a %s, b %s) ...)", parameter(a), parameter(b))
	}
	fail(op, operands, fmt.Sprintf("there is no rule for %s and %s", describe(a), describe(b)), advice)
}

// parameter returns the type of v as a parameter in a cell.
func parameter(v any) string {
	switch v.(type) {
	case Struct:
		return "tangent.Struct"
	case nv.Tensor:
		return "nv.Tensor"
	}
	return typeName(reflect.TypeOf(v))
}

// Sub returns a - b. Unlike Add it fails if a or b is NotImplemented: rules of differentiation only add tangents, so a
// subtraction is a use of the tangent.
func (r *Registry) Sub(a, b any) any {
	for _, v := range []any{a, b} {
		if n, ok := v.(NotImplemented); ok {
			failNotImplemented("Sub", n, a, b)
		}
	}
	if rankOf(b) == noneRank || rankOf(b) == zeroRank {
		return r.Add(a, b)
	}
	return r.Add(a, r.Scale(-1, b))
}

// Scale returns s * t, where s is a number or a tensor of rank 0. A tangent of a defined
// integer type, such as a time.Duration, must stay exact.
func (r *Registry) Scale(s, t any) any {
	if n, ok := numberOf(s); !ok || isDefined(n.Type()) {
		if x, ok := s.(nv.Tensor); !ok || x.Rank() != 0 {
			fail("Scale", []any{s, t}, "the factor is not a scalar", "give a number; tangent.Mul multiplies tensors")
		}
	}
	return r.mul("Scale", s, t)
}

// Mul returns a * b, elementwise for tensors. If a or b has one of the types ZeroTangent, NoTangent, NotImplemented,
// Thunk, InplaceableThunk and Struct, the type that comes first in this list determines the product:
//
//	Zero * x           = Zero, and a thunk x is not computed
//	None * x           = None
//	NotImplemented * x = NotImplemented
//	thunk * x          = its value * x
//	number * Tangent{P} multiplies part by part; two Structs have no product
func (r *Registry) Mul(a, b any) any { return r.mul("Mul", a, b) }

// mul is Mul; its errors name the operation op.
func (r *Registry) mul(op string, a, b any) any {
	ra, rb := rankOf(a), rankOf(b)
	for _, dominant := range []rank{zeroRank, noneRank, notImplementedRank} {
		if ra == dominant {
			return a
		}
		if rb == dominant {
			return b
		}
	}
	switch max(ra, rb) {
	case thunkRank:
		return r.mul(op, unthunkAll(a), unthunkAll(b))
	case structRank:
		s, ok := b.(Struct)
		factor := a
		if !ok {
			s, factor = a.(Struct), b
		}
		if _, number := numberOf(factor); !number && !isTensor(factor) {
			fail(op, []any{a, b}, "the product of two tangents has no meaning", "multiply a tangent by a number")
		}
		return s.mapParts(func(v any) any { return r.mul(op, factor, v) })
	}
	return r.mulValues(op, a, b)
}

// mulValues returns a * b for natural tangents, OneElements and Sparses.
func (r *Registry) mulValues(op string, a, b any) any {
	if _, ok := numberOf(a); !ok && !isTensor(a) {
		a, b = b, a // a number comes first
	}
	s, number := numberOf(a)
	if number || isTensor(a) {
		if product, ok := r.mulSparse(a, b); ok {
			return product
		}
	}
	if isNil(b) {
		fail(op, []any{a, b}, "nil is not a tangent", "")
	}
	v := reflect.ValueOf(b)
	switch {
	case !number && !isTensor(a): // neither operand is a number or a tensor
	case number && isNumber(v.Type()):
		if isDefined(s.Type()) && !isDefined(v.Type()) {
			s, v = v, s
		}
		if !isDefined(s.Type()) {
			return scaleNumber(op, s, v)
		}
	case isTensor(b) || isTensor(a) && isNumber(v.Type()):
		return nv.Mul(a, b)
	case isList(v.Type()):
		out := newList(v)
		for i := range v.Len() {
			set(op, out.Index(i), r.mul(op, a, v.Index(i).Interface()))
		}
		return out.Interface()
	}
	fail(op, []any{a, b}, fmt.Sprintf("there is no product of %s and %s", describe(a), describe(b)),
		"multiply a tangent by a number")
	return nil
}

// Equal reports whether a and b are the same tangent. It computes thunks, treats missing parts as Zero, and
// compares numbers of different types by value. Structs of different primal types are not equal.
func (r *Registry) Equal(a, b any) bool {
	a, b = unthunkAll(a), unthunkAll(b)
	if rankOf(a) != rankOf(b) {
		return false
	}
	switch a := a.(type) {
	case Struct:
		b := b.(Struct)
		if a.primal != b.primal {
			return false
		}
		for _, s := range []Struct{a, b} {
			for k := range s.parts {
				if !r.Equal(a.part(k), b.part(k)) {
					return false
				}
			}
		}
		return true
	case Tangent:
		if a.rank() != anyRank {
			return a == b
		}
	}
	return r.equalValues(r.dense("Equal", a), r.dense("Equal", b))
}

// equalValues is Equal for natural tangents.
func (r *Registry) equalValues(a, b any) bool {
	if isNil(a) || isNil(b) {
		return isNil(a) && isNil(b)
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	switch {
	case isTensor(a) && isTensor(b):
		return nv.ArrayEqual(a, b).Bool()
	case isTensor(a) || isTensor(b):
		return false
	case isNumber(x.Type()) && isNumber(y.Type()):
		if _, ok := commonType(x, y); ok {
			if isInteger(x) && isInteger(y) {
				return bigOf(x).Cmp(bigOf(y)) == 0
			}
			return complexOf(x) == complexOf(y)
		}
		// Defined types, such as Hour and Minute, are equal if a - b is 0 by a rule of RegisterAdd.
		if y.CanUint() { // -b would overflow
			a, b = b, a
		}
		var minus any
		if nv.Try(func() { minus = r.Scale(-1, b) }) != nil { // -b does not fit in the type of b
			return false
		}
		difference, ok := r.registeredSum(a, minus)
		n, number := numberOf(difference)
		return ok && number && n.IsZero()
	case isList(x.Type()) && x.Type() == y.Type():
		for i := range x.Len() {
			if x.Len() != y.Len() || !r.Equal(x.Index(i).Interface(), y.Index(i).Interface()) {
				return false
			}
		}
		return x.Len() == y.Len()
	}
	return reflect.DeepEqual(a, b)
}

// isNil reports whether v is nil, or a nil pointer, function or channel.
func isNil(v any) bool {
	x := reflect.ValueOf(v)
	switch x.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Func, reflect.Chan:
		return x.IsNil()
	}
	return false
}

// set stores v, converted to the type of out, in out. It stores the zero value if v is nil, and fails if v cannot be
// converted. Floats may be rounded, but integers must be exact.
func set(op string, out reflect.Value, v any) {
	x := reflect.ValueOf(v)
	switch {
	case !x.IsValid():
		out.SetZero()
	case x.Type().AssignableTo(out.Type()):
		out.Set(x)
	case isNumber(x.Type()) && isNumber(out.Type()):
		out.Set(reflect.ValueOf(addNumbers(op, reflect.Zero(out.Type()), x, out.Type())))
	case x.Type().ConvertibleTo(out.Type()) && x.Kind() == out.Kind():
		out.Set(x.Convert(out.Type()))
	default:
		fail(op, []any{v}, fmt.Sprintf("a %s cannot be stored in a %s", describe(v), typeName(out.Type())), "")
	}
}
