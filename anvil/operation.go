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

// This file determines the types of results. The promotion system of another library has a rule for each
// operation and finds it by the name that the library gives the operation.

// promotionNames maps a function to the names that promotion systems have for it, followed by names of operations
// that promote like it. The first of the names that a system knows determines the dtype of the result.
var promotionNames = map[string][]string{
	"Add": {"add"}, "Sub": {"sub", "subtract"}, "Mul": {"mul", "multiply"},
	"Div": {"true_divide", "divide"}, "TrueDiv": {"true_divide", "divide"}, "FloorDiv": {"floor_divide"},
	"Rem": {"remainder"}, "Pow": {"pow", "power"}, "Atan2": {"atan2", "arctan2", "tf.math.atan2"},
	"Maximum": {"maximum", "tf.maximum"}, "Minimum": {"minimum", "tf.minimum", "maximum"},
	"And": {"bitwise_and"}, "Or": {"bitwise_or", "bitwise_and"}, "Xor": {"bitwise_xor", "bitwise_and"},
	"AndNot": {"bitwise_and"},
	"Shl":    {"left_shift", "bitwise_left_shift", "tf.bitwise.left_shift"},
	"Shr":    {"right_shift", "bitwise_right_shift", "tf.bitwise.right_shift", "left_shift"},
	"Eq":     {"eq", "equal"}, "Ne": {"ne", "not_equal", "tf.not_equal", "equal"},
	"Lt": {"lt", "less"}, "Le": {"le", "less_equal", "less"}, "Gt": {"gt", "greater", "less"},
	"Ge":    {"ge", "greater_equal", "less"},
	"Where": {"where", "tf.where"}, "MatMul": {"matmul", "dot"},
	"Concatenate": {"cat", "concatenate", "concat", "tf.concat"}, "Stack": {"stack", "tf.stack", "concatenate"},
	"Append":   {"cat", "concatenate", "concat", "tf.concat"},
	"TruncDiv": {"div_trunc", "tf.truncatediv", "floor_divide"}, "Fmod": {"fmod", "tf.truncatemod"},
	"Fmax": {"fmax", "maximum"}, "Fmin": {"fmin", "maximum"}, "Gcd": {"gcd"}, "Lcm": {"lcm"},
	"LogAddExp": {"logaddexp"}, "Clamp": {"clamp"},
	"Neg": {"neg", "negative"}, "Abs": {"abs", "absolute"}, "Sign": {"sign", "tf.sign"}, "Square": {"square", "tf.square"},
	"Not": {"bitwise_not", "bitwise_invert", "invert", "tf.bitwise.invert"}, "Real": {"real", "tf.math.real"},
	"Imag":       {"imag", "tf.math.imag"},
	"Reciprocal": {"reciprocal", "tf.math.reciprocal"}, "Trunc": {"trunc"},
	"LogicalNot": {"logical_not", "tf.logical_not"},
	"Floor":      {"floor", "tf.floor"}, "Ceil": {"ceil", "floor", "tf.math.ceil"}, "Round": {"round", "rint", "tf.round"},
	"IsNaN": {"isnan", "tf.math.is_nan"}, "IsFinite": {"isfinite", "tf.math.is_finite", "isnan"},
	"Trigamma":  {"exp", "tf.exp"},
	"Polygamma": {"true_divide", "divide"},
	"Copysign":  {"copysign", "true_divide", "divide"},
	"Heaviside": {"maximum", "tf.maximum"}, "DivMod": {"floor_divide"},
	"IsInf": {"isnan", "tf.math.is_nan"}, "IsPosInf": {"isnan", "tf.math.is_nan"},
	"IsNegInf": {"isnan", "tf.math.is_nan"},
	"SignBit":  {"isnan"}, "Angle": {"angle", "exp", "tf.exp"},
	"Sum": {"sum", "tf.reduce_sum"}, "Prod": {"prod", "sum", "tf.reduce_prod"}, "Mean": {"mean", "tf.reduce_mean"},
	"Var": {"var", "mean", "tf.math.reduce_variance"}, "Std": {"std", "mean", "tf.math.reduce_std"},
	"Median": {"median"}, "Cumsum": {"cumsum", "cumulative_sum", "tf.cumsum"},
	"Cumprod":   {"cumprod", "cumulative_prod", "cumsum", "tf.cumsum"},
	"NanCumsum": {"cumsum", "tf.cumsum"}, "NanCumprod": {"cumprod", "cumsum", "tf.cumsum"},
	"Max": {"amax", "max", "tf.reduce_max"}, "Min": {"amin", "min", "amax", "max", "tf.reduce_min"},
	"Any": {"any", "tf.reduce_any"}, "All": {"all", "tf.reduce_all"},
	"NanSum": {"nansum", "sum", "tf.reduce_sum"}, "NanProd": {"prod", "sum", "tf.reduce_prod"},
	"NanMean": {"mean", "tf.reduce_mean"},
	"NanVar":  {"var", "mean", "tf.math.reduce_variance"}, "NanStd": {"std", "mean", "tf.math.reduce_std"},
	"NanMax": {"amax", "max", "tf.reduce_max"}, "NanMin": {"amin", "min", "amax", "max", "tf.reduce_min"},
	"Ptp":      {"ptp", "amax", "max", "tf.reduce_max"},
	"Quantile": {"quantile", "median"}, "Percentile": {"quantile", "median"}, "NanQuantile": {"quantile", "median"},
	"NanMedian": {"median"},
	"Cov":       {"mean", "tf.reduce_mean"}, "CorrCoef": {"mean", "tf.reduce_mean"},
	"ArgMax": {"argmax", "tf.argmax"}, "ArgMin": {"argmin", "tf.argmin", "argmax"},
	"NanArgMax": {"argmax", "tf.argmax"}, "NanArgMin": {"argmin", "tf.argmin", "argmax"},
}

// overAll maps a reduction to its name in systems in which reducing all elements is a separate operation.
var overAll = map[string][]string{"Max": {"max"}, "Min": {"min"}}

// promotionNamesOf returns the names of the function op in promotion systems: those in its row of the op table, or
// else in promotionNames.
func promotionNamesOf(op string) []string {
	if row := ops.FunctionOf(op); row != nil {
		return row.Classes()
	}
	return promotionNames[op]
}

// newLib returns the library under the promotion system sys. Errors name op, the function that sys was given to.
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

// explain explains how the operation op on xs gets its dtype under sys. ok is false if sys has no name for op; the
// dtype is then the common dtype of the operands.
func explain(sys *promote.System, op string, xs ...any) (e promote.Explanation, ok bool) {
	return explainNamed(sys, promotionNamesOf(strings.TrimSuffix(op, "Into")), xs...)
}

// explainNamed is explain for the first of names that sys knows.
func explainNamed(sys *promote.System, names []string, xs ...any) (e promote.Explanation, ok bool) {
	for _, name := range names {
		e = sys.ExplainOperation(name, xs...)
		var refused *promote.Refusal // the operation is known, and refuses these dtypes
		if e.Err == nil || errors.As(e.Err, &refused) {
			return e, true
		}
	}
	return e, false
}

// operationType returns the type of the call's result for operands xs under a system that knows the operation by
// name. ok is false under other systems. It fails with the system's error if the operation refuses the dtypes.
func (c *call) operationType(xs ...any) (t dtype.Typed, ok bool) {
	if c.row != nil {
		return c.operationTypeOf(c.row.Classes(), xs...)
	}
	return c.operationTypeOf(promotionNames[c.op], xs...)
}

// operationTypeOf is operationType for the first of names that the system knows.
func (c *call) operationTypeOf(names []string, xs ...any) (t dtype.Typed, ok bool) {
	if !c.sys.Operates() {
		return t, false
	}
	operands := make([]promote.Operand, len(xs))
	for i, x := range xs {
		operands[i] = c.operand(x)
	}
	for _, name := range names {
		t, err := c.sys.Operate(name, operands)
		var refused *promote.Refusal
		if err == nil || errors.As(err, &refused) {
			c.check(err)
			c.amb = t.Ambiguous
			return t, true
		}
	}
	return t, false
}

// arithmetic returns the type of the result of an operation on x and y that is computed at the dtype of the result.
func (c *call) arithmetic(x, y any) dtype.Typed {
	if t, ok := c.operationType(x, y); ok {
		return t
	}
	t, err := c.sys.ResolvePair(c.operand(x), c.operand(y))
	c.check(err)
	c.amb = t.Ambiguous
	return t
}

// binaryResult returns the result, of type t, of the operation code on x and y. If the framework has a rule for the
// function, the rule computes the result; it may call the operation itself through own.
func (c *call) binaryResult(code ir.Code, attrs any, t dtype.Typed, x, y any) Tensor {
	rule := c.framework.Ops[c.op]
	if rule == nil {
		return c.result(c.elementwise(code, attrs, c.at(x, t.DType), c.at(y, t.DType)), t.Ambiguous)
	}
	own := func(args ...expr.Value) expr.Value {
		if args == nil { // the rule has not converted x and y
			args = []expr.Value{c.at(x, t.DType), c.at(y, t.DType)}
		}
		return c.elementwise(code, attrs, args[0], args[1])
	}
	r := rule(&emulation{c: c, xs: []any{x, y}, dtype: t.DType, own: own})
	return c.result(c.withOwnDerivative(r, own), t.Ambiguous)
}

// unaryTypes returns the dtype in which an operation on x is computed, and the type of its result. They differ if
// the result is a bool, or the real or imaginary part of x.
func (c *call) unaryTypes(x any) (at dtype.DType, t dtype.Typed) {
	t = c.typed(x)
	at = t.DType
	if r, ok := c.operationType(x); ok {
		t = r
		if !at.Is(dtype.Complex) && r.DType != dtype.I1 {
			at = r.DType
		}
	}
	return at, t
}

// resultByName returns a as the result of an operation. Under systems that know operations by name, the type of the
// result is t. Under others it has the dtype of a and is ambiguous if t is.
func (c *call) resultByName(a expr.Value, t dtype.Typed) Tensor {
	if !c.sys.Operates() {
		return c.result(a, t.Ambiguous)
	}
	return c.resultAs(a, t)
}

// resultAs returns a, converted to type t, as the result of an operation.
func (c *call) resultAs(a expr.Value, t dtype.Typed) Tensor {
	if a.DType() != t.DType {
		a = c.cast(a, t.DType)
	}
	return c.result(a, t.Ambiguous)
}

// comparisonDType returns the dtype in which x and y are compared, and whether the result is ambiguous.
func (c *call) comparisonDType(x, y any) (at dtype.DType, ambiguous bool) {
	r, ok := c.operationType(x, y)
	if !ok {
		t := c.common(x, y)
		both := c.operand(x).Ambiguous && c.operand(y).Ambiguous
		return t.DType, c.sys.Reduction(promote.Compare, dtype.Typed{DType: t.DType, Ambiguous: both}).Ambiguous
	}
	t, err := c.sys.Resolve(c.operand(x), c.operand(y))
	switch {
	case err != nil: // the operands can be compared, but a number is out of range of the other operand's dtype
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

// applyUnary returns the result of the operation code on a. It also computes Abs and Sign of unsigned integers and
// bools, which other libraries define and StableHLO does not.
func (c *call) applyUnary(code ir.Code, a expr.Value) expr.Value {
	ty := typeOf(a)
	if code != ir.Abs && code != ir.Sign || !ty.DType.Is(dtype.Unsigned|dtype.Boolean) {
		return c.Do(code, nil, a)
	}
	if code == ir.Abs || ty.DType == dtype.I1 {
		return a
	}
	return c.Min(a, c.to(c.literal(1, ty.DType), ty.Shape))
}

// checkAssignable fails, before anything is computed, if the system does not allow the result to be stored in the
// first operand.
func (c *call) checkAssignable() {
	if !c.sys.Operates() {
		return
	}
	op := c.op
	defer func() { c.op = op }()
	c.op += "Into"
	for _, name := range promotionNames[op] {
		e := c.sys.ExplainAssignment(name, c.operand(c.xs[0]), c.operand(c.xs[1]))
		var refused *promote.Refusal
		if e.Err == nil || errors.As(e.Err, &refused) {
			c.check(e.Err)
			return
		}
	}
}

// positionDType returns the system's dtype of positions and counts: that of ArgMax of a vector.
func (c *call) positionDType() dtype.DType {
	f32 := promote.Known(dtype.F32)
	for _, name := range promotionNames["ArgMax"] {
		if t, err := c.sys.Operate(name, []promote.Operand{{Typed: f32, Rank: 1}}); err == nil {
			return t.DType
		}
	}
	return c.sys.Reduction(promote.Index, f32).DType
}

// typeOfNumber returns the type of a tensor made from the number v. The dtype is known under systems whose tensors
// are never ambiguous.
func (c *call) typeOfNumber(v any) dtype.Typed {
	number := c.operand(v)
	if c.sys.Operates() {
		if t, err := c.sys.Resolve(number); err == nil {
			return t
		}
	}
	return number.Typed
}

// promotedInto reports whether v may be stored in the call's first operand, of dtype d, and returns their common
// dtype. Under anvil, the common dtype must be d. Under the systems of Python libraries, v is always converted to d.
func (c *call) promotedInto(d dtype.DType, v any) (common dtype.DType, ok bool) {
	if c.sys.Operates() {
		return d, true
	}
	common = c.arithmetic(c.xs[0], v).DType
	return common, common == d
}
