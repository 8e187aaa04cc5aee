package tangent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// A Rule is a function f together with a rule for its derivative, like an rrule of ChainRules.
type Rule struct {
	registry *Registry
	name     string
	f, rule  reflect.Value
}

// RegisterRule gives f a rule for its derivative, and a name by which VJP finds the rule. rule takes the
// arguments of f and returns f(args...) and the pullback. The pullback is a func(ct any) []any that returns the
// tangent of f itself (None if f captures nothing) and then one for each argument, of any tangent type.
func (r *Registry) RegisterRule(name string, f, rule any) *Rule {
	v, w := reflect.ValueOf(f), reflect.ValueOf(rule)
	ok := v.Kind() == reflect.Func && w.Kind() == reflect.Func && v.Type().NumOut() == 1 && w.Type().NumOut() == 2 &&
		v.Type().NumIn() == w.Type().NumIn() && w.Type().Out(0) == v.Type().Out(0) &&
		w.Type().Out(1) == reflect.TypeFor[func(any) []any]()
	for i := 0; ok && i < v.Type().NumIn(); i++ {
		ok = v.Type().In(i) == w.Type().In(i)
	}
	if !ok {
		fail("RegisterRule", []any{name, f, rule}, "the rule does not fit the function",
			"for func(x X) Y give func(x X) (Y, func(ct any) []any)")
	}
	made := &Rule{r, name, v, w}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules[name] = made
	return made
}

// at returns the element of x at index. Default registers it, with atRule, under the name At.
func at(x nv.Tensor, index ...int) nv.Tensor {
	indices := make([]any, len(index))
	for axis, i := range index {
		indices[axis] = i
	}
	return x.At(indices...)
}

// atRule is the rule for at. The tangent of x is a OneElement.
func atRule(x nv.Tensor, index ...int) (nv.Tensor, func(ct any) []any) {
	y := at(x, index...)
	if y.Rank() > 0 {
		fail("VJP", []any{x, index}, "the rule At reads one element", "give an index for each axis")
	}
	position := slices.Clone(index)
	for axis, i := range position {
		if i < 0 {
			position[axis] += x.Shape()[axis]
		}
	}
	return y, func(ct any) []any {
		return append([]any{None, OneElement{x.Shape(), position, ct}}, slices.Repeat([]any{None}, len(index))...)
	}
}

// ruleOf returns f if it is a *Rule, the rule with the name f if f is a string, and otherwise nil.
func (r *Registry) ruleOf(f any) *Rule {
	switch f := f.(type) {
	case *Rule:
		return f
	case string:
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.rules[f]
	}
	return nil
}

// String returns the text Rule(name).
func (u *Rule) String() string { return "Rule(" + u.name + ")" }

// vjp returns the result of the rule for args, and a pullback that returns the tangents of args only. Errors name the
// operation op.
func (u *Rule) vjp(op string, args []any) (out any, pullback func(ct any) []any) {
	results := u.rule.Call(argumentValues(op, u.rule.Type(), args))
	back := results[1].Interface().(func(any) []any)
	return results[0].Interface(), func(ct any) []any {
		if ct = unthunkAll(ct); rankOf(ct) >= zeroRank { // Zero, None or NotImplemented
			return slices.Repeat([]any{ct}, len(args))
		}
		tangents := back(ct)
		if len(tangents) != len(args)+1 {
			fail(op, []any{u}, fmt.Sprintf("the number of tangents that the pullback returned is %d, not %d: "+
				"one for the function and one for each argument", len(tangents), len(args)+1),
				"return []any{tangent.None, ...}, the tangent of the function first")
		}
		return tangents[1:]
	}
}

// Func returns the function of the rule as a function of the same type, which nv.Grad and other derivatives
// differentiate by the rule. Its arguments and its result must be tensors or trees of tensors.
func (u *Rule) Func() any {
	r, t := u.registry, u.f.Type()
	inner := asList("Func", u.f.Interface())
	ruleType := reflect.FuncOf([]reflect.Type{reflect.TypeFor[[]any]()},
		[]reflect.Type{t.Out(0), reflect.FuncOf([]reflect.Type{t.Out(0)}, []reflect.Type{reflect.TypeFor[[]any]()},
			false)}, false)
	rule := reflect.MakeFunc(ruleType, func(in []reflect.Value) []reflect.Value {
		args := in[0].Interface().([]any)
		out, back := u.vjp("Func", args)
		pullback := reflect.MakeFunc(ruleType.Out(1), func(ct []reflect.Value) []reflect.Value {
			tangents := back(ct[0].Interface())
			trees := make([]any, len(args))
			for i, p := range args {
				trees[i] = r.treeOf("Func", p, tangents[i])
			}
			return []reflect.Value{reflect.ValueOf(trees)}
		})
		return []reflect.Value{reflect.ValueOf(out), pullback}
	})
	custom := reflect.ValueOf(r.ctx.CustomAny(inner, rule.Interface()))
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		args := make([]any, len(in))
		for i, v := range in {
			args[i] = v.Interface()
		}
		return custom.Call([]reflect.Value{reflect.ValueOf(args)})
	}).Interface()
}

// CheckRule compares a rule with its function at args, like ChainRulesTestUtils' test_rrule: the result of the rule
// with the result of the function, and each tangent with difference quotients in a random direction. The directions
// are the same at each call. f is a *Rule or the name of one. CheckRule returns an error that describes the first
// difference. It takes integers and tensors of integers for indices: their tangents must be None or Zero.
func (r *Registry) CheckRule(f any, args ...any) error {
	const op = "CheckRule"
	const small, coarse = 1e-5, 1e-2 // steps of difference quotients, for f64 and for narrower tensors
	u := r.ruleOf(f)
	if u == nil {
		fail(op, []any{f}, "the first argument is neither a rule nor the name of a rule",
			"make a rule with tangent.RegisterRule")
	}
	evaluate := func(args []any) any { return u.f.Call(argumentValues(op, u.f.Type(), args))[0].Interface() }
	out, back := u.vjp(op, args)
	want := evaluate(args)
	if slices.ContainsFunc(r.flat(want, r.Diff(want, want)), math.IsNaN) {
		return fmt.Errorf("%s: the function returns %v, so the rule cannot be checked; "+
			"give arguments where the result is finite", u.name, want)
	}
	if slices.ContainsFunc(r.flat(want, r.Diff(out, want)), func(d float64) bool { return !(math.Abs(d) <= 1e-6) }) {
		return fmt.Errorf("%s: the rule returns %v, but the function returns %v", u.name, out, want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	ct := r.randomTangent(out, rng)
	tangents := back(ct)
	for i, p := range args {
		t := unthunkAll(tangents[i])
		direction := r.randomTangent(p, rng)
		if isIndex(p) || rankOf(direction) == noneRank {
			if rankOf(t) != noneRank && rankOf(t) != zeroRank {
				return fmt.Errorf("%s: argument %d, of type %s, has no derivative, but the rule returns %v; "+
					"return tangent.None or tangent.Zero for it", u.name, i, describe(p), t)
			}
			continue
		}
		if rankOf(t) == notImplementedRank {
			continue
		}
		evaluateAt := func(step any) any {
			args := slices.Clone(args)
			args[i] = r.AddTo(p, r.Scale(step, direction))
			return evaluate(args)
		}
		// perStep is 1/(forward-backward).
		forward, backward, perStep, tolerance := any(small), any(-small), 0.5/small, 1e-4
		if isCoarse(out) || isCoarse(p) {
			forward, backward, perStep, tolerance = coarse, -coarse, 0.5/coarse, 1e-2
		} else if nv.Try(func() { r.AddTo(p, r.Scale(forward, direction)) }) != nil {
			forward, backward, perStep = 1, -1, 0.5 // p has parts that are whole numbers, such as periods
		}
		difference := r.Diff(evaluateAt(forward), evaluateAt(backward))
		want := dot(r.flat(out, ct), r.flat(out, difference)) * perStep
		if got := dot(r.flat(p, t), r.flat(p, direction)); !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
			return fmt.Errorf("%s: the derivative with respect to argument %d in the direction %v is %v, "+
				"but the rule gives %v", u.name, i, direction, want, got)
		}
	}
	return nil
}

// isCoarse reports whether v has tensors of other dtypes than f64 and c128, which need a coarse step.
func isCoarse(v any) bool {
	return slices.ContainsFunc(nv.TreeLeaves(v), func(x nv.Tensor) bool {
		return x.DType() != nv.F64 && x.DType() != nv.C128
	})
}

// isIndex reports whether p is an integer of one of Go's own types.
func isIndex(p any) bool {
	n, ok := numberOf(p)
	return ok && isInteger(n) && !isDefined(n.Type())
}

// randomTangent returns a tangent of p with random numbers, but 1 for integers.
func (r *Registry) randomTangent(p any, rng *rand.Rand) any {
	return r.randomized(r.Canonical(p, Zero), rng)
}

// randomized returns t with integers replaced by 1, other numbers by random numbers, and tensors of integers or bools,
// which are indices, by None.
func (r *Registry) randomized(t any, rng *rand.Rand) any {
	switch t := t.(type) {
	case Struct:
		return t.mapParts(func(v any) any { return r.randomized(v, rng) })
	case nv.Tensor:
		if !t.DType().Is(dtype.Inexact) {
			return None
		}
		list := make([]complex128, t.Size())
		for i := range list {
			list[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		return r.Project(t, r.ctx.From(list).Reshape(t.Shape()))
	}
	v := reflect.ValueOf(t)
	switch {
	case rankOf(t) > anyRank || !v.IsValid():
		return t
	case isList(v.Type()):
		out := newList(v)
		for i := range v.Len() {
			set("CheckRule", out.Index(i), r.randomized(v.Index(i).Interface(), rng))
		}
		return out.Interface()
	case isInteger(v):
		return reflect.ValueOf(1).Convert(v.Type()).Interface()
	}
	return projectNumber(v, reflect.ValueOf(complex(rng.NormFloat64(), rng.NormFloat64())))
}

// flat returns the real and imaginary parts of the numbers of t, a tangent of p, in an order that depends on p
// only. It converts t to p's canonical tangent type first, if it can: a cotangent of integers may have fractions,
// which their natural tangents cannot hold.
func (r *Registry) flat(p, t any) []float64 {
	// The parts of a Struct may be in another order, or missing; this is the order of the fields of p.
	if s, ok := t.(Struct); ok && s.primal.form() == fieldsForm && len(s.primal.declarations().naturals) == 0 {
		var out []float64
		eachPart(reflect.Indirect(reflect.ValueOf(p)), func(key any, part reflect.Value) {
			if value, ok := readField(part); ok {
				out = append(out, r.flat(value, s.part(key))...)
			}
		})
		return out
	}
	nv.Try(func() { t = r.Canonical(p, t) })
	return numbers(t)
}

// numbers returns the real and imaginary parts of the numbers of t.
func numbers(t any) (out []float64) {
	switch t := t.(type) {
	case Struct:
		for _, k := range t.keys() {
			out = append(out, numbers(t.part(k))...)
		}
		return out
	case nv.Tensor:
		return numbers(nv.Values[complex128](nv.Flatten(t).AsType(nv.C128)))
	case Tangent:
		return nil
	}
	v := reflect.ValueOf(t)
	switch {
	case v.IsValid() && isList(v.Type()):
		for i := range v.Len() {
			out = append(out, numbers(v.Index(i).Interface())...)
		}
	case v.IsValid() && isNumber(v.Type()):
		out = []float64{real(complexOf(v)), imag(complexOf(v))}
	}
	return out
}

// dot returns the inner product of x and y. If one is shorter (None has no numbers), its missing numbers count as 0.
func dot(x, y []float64) float64 {
	total := 0.0
	for i := range min(len(x), len(y)) {
		total += x[i] * y[i]
	}
	return total
}
