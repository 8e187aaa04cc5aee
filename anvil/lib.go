package anvil

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

//go:generate go run ./internal/facade

// A Lib is the library under one promotion system: its methods are the functions of this package, with
// operands promoted by that system. With makes a Lib; each Context has one.
type Lib struct {
	ctx       *Context
	sys       *promote.System
	framework *emulate.Framework // the framework whose operations the library emulates

	// rules are shared by the records of all operations. They are nil if Why shows the values of numbers: then each
	// record has rules of its own, with these values.
	rules *rules

	frontend  string // the framework whose declarations of supported dtypes apply, or ""
	unchecked bool   // the library may use dtypes that the active backend does not support
}

// With returns the library under the promotion system sys, for tensors of the
// default Context.
func With(sys *promote.System) *Lib { return Default().With(sys) }

// With returns the library under the promotion system sys, for tensors of the
// same Context.
func (l *Lib) With(sys *promote.System) *Lib {
	if sys == nil {
		panic(&Error{Op: "With", Operands: "nil", Reason: "the promotion system is nil",
			Hint: "write nv.With(promote.Anvil)"})
	}
	lib := newLib("With", l.ctx, sys)
	lib.unchecked = l.unchecked
	return lib
}

// String names the library's promotion system.
func (l *Lib) String() string { return "the library under the promotion system " + l.sys.Name() }

// System returns the promotion system of l.
func (l *Lib) System() *promote.System { return l.sys }

// A call is one call of a function of this package. Its methods promote and broadcast the operands and make the result.
type call struct {
	expr.Builder
	op        string
	sys       *promote.System
	framework *emulate.Framework
	rules     *rules // see Lib
	ctx       *Context
	xs        []any          // the operands as given, for errors and Why
	row       *ops.Def       // the function's row of the op table, or nil
	opts      *binaryOptions // the options of a binary operation, or nil
	casts     []operandCast  // the operands that a casting mode has converted

	amb        bool        // whether the common dtype is ambiguous, which graphs show
	nan        error       // the error of the first NaN that arose in the call
	unchecked  bool        // the call, and operations on its result, may use dtypes that the backend does not support
	restricted bool        // the call may use only dtypes that the active backend supports
	asked      bool        // an option requests a dtype or an ambiguity
	computed   dtype.DType // the widest float dtype used for intermediate values
}

// call begins a call of the function op on xs. It fails if tensors belong to different contexts.
func (l *Lib) call(op string, xs ...any) *call {
	c := &call{op: op, framework: l.framework, rules: l.rules, xs: xs, unchecked: l.unchecked}
	for _, x := range xs {
		t, ok := x.(Tensor)
		if !ok {
			continue
		}
		ctx := t.must(op).ctx
		c.unchecked = c.unchecked || t.t.unchecked
		if c.ctx == nil {
			c.ctx = ctx
		} else if c.ctx != ctx {
			c.fail("the tensors belong to two contexts", "make all tensors in one Context")
		}
	}
	if c.ctx == nil {
		c.ctx = l.ctx
	}
	c.Builder = expr.New(c, ops.Infer)
	c.sys = c.ctx.settings.System(l.sys) // asked once, so that the whole call and Why see the same system
	c.restricted = !c.unchecked && c.ctx.settings.Restricts()
	if c.restricted || l.frontend != "" {
		c.castUnsupported(l.frontend)
	}
	return c
}

// checkAvailable fails if the dtype of an operand, or result, the dtype of the result, is not supported by the active
// backend. It does not check the operand of AsType, which can convert from such dtypes.
func (c *call) checkAvailable(result dtype.DType) {
	for _, x := range c.xs {
		t, ok := x.(Tensor)
		if ok && c.op != "AsType" {
			c.check(c.ctx.settings.Check(c.op, t.DType()))
		}
	}
	c.check(c.ctx.settings.Check(c.op, result))
}

// fail panics with an *Error of the call.
func (c *call) fail(reason, hint string) {
	panic(&Error{Op: c.op, Operands: operands(c.xs...), Reason: reason, Hint: hint})
}

// check fails with err if it is not nil.
func (c *call) check(err error) {
	if err != nil {
		panic(c.asError(err))
	}
}

// asError returns err as an error of the call.
func (c *call) asError(err error) *Error {
	e := *asError("", "", err)
	e.Op, e.Operands, e.Err = c.op, operands(c.xs...), err
	return &e
}

// operand returns x as an operand for promotion.
func (c *call) operand(x any) promote.Operand {
	if t, ok := x.(Tensor); ok {
		a := t.must(c.op)
		if a.lit == nil {
			if c.casts != nil {
				a = c.castOf(a)
			}
			ty := a.arr.Type()
			return promote.Operand{Typed: dtype.Typed{DType: ty.DType, Ambiguous: a.amb}, Rank: len(ty.Shape)}
		}
		x = a.lit // the dtype of a literal depends on the system
	}
	o, err := c.sys.Operand(x)
	if col, ok := x.(*Column); ok {
		c.fail("a column is not a tensor", fmt.Sprintf("write t.Col(%q).Tensor()", col.Name()))
	}
	if err != nil {
		panic(c.asError(err))
	}
	if o.Literal == nil {
		c.fail("an operand is not a tensor or a number", "convert slices with nv.New; dereference a *nv.Tensor p: *p")
	}
	return o
}

// common returns the common dtype of xs.
func (c *call) common(xs ...any) dtype.Typed {
	operands := make([]promote.Operand, len(xs))
	for i, x := range xs {
		operands[i] = c.operand(x)
	}
	t, err := c.sys.Resolve(operands...)
	c.check(err)
	c.amb = t.Ambiguous
	return t
}

// typed returns the dtype of x itself, for a call that does not promote x.
func (c *call) typed(x any) dtype.Typed {
	t := c.operand(x).Typed
	c.amb = t.Ambiguous
	return t
}

// at returns x as a tensor of dtype d. A literal is converted from its exact value, a tensor from its
// elements.
func (c *call) at(x any, d dtype.DType) expr.Value {
	if !d.Valid() {
		c.failDType(d)
	}
	t, ok := x.(Tensor)
	if !ok {
		return c.literal(x, d)
	}
	a := t.must(c.op)
	if a.ctx != c.ctx {
		c.fail("the tensors belong to two contexts", "make all tensors in one Context")
	}
	if c.casts != nil {
		a = c.castOf(a)
	}
	if a.lit != nil {
		return c.literal(a.lit, d)
	}
	ty := a.arr.Type()
	if ty.DType == d {
		return a
	}
	return c.emit(ir.Convert, ir.DTypeAttrs{DType: d}, shape.Type{DType: d, Shape: ty.Shape}, a)
}

// failDType fails because nothing can be computed at d, which is not a dtype, or a dtype that only promotion knows.
func (c *call) failDType(d dtype.DType) {
	if d.IsForeign() {
		c.fail("the result under "+c.sys.Name()+" is "+d.String()+", which no backend computes",
			"convert an operand with AsType first")
	}
	c.fail(fmt.Sprintf("DType(%d) is not a dtype", d), "write nv.F32, nv.I64 and so on")
}

// literal returns the number v as a scalar of dtype d, converted by the system's rule.
func (c *call) literal(v any, d dtype.DType) *tensor {
	w, err := c.sys.Convert(v, d)
	if err != nil {
		panic(c.asError(err))
	}
	var buf [16]byte
	data, err := dtype.Append(buf[:0], d, w)
	if err != nil {
		panic(c.asError(err))
	}
	arr := c.ctx.session.Scalar(d, data)
	arr.Mark(c.amb)
	return &tensor{ctx: c.ctx, arr: arr}
}

// broadcast returns the shape that the shapes of ts broadcast to by NumPy's rule: shapes are aligned at the
// last axis, and missing axes and axes of length 1 are repeated. The result may be the shape of one of ts and
// must not be changed.
func (c *call) broadcast(ts ...expr.Value) Shape {
	var s Shape
	for _, t := range ts {
		u := typeOf(t).Shape
		switch {
		case len(u) == 0 || s.Equal(u): // a scalar broadcasts to any shape
		case len(s) == 0:
			s = u
		default:
			r, ok := broadcastShapes(s, u)
			if !ok {
				c.failBroadcast(s, u)
			}
			s = r
		}
	}
	return s
}

// failBroadcast fails because shapes s and u do not broadcast.
func (c *call) failBroadcast(s, u Shape) {
	reason := "shapes " + s.String() + " and " + u.String() + " do not broadcast"
	hint := "lengths must be equal or 1, counted from the last axis"
	if len(s) != len(u) {
		if len(s) < len(u) {
			s, u = u, s
		}
		if index := withAxes(u, s); index != "" {
			hint += "; insert axes of length 1, as in b[" + index + "]"
		}
	} else if n := len(s); c.op == "Mul" && n > 1 && s[n-1] == u[n-2] {
		hint += "; nv.MatMul is the product of matrices"
	}
	c.fail(reason, hint)
}

// withAxes returns the index that inserts axes of length 1 into a tensor of shape s so that the result broadcasts
// with t, which has more axes, or "" if there is no such index.
func withAxes(s, t Shape) string {
	var parts []string
	for _, n := range t {
		switch {
		case len(s) > 0 && (s[0] == n || s[0] == 1 || n == 1):
			parts, s = append(parts, ":"), s[1:]
		case len(parts) > 0:
			parts = append(parts, "nv.NewAxis")
		}
	}
	if len(s) > 0 {
		return ""
	}
	return strings.Join(parts, ", ")
}

// broadcastShapes returns the shape that s and t broadcast to, which the caller may change.
func broadcastShapes(s, t Shape) (Shape, bool) {
	r, err := shape.Broadcast(s, t)
	return r.Clone(), err == nil
}

// to returns t broadcast to shape s.
func (c *call) to(t expr.Value, s Shape) expr.Value {
	from := typeOf(t)
	if from.Shape.Equal(s) {
		return t
	}
	axes, kept := make([]int, 0, len(from.Shape)), make(Shape, 0, len(from.Shape))
	for i, n := range from.Shape {
		switch at := len(s) - len(from.Shape) + i; {
		case at >= 0 && n == s[at]:
			axes, kept = append(axes, at), append(kept, n)
		case at < 0 || n != 1: // an axis of length 1 is left out of kept
			c.fail("shape "+from.Shape.String()+" does not broadcast to "+s.String(),
				"counted from the last axis, each length of the tensor must be 1 or that of the shape")
		}
	}
	if len(kept) < len(from.Shape) { // remove the axes of length 1 to repeat, which BroadcastInDim adds again
		t = c.emit(ir.Reshape, ir.ReshapeAttrs{Shape: kept.Dims()}, shape.Type{DType: from.DType, Shape: kept}, t)
	}
	return c.emit(ir.BroadcastInDim, ir.BroadcastAttrs{Shape: s.Dims(), Axes: shape.DimsOf(axes...)},
		shape.Type{DType: from.DType, Shape: s}, t)
}

// emit returns the result, of type t, of an operation whose operands have been checked.
func (c *call) emit(code ir.Code, attrs any, t shape.Type, args ...expr.Value) expr.Value {
	c.checkSize(t)
	var buf [4]engine.Array
	as := buf[:0]
	for _, a := range args {
		as = append(as, a.(*tensor).arr)
	}
	arr, err := c.ctx.session.Apply(t, code, attrs, as...)
	if err != nil && !c.keepNaN(err) {
		panic(c.asError(err))
	}
	arr.Mark(c.amb)
	c.computesIn(code, t.DType)
	r := &recorded{tensor: tensor{ctx: c.ctx, arr: arr}}
	r.why = &r.record
	return &r.tensor
}

// computesIn records in c.computed the float dtype in which an operation computes a result of dtype d.
func (c *call) computesIn(code ir.Code, d dtype.DType) {
	switch {
	case d == dtype.C64:
		d = dtype.F32
	case d == dtype.C128:
		d = dtype.F64
	case !d.Is(dtype.Floating):
		return
	}
	if d.Bits() < 32 && ops.Lookup(code).Wide { // the operation computes narrow floats in f32
		d = dtype.F32
	}
	if c.computed == dtype.Invalid || d.Bits() > c.computed.Bits() {
		c.computed = d
	}
}

// Emit implements expr.Emitter: it adds an operation to the pending graph. Constants become parameters of the
// program, so that one program serves all numbers.
func (c *call) Emit(code ir.Code, attrs any, regions []*ir.Graph, args []expr.Value) []expr.Value {
	if k, ok := attrs.(ir.ConstantAttrs); ok {
		scalar := &tensor{ctx: c.ctx, arr: c.ctx.session.Scalar(k.DType, []byte(k.Data))}
		return []expr.Value{c.to(scalar, k.Shape.Ints())}
	}
	types := make([]shape.Type, len(args))
	for i, a := range args {
		types[i] = typeOf(a)
	}
	results, err := ops.Infer(code, attrs, regions, types...)
	c.check(err)
	if len(results) == 1 && len(regions) == 0 {
		return []expr.Value{c.emit(code, attrs, results[0], args...)}
	}
	arrays := make([]engine.Array, len(args))
	for i, a := range args {
		arrays[i] = a.(*tensor).arr
	}
	for _, t := range results {
		c.checkSize(t)
	}
	out, err := c.ctx.session.ApplyMany(results, code, attrs, regions, arrays...)
	if out == nil || !c.keepNaN(err) {
		c.check(err)
	}
	values := make([]expr.Value, len(out))
	for i, o := range out {
		o.Mark(c.amb)
		c.computesIn(code, results[i].DType)
		values[i] = &tensor{ctx: c.ctx, arr: o}
	}
	return values
}

// Traced implements expr.Tracer.
func (c *call) Traced(args []expr.Value) bool {
	return slices.ContainsFunc(args, func(v expr.Value) bool { return v.(*tensor).arr.Traced() })
}

// typeOf returns the dtype and shape of v.
func typeOf(v expr.Value) shape.Type { return v.(*tensor).arr.Type() }

// keepNaN reports whether err is an *engine.NaNError. It keeps the first such error in c.nan, for result.
func (c *call) keepNaN(err error) bool {
	var nan *engine.NaNError
	if !errors.As(err, &nan) {
		return false
	}
	if c.nan == nil {
		c.nan = err
	}
	return true
}

// result returns v as the result of the call, with the given ambiguity and the record of the call. A NaN that arose
// in the call is an error only if the result contains a NaN, since the function may compute NaNs that it does not
// use.
func (c *call) result(v expr.Value, ambiguous bool) Tensor {
	t := v.(*tensor)
	if c.nan != nil && c.ctx.session.HasNaN(t.arr) {
		panic(c.asError(c.nan))
	}
	if c.restricted {
		c.checkAvailable(t.DType())
	}
	made := !t.explained() // this call made t
	for _, x := range c.xs {
		if y, ok := x.(Tensor); ok && y.t == t {
			made = false
		}
	}
	if made {
		t.arr.Mark(ambiguous)
	} else { // t is also another Tensor, which must keep its ambiguity and record
		t = &tensor{ctx: t.ctx, arr: t.arr}
	}
	t.amb, t.unchecked = ambiguous, c.unchecked
	if t.why == nil {
		t.why = new(record)
	}
	c.record(t.why)
	t.recordEarlier(c.xs)
	if c.opts != nil && c.opts.out != nil {
		return c.store(Tensor{t: t})
	}
	return Tensor{t: t}
}
