package tangent

import (
	"fmt"
	"reflect"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// Project converts t to a tangent of the primal value p, like ChainRulesCore's ProjectTo. The result depends on p:
//
//   - a real number: the real part of t, which may have a fraction even if p is an integer;
//   - a tensor: t, which must have p's shape, converted to p's dtype unless that is an integer dtype;
//   - a struct: t with its fields projected;
//   - a value without a derivative, such as a string: None.
//
// If t is a Thunk, the result is a Thunk that projects the tangent when it is computed.
func (r *Registry) Project(p, t any) any {
	const op = "Project"
	switch rankOf(t) {
	case zeroRank, noneRank, notImplementedRank:
		return t
	case thunkRank:
		return Thunk(func() any { return r.Project(p, Unthunk(t)) })
	}
	v := reflect.ValueOf(p)
	if isNil(p) {
		return None
	}
	if v.Kind() == reflect.Pointer {
		return r.Project(v.Elem().Interface(), t)
	}
	if isNil(t) {
		r.failTangent(op, p, t)
	}
	if s, ok := t.(Struct); ok {
		return r.projectStruct(p, v, s)
	}
	if _, ok := r.primalOf(v.Type()).naturalFor(t); ok {
		return t
	}
	x, number := numberOf(t)
	switch {
	case v.Type() == tensorType:
		return r.projectTensor(p.(nv.Tensor), t)
	case v.Kind() == reflect.Bool || v.Kind() == reflect.String || v.Kind() == reflect.Func || v.Kind() == reflect.Chan:
		return None
	case isNumber(v.Type()) && isTensor(t) && t.(nv.Tensor).Rank() == 0:
		return r.Project(p, t.(nv.Tensor).Item())
	case isNumber(v.Type()) && number:
		return projectNumber(v, x)
	case isList(v.Type()) && isList(reflect.TypeOf(t)) && v.Len() == reflect.ValueOf(t).Len():
		out := newList(v)
		if isIntegers(v.Type()) { // its tangent may have fractions
			out = newList(reflect.ValueOf(t))
		}
		for i := range v.Len() {
			set(op, out.Index(i), r.Project(v.Index(i).Interface(), reflect.ValueOf(t).Index(i).Interface()))
		}
		return out.Interface()
	}
	r.failTangent(op, p, t)
	return nil
}

// isIntegers reports whether t is a type of integers, or of lists of them.
func isIntegers(t reflect.Type) bool {
	return isList(t) && isIntegers(t.Elem()) || isInteger(reflect.Zero(t))
}

// failTangent panics with the error that t is not a tangent of p, or that t is an F, which is not a tangent.
func (r *Registry) failTangent(op string, p, t any) {
	if _, ok := t.(F); ok {
		r.failNoRule(op, p, t)
	}
	fail(op, []any{p, t}, notTangent(p, t), "")
}

// notTangent returns the reason for an error: t is not a tangent of p.
func notTangent(p, t any) string {
	a, b := reflect.ValueOf(p), reflect.ValueOf(t)
	if t != nil && p != nil && isList(a.Type()) && isList(b.Type()) && a.Len() != b.Len() {
		return fmt.Sprintf("the tangent has length %d, but the primal value has %d", b.Len(), a.Len())
	}
	return fmt.Sprintf("%s is not a tangent of %s", describe(t), describe(p))
}

// projectNumber is Project for a number p and a number t.
func projectNumber(p, t reflect.Value) any {
	switch {
	case isDefined(t.Type()) && t.Type() != p.Type():
		fail("Project", []any{p.Interface(), t.Interface()}, notTangent(p.Interface(), t.Interface()), "")
	case p.CanComplex():
		return reflect.ValueOf(complexOf(t)).Convert(p.Type()).Interface()
	case p.CanFloat():
		return reflect.ValueOf(real(complexOf(t))).Convert(p.Type()).Interface()
	case isInteger(t):
		return t.Interface()
	}
	return real(complexOf(t))
}

// projectTensor is Project for a tensor p.
func (r *Registry) projectTensor(p nv.Tensor, t any) any {
	if p.DType() == nv.I1 {
		return None
	}
	shape := p.Shape()
	if s, ok := sparseOf("Project", t); ok {
		if !s.shape.Equal(shape) {
			fail("Project", []any{p, t}, fmt.Sprintf("the shapes %v and %v differ", []int(shape), []int(s.shape)), "")
		}
		list := r.merge(s.elements())
		for i, e := range list {
			if x, ok := numberOf(e.value); ok && x.CanComplex() && !p.DType().Is(dtype.Complex) {
				list[i].value = real(x.Complex())
			} else if x, ok := e.value.(nv.Tensor); ok {
				list[i].value = r.Project(r.ctx.Zeros(nv.Shape{}, p.DType()), x)
			}
		}
		if s.Dense() {
			s.base = r.projectTensor(p, s.base).(nv.Tensor)
		}
		return Sparse{shape: s.shape, base: s.base, log: &elements{list: list, stored: len(list)}, n: len(list)}
	}
	x, ok := t.(nv.Tensor)
	if _, number := numberOf(t); number && len(shape) == 0 {
		x, ok = r.ctx.From(t), true
	}
	if !ok {
		r.failTangent("Project", p, t)
	}
	if !x.Shape().Equal(shape) {
		fail("Project", []any{p, t}, fmt.Sprintf("the shapes %v and %v differ", []int(shape), []int(x.Shape())), "")
	}
	if x.DType().Is(dtype.Complex) && !p.DType().Is(dtype.Complex) {
		x = nv.Real(x)
	}
	if p.DType().Is(dtype.Inexact) {
		x = x.AsType(p.DType())
	}
	return x
}

// projectStruct is Project for a structural tangent; v is the reflect.Value of p.
func (r *Registry) projectStruct(p any, v reflect.Value, s Struct) any {
	if r.primalOf(v.Type()) != s.primal {
		r.failTangent("Project", p, s)
	}
	s = s.propertiesToFields("Project")
	out := s.withParts(nil)
	for k, d := range s.parts {
		out.parts[k] = d
		if s.primal.form() == numberForm {
			continue
		}
		if part := partOf(v, k); part.IsValid() {
			if value, ok := readField(part); ok {
				out.parts[k] = r.Project(value, d)
			}
		}
	}
	return out
}

// Canonical converts t to the canonical tangent type of p: the only tangent type that p would have in a language such
// as Swift, which has one tangent type for each primal type. Beside t, the result shows how much larger such tangents
// are. Canonical computes thunks. If RegisterConvert has declared a conversion of t, it applies that. Otherwise it
// converts Zero to zeros, a OneElement or a Sparse to a tensor, and a structural tangent to the natural tangent
// declared first. If there is no natural tangent, it adds the missing fields to the structural tangent.
func (r *Registry) Canonical(p, t any) any {
	const op = "Canonical"
	t = unthunkAll(t)
	if isNil(p) || rankOf(t) == noneRank || rankOf(t) == notImplementedRank {
		return t
	}
	v := reflect.ValueOf(p)
	if v.Kind() == reflect.Pointer {
		return r.Canonical(v.Elem().Interface(), t)
	}
	declared := r.primalOf(v.Type()).declarations()
	for _, c := range declared.conversions {
		if t != nil && r.fits(reflect.TypeOf(t), c.Type().In(0)) {
			return call(op, c, t)
		}
	}
	if rankOf(t) == zeroRank {
		return r.zerosOf(p)
	}
	t = r.Project(p, t)
	switch s := t.(type) {
	case OneElement, Sparse:
		if x, ok := p.(nv.Tensor); ok {
			return r.denseAs(op, t, x)
		}
		return r.dense(op, t)
	case Struct:
		if len(declared.naturals) > 0 {
			return r.naturalOf(op, s, declared.naturals[0])
		}
		out := s.Canonical()
		eachPart(v, func(key any, part reflect.Value) {
			if value, ok := readField(part); ok {
				out.parts[key] = r.Canonical(value, s.part(key))
			}
		})
		return out
	}
	if len(declared.naturals) > 0 {
		return call(op, declared.naturals[0].diff, r.AddTo(p, t), p)
	}
	return t
}

// zerosOf returns a zero tangent of p that has a zero for each number in p.
func (r *Registry) zerosOf(p any) any {
	switch p := p.(type) {
	case nv.Tensor:
		return nv.ZerosLike(p)
	case string, bool:
		return None
	}
	t := r.Diff(p, p)
	if s, ok := t.(Struct); ok {
		return s.Canonical()
	}
	return t
}
