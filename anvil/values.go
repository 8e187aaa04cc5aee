package anvil

import (
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file lowers a system's rules for values (promote.Values) to operations
// of the graph. Under anvil, whose rules are XLA's, none of it adds a node but in
// the floor division of floats, which XLA does not have.

// values returns the system's rules for values.
func (c *call) values() *promote.Values { return c.sys.Values() }

// ofReals returns a part of a, or whether it is finite, where its elements are no
// floats: XLA asks for these. It returns nil for what XLA has.
func (c *call) ofReals(code ir.Code, a expr.Value) expr.Value {
	ty := typeOf(a)
	switch real := !ty.DType.Is(dtype.Inexact); {
	case code == ir.Real && real:
		return a
	case code == ir.Imag && real:
		return c.Like(a, 0)
	case code == ir.IsFinite && real:
		return c.to(c.literal(true, dtype.I1), ty.Shape)
	case code == ir.IsFinite && ty.DType.Is(dtype.Complex):
		return c.And(c.Do(code, nil, c.Real(a)), c.Do(code, nil, c.Imag(a)))
	}
	return nil
}

// quotient returns x / y at t. A number among integers is an integer of their
// dtype first, where the system makes a tensor of it.
func (c *call) quotient(t dtype.Typed, x, y any) Tensor {
	if c.values().Tensors {
		x, y = c.tensorBeside(x, y), c.tensorBeside(y, x)
	}
	return c.pair(ir.Div, nil, t, x, y)
}

// truthProduct returns whether x * y, computed in i32, is not 0: TensorFlow's
// product with a tensor of bools. Source: python/ops/tensor_math_operator_overrides.py.
func (c *call) truthProduct(t dtype.Typed, x, y any) Tensor {
	whole := func(x any) any {
		v := literalOf(x)
		if v == nil {
			return asTensor(c.cast(c.at(x, c.operand(x).DType), dtype.I32))
		}
		if z, ok := v.(complex128); ok {
			v = real(z)
		}
		n, err := dtype.Cast(v, dtype.I32)
		c.check(err)
		return asTensor(c.literal(n, dtype.I32))
	}
	a, b := c.match(dtype.I32, whole(x), whole(y))
	return c.result(c.truth(c.Mul(a, b)), t.Ambiguous)
}

// tensorBeside returns x, but a number as a tensor of the common dtype with y, an
// integer.
func (c *call) tensorBeside(x, y any) any {
	if literalOf(x) == nil || !c.operand(y).DType.Is(dtype.Integral) {
		return x
	}
	t, err := c.sys.Join(c.operand(x), c.operand(y))
	c.check(err)
	if !t.DType.Is(dtype.Integral) {
		return x
	}
	a := c.literal(literalOf(x), t.DType)
	return asTensor(a)
}

// exponent returns y, but the number that it is where it is one integer and the
// system looks at that.
func (c *call) exponent(y any) any {
	if b, ok := literalOf(y).(bool); ok && c.values().Power == promote.PowerJAX {
		if b {
			return 1
		}
		return 0
	}
	t, ok := y.(Tensor)
	if !ok || t.t.lit != nil || c.values().Power != promote.PowerJAX || t.Rank() > 0 || !t.DType().Is(dtype.Integral) || t.t.arr.Traced() {
		return y
	}
	data, err := t.t.read()
	c.check(err)
	return int(dtype.GetInt(data, t.DType()))
}

// withinInts returns y, but a nearer integer of its sign where it is one that is beyond
// the system's integers: JAX counts the products of a power and asks no dtype for it.
func (c *call) withinInts(y any) any {
	if n, ok := literalOf(y).(int); ok && c.values().Power == promote.PowerJAX {
		return max(math.MinInt32, min(math.MaxInt32, n))
	}
	return y
}

// chosen returns x, which where chooses, at dtype d. A number that d does not hold
// wraps, where the system does not ask.
func (c *call) chosen(x any, d dtype.DType) expr.Value {
	switch v := c.values(); {
	case v.Defaults && literalOf(x) != nil:
		return c.cast(c.literal(literalOf(x), c.operand(x).DType), d)
	case !v.Wraps:
		return c.at(x, d)
	}
	return c.wrapped(x, d)
}

// bounds returns the bounds of a clamped x. Those below and above all integers of
// its dtype bound nothing, where the system lets them be.
func (c *call) bounds(x, low, high any) (any, any) {
	d := c.operand(x).DType
	if _, torch := c.sys.Torch(); !(torch || c.values().Lenient) || !d.Is(dtype.Integral) {
		return low, high
	}
	least, greatest := 0, int(uint64(1)<<d.Bits()-1)
	if d.Is(dtype.Signed) {
		least, greatest = -1<<(d.Bits()-1), 1<<(d.Bits()-1)-1
	}
	from, to := low, high
	if n, ok := literalOf(low).(int); ok && n <= least {
		from = unbounded(least, -1, high)
	}
	if n, ok := literalOf(high).(int); ok && d != dtype.U64 && n >= greatest {
		to = unbounded(greatest, 1, low)
	}
	return from, to
}

// unbounded returns the last integer on a side, or, beside another bound with a
// fraction, the infinity there.
func unbounded(last, side int, other any) any {
	if _, ok := literalOf(other).(float64); ok {
		return math.Inf(side)
	}
	return last
}

// storedBeyond returns a, integers, but bound where they compare so with it. Compared
// are numbers; what is stored keeps the low bits.
func (c *call) storedBeyond(direction ir.Direction, a expr.Value, bound any) expr.Value {
	d, number := a.DType(), literalOf(bound)
	b := c.wrapped(bound, d)
	s := c.broadcast(a, b)
	a = c.to(a, s)
	over := c.relatedExactly(direction, asTensor(a), bound)
	if over == nil {
		at := dtype.I64
		if d.Is(dtype.Unsigned) && (number != nil || c.operand(bound).DType.Is(dtype.Unsigned)) {
			at = dtype.U64
		}
		x, y := c.match(at, asTensor(a), bound)
		over = c.Compare(direction, x, y)
	}
	return c.Where(c.to(over, s), c.to(b, s), a)
}

// wrapped returns x at the integer dtype d, with the low bits of what d does not hold.
func (c *call) wrapped(x any, d dtype.DType) expr.Value {
	if !c.beyond(literalOf(x), d) {
		return c.at(x, d)
	}
	v, err := dtype.Cast(literalOf(x), d)
	c.check(err)
	return c.literal(v, d)
}

// convert returns a at dtype d with XLA's meaning of it.
func (c *call) convert(a expr.Value, d dtype.DType) expr.Value {
	ty := typeOf(a)
	switch {
	case ty.DType == d:
		return a
	case ty.DType.Is(dtype.Complex) && d == dtype.I1: // of which XLA looks at the real part alone
		return c.truth(a)
	case ty.DType == dtype.BF16 && d == dtype.I1: // which is true of subnormal numbers: XLA takes them for 0
		bits := c.Do(ir.BitcastConvert, ir.DTypeAttrs{DType: dtype.U16}, a)
		return c.Ne(c.And(bits, 0x7fff), 0)
	}
	return c.emit(ir.Convert, ir.DTypeAttrs{DType: d}, shape.Type{DType: d, Shape: ty.Shape}, a)
}

// fault fails with the system's error for f, where it has one.
func (c *call) fault(f promote.Fault) {
	if err := c.values().Fault(f); err != nil {
		panic(c.errorOf(f, err))
	}
}

// remedies say what to write where a system has an error instead of a value.
var remedies = map[promote.Fault]string{
	promote.DivideByZero:   "integers are not divided by 0; choose another divisor there: nv.Where(y.Eq(0), 1, y)",
	promote.TruncateByZero: "integers are not divided by 0; choose another divisor there: nv.Where(y.Eq(0), 1, y)",
	promote.NegativePower:  "integers have no negative powers; make the base a float with AsType",
	promote.NegativeNumber: "integers have no negative powers; make the base a float with AsType",
	promote.NoMaximum:      "there is none of no elements",
	promote.NoMinimum:      "there is none of no elements",
	promote.NoPosition:     "there is none of no elements",
	promote.NoMedian:       "there is none of no elements",
	promote.InfinitePower:  "give one exponent at a time, or nv.Where(y.IsInf(), 0, y)",
	promote.NoOrder:        "complex numbers have no order; take nv.Abs or nv.Real first",

	promote.Singular:          "nv.PInv(x) is the inverse of what there is to invert",
	promote.SingularSystem:    "nv.Lstsq(a, b) gives the shortest x that comes nearest",
	promote.SingularFactors:   "nv.LU(x) has factors of any matrix",
	promote.NotPositive:       "nv.EigValsH(x) shows which eigenvalues are not positive; add a little to the diagonal, or take nv.LU",
	promote.NotANumberMinor:   "nv.IsNaN(x) shows where it is no number",
	promote.NotFinite:         "nv.IsFinite(x) shows where it is not finite",
	promote.NotFiniteEquation: "nv.IsFinite(a) shows where it is not finite",
	promote.NotFiniteSquare:   "nv.IsFinite(x) shows where it is not finite",
}

// refuse fails with the system's error for f where an element of y, which is
// computed in d, compares so with 0. It looks at the values, as the system
// itself does; of a traced operand the program looks when it runs.
func (c *call) refuse(f promote.Fault, direction ir.Direction, y any, d dtype.DType) {
	err := c.values().Fault(f)
	if err == nil || !d.Is(dtype.Integral) {
		return
	}
	b := c.at(y, d)
	trace := c.trace()
	if elements, ok := arrayOf(b).Known(); ok && (trace == nil || literalOf(y) != nil) {
		if someSo(direction, elements, d) {
			panic(c.errorOf(f, err))
		}
		return
	}
	c.refuseAny(f, err, c.Compare(direction, b, 0))
}

// refuseAny fails with err, the system's for f, where one of bad holds.
func (c *call) refuseAny(f promote.Fault, err error, bad expr.Value) {
	trace := c.trace()
	if len(bad.Shape()) > 0 {
		bad = c.fold(ir.ReduceOr, bad, nil)
	}
	if trace != nil {
		trace.Watch(engine.Fault{When: arrayOf(bad), Err: c.errorOf(f, err)})
		return
	}
	data, failed := bad.(*tensor).read()
	c.check(failed)
	if dtype.GetBool(data, dtype.I1) {
		panic(c.errorOf(f, err))
	}
}

// someSo reports whether one of elements in host form, integers of dtype d,
// compares so with 0: is 0, or is less.
func someSo(direction ir.Direction, elements []byte, d dtype.DType) bool {
	for at := 0; at < len(elements); at += d.Size() {
		n := dtype.GetInt(elements[at:], d)
		if n == 0 && direction == ir.EQ || n < 0 && direction == ir.LT {
			return true
		}
	}
	return false
}

// divide returns the quotient of integers, truncated, as the system has it for
// a divisor 0.
func (c *call) divide(a, b expr.Value) expr.Value {
	q := c.Div(a, b)
	if c.values().Zero == promote.ZeroNumPy {
		zero := c.Like(q, 0)
		return c.Where(c.Eq(b, zero), zero, q)
	}
	return q
}

// remainder returns the remainder of a truncated division, as the system has
// it for an integer divisor 0.
func (c *call) remainder(a, b expr.Value) expr.Value {
	r := c.Rem(a, b)
	if a.DType().Is(dtype.Integral) && c.values().Zero != promote.ZeroXLA {
		zero := c.Like(r, 0)
		return c.Where(c.Eq(b, zero), zero, r)
	}
	return r
}

// floorDivide returns a / b rounded toward negative infinity.
func (c *call) floorDivide(a, b expr.Value) expr.Value {
	switch d := a.DType(); {
	case !d.Is(dtype.Floating) && c.values().Floor == promote.FloorPlain:
		q := c.Div(c.convert(a, dtype.F64), c.convert(b, dtype.F64))
		return c.castBy(c.values().Cast, c.Floor(q), d)
	case d.Is(dtype.Floating) && (c.values().Floor == promote.FloorQuotient || c.values().Floor == promote.FloorPlain):
		return c.Floor(c.Div(a, b))
	case d.Is(dtype.Floating):
		return c.floorExact(a, b)
	case !d.Is(dtype.Signed):
		return c.divide(a, b)
	}
	rem, zero := c.Rem(a, b), c.Like(a, 0)
	differ := c.signsDiffer(rem, b, zero)
	if c.values().Zero == promote.ZeroJAX { // 0 has a sign of its own
		differ = c.Ne(c.Sign(a), c.Sign(b))
	}
	less := c.convert(c.And(c.Ne(rem, zero), differ), a.DType())
	q := c.Sub(c.Div(a, b), less)
	if c.values().Zero == promote.ZeroNumPy {
		q = c.Where(c.Eq(b, zero), zero, q)
	}
	return q
}

// signsDiffer returns whether one of a and b is negative and the other not.
func (c *call) signsDiffer(a, b, zero expr.Value) expr.Value {
	return c.Ne(c.Lt(a, zero), c.Lt(b, zero))
}

// floorExact returns the floor quotient of floats by their exact remainder, as
// C's libraries for Python have it. NumPy's is computed in f32 for halves.
func (c *call) floorExact(a, b expr.Value) expr.Value {
	d, rule := a.DType(), c.values().Floor
	if rule == promote.FloorSigned {
		a, b = c.convert(a, wide(d)), c.convert(b, wide(d))
	}
	rem, zero := c.Rem(a, b), c.Like(a, 0)
	less := c.And(c.Ne(rem, zero), c.signsDiffer(rem, b, zero))
	q := c.Div(c.Sub(a, rem), b)
	q = c.Where(less, c.Sub(q, 1), q)
	whole := c.Div(a, b)
	if rule == promote.FloorRemainder {
		q = c.Do(ir.RoundAway, nil, q)
	} else {
		q = c.Where(c.Eq(q, zero), c.Mul(whole, zero), c.nearestBelow(q))
	}
	return c.convert(c.Where(c.Eq(b, zero), whole, q), d)
}

// nearestBelow returns the nearest integer to q; of two equally near ones the lesser.
func (c *call) nearestBelow(q expr.Value) expr.Value {
	below := c.Floor(q)
	up := c.Gt(c.Sub(q, below), 0.5)
	return c.Where(up, c.Add(below, 1), below)
}

// floorRem returns the remainder of a / b with the sign of b, as Python's % has it.
func (c *call) floorRem(a, b expr.Value) expr.Value {
	d := a.DType()
	rem := c.remainder(a, b)
	if !d.Is(dtype.Signed | dtype.Floating) {
		return rem
	}
	zero := c.Like(rem, 0)
	other := c.And(c.Ne(rem, zero), c.signsDiffer(rem, b, zero))
	r := c.Where(other, c.Add(rem, b), rem)
	if d.Is(dtype.Floating) && (c.values().Floor == promote.FloorSigned || c.values().Floor == promote.FloorPlain) {
		signed := c.Where(c.Lt(b, zero), math.Copysign(0, -1), zero)
		r = c.Where(c.Eq(r, zero), signed, r)
	}
	return r
}

// sixBits returns integers to the power of the six lowest bits of others, as
// JAX computes it.
func (c *call) sixBits(a, b expr.Value) expr.Value {
	none := c.And(c.Eq(a, 0), c.Ne(b, 0))
	r, one := c.Where(none, c.Like(a, 0), c.Like(a, 1)), c.Like(b, 1)
	for i := range 6 {
		odd := c.Ne(c.And(b, one), 0)
		r = c.Where(odd, c.Mul(r, a), r)
		if i < 5 {
			a, b = c.Mul(a, a), c.ShiftRightLogical(b, one)
		}
	}
	return r
}

// shiftBy returns by how many bits b shifts elements of dtype d.
func (c *call) shiftBy(b expr.Value, d dtype.DType) expr.Value {
	if c.values().Shift != promote.ShiftClamp {
		return b
	}
	return c.Do(ir.Clamp, nil, c.Like(b, 0), b, c.Like(b, d.Bits()-1))
}

// tie returns r, the maximum or minimum of a and b, with the rule's choice of
// two equal floats.
func (c *call) tie(rule promote.TieRule, r, a, b expr.Value) expr.Value {
	if !r.DType().Is(dtype.Floating) {
		return r
	}
	switch rule {
	case promote.TieFirst:
		return c.Where(c.Eq(a, b), a, r)
	case promote.TieSecond:
		return c.Where(c.Eq(a, b), b, r)
	}
	return r
}

// sign returns s, the sign of a, as the system has it for -0 and nan.
func (c *call) sign(s, a expr.Value) expr.Value {
	v := c.values()
	if !a.DType().Is(dtype.Inexact) || !v.ZeroSign {
		return s
	}
	none := c.Eq(a, 0)
	if v.NaNSign {
		none = c.Or(none, c.Ne(a, a))
	}
	return c.Where(none, 0, s)
}

// castBy returns a at dtype d by a rule that is not XLA's: that of C, for what
// C leaves to the machine.
func (c *call) castBy(rule promote.CastRule, a expr.Value, d dtype.DType) expr.Value {
	from := a.DType()
	if from.Is(dtype.Complex) && !d.Is(dtype.Complex) && (d != dtype.I1 || rule == promote.CastTensorFlow) {
		a = c.Real(a)
		from = from.Elem()
	}
	switch {
	case d == dtype.F8E4M3FN && rule == promote.CastTorch:
		return c.convert(c.saturate(a), d)
	case !d.Is(dtype.Integral) || !from.Is(dtype.Floating):
		return c.convert(a, d)
	case from.Bits() == 8 && rule == promote.CastNumPy:
		f := c.convert(a, dtype.F32)
		return c.Where(c.Do(ir.IsFinite, nil, f), c.convert(c.convert(f, dtype.I64), d), c.convert(f, d))
	}
	if from.Bits() < 32 {
		a = c.convert(a, dtype.F32)
	}
	via := dtype.I32
	switch {
	case d == dtype.U64:
		return c.castWide(rule, a)
	case d.Bits() >= 32 && d != dtype.I32, d == dtype.U8 && rule == promote.CastTorch:
		via = dtype.I64
	}
	return c.convert(c.castSigned(a, via), d)
}

// castSigned returns floats as integers of dtype d, i32 or i64: the least one
// for whatever does not fit.
func (c *call) castSigned(a expr.Value, d dtype.DType) expr.Value {
	limit := math.Ldexp(1, d.Bits()-1)
	r := c.convert(a, d) // what is too small is the least one already
	return c.Where(c.Lt(a, limit), r, -limit)
}

// castWide returns floats as ui64: in two halves, as there is no instruction
// for it.
func (c *call) castWide(rule promote.CastRule, a expr.Value) expr.Value {
	low, high := c.convert(c.convert(a, dtype.I64), dtype.U64), c.convert(a, dtype.U64)
	beyond := c.Like(low, uint64(1)<<63)
	if rule != promote.CastTensorFlow {
		beyond = c.Where(c.Ne(a, a), beyond, 0)
	}
	fits := c.Where(c.Lt(a, math.Ldexp(1, 64)), high, beyond)
	return c.Where(c.Lt(a, math.Ldexp(1, 63)), low, fits)
}

// saturate returns numbers as floats no greater than f8e4m3fn holds.
func (c *call) saturate(a expr.Value) expr.Value {
	if d := a.DType(); !d.Is(dtype.Floating) || d.Bits() < 16 {
		a = c.convert(a, dtype.F32)
	}
	return c.Do(ir.Clamp, nil, c.Like(a, -448), a, c.Like(a, 448))
}

// foldIn returns the dtype in which a mean of dtype d is computed.
func (c *call) foldIn(d dtype.DType) dtype.DType {
	rule := c.values().Fold
	switch {
	case rule == promote.FoldXLA:
	case rule == promote.FoldNumPy && d.Is(dtype.Integral): // Ivy's means: NumPy's own are floats
	case d == dtype.F16 && rule != promote.FoldTensorFlow, d == dtype.BF16 && rule != promote.FoldNumPy:
		return dtype.F32
	case d.Is(dtype.Signed):
		return dtype.I64
	case d.Is(dtype.Unsigned):
		return dtype.U64
	}
	return d
}

// varianceIn returns the dtype in which a variance of dtype d is computed.
func (c *call) varianceIn(d dtype.DType) dtype.DType {
	switch rule := c.values().Fold; {
	case rule == promote.FoldDouble && d.Is(dtype.Floating):
		return dtype.F64
	case rule == promote.FoldWide:
		return c.foldIn(d)
	}
	return d
}

// folded reduces a over axes. NumPy rounds bf16, a dtype that it learns of from
// a package, after each element.
func (c *call) folded(code ir.Code, a expr.Value, axes []int) expr.Value {
	if a.DType() != dtype.BF16 || c.values().Fold != promote.FoldNumPy || code != ir.ReduceSum && code != ir.ReduceProd {
		return c.Do(code, ir.AxesAttrs{Axes: shape.DimsOf(axes...)}, a)
	}
	step := ir.Add
	if code == ir.ReduceProd {
		step = ir.Mul
	}
	return c.oneByOne(step, a, axes)
}

// oneByOne folds a over axes with a rounded result at each element, in order.
func (c *call) oneByOne(step ir.Code, a expr.Value, axes []int) expr.Value {
	s := a.Shape()
	order, kept, n := slices.Clone(axes), Shape{}, 1
	for i := range s {
		if slices.Contains(axes, i) {
			n *= s[i]
		} else {
			order, kept = append(order, i), append(kept, s[i])
		}
	}
	rows := c.reshape(c.Do(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(order...)}, a), append(Shape{n}, kept...))
	start := c.Like(c.to(c.literal(0, dtype.BF16), kept), 0)
	if step == ir.Mul {
		start = c.Like(start, 1)
	}
	if n == 0 {
		return start
	}
	return c.ctx.ForIAny(n, asTensor(start), func(i, sum Tensor) Tensor {
		return asTensor(c.Do(step, nil, sum.t, asTensor(rows).At(i).t))
	}).(Tensor).t
}

// skipNaN returns a with each nan replaced by what is never found, where the
// system passes it over.
func (c *call) skipNaN(code ir.Code, a expr.Value) expr.Value {
	if !c.values().SkipNaN || !a.DType().Is(dtype.Floating) {
		return a
	}
	never := math.Inf(-1)
	if code == ir.ArgMin {
		never = math.Inf(1)
	}
	return c.Where(c.Ne(a, a), never, a)
}

// extremes returns 1 where a complex a is the greatest or the least along an axis,
// 0 elsewhere: by the real parts, equal ones by the imaginary; where one is nan, 1
// at these.
func (c *call) extremes(code ir.Code, a expr.Value, axis int) expr.Value {
	re, im := c.Real(a), c.Imag(a)
	reduce, never := ir.ReduceMax, math.Inf(-1)
	if code == ir.ArgMin {
		reduce, never = ir.ReduceMin, math.Inf(1)
	}
	among := func(candidates, part expr.Value) expr.Value {
		part = c.Where(candidates, part, never)
		best := c.Do(reduce, ir.AxesAttrs{Axes: shape.DimsOf(axis)}, part)
		kept := a.Shape().Clone()
		kept[axis] = 1
		best = c.to(c.reshape(best, kept), a.Shape())
		return c.And(candidates, c.Eq(part, best))
	}
	nan := c.Or(c.Ne(re, re), c.Ne(im, im))
	first := among(among(c.Not(nan), re), im)
	return c.Where(nan, 2, c.convert(first, re.DType()))
}

// someElement fails where the system has no greatest or least of no elements.
func (c *call) someElement(code ir.Code, a expr.Value, opts []ReduceOption) {
	if a.Shape().Size() > 0 {
		return
	}
	if code == ir.ReduceMax {
		c.fault(promote.NoMaximum)
	}
	c.fault(promote.NoMinimum)
}

// trace returns the innermost trace that an operand depends on, or nil. What is
// a fault in a branch of If or the body of a While stays there: it is XLA's value.
func (c *call) trace() (t *engine.Trace) {
	for _, x := range c.xs {
		if y, ok := x.(Tensor); ok && y.t.arr.Traced() {
			t = y.t.arr.Trace()
		}
	}
	return t
}

// errorOf returns err, the system's for f, as an error of the call.
func (c *call) errorOf(f promote.Fault, err error) *Error {
	e := *asError("", "", err)
	e.Op, e.Operands, e.Err = c.op, operands(c.xs...), err
	e.Reason, e.Hint = strings.TrimSuffix(e.Reason, "."), "under "+c.sys.Name()+", "+remedies[f]
	return &e
}
