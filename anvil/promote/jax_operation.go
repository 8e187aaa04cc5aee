package promote

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// divide returns the dtype of true_divide for operands of the common dtype t.
func (j jax) divide(t dtype.Typed) (dtype.Typed, Rule) {
	r, err := j.compute("", "true_divide", t)
	if err != nil {
		return t, ruleDivision
	}
	return r, Rule{"true division", "integers are divided in the float of their width, at least f32"}
}

// jaxReductions maps each family of reductions to an operation that stands for it in the table.
var jaxReductions = [...]string{Sum: "sum", Extreme: "max", Mean: "mean", Logical: "all", Index: "argmax",
	Compare: "isnan"}

// reduce returns the dtype of the reduction r of t: that of the operation in jaxReductions.
// A comparison is weak if its operands are.
func (j jax) reduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	d, err := j.compute("unary", jaxReductions[r], t)
	if r == Compare {
		d = dtype.Typed{DType: dtype.I1, Ambiguous: t.Ambiguous}
	} else if err != nil {
		d = t
	}
	return d, kernelRule(jaxReductions[r], t, d)
}

var jaxTable = tableOf("jax")

// compute returns the dtype of the result of op on operands of the common dtype t. The table
// has weak dtypes only of the default widths. For a weak t of another width, compute looks up
// the known dtype, and makes the result weak if the table has a weak result for the weak dtype
// of the default width.
func (j jax) compute(section, op string, t dtype.Typed) (dtype.Typed, error) {
	k, err := jaxTable().kernel(section, op)
	if err != nil {
		return dtype.Typed{}, err
	}
	if substitute, ok := k.standIn(t.DType); ok {
		r, err := k.at(op, Known(substitute), dtype.DType.Long)
		if err == nil && r.DType == substitute {
			r.DType = t.DType
		}
		r.DType = j.canonical(r.DType)
		return r, err
	}
	r, err := k.at(op, Known(t.DType), dtype.DType.Long)
	if err != nil {
		if strings.HasSuffix(err.Error(), "integers do not support implicit promotion.") {
			_, advice := jaxRefusalEnding([]dtype.Typed{Known(dtype.I2)}) // the same for all narrow integers
			err = withRest(err, advice)
		}
		return r, err
	}
	if t.Ambiguous {
		atDefault, ok := k.result[Amb(jaxWeakColumn(t.DType))]
		reluOfIntegers := op == "relu" && t.DType.Is(dtype.Integral)
		if op == "median" || op == "quantile" || reluOfIntegers {
			r = atDefault // these operations combine their operand with a Python number
		}
		r.Ambiguous = ok && atDefault.Ambiguous || t.DType == dtype.I1 && slices.Contains(jaxWeakForBools, op)
	}
	r.DType = j.canonical(r.DType)
	return r, nil
}

// jaxWeakForBools are the functions whose result is weak if their operand is a weak bool, such
// as the result of a comparison of weak numbers.
var jaxWeakForBools = []string{"abs", "floor", "ceil", "trunc", "invert", "logical_not", "isnan", "isfinite",
	"conjugate", "real", "imag", "sort"}

// standIn returns the dtype to look up in place of d, if d is a narrow dtype that the kernel
// does not have: i8, ui8 or bf16, by d's kind. Otherwise ok is false.
func (k *kernel) standIn(d dtype.DType) (substitute dtype.DType, ok bool) {
	_, has := k.result[Known(d)]
	_, fails := k.fail[Known(d)]
	switch {
	case has || fails || d == dtype.I1:
	case d.Is(dtype.Signed) && d.Bits() < 8:
		return dtype.I8, true
	case d.Is(dtype.Unsigned) && d.Bits() < 8:
		return dtype.U8, true
	case d.Is(dtype.Floating) && d.Bits() <= 8:
		return dtype.BF16, true
	}
	return d, false
}

// jaxWeakColumn returns the dtype of d's kind that the table has in weak form: i64 for
// integers, f64, c128 or i1.
func jaxWeakColumn(d dtype.DType) dtype.DType {
	if d.Is(dtype.Unsigned) {
		d = dtype.I64
	}
	return jax{wide: true}.defaultOfKind(d)
}

// operate returns the dtype of the result of op on xs. It joins the operands, replaces a weak
// common dtype by the default dtype where JAX does (see weakDefaultReason), and looks up the
// result for that dtype. Some operations have rules of their own.
func (j jax) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	section := sectionFor(xs, "")
	switch {
	case section == "" && op == "ldexp":
		return j.ldexp(xs[0], xs[1])
	case section == "" && strings.HasPrefix(op, "lax."):
		if err := j.checkPrimitive(op, xs); err != nil {
			return dtype.Typed{}, nil, err
		}
	case op == "power" && len(xs) == 2 && isPythonInteger(xs[1].Literal):
		r, steps := j.integerPower(xs)
		return r, steps, nil
	case op == "clamp" && len(xs) == 3:
		return j.clamp(xs)
	}
	if _, err := jaxTable().kernel(section, op); err != nil {
		return dtype.Typed{}, nil, err
	}
	t, steps, err := j.resolve(xs)
	if err != nil {
		return t, steps, err
	}
	if doc := j.weakDefaultReason(op, t); doc != "" {
		d := weak(j.defaultOfKind(t.DType))
		if op == "floor_divide" && t.DType.Is(dtype.Floating) && t != d {
			return t, steps, jaxMixed("lax.select", d.DType, t.DType)
		}
		if t != d {
			steps = append(steps, Step{op + " of " + t.String(), d, Rule{"weak default", doc}})
		}
		t = d
	}
	if op == "matmul" || op == "dot" {
		if err := j.checkProduct(xs, t.DType); err != nil {
			return t, steps, err
		}
	}
	if op == "power" && len(xs) == 2 && xs[1].DType.Is(dtype.Integral) && xs[0].DType.Is(dtype.Inexact) {
		base := j.canonicalTyped(xs[0])
		power := dtype.Typed{DType: base.DType, Ambiguous: xs[0].Ambiguous && xs[1].Ambiguous}
		rule := Rule{"float to an integer, known",
			"a float to the power of an integer keeps the float's dtype, and is weak (?) only if both operands are"}
		if power.Ambiguous {
			rule.Name = "float to an integer, weak"
		}
		steps = append(steps, Step{"power of " + base.String(), power, rule})
		t = power
	}
	r, err := j.compute(section, op, t)
	if err != nil {
		return r, steps, err
	}
	// JAX combines the imaginary part of a complex logaddexp, an angle, with a Python number.
	complexLogAdd := op == "logaddexp" && t.DType.Is(dtype.Complex)
	withZero := slices.Contains(jaxWithZero, op) && t.DType == j.defaultOfKind(t.DType) && !t.DType.Is(dtype.Unsigned)
	if t.Ambiguous && (complexLogAdd || withZero) { // a weak array becomes known, a weak scalar stays weak
		r.Ambiguous = !slices.ContainsFunc(xs, func(x Operand) bool { return x.Rank > 0 })
	}
	return r, appendKernelStep(steps, op, t, r), nil
}

// jaxWithZero are the functions that combine their operand with Python's 0. If the operand is
// weak and of the default dtype, the result is weak for a scalar and known for an array.
var jaxWithZero = []string{"logical_not", "gcd", "lcm"}

// weakDefaultReason returns why op converts operands of the weak common dtype t to the default
// dtype of their kind. It returns "" if op does not convert them, or if t is known.
func (j jax) weakDefaultReason(op string, t dtype.Typed) string {
	switch {
	case !t.Ambiguous:
	case op == "matmul" || op == "dot":
		return "a matrix product of weak arrays adds up its terms in the default dtype of the arrays' kind"
	case op == "floor_divide" && t.DType.Is(dtype.Signed|dtype.Floating):
		return "JAX subtracts the Python number 1 where signs differ, and a weak array combined with a Python number " +
			"takes the default dtype of its kind"
	case op == "trunc" && j.strict && t.DType.Is(dtype.Floating):
		return "JAX selects from two weak floats, whose least upper bound is f*, the default float"
	}
	return ""
}

// clamp returns the dtype of jax.numpy.clip, which computes minimum(high, maximum(low, x)). xs
// are x, low and high.
func (j jax) clamp(xs []Operand) (dtype.Typed, []Step, error) {
	if anyOf(xs, dtype.Complex) {
		return dtype.Typed{}, nil,
			refuse("clip", "ValueError",
				"Clip received a complex value either through the input or the min/max keywords. Complex values have no "+
					"ordering and cannot be clipped. "+
					"Please convert to a real value or array by taking the real or imaginary components via jax.numpy.real/imag "+
					"respectively.")
	}
	t, steps, err := j.operate("maximum", []Operand{xs[1], xs[0]})
	if err != nil {
		return t, steps, err
	}
	t, more, err := j.operate("minimum", []Operand{xs[2], {Typed: t, Rank: xs[0].Rank}})
	return t, append(steps, more...), err
}

// checkProduct returns an error if a matrix product of xs is summed in a dtype t narrower
// than an operand's, as happens with weak operands. JAX allows a narrower float.
func (j jax) checkProduct(xs []Operand, t dtype.DType) error {
	for _, x := range xs {
		d := j.canonical(x.DType)
		sameKind := d.Is(dtype.Integral) && t.Is(dtype.Integral) || d.Is(dtype.Complex) && t.Is(dtype.Complex)
		if sameKind && t.Bits() < d.Bits() {
			return refuse("dot_general", "TypeError",
				"`preferred_element_type` must not be narrower than the original type, got preferred_element_type of %s for "+
					"result type of %s.", t.Long(), d.Long())
		}
	}
	return nil
}

// jaxPromoting maps primitives, which do not promote, to the similar jax.numpy functions,
// which do.
var jaxPromoting = map[string]string{"lax.add": "add", "lax.sub": "subtract", "lax.mul": "multiply",
	"lax.div": "divide", "lax.rem": "remainder", "lax.pow": "float_power", "lax.max": "maximum",
	"lax.min": "minimum", "lax.atan2": "arctan2", "lax.select": "where"}

// jaxMixed returns the error of a primitive with operands of two dtypes.
func jaxMixed(op string, first, second dtype.DType) error {
	if op == "lax.select" { // JAX's error names the operand for false first
		first, second = second, first
	}
	err := refuse(op, "TypeError", "%s requires arguments to have the same dtypes, got %s, %s.", op, first.Long(),
		second.Long())
	if name, ok := jaxPromoting[op]; ok {
		return withRest(err, " (Tip: jnp."+name+" is a similar function that does automatic type promotion on inputs).")
	}
	return err
}

// checkPrimitive returns an error if a primitive does not take the dtype of an operand,
// or if the operands' dtypes differ.
func (j jax) checkPrimitive(op string, xs []Operand) error {
	for i, x := range xs {
		_, err := j.compute("", op, Known(x.DType))
		var refusal *Refusal
		if errors.As(err, &refusal) {
			reason := strings.ReplaceAll(refusal.Reason, "position 0", "position "+strconv.Itoa(i))
			return &Refusal{Op: refusal.Op, Kind: refusal.Kind, Reason: reason, cause: refusal.cause}
		}
	}
	if j.canonical(xs[0].DType) != j.canonical(xs[1].DType) {
		return jaxMixed(op, xs[0].DType, xs[1].DType)
	}
	return nil
}

// isPythonInteger reports whether v is an int or a bool: in Python, bools are ints.
func isPythonInteger(v any) bool {
	switch v.(type) {
	case int, bool:
		return true
	}
	return false
}

// integerPower returns the dtype of a power with a Python integer as exponent: that
// of its base, i32 for a bool. Source: jax/_src/numpy/ufuncs.py power.
func (j jax) integerPower(xs []Operand) (dtype.Typed, []Step) {
	base := j.canonicalTyped(xs[0])
	t := base
	if t.DType == dtype.I1 {
		t = Known(dtype.I32)
	}
	return t, append(j.narrowSteps(xs[:1]),
		Step{"power of " + base.String(), t,
			Rule{"integer power", "with a Python integer as exponent, the result has the base's dtype, or i32 for a bool"}})
}

// jaxRepr returns NumPy's repr of d. The repr of a dtype of the package ml_dtypes has no quotes.
func jaxRepr(d dtype.DType) string {
	if d == dtype.BF16 {
		return "dtype(bfloat16)"
	}
	return "dtype('" + d.Long() + "')"
}

// ldexp returns the dtype of x times 2 to the power of an integer exponent.
func (j jax) ldexp(x, exponent Operand) (dtype.Typed, []Step, error) {
	if !exponent.DType.Is(dtype.Bits) || x.DType.Is(dtype.Complex) {
		return dtype.Typed{}, nil, refuse("ldexp", "ValueError", "ldexp not supported for input types (%s, %s)",
			jaxRepr(x.DType), jaxRepr(exponent.DType))
	}
	t := j.canonicalTyped(x)
	r, err := j.compute("", "true_divide", t) // integers become floats, as in a division
	if err != nil {
		return r, nil, err
	}
	first := Step{t.String() + ", " + exponent.Typed.String(), t,
		Rule{"first operand", "the result has the dtype of the first operand, not of the exponent"}}
	return r, append(j.narrowSteps([]Operand{x}), first, kernelStep("ldexp", t, r)), nil
}
