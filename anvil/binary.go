package anvil

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// A BinaryOption is an option of an operation on two operands: Alpha, RoundingMode or Out.
type BinaryOption interface{ binary(*binaryOptions) }

// binaryOptions holds the options of a binary operation.
type binaryOptions struct {
	alpha    any     // nil: 1
	rounding string  // "": none
	out      *Tensor // nil: the result is a new tensor
	into     bool    // out is also the first operand, as in AddInto
}

// Alpha returns the option of Add and Sub that multiplies the second operand: Add(x, y, Alpha(3)) is x + 3*y.
// The factor does not take part in promotion.
func Alpha(alpha any) BinaryOption { return alphaOption{alpha} }

type alphaOption struct{ v any }

func (a alphaOption) binary(o *binaryOptions) { o.alpha = a.v }

// RoundingMode returns the option of Div that rounds the quotient: "floor" toward negative infinity, "trunc"
// toward zero. Quotients of integers stay integers.
func RoundingMode(mode string) BinaryOption { return roundingOption(mode) }

type roundingOption string

func (r roundingOption) binary(o *binaryOptions) { o.rounding = string(r) }

// Out returns the option that stores the result in x. The result is converted to the dtype and ambiguity of x, and
// must have the shape of x. A conversion that the promotion system does not allow is an error and leaves x unchanged.
// If x is the zero Tensor, the result is stored without conversion. Since tensors are immutable, other holders of x's
// old value are unaffected.
func Out(x *Tensor) BinaryOption { return outOption{x, false} }

type outOption struct {
	x    *Tensor
	into bool // x is also the first operand
}

func (x outOption) binary(o *binaryOptions) { o.out, o.into = x.x, x.into }

// into returns opts with the option that stores the result in x, which points to the first operand.
func into(x *Tensor, opts []BinaryOption) []BinaryOption {
	return append(opts[:len(opts):len(opts)], outOption{x, true})
}

// target returns *x, the first operand and the destination of op. It panics if x is nil or *x is the zero Tensor.
func target(op string, x *Tensor) Tensor {
	if x == nil {
		panic(&Error{Op: op, Operands: "nil", Reason: "the destination is nil", Hint: "nv." + op + "(&x, y)"})
	}
	x.must(op)
	return *x
}

// with sets the options of the call, checks them, and returns the call.
func (c *call) with(opts []BinaryOption) *call {
	if len(opts) == 0 {
		return c
	}
	c.opts = &binaryOptions{}
	for _, o := range accepted(c.op, opts, c.xs...) {
		if out, ok := o.(outOption); ok && out.x == nil {
			c.fail("the output is nil", "nv.Out(&x)")
		}
		o.binary(c.opts)
	}
	if c.opts.into && c.opts.rounding == "" { // promotion has other names for rounded quotients: see rounded
		c.checkAssignable()
	}
	return c
}

// scaled returns y times the call's Alpha at dtype t, the dtype of the result. Its errors have
// the words of PyTorch's errors.
func (c *call) scaled(y any, t dtype.Typed) Tensor {
	a := c.operand(c.opts.alpha).DType
	switch {
	case a == dtype.I1 && t.DType != dtype.I1:
		c.fail("Boolean alpha only supported for Boolean results", "nv.Alpha(1)")
	case a.Is(dtype.Inexact) && !t.DType.Is(dtype.Inexact):
		c.fail("For integral input tensors, argument alpha must not be a floating point number",
			"convert an operand with AsType, or multiply first")
	case a.Is(dtype.Complex) && !t.DType.Is(dtype.Complex):
		c.fail("For non-complex input tensors, argument alpha must not be a complex number",
			"convert an operand with AsType")
	}
	return asTensor(c.elementwise(ir.Mul, nil, c.at(y, t.DType), c.at(c.opts.alpha, t.DType)))
}

// rounded returns x / y, rounded according to the call's RoundingMode.
func (c *call) rounded(x, y any) Tensor {
	mode := c.opts.rounding
	if mode != "floor" && mode != "trunc" {
		c.fail("unknown rounding mode "+mode, `nv.RoundingMode("floor") or nv.RoundingMode("trunc")`)
	}
	t, ok := c.operationTypeOf([]string{"div_" + mode, "floor_divide"}, x, y)
	if !ok {
		t = c.common(x, y)
	}
	if mode == "floor" {
		return c.result(c.floorDiv(t.DType, x, y), t.Ambiguous)
	}
	return c.result(c.truncDiv(t.DType, x, y), t.Ambiguous)
}

// toward0 returns a rounded toward zero if its dtype is a float, and a itself otherwise.
func (c *call) toward0(a expr.Value) expr.Value {
	ty := typeOf(a)
	if !ty.DType.Is(dtype.Floating) {
		return a
	}
	negative := c.Lt(a, c.to(c.literal(0, ty.DType), ty.Shape))
	return c.Where(negative, c.Ceil(a), c.Floor(a))
}

// store stores the result r in the call's output and returns the output.
func (c *call) store(r Tensor) Tensor {
	dst := c.opts.out
	if c.opts.into {
		c.op += "Into"
	}
	if dst.t != nil {
		r = c.stored(r, dst)
	}
	*dst = r
	return r
}

// stored returns r as a tensor of the dtype, shape and ambiguity of dst.
func (c *call) stored(r Tensor, dst *Tensor) Tensor {
	if dst.t.ctx != c.ctx {
		c.fail("the output belongs to another context", "make all tensors in one Context")
	}
	c.check(c.sys.Store(c.foreignName(), r.DType(), dst.DType()))
	if got, want := r.t.Shape(), dst.t.Shape(); !got.Equal(want) {
		c.fail("output with shape "+want.String()+" doesn't match the broadcast shape "+got.String(),
			"give an output with the shape of the result")
	}
	a := c.cast(r.t, dst.DType())
	c.opts = nil // so that result does not store again
	r = c.result(a, dst.t.amb)
	r.t.why.stored = true
	return r
}

// foreignName returns the promotion system's name of the call's operation: the first of the function's promotionNames
// that the system knows, or else the name of the function.
func (c *call) foreignName() string {
	op := strings.TrimSuffix(c.op, "Into")
	// An operation refuses i32 only if its name is unknown.
	i32 := promote.Operand{Typed: promote.Known(dtype.I32), Rank: 1}
	for _, name := range promotionNames[op] {
		if _, err := c.sys.Operation(name, i32, i32); err == nil {
			return name
		}
	}
	return op
}
