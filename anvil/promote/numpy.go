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
	numpyTypes = Rule{"promote_types", "the narrowest dtype that holds every value of both"}
	numpyNEP50 = Rule{"weak number", "a Python number takes the array's dtype unless it is of a higher kind, and then the default of that kind"}
	numpyBoth  = Rule{"two numbers", "numbers by themselves have the default dtypes i64, f64 and c128"}
)

func numpyJoin(a, b Operand) (dtype.Typed, Rule, error) {
	weakA, weakB := a.Ambiguous, b.Ambiguous
	switch {
	case weakA && !weakB:
		return numpyScalar("result_type", b.DType, a.DType)
	case weakB && !weakA:
		return numpyScalar("result_type", a.DType, b.DType)
	}
	d := numpyPairs()[a.DType][b.DType]
	if d == dtype.Invalid {
		return dtype.Typed{}, Rule{}, refuse("promote_types", "DTypePromotionError", "The DType %s could not be promoted by %s", a.DType.Long(), b.DType.Long())
	}
	if weakA {
		return Known(d), numpyBoth, nil
	}
	return Known(d), numpyTypes, nil
}

// numpyScalar returns the dtype of an array of d beside a Python number.
func numpyScalar(how string, d, number dtype.DType) (dtype.Typed, Rule, error) {
	kind := map[dtype.DType]string{dtype.I1: "bool", dtype.I64: "int", dtype.F64: "float", dtype.C128: "complex"}[number]
	k, ok := numpyTable()[how+" "+kind][d.String()]
	if !ok {
		return dtype.Typed{}, Rule{}, refuse(how, "DTypePromotionError", "%s has no dtype beside a number", d.Long())
	}
	return k.result[Known(d)], numpyNEP50, nil
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
func kindRank(d dtype.DType) int {
	switch {
	case d.Is(dtype.Complex):
		return 3
	case d.Is(dtype.Floating):
		return 2
	case d.Is(dtype.Integral):
		return 1
	}
	return 0
}

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
	return r, Rule{"first loop", "the first of the operation's loops to whose dtypes the operands can be cast safely"}
}

// numpyUfunc returns the result of the first loop to which all operands can be
// cast safely.
func numpyUfunc(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if op == "subtract" && !slices.ContainsFunc(xs, func(x Operand) bool { return x.DType != dtype.I1 }) {
		return dtype.Typed{}, nil, refuse(op, "TypeError", "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
	}
	if len(xs) == 1 && xs[0].DType == dtype.I1 && (op == "negative" || op == "sign") {
		return dtype.Typed{}, nil, refuse(op, numpyBoolErrors[op], "ufunc '%s' did not contain a loop with signature matching types bool -> None", op)
	}
	if op == "true_divide" && !slices.ContainsFunc(xs, func(x Operand) bool { return !x.DType.Is(dtype.Bits) }) {
		return Known(dtype.F64), []Step{{op + " " + operands(xs), Known(dtype.F64), Rule{"division of integers", "integers are divided in f64"}}}, nil
	}
	kind := "TypeError"
	if op == "gcd" { // a ufunc that does not take bools for integers, and says so in its own way
		kind = "UFuncTypeError"
		if !slices.ContainsFunc(xs, func(x Operand) bool { return x.DType != dtype.I1 }) {
			return dtype.Typed{}, nil, refuse(op, kind, "ufunc 'gcd' did not contain a loop with signature matching types bool, bool -> None")
		}
	}
	for _, loop := range numpyLoops()[op] {
		in, out, _ := strings.Cut(loop, "->")
		if fits(in, xs) {
			r := Known(numpyCodes[out[0]])
			return r, []Step{{op + " " + operands(xs) + " by " + loop, r, Rule{"first loop", "the first of the operation's loops to whose dtypes the operands can be cast safely"}}}, nil
		}
	}
	return dtype.Typed{}, nil, refuse(op, kind, "ufunc '%s' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''", op)
}

// numpyBoolErrors are the operations that do not take a bool for an integer.
var numpyBoolErrors = map[string]string{"negative": "TypeError", "sign": "UFuncTypeError"}

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
// beside the array.
func numpyArrays(xs []Operand) ([]Operand, error) {
	if len(xs) != 2 || xs[0].Ambiguous == xs[1].Ambiguous {
		return xs, nil
	}
	ys := slices.Clone(xs)
	for i, x := range xs {
		if x.Ambiguous {
			t, _, err := numpyScalar("result_type", xs[1-i].DType, x.DType)
			if err != nil {
				return nil, err
			}
			ys[i] = Operand{Typed: t}
		}
	}
	return ys, nil
}

func numpyOperate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	xs, err := numpyArrays(xs)
	if err != nil {
		return dtype.Typed{}, nil, err
	}
	if _, ok := numpyLoops()[op]; ok {
		return numpyUfunc(op, xs)
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
	if err != nil {
		return t, steps, err
	}
	r, err := k.at(op, t, dtype.DType.Long)
	return r, append(steps, kernelStep(op, t, r)), err
}

// numpyInPlace are the ufuncs of the augmented assignments.
var numpyInPlace = map[string]string{"iadd": "add", "isub": "subtract", "imul": "multiply", "itruediv": "true_divide", "ifloordiv": "floor_divide", "ipow": "power", "imod": "remainder"}

func numpyAssign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	r, steps, err := numpyOperate(numpyInPlace[op], []Operand{into, x})
	if err != nil {
		return r, steps, err
	}
	if err := numpyStore(numpyInPlace[op], r.DType, into.DType); err != nil {
		return r, steps, err
	}
	return Known(into.DType), append(steps, Step{r.String() + " into " + into.DType.String(), Known(into.DType), Rule{"same_kind", "the result is cast within its kind, or to a higher one"}}), nil
}

// numpyStore: an output takes what casts to it within its kind, or to a higher one.
func numpyStore(op string, from, to dtype.DType) error {
	if ok, _ := numpyCanCast(from, to, "same_kind"); !ok {
		return refuse(op, "UFuncTypeError", "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'", op, from.Long(), to.Long())
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
	return d, Rule{"kernel", "what the operation gives at that dtype"}
}

// NumPyAdd returns the dtype of an array of d plus a Python number, whose dtype
// is that of the number by itself. It differs from result_type for dtypes that
// NumPy does not have by itself, such as bf16.
func NumPyAdd(d, number dtype.DType) (dtype.Typed, error) {
	t, _, err := numpyScalar("add", d, number)
	return t, err
}
