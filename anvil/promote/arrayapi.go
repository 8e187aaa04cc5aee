package promote

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// arrayAPILattice is the promotion that the standard defines: within integers,
// from signed and unsigned to signed, and among floats and complex numbers.
// Bool, integers and floats do not meet.
// Source: Array API 2024.12, "Type Promotion Rules".
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

var arrayAPIDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// ArrayAPI is the Python array API standard 2024.12: what it leaves undefined
// is an error, as in array-api-strict.
var ArrayAPI = New("arrayapi", "the array API standard 2024.12; what it leaves undefined is an error", arrayAPIDTypes, Rules{
	Literal: numpyLiteral,
	Convert: arrayAPIConvert,
	Lattice: arrayAPILattice,
	Join:    arrayAPIJoin,
	Divide:  func(t dtype.Typed) (dtype.Typed, Rule) { return t, Rule{"division", "floats only"} },
	Reduce:  arrayAPIReduce,
	Operate: arrayAPIOperate,
	Assign:  arrayAPIAssign,
	CanCast: func(from, to dtype.DType, _ string) (bool, error) {
		return arrayAPILattice.joinDTypes(from, to) == to, nil
	},
	Store:   arrayAPIStore,
	Numbers: arrayAPINumbers,
	Values:  arrayAPIValues(),
})

// arrayAPIValues: array-api-strict computes by NumPy, but lets no number wrap.
func arrayAPIValues() *Values {
	v := *numpyValues
	v.Wraps, v.Lenient, v.Stores = false, false, true
	return &v
}

// arrayAPINumbers: a number that is compared must fit the integers beside it too.
func arrayAPINumbers(op string, xs []Operand, t dtype.Typed) error {
	for i, x := range xs {
		v, ok := x.Literal.(int)
		if beside := xs[len(xs)-1-i].DType; ok && t.DType == dtype.I1 && beside.Is(dtype.Integral) {
			if _, err := arrayAPIConvert(v, beside); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrayAPIStore: an array keeps its dtype when an operator stores into it.
func arrayAPIStore(op string, from, to dtype.DType) error {
	if from == to {
		return nil
	}
	return refuse(op, "TypeError", "Cannot perform %s in place: the result is %s, and the array %s", op, arrayAPISpell(from), arrayAPISpell(to))
}

// arrayAPIConvert: an integer must fit an integer dtype; all else is cast.
func arrayAPIConvert(v any, d dtype.DType) (any, error) {
	x, err := numpyConvert(v, d)
	if no, ok := err.(*Refusal); ok {
		return nil, refuse(no.Op, no.Kind, "Python int scalars must be within the bounds of the dtype for integer arrays")
	}
	return x, err
}

var arrayAPITable = sync.OnceValue(func() map[string]section { return sections("array_api") })

var (
	arrayAPIBound  = Rule{"least upper bound", "the lowest dtype of the standard's lattice above both"}
	arrayAPINumber = Rule{"number of the kind", "a Python number takes the array's dtype, where that is of its kind or a higher one"}
	arrayAPIRaise  = Rule{"complex number", "a complex number makes a float array complex, of the same precision"}
)

func arrayAPIJoin(a, b Operand) (dtype.Typed, Rule, error) {
	if a.Ambiguous && !b.Ambiguous {
		a, b = b, a
	}
	if b.Ambiguous && !a.Ambiguous {
		return arrayAPIScalar(a.DType, b.DType)
	}
	d := arrayAPILattice.joinDTypes(a.DType, b.DType)
	if d == dtype.Invalid {
		return dtype.Typed{}, Rule{}, refuse("result_type", "TypeError", "%s and %s cannot be type promoted together", arrayAPISpell(a.DType), arrayAPISpell(b.DType))
	}
	return Known(d), arrayAPIBound, nil
}

// arrayAPIScalar returns the dtype of an array of d beside a Python number.
func arrayAPIScalar(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case number == dtype.I1 && d != dtype.I1:
		return dtype.Typed{}, Rule{}, refuse("result_type", "TypeError", "Python bool scalars can only be promoted with bool arrays")
	case number.Is(dtype.Integral) && d == dtype.I1:
		return dtype.Typed{}, Rule{}, refuse("result_type", "TypeError", "Python int scalars cannot be promoted with bool arrays")
	case number.Is(dtype.Floating) && !d.Is(dtype.Inexact):
		return dtype.Typed{}, Rule{}, refuse("result_type", "TypeError", "Python float scalars can only be promoted with floating-point arrays.")
	case number.Is(dtype.Complex) && !d.Is(dtype.Inexact):
		return dtype.Typed{}, Rule{}, refuse("result_type", "TypeError", "Python complex scalars can only be promoted with floating-point arrays.")
	case number.Is(dtype.Complex) && d.Is(dtype.Floating):
		return Known(arrayAPILattice.joinDTypes(d, dtype.C64)), arrayAPIRaise, nil
	}
	return Known(d), arrayAPINumber, nil
}

func arrayAPIOperate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	part := ""
	if len(xs) == 1 {
		part = "unary"
	}
	if op == "clamp" {
		return arrayAPIClamp(xs)
	}
	k, ok := arrayAPITable()[part][op]
	if !ok {
		return dtype.Typed{}, nil, unnamed("array_api", op)
	}
	if op == "matmul" {
		return arrayAPIMatmul(k, xs)
	}
	if err := arrayAPICheck(k, op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	t, steps := xs[0].Typed, []Step(nil)
	if len(xs) > 2 {
		var err error
		if t, steps, err = (&System{rules: Rules{Join: arrayAPIJoin}}).fold(xs, true); err != nil {
			return t, steps, err
		}
	} else if len(xs) == 2 {
		var r Rule
		var err error
		if t, r, err = arrayAPIJoin(xs[0], xs[1]); err != nil {
			return t, nil, err
		}
		steps = []Step{{operands(xs), t, r}}
	}
	r, err := k.at(op, t, arrayAPISpell)
	if err != nil && len(xs) == 2 && t.DType.Is(dtype.Complex) { // of a number, which array-api-strict does not ask: NumPy's answer
		if d, _, no := numpyOperate(op, []Operand{{Typed: t, Rank: 1}, {Typed: t, Rank: 1}}); no == nil {
			r, err = d, nil
		}
	}
	if err != nil {
		return r, steps, err
	}
	return r, append(steps, kernelStep(op, t, r)), nil
}

// arrayAPIClamp: bounds are of the kind of the array, whose dtype the result has.
func arrayAPIClamp(xs []Operand) (dtype.Typed, []Step, error) {
	x := xs[0].Typed
	if i := slices.IndexFunc(xs, func(x Operand) bool { return x.Literal == nil && !slices.Contains(arrayAPIDTypes, x.DType) }); i >= 0 {
		return x, nil, refuse("clip", "TypeError", "%s is no dtype of the standard", xs[i].DType.Long())
	}
	if !x.DType.Is(dtype.Integral | dtype.Floating) {
		return x, nil, refuse("clip", "TypeError", "Only real numeric dtypes are allowed in clip")
	}
	for i, bound := range xs[1:] {
		name := [...]string{"min", "max"}[i]
		switch number := bound.Literal; {
		case number != nil && !bound.DType.Is(dtype.Integral|dtype.Floating):
			return x, nil, refuse("clip", "TypeError", "%s must be None, int, float, or Array; got <class '%s'>", name, pythonType(number))
		case number == nil && !bound.DType.Is(dtype.Integral|dtype.Floating):
			return x, nil, refuse("clip", "TypeError", "Only real numeric dtypes are allowed in clip")
		case x.DType.Is(dtype.Integral) && bound.DType.Is(dtype.Floating):
			return x, nil, refuse("clip", "TypeError", "%s must be integral when x is integral", name)
		case number == nil && x.DType.Is(dtype.Floating) && bound.DType.Is(dtype.Integral):
			return x, nil, refuse("clip", "TypeError", "%s must be floating-point when x is floating-point", name)
		}
	}
	low, first := xs[1].Literal.(int)
	high, second := xs[2].Literal.(int)
	if first && second && low > high || !(first && second) && asFloat(xs[1].Literal) > asFloat(xs[2].Literal) {
		return x, nil, refuse("clip", "ValueError", "min must be less than or equal to max")
	}
	return x, []Step{kernelStep("clip", x, x)}, nil
}

// asFloat returns a number that is not complex; of anything else it returns nan.
func asFloat(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// arrayAPISpell is how array-api-strict writes d.
func arrayAPISpell(d dtype.DType) string { return "array_api_strict." + d.Long() }

// arrayAPIOperators are the operations that an array with a number, and an
// assignment, write as operators: errors name these.
var arrayAPIOperators = map[string]string{"add": "__add__", "subtract": "__sub__", "multiply": "__mul__", "divide": "__truediv__", "floor_divide": "__floordiv__",
	"remainder": "__mod__", "pow": "__pow__", "bitwise_and": "__and__", "bitwise_or": "__or__", "bitwise_xor": "__xor__", "bitwise_left_shift": "__lshift__", "bitwise_right_shift": "__rshift__", "less": "__lt__"}

// arrayAPICheck is the error of an operation that does not take the kind of one
// of xs: array-api-strict asks this before it asks how they promote.
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
		reason = arrayAPINamed(reason, name)
	}
	return &Refusal{Op: op, Kind: kind, Reason: reason}
}

// arrayAPINamed is a reason as the operator of that name gives it.
func arrayAPINamed(reason, operator string) string {
	before, _, _ := strings.Cut(reason, " in ")
	return before + " in " + operator
}

// arrayAPIMatmul: array-api-strict does not check what a matrix product mixes,
// so that NumPy's promotion shows through.
func arrayAPIMatmul(k *kernel, xs []Operand) (dtype.Typed, []Step, error) {
	for _, x := range xs {
		if _, err := k.at("matmul", x.Typed, dtype.DType.Long); err != nil {
			return dtype.Typed{}, nil, err
		}
	}
	t, r, err := numpyJoin(xs[0], xs[1])
	return t, []Step{{operands(xs), t, r}}, err
}

// arrayAPIInPlace are the operations that Python's operators of assignment stand for.
var arrayAPIInPlace = map[string]string{"iadd": "add", "isub": "subtract", "imul": "multiply", "itruediv": "divide", "ifloordiv": "floor_divide", "imod": "remainder",
	"ipow": "pow", "iand": "bitwise_and", "ior": "bitwise_or", "ixor": "bitwise_xor", "ilshift": "bitwise_left_shift", "irshift": "bitwise_right_shift"}

// arrayAPIAssign takes the operator's name, or that of the operation.
func arrayAPIAssign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	for operator, plain := range arrayAPIInPlace {
		if op == plain {
			op = operator
		}
	}
	plain := arrayAPIInPlace[op]
	r, steps, err := arrayAPIOperate(plain, []Operand{into, x})
	var no *Refusal
	if errors.As(err, &no) && no.Op == plain {
		err = &Refusal{Op: op, Kind: no.Kind, Reason: arrayAPINamed(no.Reason, "__"+op+"__")}
	}
	if err == nil && r.DType != into.DType {
		err = refuse(op, "TypeError", "Cannot perform __%s__ with dtypes %s and %s", op, arrayAPISpell(into.DType), arrayAPISpell(x.DType))
	}
	return r, steps, err
}

// isDType are the kinds that isdtype knows.
var isDType = map[string]dtype.Kind{"bool": dtype.Boolean, "signed integer": dtype.Signed, "unsigned integer": dtype.Unsigned,
	"integral": dtype.Integral, "real floating": dtype.Floating, "complex floating": dtype.Complex, "numeric": dtype.Numeric}

// IsDType reports whether d is of the kind that the standard calls so.
func IsDType(d dtype.DType, kind string) bool { return d.Is(isDType[kind]) }

var arrayAPIReductions = [...]string{Sum: "sum", Extreme: "max", Mean: "mean", Logical: "all", Index: "argmax"}

func arrayAPIReduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	if r == Compare {
		return Known(dtype.I1), Rule{"comparison", "a bool"}
	}
	d, _, err := arrayAPIOperate(arrayAPIReductions[r], []Operand{{Typed: t, Rank: 1}})
	if err != nil {
		return t, Rule{"reduction", "keeps the dtype"}
	}
	return d, kernelRule(t, d)
}
