package compile

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
)

// twin returns the generic function of a compiled package of which fn is an instance, and its twin: the function that
// is called instead. twin is the zero Value if there is none. The twin of
//
//	func G[T, U any](x X, f func(T) U) R
//
// is declared func GAny(x X, f any) any: every parameter and result whose type mentions a type parameter
// becomes any (a variadic ...T becomes ...any). For each type parameter that the types of the parameters do not
// mention, the twin has a reflect.Type before the other parameters.
func (b *builder) twin(fn *ssa.Function) (generic *types.Func, twin reflect.Value) {
	generic = originOf(fn)
	if generic == nil || generic.Pkg() == nil || check.IsCell(generic.Pkg()) || generic.Signature().Recv() != nil {
		return nil, reflect.Value{}
	}
	return generic, b.s.Hooks.Symbols(generic.Pkg().Path())[generic.Name()+"Any"]
}

// twinCaller returns the caller of fn, an instance of generic. It calls twin.
func (b *builder) twinCaller(fn *ssa.Function, generic *types.Func, twin reflect.Value) caller {
	var leading []reflect.Value // the arguments that are types
	for i := range generic.Signature().TypeParams().Len() {
		if !tupleMentions(generic.Signature().Params(), generic.Signature().TypeParams().At(i)) {
			leading = append(leading, reflect.ValueOf(b.outerType(fn.TypeArgs()[i])))
		}
	}
	sig, t := fn.Signature, twin.Type()
	var boxes []func(p unsafe.Pointer) reflect.Value // one for each parameter; returns the argument at p
	for i := range sig.Params().Len() {
		v := sig.Params().At(i).Type()
		to := t.In(i + len(leading))
		switch last := sig.Variadic() && i == sig.Params().Len()-1; {
		case !mentionsParam(generic.Signature().Params().At(i).Type(), nil, map[types.Type]bool{}):
			from := b.inner(v)
			b.checkLayout(from, to, 0)
			boxes = append(boxes, func(p unsafe.Pointer) reflect.Value { return reflect.NewAt(to, p).Elem() })
		case last:
			elem := v.Underlying().(*types.Slice).Elem()
			box, size := b.boxer(elem), b.inner(elem).Size()
			boxes = append(boxes, func(p unsafe.Pointer) reflect.Value {
				s := *(*slice)(p)
				list := make([]any, s.len)
				for i := range list {
					list[i] = box(unsafe.Add(s.data, uintptr(i)*size))
				}
				return reflect.ValueOf(list)
			})
		default:
			box := b.boxer(v)
			boxes = append(boxes, func(p unsafe.Pointer) reflect.Value {
				x := box(p)
				return reflect.ValueOf(&x).Elem()
			})
		}
	}
	var sets []func(v reflect.Value, p unsafe.Pointer) // one for each result; stores v at p
	for i := range sig.Results().Len() {
		v := sig.Results().At(i).Type()
		from := t.Out(i)
		if !mentionsParam(generic.Signature().Results().At(i).Type(), nil, map[types.Type]bool{}) {
			sets = append(sets, func(v reflect.Value, p unsafe.Pointer) { reflect.NewAt(from, p).Elem().Set(v) })
			continue
		}
		assert, rt := b.asserter(v), b.inner(v)
		sets = append(sets, func(v reflect.Value, p unsafe.Pointer) {
			if x := v.Interface(); !assert(x, p) && x != nil {
				panic(fmt.Sprintf("a result of type %T where %v is expected", x, rt))
			}
		})
	}
	return func(fr *frame, args, results []*register) {
		in := append([]reflect.Value(nil), leading...)
		for i, a := range args {
			p := newObject(a.desc)
			move(a.class, a.desc, p, unsafe.Add(unsafe.Pointer(fr), a.off))
			in = append(in, boxes[i](p))
		}
		var out []reflect.Value
		if sig.Variadic() {
			out = twin.CallSlice(in)
		} else {
			out = twin.Call(in)
		}
		for i, r := range results {
			p := newObject(r.desc)
			sets[i](out[i], p)
			move(r.class, r.desc, unsafe.Add(unsafe.Pointer(fr), r.off), p)
		}
	}
}

// outerType returns the outer type of t.
func (b *builder) outerType(t types.Type) reflect.Type {
	r, err := b.s.Table.Outer(t)
	if err != nil {
		b.fail("%v", err)
	}
	return r
}

// boxer returns a function that returns the value of type t at p in an interface.
func (b *builder) boxer(t types.Type) func(p unsafe.Pointer) any {
	inner := b.inner(t)
	if types.IsInterface(t) {
		return anyOf(inner)
	}
	word, desc := b.outer(t), descriptor(inner)
	isDirect := isDirectIface(inner)
	return func(p unsafe.Pointer) any {
		i := iface{word: word()}
		if isDirect {
			i.data = *(*unsafe.Pointer)(p)
		} else {
			i.data = newObject(desc)
			typedMove(desc, i.data, p)
		}
		return *(*any)(unsafe.Pointer(&i))
	}
}

// asserter returns a function that reports whether the assertion v.(t) holds. If so, the function stores the value at
// p.
func (b *builder) asserter(t types.Type) func(v any, p unsafe.Pointer) bool {
	if types.IsInterface(t) {
		return b.toInterface(b.row(t), t)
	}
	return b.toConcrete(b.row(t), t)
}

// tupleMentions reports whether the type of a variable in t mentions param.
func tupleMentions(t *types.Tuple, param *types.TypeParam) bool {
	for v := range t.Variables() {
		if mentionsParam(v.Type(), param, map[types.Type]bool{}) {
			return true
		}
	}
	return false
}

// mentionsParam reports whether t mentions param, or any type parameter if param is nil.
func mentionsParam(t types.Type, param *types.TypeParam, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	has := func(t types.Type) bool { return mentionsParam(t, param, seen) }
	tuple := func(t *types.Tuple) bool {
		for v := range t.Variables() {
			if has(v.Type()) {
				return true
			}
		}
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return param == nil || t == param
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if has(a) {
				return true
			}
		}
	case *types.Map:
		return has(t.Key()) || has(t.Elem())
	case *types.Signature:
		return tuple(t.Params()) || tuple(t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			if has(v.Type()) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return has(t.Elem())
	}
	return false
}
