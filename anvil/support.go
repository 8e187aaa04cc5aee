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
	"github.com/goanvil/notebook/anvil/typename"
)

// This file applies the active backend to calls: the dtypes that it supports for each operation, and the casting modes
// for other dtypes.

// An operandCast is the conversion of an operand whose dtype the operation does not support (see backend.CastOf): the
// operation uses to in place of from.
type operandCast struct {
	from, to *tensor
	steps    []promote.Step // for Why
}

// unrestrictedOps are operations that accept every dtype, so that tensors can be converted from a dtype that a
// backend does not support.
var unrestrictedOps = []string{"AsType", "ToDevice", "BitcastConvert", "Lit", "While", "If"}

// Unchecked returns the library without the restrictions of a backend: its functions accept and return every
// dtype, whatever backend and default dtypes are set, and so do operations on their results, until Checked. It is
// for computations with dtypes that the caller does not see, such as those of random bits.
func (l *Lib) Unchecked() *Lib {
	lib := *l
	lib.frontend, lib.unchecked = "", true
	return &lib
}

// Checked returns x as a tensor that is subject to the active backend's restrictions again (see Unchecked).
func (x Tensor) Checked() Tensor {
	t := *x.must("Checked")
	t.unchecked = false
	return Tensor{t: &t}
}

// castUnsupported converts operands whose dtype the active backend does not support, as the casting modes say. It
// fails if no mode converts the operand, or if the given frontend does not support a dtype.
func (c *call) castUnsupported(frontend string) {
	if slices.Contains(unrestrictedOps, c.op) {
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
			c.casts = append(c.casts, c.castOperand(t)...)
		}
	}
}

// castOperand returns a slice with the conversion of x by the casting modes, or nil if x is used unchanged.
func (c *call) castOperand(x Tensor) []operandCast {
	cast, err := c.ctx.settings.CastOn(c.op, x.DType(), x.Device())
	c.check(err)
	if len(cast.Steps) == 0 {
		return nil
	}
	ty := shape.Type{DType: cast.To, Shape: x.t.Shape()}
	to := c.emit(ir.Convert, ir.DTypeAttrs{DType: cast.To}, ty, x.t)
	return []operandCast{{x.t, to.(*tensor), cast.Steps}}
}

// castOf returns the tensor that the operation uses in place of t, or t itself if it has not been cast.
func (c *call) castOf(t *tensor) *tensor {
	for _, cast := range c.casts {
		if cast.from == t {
			return cast.to
		}
	}
	return t
}

// castSteps returns the steps by which operands were cast.
func (c *call) castSteps() (steps []promote.Step) {
	for _, cast := range c.casts {
		steps = append(steps, cast.steps...)
	}
	return steps
}

// widenSum returns the type of a reduction by the rule r, given the type t that it has without a backend. Under a
// backend, sums and products of narrow integers have the default signed or unsigned integer, as in the Array API.
func (c *call) widenSum(r promote.Reduction, t dtype.Typed) dtype.Typed {
	s := c.ctx.settings
	if r != promote.Sum || !c.restricted || !t.DType.Is(dtype.Integral) {
		return t
	}
	if d := s.DefaultLike(t.DType); d.Bits() > t.DType.Bits() {
		t.DType = d
	}
	return t
}

// Frontend returns the library as Ivy's frontend of a framework: under the framework's promotion system, and
// restricted to the dtypes that the frontend declares for each operation. The frontends are "torch", "jax",
// "numpy" and "tensorflow".
func (l *Lib) Frontend(framework string) *Lib {
	var sys *promote.System
	if err := Try(func() { sys = backend.Frontend(framework) }); err != nil {
		panic(asError("Frontend", fmt.Sprintf("%q", framework), err))
	}
	lib := newLib("Frontend", l.ctx, sys)
	lib.frontend = framework
	return lib
}

// Op returns f as an operation with the given name: at each call, tensors among its arguments must have
// dtypes that the active backend supports for that operation, or are cast by the casting modes. rules are
// declared as by backend.Declare; without rules, earlier declarations for the name apply.
func Op[F any](name string, f F, rules ...backend.Rule) F {
	return Default().OpAny(name, f, rules...).(F)
}

// OpAny is Op for tensors of c.
func (c *Context) OpAny(name string, f any, rules ...backend.Rule) any {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		panic(&Error{Op: "Op", Operands: fmt.Sprintf("%q, %s", name, typename.Of(f)),
			Reason: "the argument is not a function", Hint: "give a function of tensors"})
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
				if t := call.castOf(x.must(name)); t != x.t {
					return call.result(t, false)
				}
				return x
			})
		}
		return callFunction(v, args)
	}).Interface()
}
