package promote

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

var numpyDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// NumPy implements the promotion rules of NumPy 2. The common dtype holds the values of both
// dtypes; ui64 and a signed integer give f64. Python's numbers are weak (NEP 50), and NumPy's
// scalars promote like arrays.
var NumPy = New("numpy", "NumPy 2: the dtype that holds all values of both; Python's numbers are weak (NEP 50)",
	numpyDTypes, Rules{
		Literal:       numpyLiteral,
		Convert:       numpyConvert,
		Join:          numpyJoin,
		Resolve:       numpyResolve,
		Divide:        numpyDivide,
		Reduce:        numpyReduce,
		Operate:       numpyOperate,
		Assign:        numpyAssign,
		CanCast:       numpyCanCast,
		Store:         numpyStore,
		NegativePower: negativePower(numpyNegative),
		Framework:     "numpy",
	})

var numpyTable = tableOf("numpy")

// numpyPairs holds the results of promote_types for pairs with a dtype of the Python package
// ml_dtypes.
var numpyPairs = sync.OnceValue(func() *[256][256]dtype.DType {
	var pairs [256][256]dtype.DType
	for name, k := range numpyTable().sections["pairs"] {
		a := mustNamed(name)
		for b, r := range k.result {
			pairs[a][b.DType] = r.DType
		}
	}
	return &pairs
})

// numpyLiteral returns the dtype of a number: i64, f64 or c128, ambiguous, for plain numbers.
func numpyLiteral(v any) (dtype.Typed, error) {
	return numberDType(v, dtype.I64, dtype.F64, dtype.C128)
}

// numpyConvert converts a number to the dtype d. An int must fit an integer dtype; other
// numbers are cast.
func numpyConvert(v any, d dtype.DType) (any, error) {
	if _, ok := v.(int); !ok || !d.Is(dtype.Integral) {
		return dtype.Cast(v, d)
	}
	x, err := dtype.Fit(v, d)
	if err != nil {
		return nil, outOfRange.refuse("numpy", "OverflowError", "Python integer %v out of bounds for %s", v, d.Long())
	}
	return x, nil
}

var (
	numpyHigher = Rule{"higher of the two",
		"the package ml_dtypes counts a cast of the other dtype to this one as safe, even where values are rounded"}
	numpyHalf    = Rule{"f8e5m2 as a half", "NumPy treats f8e5m2 like f16"}
	numpyDefault = Rule{"number of a higher kind",
		"a number of a higher kind than the array (bool < integer < float < complex) has the default dtype of its kind: " +
			"i64, f64 or c128"}
	numpyPart = Rule{"complex number beside a float",
		"a complex number beside floats gives the complex dtype with parts as wide as the float, at least c64"}
	numpyBoth = Rule{"two numbers",
		"the higher kind decides (bool < integer < float < complex), and the result is its default dtype: i1, i64, f64 " +
			"or c128"}
)

// numpyJoin returns NumPy's result_type of two operands and the rule that gives it.
func numpyJoin(a, b Operand) (dtype.Typed, Rule, error) {
	a, b = knownFirst(a, b)
	if b.Ambiguous && !a.Ambiguous {
		return numpyScalar("result_type", a.DType, b.DType)
	}
	d, r := numpyPromoteTypes(a.DType, b.DType)
	if d == dtype.Invalid {
		err := noCommonDType.refuse("promote_types", "DTypePromotionError",
			"The DTypes %s and %s do not have a common DType.", numpyClass(a.DType), numpyClass(b.DType))
		return dtype.Typed{}, Rule{},
			withRest(err, " For example they cannot be stored in a single array unless the dtype is `object`.")
	}
	if a.Ambiguous {
		r = numpyBoth
	}
	return Known(d), r, nil
}

// numpyWidths implements promote_types for NumPy's own dtypes.
var numpyWidths = newWidths(dtype.F64, true)

// numpyOwn is the set of NumPy's own dtypes. The other dtypes come from ml_dtypes.
var numpyOwn = setOf(numpyDTypes, []dtype.DType{dtype.F80, dtype.C160})

// numpyPromoteTypes returns the result of promote_types and the rule, or Invalid if
// there is no common dtype. Pairs with a dtype of ml_dtypes are in the table.
func numpyPromoteTypes(a, b dtype.DType) (dtype.DType, Rule) {
	if numpyOwn[a] && numpyOwn[b] {
		return numpyWidths.join(a, b)
	}
	switch d := numpyPairs()[a][b]; {
	case a == b:
		return d, ruleSame
	case d == a || d == b:
		return d, numpyHigher
	default:
		return d, numpyHalf
	}
}

// numpyScalar returns the dtype that a function of NumPy, "result_type" or "add", gives for an
// array of dtype d and a Python number, whose default dtype is number.
func numpyScalar(function string, d, number dtype.DType) (dtype.Typed, Rule, error) {
	kind := map[dtype.DType]string{dtype.I1: "bool", dtype.I64: "int", dtype.F64: "float",
		dtype.C128: "complex"}[number]
	k, ok := numpyTable().sections[function+" "+kind][d.String()]
	if !ok {
		return dtype.Typed{}, Rule{},
			noCommonDType.refuse(function, "DTypePromotionError", "%s has no common dtype with a number", d.Long())
	}
	t := k.result[Known(d)]
	switch r := t.DType; {
	case r == d:
		return t, ruleNumber, nil
	case r == number && kindRank(number) > kindRank(d):
		return t, numpyDefault, nil
	case d.Is(dtype.Floating) && r.Is(dtype.Complex) && r == complexOf(d):
		return t, numpyPart, nil
	}
	return t, Rule{"number beside an extension: " + t.DType.String(),
		d.String() + " is a dtype of the package ml_dtypes, which NumPy does not order by kind: the number does not " +
			"take it, and the result is " + t.DType.String()}, nil
}

// numpyResolve joins first the arrays and then the numbers, both from the highest kind to the
// lowest, so that the result does not depend on the order of xs. Numbers of a higher kind than
// every array come last.
func numpyResolve(xs []Operand) (dtype.Typed, []Step, error) {
	sorted := slices.Clone(xs)
	slices.SortStableFunc(sorted, func(a, b Operand) int {
		return cmp.Or(-cmp.Compare(kindRank(a.DType), kindRank(b.DType)), -cmp.Compare(a.DType.Bits(), b.DType.Bits()))
	})
	firstArray := max(0, slices.IndexFunc(sorted, func(x Operand) bool { return !x.Ambiguous }))
	higherNumbers := sorted[:firstArray]
	var arrays, numbers []Operand
	for _, x := range sorted[firstArray:] {
		if x.Ambiguous {
			numbers = append(numbers, x)
		} else {
			arrays = append(arrays, x)
		}
	}
	order := slices.Concat(arrays, numbers, higherNumbers)
	acc, steps := order[0], []Step(nil)
	for _, x := range order[1:] {
		t, r, err := numpyJoin(acc, x)
		if err != nil {
			return t, steps, err
		}
		steps = append(steps, Step{acc.String() + " with " + x.String(), t, r})
		acc = Operand{Typed: t, Rank: 1}
	}
	return Known(acc.DType), steps, nil
}

// numpyCodes are the type codes in the signatures of NumPy's loops.
var numpyCodes = map[byte]dtype.DType{'?': dtype.I1, 'b': dtype.I8, 'h': dtype.I16, 'i': dtype.I32, 'l': dtype.I64,
	'B': dtype.U8, 'H': dtype.U16, 'I': dtype.U32, 'L': dtype.U64, 'e': dtype.F16, 'f': dtype.F32, 'd': dtype.F64,
	'g': dtype.F80, 'F': dtype.C64, 'D': dtype.C128, 'G': dtype.C160}

// numpyLoops maps each ufunc to the signatures of its loops, that is, of its implementations
// for different dtypes: "bb->b" (see numpyCodes).
var numpyLoops = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	_, text, _ := strings.Cut(table("numpy"), "#loops\n")
	text, _, _ = strings.Cut(text, "#")
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		for name := range strings.SplitSeq(words[0], ",") {
			m[name] = words[1:]
		}
	}
	return m
})

// numpyDivide returns the dtype of true_divide for two operands of dtype t.
func numpyDivide(t dtype.Typed) (dtype.Typed, Rule) {
	r, _, err := numpyUfunc("true_divide", []Operand{{Typed: t, Rank: 1}, {Typed: t, Rank: 1}})
	if err != nil {
		return t, ruleDivision
	}
	return r, kernelRule("true_divide", t, r)
}

// numpyUfunc returns the dtype of the result of the ufunc op on xs. NumPy uses the ufunc's first
// loop for which every operand can be cast safely to the loop's dtype.
func numpyUfunc(op string, xs []Operand) (dtype.Typed, []Step, error) {
	bools := allOf(xs, dtype.Boolean)
	if op == "subtract" && bools {
		return dtype.Typed{}, nil,
			refuse(op, "TypeError", "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the "+
				"`^` operator, or the logical_xor function instead.")
	}
	if op == "negative" && len(xs) == 1 && bools {
		return dtype.Typed{}, nil,
			refuse(op, "TypeError", "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator "+
				"or the logical_not function instead.")
	}
	if op == "sign" && len(xs) == 1 && bools {
		return dtype.Typed{}, nil,
			refuse(op, "UFuncTypeError", "ufunc '%s' did not contain a loop with signature matching types %s -> None",
				op, numpyClass(dtype.I1))
	}
	if op == "true_divide" && allOf(xs, dtype.Bits) {
		return Known(dtype.F64), []Step{{listed(xs), Known(dtype.F64),
			Rule{"division of integers in f64", "integers are divided in f64, however narrow"}}}, nil
	}
	isGCD := op == "gcd" || op == "lcm" // these do not cast bools to integers, and have their own error
	for _, loop := range numpyLoops()[op] {
		in, out, _ := strings.Cut(loop, "->")
		if loopFits(in, xs) && !(isGCD && bools) {
			return Known(numpyCodes[out[0]]), loopSteps(op, in, out, xs), nil
		}
	}
	if isGCD && len(xs) == 2 {
		return dtype.Typed{}, nil,
			refuse(op, "UFuncTypeError",
				"ufunc '%s' did not contain a loop with signature matching types (%s, %s) -> None", op,
				numpyClass(xs[0].DType), numpyClass(xs[1].DType))
	}
	return dtype.Typed{}, nil,
		refuse(op, "TypeError", "ufunc '%s' not supported for the input types, and the inputs could not be safely "+
			"coerced to any supported types according to the casting rule ''safe''", op)
}

// numpySpell returns the name of d in NumPy's errors.
func numpySpell(d dtype.DType) string {
	switch d {
	case dtype.F80:
		return "float128"
	case dtype.C160:
		return "complex256"
	}
	return d.Long()
}

// numpyClass returns the class of d in NumPy's errors.
func numpyClass(d dtype.DType) string {
	switch {
	case !numpyOwn[d]:
		return "<class 'numpy.dtype[" + d.Long() + "]'>"
	case d == dtype.F80:
		return "<class 'numpy.dtypes.LongDoubleDType'>"
	case d == dtype.C160:
		return "<class 'numpy.dtypes.CLongDoubleDType'>"
	}
	long := d.Long()
	if rest, ok := strings.CutPrefix(long, "u"); ok {
		return "<class 'numpy.dtypes.UI" + rest[1:] + "DType'>"
	}
	return "<class 'numpy.dtypes." + strings.ToUpper(long[:1]) + long[1:] + "DType'>"
}

// loopSteps returns the steps of op on xs by the loop with the signature "in->out": the step
// to the dtype that the loop computes in, unless all operands have this dtype, and the step to
// the result.
func loopSteps(op, in, out string, xs []Operand) []Step {
	at, r := Known(numpyCodes[in[0]]), Known(numpyCodes[out[0]])
	if in[0] != in[len(in)-1] { // a comparison of i64 with ui64, or ldexp, whose first operand decides
		if at.DType.Is(dtype.Integral) {
			return []Step{{listed(xs), r,
				Rule{"signed with unsigned", "NumPy compares i64 with ui64 as numbers, without converting them"}}}
		}
		xs = xs[:1]
	}
	first := numpyCodes[numpyLoops()[op][0][0]].String()
	rule := Rule{"first loop that fits, from " + first, op + " computes in the first of its dtypes, which begin with " +
		"" + first +
		", to which every operand can be cast safely; NumPy counts casts of i64 and ui64 to f64 as safe"}
	if allAre(xs, at) {
		return []Step{kernelStep(op, at, r)}
	}
	return appendKernelStep([]Step{{listed(xs), at, rule}}, op, at, r)
}

// allAre reports whether all of xs are tensors of the dtype t.
func allAre(xs []Operand, t dtype.Typed) bool {
	return !slices.ContainsFunc(xs, func(x Operand) bool { return x.Typed != t || x.Literal != nil })
}

// loopFits reports whether xs can be cast safely to the inputs of a loop.
func loopFits(in string, xs []Operand) bool {
	if len(in) != len(xs) {
		return false
	}
	for i, x := range xs {
		if ok, _ := numpyCanCast(x.DType, numpyCodes[in[i]], "safe"); !ok {
			return false
		}
	}
	return true
}

// numpyNumberToArray returns an array and a number with the number replaced by an array of the
// dtype that NumPy gives it, and the step to that dtype. It returns other operands unchanged.
func numpyNumberToArray(xs []Operand) ([]Operand, []Step, error) {
	if len(xs) != 2 || xs[0].Ambiguous == xs[1].Ambiguous {
		return xs, nil, nil
	}
	arrays, steps := slices.Clone(xs), []Step(nil)
	for i, x := range xs {
		if x.Ambiguous {
			t, r, err := numpyScalar("result_type", xs[1-i].DType, x.DType)
			if err != nil {
				return nil, nil, err
			}
			arrays[i] = Operand{Typed: t}
			steps = append(steps, Step{xs[1-i].Typed.String() + " with " + x.String(), t, r})
		}
	}
	return arrays, steps, nil
}

// mlDTypesOperate returns the dtype of the result of op on operands xs of d, a float dtype of
// ml_dtypes. The package computes in f32, so the result is that for f32, with d in place of
// f32.
func mlDTypesOperate(op string, d dtype.DType, xs []Operand) (dtype.Typed, []Step, error) {
	floats := slices.Clone(xs)
	for i := range floats {
		floats[i].DType = dtype.F32
	}
	t, _, err := numpyOperate(op, floats)
	if t.DType == dtype.F32 {
		t.DType = d
	}
	return t, appendKernelStep([]Step{{listed(xs), Known(d), ruleSame}}, op, Known(d), t), err
}

// numpyOperate returns the dtype of the result of op on xs: of a ufunc by its loops, of another
// operation by the table.
func numpyOperate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	d := xs[0].DType
	same := !slices.ContainsFunc(xs, func(x Operand) bool { return x.DType != d })
	if same && !numpyOwn[d] && d.Is(dtype.Floating) {
		return mlDTypesOperate(op, d, xs)
	}
	xs, numberSteps, err := numpyNumberToArray(xs)
	if err != nil {
		return dtype.Typed{}, nil, err
	}
	if _, ok := numpyLoops()[op]; ok {
		r, steps, err := numpyUfunc(op, xs)
		return r, append(numberSteps, steps...), err
	}
	k, err := numpyTable().kernel(sectionFor(xs, "binary"), op)
	if err != nil {
		return dtype.Typed{}, nil, err
	}
	t, steps, err := numpyResolve(xs)
	steps = append(numberSteps, steps...)
	if err != nil {
		return t, steps, err
	}
	return k.apply(op, t, numpySpell, steps)
}

// numpyInPlace maps augmented assignments to their ufuncs.
var numpyInPlace = map[string]string{"iadd": "add", "isub": "subtract", "imul": "multiply", "itruediv": "true_divide",
	"ifloordiv": "floor_divide", "ipow": "power", "imod": "remainder"}

// numpyAssign returns the dtype of an augmented assignment, that of the array into. It returns
// an error if the result of the ufunc must not be stored in the array.
func numpyAssign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	if name, ok := numpyInPlace[op]; ok {
		op = name
	}
	r, steps, err := numpyOperate(op, []Operand{into, x})
	if err != nil {
		return r, steps, err
	}
	if err := numpyStore(op, r.DType, into.DType); err != nil {
		return r, steps, err
	}
	stored := Known(into.DType)
	return stored, append(steps, Step{r.String() + " into " + stored.String(), stored,
		Rule{"same_kind", "NumPy stores a result in a dtype of the same kind or a higher one"}}), nil
}

// numpyStore returns an error if the result of op, of dtype from, must not be cast to an output
// of dtype to: NumPy allows only casts within a kind or to a higher one.
func numpyStore(op string, from, to dtype.DType) error {
	if op == "true_divide" {
		op = "divide" // the ufunc's name in NumPy's errors
	}
	if ok, _ := numpyCanCast(from, to, "same_kind"); !ok {
		return notStored.refuse(op, "UFuncTypeError",
			"Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'", op,
			numpySpell(from), numpySpell(to))
	}
	return nil
}

// numpyCanCast reports whether from may be cast to to under a casting rule. It reads the
// allowed casts from NumPy's table, and in the section "refused" those that even "unsafe" does
// not allow.
func numpyCanCast(from, to dtype.DType, rule string) (bool, error) {
	lists := func(section string) bool {
		k, ok := numpyTable().sections[section][from.String()]
		if ok {
			_, ok = k.result[Known(to)]
		}
		return ok
	}
	switch rule {
	case "no", "equiv":
		return from == to, nil
	case "safe", "same_kind":
		return lists(rule), nil
	case "":
		return lists("safe"), nil
	case "unsafe":
		return !lists("refused"), nil
	}
	return false, &dtype.Error{Op: "can_cast", Operands: strconv.Quote(rule), Reason: "there is no such casting rule",
		Hint: "give no, equiv, safe, same_kind or unsafe"}
}

var numpyReduce = reduceByName(numpyOperate)

// NumPyAdd returns the dtype of the sum of an array of dtype d and a Python number, whose
// default dtype is number. For dtypes of ml_dtypes, such as bf16, it differs from the dtype
// that result_type gives.
func NumPyAdd(d, number dtype.DType) (dtype.Typed, error) {
	t, _, err := numpyScalar("add", d, number)
	return t, err
}

var numpyNegative = &Refusal{Op: "power", Kind: "ValueError",
	Reason: "Integers to negative integer powers are not allowed.", cause: negativeExponent}
