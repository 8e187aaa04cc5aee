package tangent

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/internal/extension"
)

// A Registry holds the declarations about primal types, sums and rules. The functions of this package use the
// Registry of [Default]; in a notebook they use that of the session.
type Registry struct {
	ctx     *nv.Context                     // makes tensors from numbers
	mu      sync.Mutex                      // guards primals with their declarations, sums and rules
	family  func(reflect.Type) reflect.Type // see NewRegistry
	primals map[reflect.Type]*primal
	sums    []sumRule
	rules   map[string]*Rule
	debug   atomic.Bool // see Debug
}

// A primal holds the declarations of a Registry about one primal type: about all types that family maps to typ.
type primal struct {
	registry *Registry
	typ      reflect.Type
	declared
}

// declared holds the declarations about a primal type. A function that has not been declared is the zero Value.
type declared struct {
	naturals    []natural
	constructor reflect.Value   // see Constructor
	overload    reflect.Value   // see OverloadAdd
	properties  reflect.Value   // see Properties
	conversions []reflect.Value // see RegisterConvert
}

// A natural is a declared type of natural tangents of a primal type (see DeclareNatural).
type natural struct {
	tangent   reflect.Type   // may be an interface
	shown     []reflect.Type // the types that Natural lists
	add, diff reflect.Value  // the functions given to DeclareNatural
}

// A sumRule is a declared rule of Add.
type sumRule struct {
	a, b reflect.Type // may be interfaces
	add  reflect.Value
}

var defaultRegistry = sync.OnceValue(func() *Registry {
	r := &Registry{ctx: nv.Default(), family: func(t reflect.Type) reflect.Type { return t },
		primals: map[reflect.Type]*primal{}, rules: map[string]*Rule{}}
	r.DeclareNatural(addDuration, subTime)
	r.RegisterRule("At", at, atRule)
	return r
})

// Default returns the Registry that the functions of this package use.
func Default() *Registry { return defaultRegistry() }

// NewRegistry returns a Registry that makes tensors in ctx and starts with the declarations of the default
// Registry. Types for which family returns the same type are one primal type. A notebook needs this: when a cell adds
// a method to a type of an earlier cell, the type gets a new reflect.Type.
func NewRegistry(ctx *nv.Context, family func(reflect.Type) reflect.Type) *Registry {
	d := Default()
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &Registry{ctx: ctx, family: family, primals: map[reflect.Type]*primal{}, sums: slices.Clone(d.sums),
		rules: map[string]*Rule{}}
	for t, p := range d.primals {
		r.primals[t] = &primal{registry: r, typ: t, declared: p.declared}
	}
	for name, u := range d.rules {
		r.rules[name] = &Rule{r, name, u.f, u.rule}
	}
	return r
}

// primalOf returns the record of the primal type t, or of the type that a pointer t points to.
func (r *Registry) primalOf(t reflect.Type) *primal {
	for depth := 0; t.Kind() == reflect.Pointer && depth < 100; depth++ { // a type such as P *P does not end
		t = t.Elem()
	}
	t = r.family(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.primals[t]
	if p == nil {
		p = &primal{registry: r, typ: t}
		r.primals[t] = p
	}
	return p
}

// name returns the name of the primal type.
func (p *primal) name() string {
	if p == nil {
		return "nil"
	}
	return typeName(p.typ)
}

// declare calls change, which may replace slices of the declarations about p but must not write to them, since the
// copies that the method declarations has returned share them.
func (p *primal) declare(change func(d *declared)) {
	p.registry.mu.Lock()
	defer p.registry.mu.Unlock()
	change(&p.declared)
}

// declarations returns the declarations about p, which may be nil.
func (p *primal) declarations() declared {
	if p == nil {
		return declared{}
	}
	p.registry.mu.Lock()
	defer p.registry.mu.Unlock()
	return p.declared
}

// DeclareNatural declares T as a type of natural tangents of a primal type P: add is a func(p P, t T) P, and
// diff a func(to, from P) T; either may also return an error. add(from, diff(to, from)) must be equal to to.
// If T is an interface, tangents are examples of its types: Natural and TypesFor list their types instead of T.
func (r *Registry) DeclareNatural(add, diff any, tangents ...any) {
	const op = "DeclareNatural"
	a, d := checkedFunction(op, add, 2), checkedFunction(op, diff, 2)
	p, t := a.Type().In(0), a.Type().In(1)
	if a.Type().Out(0) != p || d.Type().In(0) != p || d.Type().In(1) != p || !d.Type().Out(0).AssignableTo(t) {
		fail(op, []any{add, diff}, "the types of the two functions do not agree",
			"give func(p P, t T) P and func(to, from P) T")
	}
	n := natural{tangent: t, add: a, diff: d, shown: []reflect.Type{t}}
	if len(tangents) > 0 {
		n.shown = nil
	}
	for _, v := range tangents {
		n.shown = append(n.shown, reflect.TypeOf(v))
	}
	r.primalOf(p).declare(func(d *declared) {
		rest := slices.DeleteFunc(slices.Clone(d.naturals),
			func(o natural) bool { return r.family(o.tangent) == r.family(t) })
		d.naturals = append(rest, n)
	})
}

// Constructor declares how a value of a struct type P is made from its fields, in order: make is a
// func(fields...) P, which may also return an error. AddTo calls it. If there is no constructor, AddTo sets the
// fields, which must be exported.
func (r *Registry) Constructor(make any) {
	f := reflect.ValueOf(make)
	if f.Kind() != reflect.Func || f.Type().NumOut() == 0 || f.Type().Out(0).Kind() != reflect.Struct ||
		f.Type().Out(0).NumField() != f.Type().NumIn() {
		fail("Constructor", []any{make},
			"the argument is not a function that returns a struct and has a parameter for each of its fields",
			"give a func(field1 T1, field2 T2, ...) P")
	}
	r.primalOf(f.Type().Out(0)).declare(func(d *declared) { d.constructor = f })
}

// Properties declares that tangents of the type of value may have parts for properties in place of fields, such
// as {Q, R} for a QR whose fields are factors. convert returns the tangents of the fields from those of the
// properties, by the chain rule. Canonical and AddTo call it.
func (r *Registry) Properties(value any, convert func(F) F) {
	p := r.primalOf(typeOf("Properties", value))
	p.declare(func(d *declared) { d.properties = reflect.ValueOf(convert) })
}

// OverloadAdd declares how two structural tangents of the type of value are added if only one of them has properties
// (parts that are not fields).
func (r *Registry) OverloadAdd(value any, add func(a, b Struct) Struct) {
	p := r.primalOf(typeOf("OverloadAdd", value))
	p.declare(func(d *declared) { d.overload = reflect.ValueOf(add) })
}

// RegisterConvert declares how Canonical converts a tangent of type T to the canonical tangent type U of the
// type of value: convert is a func(T) U.
func (r *Registry) RegisterConvert(value, convert any) {
	f := checkedFunction("RegisterConvert", convert, 1)
	r.primalOf(typeOf("RegisterConvert", value)).declare(func(d *declared) {
		from := f.Type().In(0)
		rest := slices.DeleteFunc(slices.Clone(d.conversions),
			func(o reflect.Value) bool { return o.Type().In(0) == from })
		d.conversions = append(rest, f)
	})
}

// RegisterAdd declares a rule of Add: add is a func(a A, b B) C, which may also return an error. Add uses the rule
// for operands in both orders. A or B may be an interface. A rule for the concrete types takes precedence over rules
// with interfaces. If no such rule fits, but several rules with interfaces do, Add fails.
func (r *Registry) RegisterAdd(add any) {
	f := checkedFunction("RegisterAdd", add, 2)
	s := sumRule{f.Type().In(0), f.Type().In(1), f}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, o := range r.sums {
		if o.a == s.a && o.b == s.b {
			r.sums = slices.Clone(r.sums)
			r.sums[i] = s
			return
		}
		if o.a == s.b && o.b == s.a {
			fail("RegisterAdd", []any{add},
				fmt.Sprintf("there is already a rule for (%s, %s), which serves both orders", typeName(o.a),
					typeName(o.b)),
				"to replace it, declare the rule in that order")
		}
	}
	r.sums = append(slices.Clip(r.sums), s)
}

// registeredSum returns a + b by the rule of RegisterAdd for their types; ok is false if there is none.
func (r *Registry) registeredSum(a, b any) (result any, ok bool) {
	r.mu.Lock()
	sums := r.sums
	r.mu.Unlock()
	if len(sums) == 0 {
		return nil, false
	}
	type match struct {
		rule    sumRule
		swapped bool // the rule is for (b, a)
	}
	var exact, loose []match // loose: a parameter of the rule is an interface
	ta, tb := reflect.TypeOf(a), reflect.TypeOf(b)
	for _, s := range sums {
		forward, backward := r.fits(ta, s.a) && r.fits(tb, s.b), r.fits(tb, s.a) && r.fits(ta, s.b)
		if !forward && !backward {
			continue
		}
		m := match{s, !forward}
		if s.a.Kind() != reflect.Interface && s.b.Kind() != reflect.Interface {
			exact = append(exact, m)
		} else {
			loose = append(loose, m)
		}
	}
	found := append(exact, loose...)
	switch {
	case len(found) == 0:
		return nil, false
	case len(exact) == 0 && len(loose) > 1:
		x, y := loose[0].rule, loose[1].rule
		fail("Add", []any{a, b},
			fmt.Sprintf("the rules for (%s, %s) and (%s, %s) both fit", typeName(x.a), typeName(x.b), typeName(y.a),
				typeName(y.b)),
			fmt.Sprintf("declare the one for these types: tangent.RegisterAdd(func(a %s, b %s) ...)", describe(a),
				describe(b)))
	case found[0].swapped:
		a, b = b, a
	}
	return call("Add", found[0].rule.add, a, b), true
}

// fits reports whether a value of type t may be passed where the type want, which may be an interface, is expected.
func (r *Registry) fits(t, want reflect.Type) bool {
	if want.Kind() == reflect.Interface {
		return t.Implements(want)
	}
	return t == want || r.family(t) == r.family(want)
}

// naturalFor returns the declaration of a type of natural tangents of p that the value t fits; ok is false if there is
// none.
func (p *primal) naturalFor(t any) (n natural, ok bool) {
	for _, n := range p.declarations().naturals {
		if p.registry.fits(reflect.TypeOf(t), n.tangent) {
			return n, true
		}
	}
	return natural{}, false
}

// Natural returns the names of the declared types of natural tangents of the type of value.
func (r *Registry) Natural(value any) []string {
	names := []string{}
	for _, n := range r.primalOf(typeOf("Natural", value)).declarations().naturals {
		for _, t := range n.shown {
			names = append(names, typeName(t))
		}
	}
	return names
}

// TypesFor returns the names of the tangent types of value, a primal: natural types, the structural type, and the
// types that serve every primal type.
func (r *Registry) TypesFor(value any) []string {
	t := typeOf("TypesFor", value)
	names := r.Natural(value)
	p := r.primalOf(t)
	switch {
	case t == tensorType:
		names = append(names, "Tensor", "OneElement", "Sparse")
	case isNumber(t):
		names = append(names, typeName(t))
	}
	if p.form() != noForm {
		names = append(names, "Tangent{"+p.name()+"}")
	}
	return append(names, "ZeroTangent", "NoTangent", "NotImplemented", "Thunk", "InplaceableThunk")
}

// Accepts reports whether t is a tangent of value, a primal: a NotImplemented, or a tangent for which AddTo(value, t)
// succeeds. It accepts every Thunk without computing its tangent.
func (r *Registry) Accepts(t, value any) bool {
	switch rankOf(t) {
	case zeroRank, noneRank, notImplementedRank, thunkRank:
		return true
	}
	return nv.Try(func() { r.AddTo(value, t) }) == nil
}

// Debug sets whether Accumulate checks that the add function of an InplaceableThunk has added the thunk's tangent.
func (r *Registry) Debug(on bool) { r.debug.Store(on) }

// checkedFunction returns f as a reflect.Value. It panics unless f is a function of n parameters, 1 or 2, with one or
// two results.
func checkedFunction(op string, f any, n int) reflect.Value {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumIn() != n || v.Type().NumOut() == 0 ||
		v.Type().NumOut() > 2 {
		form := "func(a A, b B) C"
		if n == 1 {
			form = "func(a A) B"
		}
		fail(op, []any{f}, "the argument is not a function of the right form", "give a "+form)
	}
	return v
}

// call returns the first result of f(args...). If f also returns an error, call panics with an error of the operation
// op.
func call(op string, f reflect.Value, args ...any) any {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		want := f.Type().In(i)
		v := reflect.ValueOf(a)
		switch {
		case a == nil:
			v = reflect.Zero(want)
		case !v.Type().AssignableTo(want) && v.Type().ConvertibleTo(want):
			v = v.Convert(want)
		case !v.Type().AssignableTo(want):
			fail(op, args, fmt.Sprintf("the declared function takes a %s, not a %s", typeName(want), describe(a)),
				"declare a function for this type")
		}
		in[i] = v
	}
	out := f.Call(in)
	if len(out) == 2 {
		if err, ok := out[1].Interface().(error); ok && err != nil {
			fail(op, args, err.Error(), "")
		}
	}
	return out[0].Interface()
}

// typeOf returns the type of v, a primal. It panics if v is nil.
func typeOf(op string, v any) reflect.Type {
	if v == nil {
		fail(op, []any{v}, "the value is nil", "give a value of the primal type")
	}
	return reflect.TypeOf(v)
}

// keys returns the keys of m in the order in which they print.
func keys(m map[any]any) []any {
	return slices.SortedFunc(maps.Keys(m), func(a, b any) int {
		return extension.CompareKeys(reflect.ValueOf(a), reflect.ValueOf(b))
	})
}
