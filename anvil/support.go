package anvil

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// A standIn is an operand that stands for another, whose dtype the operation does
// not support (see backend.CastOf).
type standIn struct {
	from, to *tensor
	steps    []promote.Step
}

// doors are operations that any dtype may go through: with these a tensor gets
// away from a dtype that a backend does not support.
var doors = []string{"AsType", "ToDevice", "BitcastConvert", "Lit", "While", "If"}

// Unchecked returns the library without a backend: its functions take and give
// every dtype, whatever backend and default dtypes are set, and so do operations
// on what they return, until Checked. What is computed with dtypes that are of
// no interest outside, such as random bits, is computed with it.
func (l *Lib) Unchecked() *Lib {
	lib := *l
	lib.frontend, lib.unchecked = "", true
	return &lib
}

// Checked returns x as a tensor that the backend that is set takes only at a
// dtype that it has (see Unchecked).
func (x Tensor) Checked() Tensor {
	t := *x.must("Checked")
	t.unchecked = false
	return Tensor{t: &t}
}

// CompilerLog1p is Log1p with the bits that the device's compiler gives it, which
// jax.random's numbers have.
func (x Tensor) CompilerLog1p() Tensor {
	c := x.must("Log1p").ctx.call("Log1p", x)
	c.row = rowLog1p
	t := c.floatDType()
	return c.result(c.Do(ir.Log1p, ir.CompilerAttrs{}, c.at(x, t.DType)), t.Ambiguous)
}

// Threefry returns the random words that the cipher Threefry-2x32 makes of the words of
// the key x and of counters, all u64 with the first word in the high half and of x's
// shape, elementwise. Package random draws by it.
func (x Tensor) Threefry(counter Tensor) Tensor {
	c := x.must("Threefry").ctx.call("Threefry", x, counter)
	return c.result(c.Do(ir.Threefry, nil, c.at(x, x.DType()), c.at(counter, counter.DType())), false)
}

// OptimizationBarrier returns x behind a barrier through which the compiler does not see
// how x is computed. Without it, what the compiler asks about the operands that many
// operations share, such as whether they may be negative, doubles with each operation.
func (x Tensor) OptimizationBarrier() Tensor {
	c := x.must("OptimizationBarrier").ctx.call("OptimizationBarrier", x)
	t := c.at(x, x.DType())
	return c.result(c.Do(ir.OptimizationBarrier, nil, t), x.Ambiguous())
}

// supported sees to it that the operation takes its operands under the active
// backend, or under the frontend that the library is one of: as they are, or
// cast by the casting modes.
func (c *call) supported(frontend string) {
	if slices.Contains(doors, c.op) {
		return
	}
	s := c.ctx.settings
	for _, x := range c.xs {
		t, ok := x.(Tensor)
		if !ok {
			continue
		}
		if d := t.DType(); frontend != "" {
			c.check(s.CastFrontend(frontend, c.op, d))
		}
		if c.restricted {
			c.casts = append(c.casts, c.recast(t)...)
		}
	}
}

// recast returns what stands for x, nothing where it is taken as it is.
func (c *call) recast(x Tensor) []standIn {
	cast, err := c.ctx.settings.CastOn(c.op, x.DType(), x.Device())
	c.check(err)
	if len(cast.Steps) == 0 {
		return nil
	}
	ty := shape.Type{DType: cast.To, Shape: x.t.Shape()}
	to := c.emit(ir.Convert, ir.DTypeAttrs{DType: cast.To}, ty, x.t)
	return []standIn{{x.t, to.(*tensor), cast.Steps}}
}

// standsFor returns the tensor that the operation takes for t.
func (c *call) standsFor(t *tensor) *tensor {
	for _, cast := range c.casts {
		if cast.from == t {
			return cast.to
		}
	}
	return t
}

// casting returns the steps by which operands were cast.
func (c *call) casting() (steps []promote.Step) {
	for _, cast := range c.casts {
		steps = append(steps, cast.steps...)
	}
	return steps
}

// widened returns the dtype of the sum or product of t under a backend: that
// of small integers is the default one of their kind, as the Array API has it.
func (c *call) widened(r promote.Reduction, t dtype.Typed) dtype.Typed {
	s := c.ctx.settings
	if r != promote.Sum || !c.restricted || !t.DType.Is(dtype.Integral) {
		return t
	}
	if d := s.DefaultLike(t.DType); d.Bits() > t.DType.Bits() {
		t.DType = d
	}
	return t
}

// Frontend returns the library as Ivy's frontend of a framework has it: under
// the framework's promotion system, with what the frontend is declared to
// support of each operation. There are "torch", "jax", "numpy", "tensorflow".
func (l *Lib) Frontend(framework string) *Lib {
	var sys *promote.System
	if err := Try(func() { sys = backend.Frontend(framework) }); err != nil {
		panic(asError("Frontend", fmt.Sprintf("%q", framework), err))
	}
	lib := newLib("Frontend", l.ctx, sys)
	lib.frontend = framework
	return lib
}

// Op returns f as an operation of that name: at each call the tensors among its
// arguments must have dtypes that the active backend supports for it, or are
// cast by the casting modes. The rules are declared as backend.Declare does;
// without any, what is declared by other means holds.
func Op[F any](name string, f F, rules ...backend.Rule) F {
	return Default().OpAny(name, f, rules...).(F)
}

// OpAny is the function OpAny for tensors of c.
func (c *Context) OpAny(name string, f any, rules ...backend.Rule) any {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		panic(&Error{Op: "Op", Operands: fmt.Sprintf("%q, %T", name, f), Reason: "the argument is not a function", Hint: "give a function of tensors"})
	}
	if len(rules) > 0 {
		if err := Try(func() { c.settings.Declare(name, rules...) }); err != nil {
			panic(asError("Op", fmt.Sprintf("%q", name), err))
		}
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		var xs []any
		for _, a := range args {
			leaves(a, "", func(_ string, x Tensor) { xs = append(xs, x) })
		}
		call := c.Lib.call(name, xs...)
		for i, a := range args {
			args[i] = rebuild(a, func(x Tensor) Tensor {
				if t := call.standsFor(x.must(name)); t != x.t {
					return call.result(t, false)
				}
				return x
			})
		}
		return callFunction(v, args)
	}).Interface()
}
