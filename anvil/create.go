package anvil

import (
	"fmt"
	"image"
	"math"
	"reflect"
	"strconv"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/typename"
)

// creation begins a call of op, a function that makes a new tensor, and returns the call's options.
func (l *Lib) creation(op string, opts []Option, xs ...any) (*call, dtype.Options) {
	c, o := l.call(op, xs...), apply(op, opts)
	c.asked = o.DType != dtype.Invalid || o.Ambiguous != nil
	return c, o
}

// settle completes the options of a creation with the Context's settings. own is the default dtype of the function.
// The settings may infer a dtype from item, which is the dtype of an array, a number, or nil.
func (c *call) settle(o dtype.Options, own dtype.DType, item any) dtype.Options {
	if c.unchecked {
		if o.DType == dtype.Invalid {
			o.DType = own
		}
		return o
	}
	r := backend.Request{Op: c.op, DType: o.DType, Device: o.Device, Item: item, Own: own}
	c.check(c.ctx.settings.Complete(&r))
	o.DType, o.Device = r.DType, r.Device
	return o
}

// ownDefault returns the system's default dtype for numbers of v's kind.
func (c *call) ownDefault(v any) dtype.DType {
	if t, err := c.sys.Literal(v); err == nil {
		return t.DType
	}
	return dtype.F32
}

// Scalar returns the number v as a tensor of rank 0. Without a dtype option an int, float64 or complex128
// gives an ambiguous dtype: i32?, f32? or c64?. A sized number keeps its dtype.
func (l *Lib) Scalar(v any, opts ...Option) Tensor {
	c, o := l.creation("Scalar", opts, v)
	return c.fill(nil, v, o)
}

// Full returns a tensor of shape s with every element v, with the dtype of Scalar(v).
func (l *Lib) Full(s Shape, v any, opts ...Option) Tensor {
	c, o := l.creation("Full", opts, v)
	c.checkShape(s, v)
	return c.fill(s, v, o)
}

// checkShape fails if s is not a valid shape, with an error that shows s and xs as the operands.
func (c *call) checkShape(s Shape, xs ...any) {
	before := c.xs
	c.xs = append([]any{s}, xs...)
	c.checkLengths(s)
	c.xs = before
}

// fill returns a tensor of shape s with every element v, a number or a scalar tensor.
func (c *call) fill(s Shape, v any, o dtype.Options) Tensor {
	c.checkLengths(s)
	if t, ok := v.(Tensor); ok {
		if t.Rank() > 0 {
			c.fail("the value is not a scalar", "nv.BroadcastTo repeats a tensor")
		}
		if o.DType == dtype.Invalid {
			o.DType = t.DType()
		}
		return c.creationResult(c.to(c.cast(t.t, o.DType), s), t.t.amb, o)
	}
	t := c.typeOfNumber(v)
	t.Ambiguous = t.Ambiguous && o.DType == dtype.Invalid
	o = c.settle(o, t.DType, v)
	return c.creationResult(c.to(c.literal(v, o.DType), s), t.Ambiguous, o)
}

// creationResult returns t as the result of a creation, on the device and with the ambiguity that o requests.
// ambiguous is the default for the ambiguity.
func (c *call) creationResult(t expr.Value, ambiguous bool, o dtype.Options) Tensor {
	if o.Ambiguous != nil {
		ambiguous = *o.Ambiguous
	}
	if o.Device != "" {
		t = c.toDevice(t, o.Device)
	}
	return c.result(t, ambiguous)
}

// checkLengths fails if s is not a valid shape: if a length is negative or there are too many axes or elements.
func (c *call) checkLengths(s Shape) {
	if len(s) > maxRank {
		c.failRank(s)
	}
	size := 1
	for _, n := range s {
		if n < 0 {
			c.fail("shape "+s.String()+" has a negative length", "give lengths of 0 or more")
		}
		if n > 0 && size > math.MaxInt/n/16 { // an element has up to 16 bytes
			c.fail("shape "+s.String()+" has too many elements",
				"give a smaller shape, or compute parts one after the other")
		}
		size *= max(n, 1)
	}
}

// Lit returns the number v as a literal: a scalar that keeps its exact value until it is combined with a
// dtype.
func (l *Lib) Lit(v any) Tensor {
	c := l.call("Lit", v)
	if t, ok := v.(Tensor); ok {
		return t
	}
	o := c.operand(v)
	t := c.result(c.literal(v, o.DType), o.Ambiguous)
	if o.Ambiguous {
		t.t.lit = v
	}
	return t
}

// From returns the Go value v, a number or nested slices of numbers, as a tensor with the dtype of its Go type: float64
// gives f64, int gives i64. Matrices and images are converted as by New.
func (l *Lib) From(v any, opts ...Option) Tensor {
	c, o := l.creation("From", opts, v)
	if t, ok := v.(Tensor); ok {
		if len(opts) == 0 {
			return t
		}
		ambiguous := t.t.amb && o.DType == dtype.Invalid
		if o.DType == dtype.Invalid {
			o.DType = t.DType()
		}
		return c.creationResult(c.cast(t.must("From"), o.DType), ambiguous, o)
	}
	if m, ok := v.(image.Image); ok {
		return c.picture(m, o)
	}
	rv := reflect.ValueOf(fromGonum(v))
	et := elemType(rv)
	d, ok := dtype.OfType(et)
	if !ok {
		c.failNoDType(et)
	}
	return c.nested(rv, c.settle(o, d, d))
}

// New returns nested slices or arrays of Go numbers, or one number, as a tensor of known dtype: int gives i32,
// float64 gives f32, complex128 gives c64, bool gives i1, and sized numbers give the dtype of their size. Every
// number must fit its dtype.
//
// A gonum matrix is converted like a slice of its rows, and a vector like a slice of its elements. An image
// (image.Image) gives a tensor {height,width,channels} of ui8, or of ui16 if it has 16 bits per channel: one channel
// if the image is gray, three for colours, four if any pixel is transparent.
func (l *Lib) New(v any, opts ...Option) Tensor {
	c, o := l.creation("New", opts, v)
	if t, ok := v.(Tensor); ok {
		d := t.DType()
		if o.DType != dtype.Invalid {
			d = o.DType
		}
		return c.creationResult(c.cast(t.must("New"), d), false, o)
	}
	if m, ok := v.(image.Image); ok {
		return c.picture(m, o)
	}
	rv := reflect.ValueOf(fromGonum(v))
	switch et := elemType(rv); et {
	case anyType, tensorType: // the dtype is the common dtype of the elements
		return c.nested(rv, o)
	default:
		d, ok := dtype.OfType(et)
		if !ok {
			c.failNoDType(et)
		}
		d, item := c.knownDType(et, d)
		return c.nested(rv, c.settle(o, d, item))
	}
}

var (
	anyType    = reflect.TypeFor[any]()
	tensorType = reflect.TypeFor[Tensor]()

	tensorsType = reflect.TypeFor[[]Tensor]()
	slotsType   = reflect.TypeFor[map[string][]Tensor]() // the type of an optimizer's state
)

// knownDType returns the dtype that New gives to elements of Go type t, for which dtype.OfType returns d, and an item
// for settle: a number of type t, or d if t is a named type, such as the type for bf16.
func (c *call) knownDType(t reflect.Type, d dtype.DType) (dtype.DType, any) {
	if t.PkgPath() != "" {
		return d, d
	}
	zero := reflect.Zero(t).Interface()
	if lit, err := c.sys.Literal(zero); err == nil {
		return lit.DType, zero
	}
	return d, zero
}

// constant returns a tensor of shape s with every element v, 0 or 1.
func (l *Lib) constant(op string, s Shape, v int, opts []Option) Tensor {
	c, o := l.creation(op, opts)
	c.checkShape(s)
	o = c.settle(o, c.ownDefault(0.0), nil)
	var n any = v
	if o.DType == dtype.I1 {
		n = v == 1
	}
	return c.fill(s, n, o)
}

// FullLike returns a tensor with the shape, dtype, ambiguity and device of x and every element v.
func (l *Lib) FullLike(x, v any, opts ...Option) Tensor { return l.like("FullLike", x, v, opts) }

// like is FullLike for the function op.
func (l *Lib) like(op string, x, v any, opts []Option) Tensor {
	c, o := l.creation(op, opts, x)
	t := c.typed(x)
	if o.DType == dtype.Invalid {
		o.DType = t.DType
		if o.Ambiguous == nil {
			o.Ambiguous = &t.Ambiguous
		}
	}
	var s Shape
	if y, ok := x.(Tensor); ok {
		s = y.Shape()
		if o.Device == "" && !y.Traced() && len(y.t.ctx.Devices()) > 1 {
			o.Device = y.Device()
		}
	}
	if n, ok := v.(int); ok && o.DType == dtype.I1 {
		v = n != 0
	}
	return c.fill(s, v, o)
}

// Eye returns the identity matrix of n rows. Without an option its dtype is known f32, or the system's
// default float.
func (l *Lib) Eye(n int, opts ...Option) Tensor {
	c, o := l.creation("Eye", opts, n)
	o = c.settle(o, c.ownDefault(0.0), nil)
	s := Shape{n, n}
	c.checkLengths(s)
	row := c.Iota(dtype.I32, 0, s...)
	col := c.Iota(dtype.I32, 1, s...)
	return c.creationResult(c.cast(c.Eq(row, col), o.DType), false, o)
}

// Iota returns a tensor of shape s whose elements count along an axis: result[..., i, ...] = i. Without an
// option its dtype is known i32.
func (l *Lib) Iota(s Shape, axis Axis, opts ...Option) Tensor {
	c, o := l.creation("Iota", opts)
	o = c.settle(o, c.ownDefault(0), 0)
	c.xs = []any{s, axis} // shown in the errors of the next two checks
	c.checkLengths(s)
	attrs := ir.IotaAttrs{DType: o.DType, Shape: s.Dims(), Axis: c.axis(axis, len(s))}
	c.xs = nil
	return c.creationResult(c.Do(ir.Iota, attrs), false, o)
}

// Arange returns the numbers from start (default 0) up to, but not including, stop in steps of step (default
// 1): Arange(stop), Arange(start, stop), Arange(start, stop, step), followed by options. Its dtype is known:
// i32 for ints, f32 if any number is a float.
func (l *Lib) Arange(args ...any) Tensor {
	var nums []any
	var opts []Option
	for _, a := range args {
		if o, ok := a.(Option); ok {
			opts = append(opts, o)
		} else {
			nums = append(nums, a)
		}
	}
	c, o := l.creation("Arange", opts, nums...)
	if len(nums) < 1 || len(nums) > 3 {
		c.fail("one to three numbers are needed",
			"write Arange(stop), Arange(start, stop) or Arange(start, stop, step)")
	}
	t, item := dtype.Typed{DType: o.DType}, any(o.DType)
	if o.DType == dtype.Invalid {
		t = c.common(nums...)
		item = rangeItem(t, nums)
	}
	o = c.settle(o, t.DType, item)
	start, stop, step := 0.0, c.float(nums[0]), 1.0
	if len(nums) > 1 {
		start, stop = stop, c.float(nums[1])
	}
	if len(nums) > 2 {
		step = c.float(nums[2])
	}
	switch {
	case step == 0:
		c.fail("the step is 0", "")
	case math.IsNaN(start + stop + step), math.IsInf(start+stop+step, 0):
		c.fail("a bound or the step is not finite", "")
	}
	n := math.Max(0, math.Ceil((stop-start)/step))
	if n > maxTensorBytes { // too many even at one byte per number
		c.fail(fmt.Sprintf("the range has %.0f numbers", n), "give a shorter range, or a longer step")
	}
	return c.creationResult(c.arange(int(n), start, step, o.DType), false, o)
}

// rangeItem returns the item for settle of a range of nums, whose common type is t: the dtype of t if t is known,
// otherwise the first float of nums, or the first number if nums has no float.
func rangeItem(t dtype.Typed, nums []any) any {
	if !t.Ambiguous {
		return t.DType
	}
	for _, x := range nums {
		if f, ok := x.(float64); ok {
			return f
		}
	}
	return nums[0]
}

// float returns a number as float64.
func (c *call) float(x any) float64 {
	v, err := dtype.Cast(x, dtype.F64)
	c.check(err)
	return v.(float64)
}

// arange returns start + i*step for i from 0 to n-1 at dtype d. Short results are computed on the host in
// float64 and rounded once, long ones on the device.
func (c *call) arange(n int, start, step float64, d dtype.DType) expr.Value {
	ty := shape.Type{DType: d, Shape: Shape{n}}
	if n > maxListed {
		c.checkSize(ty)
		x := c.Add(c.Mul(c.iotaF64(n), step), start)
		if d.Is(dtype.Integral) { // converted as on the host: truncated to an integer, keeping the low bits
			x = c.convert(x, dtype.I64)
		}
		return c.convert(x, d)
	}
	data := c.hostMemory(ty)
	for i := range n {
		x := start + float64(i)*step
		if d.Is(dtype.Integral) {
			dtype.PutInt(data[i*d.Size():], d, int64(x))
		} else {
			dtype.PutFloat(data[i*d.Size():], d, x)
		}
	}
	return c.host(ty, data, "")
}

// checkCount fails if n, a number of elements, is negative.
func (c *call) checkCount(n int) {
	if n < 0 {
		c.fail("the number of elements is negative", "give 0 or more")
	}
}

// Linspace returns n numbers from start to stop, both included, in equal steps. Without an option its dtype
// is known f32, or the system's default float.
func (l *Lib) Linspace(start, stop any, n int, opts ...Option) Tensor {
	c, o := l.creation("Linspace", opts, start, stop, n)
	o = c.settle(o, c.ownDefault(0.0), nil)
	c.checkCount(n)
	from, to := c.float(start), c.float(stop)
	ty := shape.Type{DType: o.DType, Shape: Shape{n}}
	if n > maxListed {
		c.checkSize(ty)
		f := c.Div(c.iotaF64(n), n-1)
		x := c.Add(c.Mul(c.Sub(1, f), from), c.Mul(f, to))
		return c.creationResult(c.convert(x, o.DType), false, o)
	}
	data := c.hostMemory(ty)
	for i := range n {
		x := from
		if n > 1 {
			f := float64(i) / float64(n-1)
			x = from*(1-f) + to*f
		}
		dtype.PutFloat(data[i*o.DType.Size():], o.DType, x)
	}
	return c.creationResult(c.host(ty, data, ""), false, o)
}

// iotaF64 returns the numbers 0 to n-1 in f64.
func (c *call) iotaF64(n int) expr.Value {
	return c.Iota(dtype.F64, 0, n)
}

// ToDevice returns x on the device with the given name. It copies x if it is on another device.
func (l *Lib) ToDevice(x any, device string) Tensor {
	c, a, amb := l.layout("ToDevice", x)
	return c.result(c.toDevice(a, device), amb)
}

// toDevice is ToDevice for a value.
func (c *call) toDevice(t expr.Value, device string) expr.Value {
	arr, err := c.ctx.session.ToDevice(t.(*tensor).arr, device)
	c.check(err)
	return &tensor{ctx: c.ctx, arr: arr}
}

// host returns data, elements in host form (see array.Array), as a tensor on the named device, or on the default device
// if the name is "".
func (c *call) host(ty shape.Type, data []byte, device string) expr.Value {
	arr, err := c.ctx.session.Host(ty, data, device)
	c.check(err)
	return &tensor{ctx: c.ctx, arr: arr}
}

// Constant returns a tensor of shape s and dtype d, not ambiguous, with every element v. The value is part of each
// program that uses the tensor, so another v needs another program. For values that change use Full, which makes the
// value an argument of the program.
func (l *Lib) Constant(s Shape, v any, d DType) Tensor {
	c := l.call("Constant", v)
	c.checkLengths(s)
	w, err := c.sys.Convert(v, d)
	c.check(err)
	data, err := dtype.Append(nil, d, w)
	c.check(err)
	attrs := ir.ConstantAttrs{DType: d, Shape: s.Dims(), Data: string(data)}
	return c.result(c.emit(ir.Constant, attrs, shape.Type{DType: d, Shape: s.Clone()}), false)
}

// OneHot returns a row of n numbers for each integer of x, 1 at the position x and 0 elsewhere:
// result[..., j] = 1 where x[...] = j. The row of an integer outside 0 to n-1 is 0. Without an option the
// dtype is known f32, or the system's default float.
func (l *Lib) OneHot(x any, n int, opts ...Option) Tensor {
	c, o := l.creation("OneHot", opts, x)
	own := c.typed(x).DType
	if !own.Is(dtype.Integral) {
		c.fail("positions must be integers, not "+own.String(), "convert them with AsType(nv.I32)")
	}
	if n < 0 {
		c.fail("the number of positions is "+itoa(n), "give 0 or more")
	}
	o = c.settle(o, c.ownDefault(0.0), nil)
	a := c.expand(c.convert(c.at(x, own), dtype.I64), -1)
	s := append(a.Shape()[:len(a.Shape())-1].Clone(), n)
	c.checkLengths(s)
	columns := c.Iota(dtype.I64, len(s)-1, s...)
	return c.creationResult(c.cast(c.Eq(c.to(a, s), columns), o.DType), false, o)
}

// Meshgrid returns one tensor for each of the vectors xs. Each result has one axis for each vector. With indexing "ij",
// result k has the elements of xs[k] along axis k and repeats them along the other axes. With "xy" the first two axes
// are exchanged, as in plots.
func (l *Lib) Meshgrid(indexing string, xs ...any) []Tensor {
	xs = spreadSlices(xs)
	c := l.call("Meshgrid", xs...)
	if indexing != "ij" && indexing != "xy" {
		c.fail("unknown indexing "+strconv.Quote(indexing), `give "ij" or "xy"`)
	}
	axes := upTo(len(xs)) // the axis along which each vector lies
	if indexing == "xy" && len(xs) > 1 {
		axes[0], axes[1] = 1, 0
	}
	s := make(Shape, len(xs))
	vectors := make([]expr.Value, len(xs))
	for k, x := range xs {
		vectors[k] = c.at(x, c.operand(x).DType)
		if len(vectors[k].Shape()) != 1 {
			c.fail("operand "+itoa(k)+" is not a vector", "nv.Flatten makes one")
		}
		s[axes[k]] = vectors[k].Shape()[0]
	}
	c.checkLengths(s)
	out := make([]Tensor, len(xs))
	for k, a := range vectors {
		along := constantShape(len(xs), 1)
		along[axes[k]] = s[axes[k]]
		out[k] = c.result(c.to(c.reshape(a, along), s), c.operand(xs[k]).Ambiguous)
	}
	return out
}

// failNoDType fails because no dtype corresponds to t, the Go type of elements.
func (c *call) failNoDType(t reflect.Type) {
	c.fail("type "+typename.Text(t.String())+" has no dtype", "give numbers, or nested slices of numbers")
}
