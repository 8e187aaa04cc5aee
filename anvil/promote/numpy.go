package promote

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

var numpyDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// NumPy is NumPy 2: a dtype that holds every value of both, Python's numbers
// weak (NEP 50), arrays and scalars of NumPy alike whatever their rank.
var NumPy = New("numpy", "NumPy 2: the dtype that holds all values of both; Python's numbers are weak (NEP 50)", numpyDTypes, Rules{
	Literal: numpyLiteral,
	Convert: numpyConvert,
	Join:    numpyJoin,
	Resolve: numpyResolve,
	Divide: func(t dtype.Typed) (dtype.Typed, Rule) {
		return numpyKernel("true_divide", []Operand{{Typed: t, Rank: 1}, {Typed: t, Rank: 1}}, t)
	},
	Reduce:  numpyReduce,
	Operate: numpyOperate,
	Assign:  numpyAssign,
	CanCast: numpyCanCast,
	Store:   numpyStore,
	Values:  numpyValues,
})

var numpyTable = sync.OnceValue(func() map[string]section { return sections("numpy") })

// numpyPairs is promote_types as one look-up.
var numpyPairs = sync.OnceValue(func() *[256][256]dtype.DType { return pairsOf(numpyTable()["pairs"]) })

// pairsOf returns a section of pairs as a table.
func pairsOf(s section) *[256][256]dtype.DType {
	var t [256][256]dtype.DType
	for name, k := range s {
		a := named(name)
		for b, r := range k.result {
			t[a][b.DType] = r.DType
		}
	}
	return &t
}

// numpyLiteral: a Python number beside an array has a kind only.
func numpyLiteral(v any) (dtype.Typed, error) {
	switch v.(type) {
	case bool:
		return Amb(dtype.I1), nil
	case int:
		return Amb(dtype.I64), nil
	case float64:
		return Amb(dtype.F64), nil
	case complex128:
		return Amb(dtype.C128), nil
	}
	return dtype.OfLiteral(v)
}

// numpyConvert: an integer must fit an integer dtype; all else is cast.
func numpyConvert(v any, d dtype.DType) (any, error) {
	if _, ok := v.(int); !ok || !d.Is(dtype.Integral) {
		return dtype.Cast(v, d)
	}
	x, err := dtype.Fit(v, d)
	if err != nil {
		return nil, refuse("numpy", "OverflowError", "Python integer %v out of bounds for %s", v, d.Long())
	}
	return x, nil
}

var (
	numpyHigher  = Rule{"higher of the two", "the one that NumPy can cast the other to safely, by what ml_dtypes has registered"}
	numpyHalf    = Rule{"f8e5m2 as a half", "NumPy takes f8e5m2 for a half of its own: it joins as f16 does"}
	numpyNEP50   = Rule{"weak number", "a Python number takes the array's dtype where its kind is not higher"}
	numpyDefault = Rule{"number of a higher kind", "a Python number of a higher kind than the array has the default dtype of its kind: i64, f64, c128"}
	numpyPart    = Rule{"complex number beside a float", "a complex number beside floats: the complex dtype whose parts are as wide"}
	numpyBoth    = Rule{"two numbers", "numbers by themselves have the default dtypes i64, f64 and c128"}
)

func numpyJoin(a, b Operand) (dtype.Typed, Rule, error) {
	weakA, weakB := a.Ambiguous, b.Ambiguous
	switch {
	case weakA && !weakB:
		return numpyScalar("result_type", b.DType, a.DType)
	case weakB && !weakA:
		return numpyScalar("result_type", a.DType, b.DType)
	}
	d, r := numpyPair(a.DType, b.DType)
	if d == dtype.Invalid {
		return dtype.Typed{}, Rule{}, numpyUncommon(a.DType, b.DType)
	}
	if weakA {
		return Known(d), numpyBoth, nil
	}
	return Known(d), r, nil
}

func numpyUncommon(a, b dtype.DType) error {
	return goingOn(refuse("promote_types", "DTypePromotionError", "The DTypes %s and %s do not have a common DType.", numpyClass(a), numpyClass(b)),
		" For example they cannot be stored in a single array unless the dtype is `object`.")
}

// numpyWidths are promote_types for NumPy's own dtypes.
var numpyWidths = newWidths(64, dtype.F64, true)

// numpyOwn are NumPy's own dtypes: the others are of ml_dtypes.
var numpyOwn = func() (own [256]bool) {
	for _, d := range append(slices.Clone(numpyDTypes), dtype.F80, dtype.C160) {
		own[d] = true
	}
	return own
}()

// numpyPair is promote_types, and the rule; Invalid where two have none. What
// the dtypes of ml_dtypes give is registered there, and stands in the table.
func numpyPair(a, b dtype.DType) (dtype.DType, Rule) {
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

// numpyScalar returns the dtype of an array of d beside a Python number.
func numpyScalar(how string, d, number dtype.DType) (dtype.Typed, Rule, error) {
	kind := map[dtype.DType]string{dtype.I1: "bool", dtype.I64: "int", dtype.F64: "float", dtype.C128: "complex"}[number]
	k, ok := numpyTable()[how+" "+kind][d.String()]
	if !ok {
		return dtype.Typed{}, Rule{}, refuse(how, "DTypePromotionError", "%s has no dtype beside a number", d.Long())
	}
	t := k.result[Known(d)]
	return t, numpyNumberRule(d, number, t.DType), nil
}

func numpyNumberRule(d, number, r dtype.DType) Rule {
	switch {
	case r == d:
		return numpyNEP50
	case r == number:
		return numpyDefault
	case r.Is(dtype.Complex) && r == complexOf(d):
		return numpyPart
	}
	return Rule{"number beside an extension: " + r.String(), "the dtypes of ml_dtypes take no weak numbers; NumPy comes to " + r.String()}
}

// numpyResolve joins the operands from the highest kind down: so the result of
// many dtypes does not depend on their order, which folding pairs does.
func numpyResolve(xs []Operand) (dtype.Typed, []Step, error) {
	order := slices.Clone(xs)
	slices.SortStableFunc(order, func(a, b Operand) int {
		return cmp.Or(-cmp.Compare(kindRank(a.DType), kindRank(b.DType)), -cmp.Compare(a.DType.Bits(), b.DType.Bits()))
	})
	first := slices.IndexFunc(order, func(x Operand) bool { return !x.Ambiguous })
	if first > 0 { // numbers come after the arrays
		order = append(order[first:], order[:first]...)
	}
	slices.SortStableFunc(order, func(a, b Operand) int { return cmp.Compare(flag(a.Ambiguous), flag(b.Ambiguous)) })
	acc, steps := order[0], []Step(nil)
	for _, x := range order[1:] {
		t, r, err := numpyJoin(acc, x)
		if err != nil {
			return t, steps, err
		}
		steps = append(steps, Step{acc.Typed.String() + " with " + x.String(), t, r})
		acc = Operand{Typed: t, Rank: 1}
	}
	return Known(acc.DType), steps, nil
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// kindRank orders the kinds: bool, integers, floats, complex.
func kindRank(d dtype.DType) uint8 { return kindRanks[d] }

var kindRanks = func() (ranks [256]uint8) {
	for _, d := range everyDType {
		switch {
		case d.Is(dtype.Complex):
			ranks[d] = 3
		case d.Is(dtype.Floating):
			ranks[d] = 2
		case d.Is(dtype.Integral):
			ranks[d] = 1
		}
	}
	return ranks
}()

// numpyCodes are the letters of NumPy's loops.
var numpyCodes = map[byte]dtype.DType{'?': dtype.I1, 'b': dtype.I8, 'h': dtype.I16, 'i': dtype.I32, 'l': dtype.I64,
	'B': dtype.U8, 'H': dtype.U16, 'I': dtype.U32, 'L': dtype.U64, 'e': dtype.F16, 'f': dtype.F32, 'd': dtype.F64, 'g': dtype.F80,
	'F': dtype.C64, 'D': dtype.C128, 'G': dtype.C160}

// numpyLoops returns the loops of a ufunc: "bb->b" and the like.
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

// numpyKernel is the rule for an operation whose operands are of one dtype.
func numpyKernel(op string, xs []Operand, t dtype.Typed) (dtype.Typed, Rule) {
	r, _, err := numpyUfunc(op, xs)
	if err != nil {
		return t, Rule{"division", "computed in the common dtype"}
	}
	return r, kernelRule(t, r)
}

// numpyUfunc returns the result of the first loop to which all operands can be
// cast safely.
func numpyUfunc(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if op == "subtract" && !slices.ContainsFunc(xs, func(x Operand) bool { return x.DType != dtype.I1 }) {
		return dtype.Typed{}, nil, refuse(op, "TypeError", "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
	}
	if len(xs) == 1 && xs[0].DType == dtype.I1 && (op == "negative" || op == "sign") {
		return dtype.Typed{}, nil, numpyBoolRefusal(op)
	}
	if op == "true_divide" && !slices.ContainsFunc(xs, func(x Operand) bool { return !x.DType.Is(dtype.Bits) }) {
		return Known(dtype.F64), []Step{{operands(xs), Known(dtype.F64), Rule{"division of integers in f64", "integers are divided in f64, however narrow"}}}, nil
	}
	gcd := op == "gcd" || op == "lcm" // ufuncs that do not take bools for integers, and say so in their own way
	bools := !slices.ContainsFunc(xs, func(x Operand) bool { return x.DType != dtype.I1 })
	for _, loop := range numpyLoops()[op] {
		in, out, _ := strings.Cut(loop, "->")
		if fits(in, xs) && !(gcd && bools) {
			return Known(numpyCodes[out[0]]), loopSteps(op, in, out, xs), nil
		}
	}
	if gcd && len(xs) == 2 {
		return dtype.Typed{}, nil, refuse(op, "UFuncTypeError", "ufunc '%s' did not contain a loop with signature matching types (%s, %s) -> None", op, numpyClass(xs[0].DType), numpyClass(xs[1].DType))
	}
	return dtype.Typed{}, nil, refuse(op, "TypeError", "ufunc '%s' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''", op)
}

// numpyBoolRefusal is why a bool has no negative and no sign.
func numpyBoolRefusal(op string) error {
	if op == "negative" {
		return refuse(op, "TypeError", "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.")
	}
	return refuse(op, "UFuncTypeError", "ufunc '%s' did not contain a loop with signature matching types %s -> None", op, numpyClass(dtype.I1))
}

// numpySpell is the name of d, as NumPy's errors write it.
func numpySpell(d dtype.DType) string {
	switch d {
	case dtype.F80:
		return "float128"
	case dtype.C160:
		return "complex256"
	}
	return d.Long()
}

// numpyClass is the class of d, as NumPy's errors write it.
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

// loopSteps are the steps by a loop: the dtype that it computes in, and its
// result. Of ldexp the first operand decides; i64 and ui64 are compared as they are.
func loopSteps(op, in, out string, xs []Operand) []Step {
	at, r := Known(numpyCodes[in[0]]), Known(numpyCodes[out[0]])
	if in[0] != in[len(in)-1] {
		if at.DType.Is(dtype.Integral) {
			return []Step{{operands(xs), r, Rule{"signed with unsigned", "there is a loop that compares i64 with ui64 as numbers"}}}
		}
		xs = xs[:1]
	}
	return []Step{{operands(xs), at, loopRule(op)}, kernelStep(op, at, r)}
}

// loopRule names the rule by which a loop is found: from which dtype on the
// operation has loops.
func loopRule(op string) Rule {
	first := numpyCodes[numpyLoops()[op][0][0]]
	return Rule{"first loop from " + first.String(), "NumPy computes " + op + " in loops for " + first.String() + " and what holds more; this is the first to which the operands can be cast safely"}
}

func fits(in string, xs []Operand) bool {
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

// numpyArrays returns the operands with each number at the dtype that it takes
// beside the array, and the step to it.
func numpyArrays(xs []Operand) ([]Operand, []Step, error) {
	if len(xs) != 2 || xs[0].Ambiguous == xs[1].Ambiguous {
		return xs, nil, nil
	}
	ys, steps := slices.Clone(xs), []Step(nil)
	for i, x := range xs {
		if x.Ambiguous {
			t, r, err := numpyScalar("result_type", xs[1-i].DType, x.DType)
			if err != nil {
				return nil, nil, err
			}
			ys[i] = Operand{Typed: t}
			steps = append(steps, Step{xs[1-i].Typed.String() + " with " + x.String(), t, r})
		}
	}
	return ys, steps, nil
}

// numpyLearned returns the result of an operation on one dtype of ml_dtypes,
// which has each operation for each of its floats: that of f32, in which it is
// computed, as the dtype itself.
func numpyLearned(op string, d dtype.DType, xs []Operand) (dtype.Typed, []Step, error) {
	as := slices.Clone(xs)
	for i := range as {
		as[i].DType = dtype.F32
	}
	t, _, err := numpyOperate(op, as)
	if t.DType == dtype.F32 {
		t.DType = d
	}
	return t, []Step{{operands(xs), Known(d), ruleSame}, kernelStep(op, Known(d), t)}, err
}

func numpyOperate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if d := xs[0].DType; !numpyOwn[d] && d.Is(dtype.Floating) && !slices.ContainsFunc(xs, func(x Operand) bool { return x.DType != d }) {
		return numpyLearned(op, d, xs)
	}
	xs, beside, err := numpyArrays(xs)
	if err != nil {
		return dtype.Typed{}, nil, err
	}
	if _, ok := numpyLoops()[op]; ok {
		r, steps, err := numpyUfunc(op, xs)
		return r, append(beside, steps...), err
	}
	part := "binary"
	if len(xs) == 1 {
		part = "unary"
	}
	k, ok := numpyTable()[part][op]
	if !ok {
		return dtype.Typed{}, nil, unnamed("numpy", op)
	}
	t, steps, err := numpyResolve(xs)
	steps = append(beside, steps...)
	if err != nil {
		return t, steps, err
	}
	r, err := k.at(op, t, numpySpell)
	if err != nil {
		return r, steps, err
	}
	return r, append(steps, kernelStep(op, t, r)), nil
}

// numpyInPlace are the ufuncs of the augmented assignments.
var numpyInPlace = map[string]string{"iadd": "add", "isub": "subtract", "imul": "multiply", "itruediv": "true_divide", "ifloordiv": "floor_divide", "ipow": "power", "imod": "remainder"}

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
	return Known(into.DType), append(steps, Step{r.String() + " into " + into.DType.String(), Known(into.DType), Rule{"same_kind", "the result is cast within its kind, or to a higher one"}}), nil
}

// numpyStore: an output takes what casts to it within its kind, or to a higher one.
func numpyStore(op string, from, to dtype.DType) error {
	if op == "true_divide" {
		op = "divide" // the ufunc's name
	}
	if ok, _ := numpyCanCast(from, to, "same_kind"); !ok {
		return refuse(op, "UFuncTypeError", "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'", op, numpySpell(from), numpySpell(to))
	}
	return nil
}

func numpyCanCast(from, to dtype.DType, rule string) (bool, error) {
	switch rule {
	case "no", "equiv":
		return from == to, nil
	case "unsafe":
		refused, err := numpyCanCast(from, to, "refused")
		return !refused, err
	case "":
		rule = "safe"
	}
	k, ok := numpyTable()[rule][from.String()]
	if !ok {
		return false, nil
	}
	_, ok = k.result[Known(to)]
	return ok, nil
}

// numpyReductions are the operations that stand for the families of reductions.
var numpyReductions = [...]string{Sum: "sum", Extreme: "max", Mean: "mean", Logical: "all", Index: "argmax"}

func numpyReduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	if r == Compare {
		return Known(dtype.I1), Rule{"comparison", "a bool"}
	}
	d, _, err := numpyOperate(numpyReductions[r], []Operand{{Typed: t, Rank: 1}})
	if err != nil {
		return t, Rule{"reduction", "keeps the dtype"}
	}
	return d, kernelRule(t, d)
}

// NumPyAdd returns the dtype of an array of d plus a Python number, whose dtype
// is that of the number by itself. It differs from result_type for dtypes that
// NumPy does not have by itself, such as bf16.
func NumPyAdd(d, number dtype.DType) (dtype.Typed, error) {
	t, _, err := numpyScalar("add", d, number)
	return t, err
}
