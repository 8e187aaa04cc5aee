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
	vars []unsafe.Pointer // the captured variables: pointers as they are, other values as pointers to copies
	late *function        // the function whose latest body the closure calls, or nil
}

// functionValue returns the function value, of type t, that calls the latest body of f.
func (s *Session) functionValue(f *function, t reflect.Type) unsafe.Pointer {
	if p := f.value.Load(); p != nil {
		return *p
	}
	p := funcPointer(reflect.MakeFunc(t, (&closure{s: s, late: f}).reflectBody()))
	f.value.Store(&p)
	return p
}

// current returns the code that the closure calls now.
func (c *closure) current() *code {
	if c.late != nil {
		return c.late.current()
	}
	return c.code
}

// load sets the registers of fr that hold captured variables.
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

// makeClosure emits the evaluation of a function literal or method value.
func (b *builder) makeClosure(in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	c := b.p.want(fn)
	d := b.off(in)
	var bindings []*register
	for _, v := range in.Bindings {
		bindings = append(bindings, b.reg(v))
	}
	s := b.s
	toFunc := s.maker(b.inner(in.Type()))
	b.emit(func(fr unsafe.Pointer) {
		*at[unsafe.Pointer](fr, d) = toFunc(s.capture(c, fr, bindings))
	})
}

// capture returns the closure of c whose captured variables are in the given registers of fr.
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

// maker returns the function that turns a closure into a Go function of type t.
func (s *Session) maker(t reflect.Type) func(*closure) unsafe.Pointer {
	if f := adapterFor(t); f != nil {
		return f
	}
	return func(c *closure) unsafe.Pointer {
		f := reflect.MakeFunc(t, c.reflectBody())
		return funcPointer(f)
	}
}

// reflectBody returns the body of a function made by reflect.MakeFunc. It is not inlined: closureAt
// recognizes the bodies by their code address, so there must be only one.
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

// setValue sets a register to v, whose type has the layout of the register's.
func setValue(r *register, fr *frame, v reflect.Value) {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	move(r.class, r.desc, unsafe.Add(unsafe.Pointer(fr), r.off), p.UnsafePointer())
}

// begin returns a frame for a call of c from outside.
func (c *closure) begin() *frame {
	fr := c.s.begin(c.code)
	c.load(fr)
	return fr
}

// goFunction returns c as a Go function, its receiver first.
func (s *Session) goFunction(c *code) reflect.Value {
	p := reflect.New(c.funcType)
	*(*unsafe.Pointer)(p.UnsafePointer()) = s.maker(c.funcType)(&closure{s: s, code: c})
	return p.Elem()
}
