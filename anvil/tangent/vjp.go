package tangent

import (
	"fmt"
	"reflect"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/ir"
)

// VJP returns f(args...) and its pullback, which maps a cotangent of the result to one tangent for each
// argument. f is a *Rule, the name of a rule made by RegisterRule, or a function of tensors and of structs,
// slices and maps of them.
//
// The tangent of an argument that the result does not depend on is Zero. The tangent of an argument without tensors,
// such as an integer, a string or a function, is None; so are the parts of a structural tangent for fields without
// tensors. The tangent of an argument that is a float or complex number of Go is NotImplemented, since a function of
// tensors takes such a number as a constant.
func (r *Registry) VJP(f any, args ...any) (out any, pullback func(ct any) []any) {
	if rule := r.ruleOf(f); rule != nil {
		return rule.vjp("VJP", args)
	}
	refuseCycles("VJP", reflect.ValueOf(args), false)
	g := asList("VJP", f)
	y, back := r.ctx.VJPAny(g, args)
	return y, func(ct any) []any {
		if ct = unthunkAll(ct); rankOf(ct) >= zeroRank {
			return slices.Repeat([]any{ct}, len(args))
		}
		in := []reflect.Value{reflect.ValueOf(r.treeOf("VJP", y, ct))}
		cotangents := reflect.ValueOf(back).Call(in)[0].Interface().([]any)
		used := r.dependence(back, y)
		out := make([]any, len(args))
		for i, p := range args {
			out[i] = r.tangentOf(p, cotangents[i], &used)
			if n, ok := numberOf(p); ok && !isInteger(n) {
				out[i] = NotImplemented(fmt.Sprintf("a function of tensors takes a %T as a constant; "+
					"give a tensor, or declare a rule with tangent.RegisterRule", p))
			}
		}
		return out
	}
}

// JVP returns f(args...) and its derivative in the direction of tangents, which has a tangent for each argument. f is
// as for VJP.
func (r *Registry) JVP(f any, args, tangents []any) (out, tangent any) {
	if len(args) != len(tangents) {
		fail("JVP", []any{f}, fmt.Sprintf("the numbers of arguments (%d) and tangents (%d) differ", len(args),
			len(tangents)), "")
	}
	refuseCycles("JVP", reflect.ValueOf(args), false)
	if rule := r.ruleOf(f); rule != nil {
		f = rule.Func()
	}
	g := asList("JVP", f)
	directions := make([]any, len(args))
	for i, p := range args {
		directions[i] = r.treeOf("JVP", p, tangents[i])
	}
	y, dy := r.ctx.JVPAny(g, args, directions)
	all := slices.Repeat([]bool{true}, len(nv.TreeLeaves(y)))
	return y, r.tangentOf(y, dy, &all)
}

// asList returns f as a function with one parameter, a []any with the arguments of f.
func asList(op string, f any) any {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumOut() != 1 {
		fail(op, []any{f}, "the first argument is neither a function with one result nor the name of a rule", "")
	}
	t := reflect.FuncOf([]reflect.Type{reflect.TypeFor[[]any]()}, []reflect.Type{v.Type().Out(0)}, false)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		return v.Call(argumentValues(op, v.Type(), in[0].Interface().([]any)))
	}).Interface()
}

// argumentValues converts args to the parameter types of the function type t.
func argumentValues(op string, t reflect.Type, args []any) []reflect.Value {
	if n := t.NumIn(); len(args) != n && !(t.IsVariadic() && len(args) >= n-1) {
		takes := fmt.Sprint(n)
		if t.IsVariadic() {
			takes = fmt.Sprintf("%d or more", n-1)
		}
		fail(op, args, fmt.Sprintf("the number of arguments is %d, but the function takes %s", len(args), takes), "")
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		want := t.In(min(i, t.NumIn()-1))
		if t.IsVariadic() && i >= t.NumIn()-1 {
			want = want.Elem()
		}
		in[i] = reflect.New(want).Elem()
		if a != nil && !reflect.TypeOf(a).AssignableTo(want) {
			fail(op, args, fmt.Sprintf("argument %d must be a %s, not a %s", i, typeName(want), describe(a)), "")
		}
		if a != nil {
			in[i].Set(reflect.ValueOf(a))
		}
	}
	return in
}

// dependence reports, for each valid tensor that a pullback returns, whether it depends on the cotangent, which has
// the structure of y. A tensor that does not depend on the cotangent is a constant in the program of the pullback.
func (r *Registry) dependence(pullback, y any) []bool {
	back := reflect.ValueOf(pullback)
	ctType, tensorsType := back.Type().In(0), reflect.TypeFor[[]nv.Tensor]()
	probeType := reflect.FuncOf([]reflect.Type{ctType}, []reflect.Type{tensorsType}, false)
	probe := reflect.MakeFunc(probeType, func(ct []reflect.Value) []reflect.Value {
		leaves := nv.TreeLeaves(back.Call(ct)[0].Interface())
		leaves = slices.DeleteFunc(leaves, func(x nv.Tensor) bool { return !x.Valid() })
		return []reflect.Value{reflect.ValueOf(leaves)}
	})
	g := ir.Inline(r.ctx.Lower(probe.Interface(), y).Graph())
	depends := map[*ir.Value]bool{}
	for _, p := range g.Params[:len(nv.TreeLeaves(y))] {
		depends[p] = true
	}
	for _, n := range g.Nodes {
		if slices.ContainsFunc(n.Args, func(v *ir.Value) bool { return depends[v] }) {
			for _, result := range n.Results {
				depends[result] = true
			}
		}
	}
	used := make([]bool, len(g.Outputs))
	for i, o := range g.Outputs {
		used[i] = depends[o]
	}
	return used
}

// tangentOf converts ct to a tangent of p. ct has the structure of p, with the zero Tensor for each tensor without a
// derivative. *used starts with an element for each tensor of p that has a derivative: false if the tangent is Zero.
// tangentOf removes these elements from *used.
func (r *Registry) tangentOf(p, ct any, used *[]bool) any {
	x, ok := p.(nv.Tensor)
	switch {
	case ok:
		if !x.Valid() || !autodiff.Differentiable(x.DType()) {
			return None
		}
		depends := (*used)[0]
		*used = (*used)[1:]
		if !depends {
			return Zero
		}
		return ct
	case len(nv.TreeLeaves(p)) == 0:
		return None
	}
	v, c := reflect.ValueOf(p), reflect.ValueOf(ct)
	if v.Kind() == reflect.Pointer {
		return r.tangentOf(v.Elem().Interface(), c.Elem().Interface(), used)
	}
	t := Struct{primal: r.primalOf(v.Type()), parts: map[any]any{}}
	eachPart(v, func(key any, part reflect.Value) {
		if part.CanInterface() {
			t.parts[key] = r.tangentOf(part.Interface(), partOf(c, key).Interface(), used)
		}
	})
	return t
}

// treeOf returns the tangent t of p as a value with the structure of p, with Tensor{} where t is
// Zero or None, or the tensor of p has no derivative.
func (r *Registry) treeOf(op string, p, t any) any {
	if p == nil {
		return nil
	}
	tangents := []nv.Tensor{}
	r.tensorsOf(op, p, unthunkAll(t), &tangents)
	if len(tangents) == 0 {
		return p
	}
	return nv.TreeMapAny(func(...nv.Tensor) nv.Tensor {
		next := tangents[0]
		tangents = tangents[1:]
		return next
	}, p)
}

// tensorsOf appends the tangents of the tensors of p to *list, in the order of p's tree. t is the tangent of p.
func (r *Registry) tensorsOf(op string, p, t any, list *[]nv.Tensor) {
	t = unthunkAll(t)
	switch x, ok := p.(nv.Tensor); {
	case ok && !x.Valid(): // TreeMapAny does not call its function for the zero Tensor
		if rankOf(t) != zeroRank && rankOf(t) != noneRank {
			fail(op, []any{p, t}, "a Tensor that has not been set has no tangents other than Zero and None", "")
		}
		return
	case ok && (rankOf(t) == zeroRank || rankOf(t) == noneRank || !autodiff.Differentiable(x.DType())):
		*list = append(*list, nv.Tensor{})
		return
	case ok:
		if n, isNotImplemented := t.(NotImplemented); isNotImplemented {
			failNotImplemented(op, n, p, t)
		}
		*list = append(*list, r.Canonical(x, t).(nv.Tensor))
		return
	case len(nv.TreeLeaves(p)) == 0:
		return
	}
	v := reflect.ValueOf(p)
	if v.Kind() == reflect.Pointer {
		r.tensorsOf(op, v.Elem().Interface(), t, list)
		return
	}
	s, ok := t.(Struct)
	if !ok && rankOf(t) != zeroRank && rankOf(t) != noneRank {
		r.failTangent(op, p, t)
	}
	eachPart(v, func(key any, part reflect.Value) {
		if !part.CanInterface() {
			return
		}
		d := t
		if ok {
			d = s.part(key)
		}
		r.tensorsOf(op, part.Interface(), d, list)
	})
}
