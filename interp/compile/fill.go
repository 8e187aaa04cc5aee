package compile

import (
	"go/constant"
	"math"
	"reflect"
	"unicode"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// addFills adds the functions that set the registers of constants, global variables and functions in a new frame.
func (b *builder) addFills() {
	for v, r := range b.layout.of {
		switch v := v.(type) {
		case *ssa.Const:
			if f := b.constant(v, r); f != nil {
				b.code.fills = append(b.code.fills, f)
			}
		case *ssa.Global:
			b.fillGlobal(v, r.off)
		case *ssa.Function:
			b.fillFunction(v, r.off)
		}
	}
}

// fillGlobal adds the function that sets the register at d of a new frame to the address of g.
func (b *builder) fillGlobal(g *ssa.Global, d uintptr) {
	obj := g.Object()
	if p := b.s.stdVariable(obj); p != nil {
		b.code.fills = append(b.code.fills, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = p })
		return
	}
	if name := b.p.src.Engine(obj); name != "" {
		v := b.s.variable(name)
		b.code.fills = append(b.code.fills, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = v.addr })
		return
	}
	sym, ok := b.s.Hooks.Symbols(obj.Pkg().Path())[obj.Name()]
	if !ok || !sym.CanAddr() {
		b.fail("there is no variable %s.%s", obj.Pkg().Path(), obj.Name())
	}
	p := sym.Addr().UnsafePointer()
	if t := b.inner(obj.Type()); t == fileType && sym.Type() != t {
		p = b.s.substituteFile(obj.Name(), sym.Interface())
	}
	b.code.fills = append(b.code.fills, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = p })
}

// fillFunction adds the function that sets the register at d of a new frame to fn, if fn is used as a value and no
// later cell can redefine it.
func (b *builder) fillFunction(fn *ssa.Function, d uintptr) {
	if b.isCalledOnly(fn) {
		return
	}
	switch {
	case b.isRedefinable(fn):
		return // see functionValues
	case b.hasBody(fn):
		c := b.p.want(fn)
		f := funcMaker(b.inner(fn.Signature))(&closure{s: b.s, code: c})
		b.code.fills = append(b.code.fills, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = f })
	default:
		var f unsafe.Pointer
		if generic, twin := b.twin(fn); twin.IsValid() {
			c := b.s.callingCode(b.goType(fn), b.twinCaller(fn, generic, twin))
			f = funcMaker(c.funcType)(&closure{s: b.s, code: c})
		} else {
			f = b.external(fn)
		}
		b.code.fills = append(b.code.fills, func(fr unsafe.Pointer) { *at[unsafe.Pointer](fr, d) = f })
	}
}

// isCalledOnly reports whether b.fn only calls fn and never uses it as a value.
func (b *builder) isCalledOnly(fn *ssa.Function) bool {
	if b.asValues == nil {
		b.asValues = map[*ssa.Function]bool{}
		for _, bb := range b.fn.Blocks {
			for _, in := range bb.Instrs {
				b.addValues(in)
			}
		}
	}
	return !b.asValues[fn]
}

// addValues adds to b.asValues the functions that an instruction uses as values, that is, neither as the callee nor as
// the function of a closure.
func (b *builder) addValues(in ssa.Instruction) {
	uses := map[*ssa.Function]int{}
	var buffer [8]*ssa.Value
	for _, x := range in.Operands(buffer[:0]) {
		if fn, ok := (*x).(*ssa.Function); ok {
			uses[fn]++
		}
	}
	switch in := in.(type) {
	case ssa.CallInstruction:
		if fn, ok := in.Common().Value.(*ssa.Function); ok {
			uses[fn]--
		}
	case *ssa.MakeClosure:
		uses[in.Fn.(*ssa.Function)]--
	}
	for fn, n := range uses {
		if n > 0 {
			b.asValues[fn] = true
		}
	}
}

// constant returns the function that sets the register r of the constant v. It returns nil if v has no constant.Value:
// then v is a zero value, which the register of a new frame already holds.
func (b *builder) constant(v *ssa.Const, r *register) func(fr unsafe.Pointer) {
	if v.Value == nil {
		return nil
	}
	at, t := r.off, descriptor(r.typ)
	p := reflect.New(r.typ)
	val := p.Elem()
	switch k := r.typ.Kind(); {
	case k == reflect.Bool:
		val.SetBool(constant.BoolVal(v.Value))
	case k == reflect.String:
		val.SetString(stringOf(v.Value))
	case val.CanInt():
		val.SetInt(v.Int64())
	case val.CanUint():
		val.SetUint(v.Uint64())
	case k == reflect.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(v.Value))
		val.SetFloat(float64(f))
	case k == reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(v.Value))
		val.SetFloat(f)
	case val.CanComplex():
		val.SetComplex(v.Complex128())
	case k == reflect.UnsafePointer:
		address := uintptr(v.Uint64())
		val.SetPointer(*(*unsafe.Pointer)(unsafe.Pointer(&address)))
	default:
		b.fail("cells do not support a constant of type %v", v.Type())
	}
	return func(fr unsafe.Pointer) { typedMove(t, unsafe.Add(fr, at), p.UnsafePointer()) }
}

// stringOf returns the string value of a constant. An integer is converted as by string(rune(v)).
func stringOf(v constant.Value) string {
	if v.Kind() == constant.Int {
		n, ok := constant.Int64Val(v)
		if !ok || n < 0 || n > math.MaxInt32 {
			n = unicode.ReplacementChar
		}
		return string(rune(n))
	}
	return constant.StringVal(v)
}
