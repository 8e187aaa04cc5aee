package compile

import (
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A closure is a compiled function with its captured variables.
type closure struct {
	s    *Session
	code *code            // nil if late is set
	vars []unsafe.Pointer // the captured values: pointers themselves, other values as pointers to copies
	late *function        // if not nil, calls of the closure run the latest body of this function
}

// functionValue returns a function value of type t. Calls of it run the latest body of f.
func (s *Session) functionValue(f *function, t reflect.Type) unsafe.Pointer {
	if p := f.value.Load(); p != nil {
		return *p
	}
	p := funcPointer(reflect.MakeFunc(t, (&closure{s: s, late: f}).reflectBody()))
	f.value.Store(&p)
	return p
}

// current returns the code that a call of the closure runs now.
func (c *closure) current() *code {
	if c.late != nil {
		return c.late.current()
	}
	return c.code
}

// load sets the registers of fr for captured variables.
func (c *closure) load(fr *frame) {
	for i, v := range c.vars {
		r := &c.code.captured[i]
		p := unsafe.Add(unsafe.Pointer(fr), r.off)
		if r.class == pointerClass {
			*(*unsafe.Pointer)(p) = v
		} else {
			move(r.class, r.desc, p, v)
		}
	}
}

// makeClosure emits the evaluation of a function literal or a method value.
func (b *builder) makeClosure(in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	c := b.p.want(fn)
	d := b.off(in)
	var bindings []*register
	for _, v := range in.Bindings {
		bindings = append(bindings, b.reg(v))
	}
	s := b.s
	toFunc := funcMaker(b.inner(in.Type()))
	b.emit(func(fr unsafe.Pointer) {
		*at[unsafe.Pointer](fr, d) = toFunc(s.capture(c, fr, bindings))
	})
}

// capture returns the closure of c with the captured values in the registers regs of fr.
func (s *Session) capture(c *code, fr unsafe.Pointer, regs []*register) *closure {
	clo := &closure{s: s, code: c, vars: make([]unsafe.Pointer, len(regs))}
	for i, r := range regs {
		p := unsafe.Add(fr, r.off)
		if r.class == pointerClass {
			clo.vars[i] = *(*unsafe.Pointer)(p)
			continue
		}
		clo.vars[i] = newObject(r.desc)
		move(r.class, r.desc, clo.vars[i], p)
	}
	return clo
}

// funcMaker returns a function that turns a closure into a Go function of type t, as a pointer; see funcPointer.
func funcMaker(t reflect.Type) func(*closure) unsafe.Pointer {
	if f := adapterFor(t); f != nil {
		return f
	}
	return func(c *closure) unsafe.Pointer {
		f := reflect.MakeFunc(t, c.reflectBody())
		return funcPointer(f)
	}
}

// reflectBody returns the argument of reflect.MakeFunc for a function that runs c. It must not be inlined: closureAt
// recognizes the result by its code address, and each inlined copy would have another.
//
//go:noinline
func (c *closure) reflectBody() func([]reflect.Value) []reflect.Value {
	return func(args []reflect.Value) []reflect.Value {
		code := c.current()
		fr := c.s.begin(code)
		if c.late == nil {
			c.load(fr)
		}
		for i, a := range args {
			r := &code.params[i]
			setValue(r, fr, a)
		}
		c.s.enter(fr)
		out := make([]reflect.Value, len(code.results))
		for i := range out {
			r := &code.results[i]
			v := reflect.New(r.typ)
			move(r.class, r.desc, v.UnsafePointer(), unsafe.Add(unsafe.Pointer(fr), r.off))
			out[i] = v.Elem()
		}
		c.s.exit(fr)
		return out
	}
}

// setValue sets the register r of fr to v. The types of r and v have the same memory layout.
func setValue(r *register, fr *frame, v reflect.Value) {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	move(r.class, r.desc, unsafe.Add(unsafe.Pointer(fr), r.off), p.UnsafePointer())
}

// begin is Session.begin for a closure. It sets the registers for captured variables.
func (c *closure) begin() *frame {
	fr := c.s.begin(c.code)
	c.load(fr)
	return fr
}

// goFunction returns a Go function that runs c. The first parameter of a method is its receiver.
func (s *Session) goFunction(c *code) reflect.Value {
	p := reflect.New(c.funcType)
	*(*unsafe.Pointer)(p.UnsafePointer()) = funcMaker(c.funcType)(&closure{s: s, code: c})
	return p.Elem()
}
