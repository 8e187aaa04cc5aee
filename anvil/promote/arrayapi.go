package promote

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// arrayAPILattice is the standard's promotion lattice. Integers have joins with integers,
// and floats and complex numbers with one another. A bool, an integer and a float have no
// common dtype. Source: Array API 2024.12, "Type Promotion Rules".
var arrayAPILattice = NewLattice(`
i1
i8 -> i16
i16 -> i32
i32 -> i64
ui8 -> i16 ui16
ui16 -> i32 ui32
ui32 -> i64 ui64
f32 -> f64 c64
f64 c64 -> c128
`)

var arrayAPIDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// ArrayAPI implements the promotion rules of the Python array API standard 2024.12. What
// the standard leaves undefined is an error, with the text of the package array-api-strict.
var ArrayAPI = New("arrayapi", "the array API standard 2024.12; what it leaves undefined is an error",
	arrayAPIDTypes, Rules{
		Literal: numpyLiteral,
		Convert: arrayAPIConvert,
		Lattice: arrayAPILattice,
		Join:    arrayAPIJoin,
		Divide:  func(t dtype.Typed) (dtype.Typed, Rule) { return t, Rule{"division", "floats only"} },
		Reduce:  reduceByName(arrayAPIOperate),
		Operate: arrayAPIOperate,
		Assign:  arrayAPIAssign,
		CanCast: func(from, to dtype.DType, _ string) (bool, error) {
			return arrayAPILattice.joinDTypes(from, to) == to, nil
		},
		Store:         arrayAPIStore,
		Numbers:       arrayAPINumbers,
		NegativePower: negativePower(numpyNegative),
		Framework:     "arrayapi",
	})

// arrayAPINumbers returns an error if op is a comparison of an int and an array of integers
// whose dtype the int does not fit.
func arrayAPINumbers(op string, xs []Operand, t dtype.Typed) error {
	if isComparison := t.DType == dtype.I1; !isComparison {
		return nil
	}
	for i, x := range xs {
		n, isInt := x.Literal.(int)
		if otherDType := xs[1-i].DType; isInt && otherDType.Is(dtype.Integral) {
			if _, err := arrayAPIConvert(n, otherDType); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrayAPIStore returns an error if from, the dtype of the result of op, differs from to,
// the dtype of the array that stores it.
func arrayAPIStore(op string, from, to dtype.DType) error {
	if from == to {
		return nil
	}
	return notStored.refuse(op, "TypeError", "Cannot perform %s in place: the result is %s, and the array %s", op,
		arrayAPISpell(from), arrayAPISpell(to))
}

// arrayAPIConvert is numpyConvert with array-api-strict's error text.
func arrayAPIConvert(v any, d dtype.DType) (any, error) {
	x, err := numpyConvert(v, d)
	if refusal, ok := err.(*Refusal); ok {
		return nil, refusal.cause.refuse(refusal.Op, refusal.Kind,
			"Python int scalars must be within the bounds of the dtype for integer arrays")
	}
	return x, err
}

var arrayAPITable = tableOf("array_api")

var (
	arrayAPIBound  = Rule{"least upper bound", "the dtype that the array API standard's table gives for the two"}
	arrayAPINumber = Rule{"number beside an array",
		"a number of the same or a lower kind (integer < float < complex) takes the array's dtype, and a bool that of " +
			"an array of bools"}
	arrayAPIRaise = Rule{"complex number", "a complex number makes a float array complex, of the same precision"}
)

// arrayAPIJoin returns the common dtype of two operands and the rule that gives it.
func arrayAPIJoin(a, b Operand) (dtype.Typed, Rule, error) {
	a, b = knownFirst(a, b)
	if b.Ambiguous && !a.Ambiguous {
		return arrayAPIScalar(a.DType, b.DType)
	}
	d := arrayAPILattice.joinDTypes(a.DType, b.DType)
	if d == dtype.Invalid {
		return dtype.Typed{}, Rule{}, noCommonDType.refuse("result_type", "TypeError",
			"%s and %s cannot be type promoted together", arrayAPISpell(a.DType), arrayAPISpell(b.DType))
	}
	return Known(d), arrayAPIBound, nil
}

// arrayAPIScalar returns the common dtype of an array of dtype d and a Python number, whose
// default dtype is number.
func arrayAPIScalar(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case number == dtype.I1 && d != dtype.I1:
		return dtype.Typed{}, Rule{},
			noCommonDType.refuse("result_type", "TypeError", "Python bool scalars can only be promoted with bool arrays")
	case number.Is(dtype.Integral) && d == dtype.I1:
		return dtype.Typed{}, Rule{},
			noCommonDType.refuse("result_type", "TypeError", "Python int scalars cannot be promoted with bool arrays")
	case number.Is(dtype.Floating) && !d.Is(dtype.Inexact):
		return dtype.Typed{}, Rule{},
			noCommonDType.refuse("result_type", "TypeError",
				"Python float scalars can only be promoted with floating-point arrays.")
	case number.Is(dtype.Complex) && !d.Is(dtype.Inexact):
		return dtype.Typed{}, Rule{},
			noCommonDType.refuse("result_type", "TypeError",
				"Python complex scalars can only be promoted with floating-point arrays.")
	case number.Is(dtype.Complex) && d.Is(dtype.Floating):
		return Known(arrayAPILattice.joinDTypes(d, dtype.C64)), arrayAPIRaise, nil
	}
	return Known(d), arrayAPINumber, nil
}

// arrayAPIOperate returns the dtype of the result of op on xs. It checks the operands'
// dtypes, joins them, and looks up the result for the common dtype in the table.
func arrayAPIOperate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if op == "clamp" && len(xs) == 3 {
		return arrayAPIClamp(xs)
	}
	k, err := arrayAPITable().kernel(sectionFor(xs, ""), op)
	if err != nil {
		return dtype.Typed{}, nil, err
	}
	if op == "matmul" {
		return arrayAPIMatmul(k, xs)
	}
	if err := arrayAPICheck(k, op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	t, steps := xs[0].Typed, []Step(nil)
	if len(xs) > 2 {
		if t, steps, err = fold(arrayAPIJoin, xs, true); err != nil {
			return t, steps, err
		}
	} else if len(xs) == 2 {
		var r Rule
		if t, r, err = arrayAPIJoin(xs[0], xs[1]); err != nil {
			return t, nil, err
		}
		steps = []Step{{listed(xs), t, r}}
	}
	r, err := k.at(op, t, arrayAPISpell)
	if err != nil && len(xs) == 2 && t.DType.Is(dtype.Complex) {
		// An array of floats and a complex number: array-api-strict checks only arrays, and calls NumPy.
		same := Operand{Typed: t, Rank: 1}
		if d, _, numpyErr := numpyOperate(op, []Operand{same, same}); numpyErr == nil {
			r, err = d, nil
		}
	}
	if err != nil {
		return r, steps, err
	}
	return r, appendKernelStep(steps, op, t, r), nil
}

// arrayAPIClamp returns the dtype of clip of xs, an array and its bounds: that of the array.
// The bounds must have the array's kind, except that an int may bound an array of floats.
func arrayAPIClamp(xs []Operand) (dtype.Typed, []Step, error) {
	x := xs[0].Typed
	isForeign := func(x Operand) bool { return x.Literal == nil && !slices.Contains(arrayAPIDTypes, x.DType) }
	if i := slices.IndexFunc(xs, isForeign); i >= 0 {
		return x, nil, refuse("clip", "TypeError", "%s is not a dtype of the standard", xs[i].DType.Long())
	}
	if !x.DType.Is(dtype.Integral | dtype.Floating) {
		return x, nil, refuse("clip", "TypeError", "Only real numeric dtypes are allowed in clip")
	}
	for i, bound := range xs[1:] {
		name := [...]string{"min", "max"}[i]
		switch number := bound.Literal; {
		case number != nil && !bound.DType.Is(dtype.Integral|dtype.Floating):
			return x, nil, refuse("clip", "TypeError", "%s must be None, int, float, or Array; got <class '%s'>", name,
				pythonType(number))
		case number == nil && !bound.DType.Is(dtype.Integral|dtype.Floating):
			return x, nil, refuse("clip", "TypeError", "Only real numeric dtypes are allowed in clip")
		case x.DType.Is(dtype.Integral) && bound.DType.Is(dtype.Floating):
			return x, nil, refuse("clip", "TypeError", "%s must be integral when x is integral", name)
		case number == nil && x.DType.Is(dtype.Floating) && bound.DType.Is(dtype.Integral):
			return x, nil, refuse("clip", "TypeError", "%s must be floating-point when x is floating-point", name)
		}
	}
	low, lowIsInt := xs[1].Literal.(int)
	high, highIsInt := xs[2].Literal.(int)
	ints := lowIsInt && highIsInt
	if ints && low > high || !ints && asFloat(xs[1].Literal) > asFloat(xs[2].Literal) {
		return x, nil, refuse("clip", "ValueError", "min must be less than or equal to max")
	}
	return x, []Step{kernelStep("clip", x, x)}, nil
}

// asFloat converts an int or a float64 to a float64; other values give NaN.
func asFloat(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// arrayAPISpell returns the name of d in array-api-strict's errors.
func arrayAPISpell(d dtype.DType) string { return "array_api_strict." + d.Long() }

// arrayAPIOperators maps operations to their operators in Python, without underscores and
// without the "i" of assignments: subtract to "sub", for __sub__ and __isub__. An error
// names the operator, not the operation, if an operand is a number and in assignments.
var arrayAPIOperators = map[string]string{"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv",
	"floor_divide": "floordiv", "remainder": "mod", "pow": "pow", "bitwise_and": "and", "bitwise_or": "or",
	"bitwise_xor": "xor", "bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift", "less": "lt"}

// arrayAPICheck returns an error if op, with the kernel k, does not take the dtype of one of
// the arrays among xs. array-api-strict checks arrays before it promotes them. A single
// operand needs no check here: k.at returns the same error.
func arrayAPICheck(k *kernel, op string, xs []Operand) error {
	i := slices.IndexFunc(xs, func(x Operand) bool { return !x.Ambiguous && k.fail[x.Typed] != "" })
	if i < 0 || len(xs) == 1 {
		return nil
	}
	kind, reason, _ := strings.Cut(k.fail[xs[i].Typed], ": ")
	reason = strings.Replace(reason, "$", op, 1)
	for _, x := range xs {
		reason = strings.Replace(reason, "@", arrayAPISpell(x.DType), 1)
	}
	if name, ok := arrayAPIOperators[op]; ok && slices.ContainsFunc(xs, func(x Operand) bool { return x.Ambiguous }) {
		reason = arrayAPIReasonIn("__"+name+"__", reason)
	}
	return &Refusal{Op: op, Kind: kind, Reason: reason}
}

// arrayAPIReasonIn returns reason with operator in place of the function that it names after
// " in ", at its end.
func arrayAPIReasonIn(operator, reason string) string {
	before, _, _ := strings.Cut(reason, " in ")
	return before + " in " + operator
}

// arrayAPIMatmul returns the dtype of a matrix product. array-api-strict checks the dtype of
// each operand, but not that they have a common one: the operands promote by NumPy's rules.
func arrayAPIMatmul(k *kernel, xs []Operand) (dtype.Typed, []Step, error) {
	for _, x := range xs {
		if _, err := k.at("matmul", x.Typed, dtype.DType.Long); err != nil {
			return dtype.Typed{}, nil, err
		}
	}
	t, r, err := numpyJoin(xs[0], xs[1])
	return t, []Step{{listed(xs), t, r}}, err
}

// arrayAPIAssign returns the dtype of an assignment such as +=. op is the name of the
// operator or of the operation: "iadd" or "add".
func arrayAPIAssign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	function, operator := "", op
	for f, name := range arrayAPIOperators {
		if (op == f || op == "i"+name) && name != "lt" { // a comparison cannot be an assignment
			function, operator = f, "i"+name
		}
	}
	if function == "" {
		return dtype.Typed{}, nil, noSuchOperation("arrayapi", op)
	}
	r, steps, err := arrayAPIOperate(function, []Operand{into, x})
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Op == function {
		err = &Refusal{Op: operator, Kind: refusal.Kind, Reason: arrayAPIReasonIn("__"+operator+"__", refusal.Reason),
			cause: refusal.cause}
	}
	if err == nil && r.DType != into.DType {
		err = notStored.refuse(operator, "TypeError", "Cannot perform __%s__ with dtypes %s and %s", operator,
			arrayAPISpell(into.DType), arrayAPISpell(x.DType))
	}
	return r, steps, err
}

// isDTypeKinds maps the kind names of the standard's isdtype to kinds.
var isDTypeKinds = map[string]dtype.Kind{"bool": dtype.Boolean, "signed integer": dtype.Signed,
	"unsigned integer": dtype.Unsigned, "integral": dtype.Integral, "real floating": dtype.Floating,
	"complex floating": dtype.Complex, "numeric": dtype.Numeric}

// IsDType reports whether d is of the given kind, as the standard's isdtype does. kind is
// one of the standard's names, such as "real floating"; for any other name IsDType returns
// false.
func IsDType(d dtype.DType, kind string) bool { return d.Is(isDTypeKinds[kind]) }
