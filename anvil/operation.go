package anvil

import (
	"errors"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/promote"
)

// classes maps a function to other systems' names for it, or for operations of the same promotion class. The
// dtype of the result is that of the first name in the system's tables.
var classes = map[string][]string{
	"Add": {"add"}, "Sub": {"sub", "subtract"}, "Mul": {"mul", "multiply"},
	"Div": {"true_divide", "divide"}, "TrueDiv": {"true_divide", "divide"}, "FloorDiv": {"floor_divide"},
	"Rem": {"remainder"}, "Pow": {"pow", "power"}, "Atan2": {"atan2", "arctan2", "tf.math.atan2"},
	"Maximum": {"maximum", "tf.maximum"}, "Minimum": {"minimum", "tf.minimum", "maximum"},
	"And": {"bitwise_and"}, "Or": {"bitwise_or", "bitwise_and"}, "Xor": {"bitwise_xor", "bitwise_and"}, "AndNot": {"bitwise_and"},
	"Shl": {"left_shift", "bitwise_left_shift", "tf.bitwise.left_shift"},
	"Shr": {"right_shift", "bitwise_right_shift", "tf.bitwise.right_shift", "left_shift"},
	"Eq":  {"eq", "equal"}, "Ne": {"ne", "not_equal", "tf.not_equal", "equal"},
	"Lt": {"lt", "less"}, "Le": {"le", "less_equal", "less"}, "Gt": {"gt", "greater", "less"}, "Ge": {"ge", "greater_equal", "less"},
	"Where": {"where", "tf.where"}, "MatMul": {"matmul", "dot"},
	"Concatenate": {"cat", "concatenate", "concat", "tf.concat"}, "Stack": {"stack", "tf.stack", "concatenate"}, "Append": {"cat", "concatenate", "concat", "tf.concat"},
	"TruncDiv": {"div_trunc", "tf.truncatediv", "floor_divide"}, "Fmod": {"fmod", "tf.truncatemod"},
	"Fmax": {"fmax", "maximum"}, "Fmin": {"fmin", "maximum"}, "Gcd": {"gcd"}, "Lcm": {"lcm"}, "LogAddExp": {"logaddexp"}, "Clamp": {"clamp"},
	"Neg": {"neg", "negative"}, "Abs": {"abs", "absolute"}, "Sign": {"sign", "tf.sign"}, "Square": {"square", "tf.square"},
	"Not": {"bitwise_not", "bitwise_invert", "invert", "tf.bitwise.invert"}, "Real": {"real", "tf.math.real"}, "Imag": {"imag", "tf.math.imag"},
	"Reciprocal": {"reciprocal", "tf.math.reciprocal"}, "Trunc": {"trunc"}, "LogicalNot": {"logical_not", "tf.logical_not"},
	"Floor": {"floor", "tf.floor"}, "Ceil": {"ceil", "floor", "tf.math.ceil"}, "Round": {"round", "rint", "tf.round"},
	"IsNaN": {"isnan", "tf.math.is_nan"}, "IsFinite": {"isfinite", "tf.math.is_finite", "isnan"},
	"Trigamma":  {"exp", "tf.exp"},
	"Polygamma": {"true_divide", "divide"},
	"Copysign":  {"copysign", "true_divide", "divide"},
	"Heaviside": {"heaviside", "maximum", "tf.maximum"}, "DivMod": {"floor_divide"},
	"IsInf": {"isinf", "isnan", "tf.math.is_nan"}, "IsPosInf": {"isinf", "isnan", "tf.math.is_nan"}, "IsNegInf": {"isinf", "isnan", "tf.math.is_nan"},
	"SignBit": {"signbit", "isnan"}, "Angle": {"angle", "exp", "tf.exp"},
	"Sum": {"sum", "tf.reduce_sum"}, "Prod": {"prod", "sum", "tf.reduce_prod"}, "Mean": {"mean", "tf.reduce_mean"},
	"Var": {"var", "mean", "tf.math.reduce_variance"}, "Std": {"std", "mean", "tf.math.reduce_std"},
	"Median": {"median"}, "Cumsum": {"cumsum", "cumulative_sum", "tf.cumsum"}, "Cumprod": {"cumprod", "cumulative_prod", "cumsum", "tf.cumsum"},
	"NanCumsum": {"cumsum", "tf.cumsum"}, "NanCumprod": {"cumprod", "cumsum", "tf.cumsum"},
	"Max": {"amax", "max", "tf.reduce_max"}, "Min": {"amin", "min", "amax", "max", "tf.reduce_min"}, "Any": {"any", "tf.reduce_any"}, "All": {"all", "tf.reduce_all"},
	"NanSum": {"nansum", "sum", "tf.reduce_sum"}, "NanProd": {"prod", "sum", "tf.reduce_prod"}, "NanMean": {"mean", "tf.reduce_mean"},
	"NanVar": {"var", "mean", "tf.math.reduce_variance"}, "NanStd": {"std", "mean", "tf.math.reduce_std"},
	"NanMax": {"amax", "max", "tf.reduce_max"}, "NanMin": {"amin", "min", "amax", "max", "tf.reduce_min"}, "Ptp": {"ptp", "amax", "max", "tf.reduce_max"},
	"Quantile": {"quantile", "median"}, "Percentile": {"quantile", "median"}, "NanQuantile": {"quantile", "median"}, "NanMedian": {"median"},
	"Cov": {"mean", "tf.reduce_mean"}, "CorrCoef": {"mean", "tf.reduce_mean"},
	"ArgMax": {"argmax", "tf.argmax"}, "ArgMin": {"argmin", "tf.argmin", "argmax"},
	"NanArgMax": {"argmax", "tf.argmax"}, "NanArgMin": {"argmin", "tf.argmin", "argmax"},
}

// overAll maps reductions to the names that systems give them if they reduce all elements, where that name
// differs.
var overAll = map[string][]string{"Max": {"max"}, "Min": {"min"}}

// classesOf returns what other systems call the function op, or one of its class.
func classesOf(op string) []string {
	if row := ops.FunctionOf(op); row != nil {
		return row.Classes()
	}
	return classes[op]
}

// newLib returns the library under sys, a promotion system given to op.
func newLib(op string, ctx *Context, sys *promote.System) *Lib {
	framework, err := emulate.Of(sys)
	if err != nil {
		panic(asError(op, sys.Name(), err))
	}
	l := &Lib{ctx: ctx, sys: sys, framework: framework}
	if sys.NumbersByDType() {
		l.rules = &rules{sys: sys}
	}
	return l
}

// explain explains how the operation op on xs gets its dtype under sys. ok is false if sys only promotes the
// operands.
func explain(sys *promote.System, op string, xs ...any) (e promote.Explanation, ok bool) {
	return explainAs(sys, classesOf(strings.TrimSuffix(op, "Into")), xs...)
}

// explainAs is explain for the first of names that sys knows.
func explainAs(sys *promote.System, names []string, xs ...any) (e promote.Explanation, ok bool) {
	for _, name := range names {
		e = sys.ExplainOperation(name, xs...)
		var refused *promote.Refusal
		if e.Err == nil || errors.As(e.Err, &refused) {
			return e, true
		}
	}
	return e, false
}

// operation returns the dtype of the call on xs if the system determines dtypes by the names of operations,
// as those of other libraries do. It fails with the system's own reason.
func (c *call) operation(xs ...any) (t dtype.Typed, ok bool) {
	if c.row != nil {
		return c.operationAs(c.row.Classes(), xs...)
	}
	return c.operationAs(classes[c.op], xs...)
}

// operationAs is operation for the first of names that the system knows.
func (c *call) operationAs(names []string, xs ...any) (t dtype.Typed, ok bool) {
	if !c.sys.Operates() {
		return t, false
	}
	seen := make([]promote.Operand, len(xs))
	for i, x := range xs {
		seen[i] = c.operand(x)
	}
	for _, name := range names {
		t, err := c.sys.Operate(name, seen)
		var refused *promote.Refusal
		if err == nil || errors.As(err, &refused) {
			c.check(err)
			c.amb = t.Ambiguous
			return t, true
		}
	}
	return t, false
}

// arithmetic returns the dtype of the result and of the computation of an operation on x and y.
func (c *call) arithmetic(x, y any) dtype.Typed {
	if c.sys.Operates() {
		if t, ok := c.operation(x, y); ok {
			return t
		}
	}
	t, err := c.sys.ResolvePair(c.operand(x), c.operand(y))
	if err != nil {
		panic(c.asError(err))
	}
	c.amb = t.Ambiguous
	return t
}

// pair returns the result of an operation on x and y at dtype t, by the framework's rule or, if it has none,
// by the table.
func (c *call) pair(code ir.Code, attrs any, t dtype.Typed, x, y any) Tensor {
	rule := c.framework.Ops[c.op]
	if rule == nil {
		return c.result(c.elementwise(code, attrs, c.at(x, t.DType), c.at(y, t.DType)), t.Ambiguous)
	}
	own := func(args ...expr.Value) expr.Value {
		if args == nil {
			args = []expr.Value{c.at(x, t.DType), c.at(y, t.DType)}
		}
		return c.elementwise(code, attrs, args[0], args[1])
	}
	return c.result(c.withOwnDerivative(rule(&emulation{c: c, xs: []any{x, y}, dtype: t.DType, own: own}), own), t.Ambiguous)
}

// alone returns the dtype in which an operation on x is computed, and the type of its result. They differ if
// the result is part of x or a bool.
func (c *call) alone(x any) (at dtype.DType, t dtype.Typed) {
	t = c.own(x)
	at = t.DType
	if r, ok := c.operation(x); ok {
		t = r
		if !at.Is(dtype.Complex) && r.DType != dtype.I1 {
			at = r.DType
		}
	}
	return at, t
}

// ended returns a as the result of an operation. Its type is t if the system determines types by name, and
// otherwise that of a.
func (c *call) ended(a expr.Value, t dtype.Typed) Tensor {
	if !c.sys.Operates() {
		return c.result(a, t.Ambiguous)
	}
	return c.done(a, t)
}

// done returns a as the result, of type t, of an operation.
func (c *call) done(a expr.Value, t dtype.Typed) Tensor {
	if a.DType() != t.DType {
		a = c.cast(a, t.DType)
	}
	return c.result(a, t.Ambiguous)
}

// compared returns the dtype in which x and y are compared, and the flag of the result. In systems that
// accept a number outside the range of the other operand's dtype, both are compared as i64.
func (c *call) compared(x, y any) (at dtype.DType, ambiguous bool) {
	r, ok := c.operation(x, y)
	if !ok {
		t := c.common(x, y)
		both := c.operand(x).Ambiguous && c.operand(y).Ambiguous
		return t.DType, c.sys.Reduction(promote.Compare, dtype.Typed{DType: t.DType, Ambiguous: both}).Ambiguous
	}
	t, err := c.sys.Resolve(c.operand(x), c.operand(y))
	switch {
	case err != nil:
		return dtype.I64, r.Ambiguous
	case t.DType == dtype.C32 || t.DType == dtype.BC32: // c64 represents all their numbers
		return dtype.C64, r.Ambiguous
	}
	return t.DType, r.Ambiguous
}

// truth returns whether the elements of a are not 0.
func (c *call) truth(a expr.Value) expr.Value {
	ty := typeOf(a)
	if ty.DType == dtype.I1 {
		return a
	}
	return c.Ne(a, c.to(c.literal(0, ty.DType), ty.Shape))
}

// signless applies an operation on one operand. Other systems also define operations that ask for the sign on
// unsigned integers and bools.
func (c *call) signless(code ir.Code, a expr.Value) expr.Value {
	ty := typeOf(a)
	if code != ir.Abs && code != ir.Sign || !ty.DType.Is(dtype.Unsigned|dtype.Boolean) {
		return c.Do(code, nil, a)
	}
	if code == ir.Abs || ty.DType == dtype.I1 {
		return a
	}
	return c.Min(a, c.to(c.literal(1, ty.DType), ty.Shape))
}

// assignable fails, before anything is computed, if the system does not allow the result to be stored in the
// first operand.
func (c *call) assignable() {
	if !c.sys.Operates() {
		return
	}
	op := c.op
	defer func() { c.op = op }()
	c.op += "Into"
	for _, name := range classes[op] {
		var no *promote.Refusal
		if e := c.sys.ExplainAssignment(name, c.operand(c.xs[0]), c.operand(c.xs[1])); e.Err == nil || errors.As(e.Err, &no) {
			c.check(e.Err)
			return
		}
	}
}

// positionDType returns the system's dtype of positions and counts.
func (c *call) positionDType() dtype.DType {
	of := promote.Known(dtype.F32)
	for _, name := range classes["ArgMax"] {
		if t, err := c.sys.Operate(name, []promote.Operand{{Typed: of, Rank: 1}}); err == nil {
			return t.DType
		}
	}
	return c.sys.Reduction(promote.Index, of).DType
}

// ofNumber returns the dtype of a tensor made from the number v. It is known in systems without weak tensors.
func (c *call) ofNumber(v any) dtype.Typed {
	number := c.operand(v)
	if c.sys.Operates() {
		if t, err := c.sys.Resolve(number); err == nil {
			return t
		}
	}
	return number.Typed
}

// promotedInto reports whether v may be stored in the call's first operand, of dtype d, and returns their
// common dtype. Under anvil v must promote to d; Python's libraries cast it.
func (c *call) promotedInto(d dtype.DType, v any) (common dtype.DType, ok bool) {
	if c.sys.Operates() {
		return d, true
	}
	common = c.arithmetic(c.xs[0], v).DType
	return common, common == d
}
