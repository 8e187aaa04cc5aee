package promote

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// tensorflowLattice is the promotion lattice of TensorFlow's mode ALL: JAX's lattice without
// the dtypes of less than 8 bits and the 8-bit floats.
// Source: tensorflow/python/framework/flexible_dtypes.py of 2.21.
var tensorflowLattice = NewLattice(`
i1 -> i*
i* -> ui8 i8
ui8 -> i16 ui16
ui16 -> i32 ui32
ui32 -> i64 ui64
ui64 -> f*
i8 -> i16
i16 -> i32
i32 -> i64
i64 -> f*
f* -> c* bf16 f16
bf16 f16 -> f32
f32 -> f64 c64
f64 -> c128
c* -> c64
c64 -> c128
`)

// In tensorflowSafe, the dtypes above a dtype hold all its values. In mode SAFE the
// common dtype of two dtypes must be one of the two.
var tensorflowSafe = NewLattice(`
i1 -> i8 ui8
i8 -> i16 bf16 f16
ui8 -> i16 ui16 bf16 f16
i16 -> i32 f32
ui16 -> i32 ui32 f32
i32 -> i64 f64
ui32 -> i64 ui64 f64
bf16 f16 -> f32
f32 -> f64 c64
f64 c64 -> c128
`)

var tensorflowDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// TensorFlow's systems: the default, which does not promote (mode off), and the three modes of
// tf.experimental.numpy.
var (
	TensorFlow = newTensorFlow("tensorflow", "TensorFlow: operands have one dtype; numbers take the tensor's",
		tensorflow{mode: "off"})
	TensorFlowLegacy = newTensorFlow("tensorflow-legacy", "TensorFlow with NumPy's promotion",
		tensorflow{mode: "legacy"})
	TensorFlowAll = newTensorFlow("tensorflow-all", "TensorFlow's mode ALL: a lattice with weak dtypes",
		tensorflow{mode: "all", lattice: tensorflowLattice})
	TensorFlowSafe = newTensorFlow("tensorflow-safe", "TensorFlow's mode SAFE: only what loses nothing",
		tensorflow{mode: "safe", lattice: tensorflowSafe})
)

// tensorflow holds the parameters of TensorFlow's systems; its methods are their
// rules.
type tensorflow struct {
	mode    string   // "off", "legacy", "all" or "safe"
	lattice *Lattice // nil in the modes off and legacy
}

// newTensorFlow returns the system with the parameters t.
func newTensorFlow(name, doc string, t tensorflow) *System {
	return New(name, doc, tensorflowDTypes, Rules{
		Literal: t.literal,
		Convert: tensorflowConvert,
		Lattice: t.lattice,
		Join:    t.join,
		Resolve: t.resolve,
		Divide: func(x dtype.Typed) (dtype.Typed, Rule) {
			r, err := t.compute("", "true_divide", x)
			if err != nil {
				r = x
			}
			return r, Rule{"true division", "integers are divided in f32 or f64, by their width"}
		},
		Reduce:        t.reduce,
		Operate:       t.operate,
		Numbers:       func(op string, xs []Operand, _ dtype.Typed) error { return t.checkNumbers(op, xs) },
		NegativePower: tensorflowNegative,
		Framework:     "tensorflow",
	})
}

// tensorflowConvert casts a number to the dtype d; a complex number is cast to a bool
// by its real part.
func tensorflowConvert(v any, d dtype.DType) (any, error) {
	if z, ok := v.(complex128); ok && d == dtype.I1 {
		v = real(z)
	}
	return dtype.Cast(v, d)
}

// literal returns the dtype of a number: i32, f32 or c128, ambiguous, for plain numbers.
func (t tensorflow) literal(v any) (dtype.Typed, error) {
	return numberDType(v, dtype.I32, dtype.F32, dtype.C128)
}

var (
	tensorflowSame  = Rule{"one dtype", "both operands have it"}
	tensorflowHolds = Rule{"holds the other", "one dtype holds all values of the other"}
	tensorflowBools = Rule{"number beside bools, weak",
		"a bool tensor takes on the number's own dtype, which stays weak (?)"}
	tensorflowWide = Rule{"number beside integers",
		"a float beside integers gives f64, a complex number c128; the result is weak (?): it gives way to a known dtype"}
	tensorflowRaise = Rule{"complex number beside a float",
		"a complex number makes floats complex, with parts as wide as the float, at least c64"}
	tensorflowC128 = Rule{"complex number in c128, weak beside integers",
		"a complex number is c128, which holds the tensor's values; beside integers the result is weak (?): it gives " +
			"way to a known dtype"}
	// tensorflowAllWeak is for mode SAFE, which joins weak dtypes in mode ALL's lattice: in its own lattice, i32 and
	// f32 have no join.
	tensorflowAllWeak = Rule{"all weak, by mode ALL",
		"every operand is weak (?), as plain numbers are: they get their common dtype of TensorFlow's mode ALL, which " +
			"may lose precision, and the result is weak too"}
	tensorflowNumber = Rule{"number",
		"a number or bool of the same or a lower kind (bool < integer < float < complex) is converted to the other " +
			"operand's dtype"}
)

// tensorflowJoin joins a and b as JAX does, but in the lattice of mode ALL.
func tensorflowJoin(a, b Operand) (dtype.Typed, Rule, error) {
	x, r, err := jax{lattice: tensorflowLattice, wide: true}.join(a, b)
	if renamed, ok := tensorflowRules[r]; ok {
		r = renamed
	}
	return x, r, err
}

// tensorflowRules maps the rules of JAX that name JAX to rules that name TensorFlow.
var tensorflowRules = func() map[Rule]Rule {
	rules := map[Rule]Rule{}
	for _, r := range []Rule{jaxBound, jaxKindRules["i*"], jaxKindRules["f*"], jaxKindRules["c*"]} {
		rules[r] = Rule{r.Name, strings.ReplaceAll(r.Doc, "JAX's", "TensorFlow's")}
	}
	return rules
}()

// climbs returns the steps up mode ALL's lattice to the common dtype of a and b. It returns
// nil if the lattice is not used: in other modes, and for a number with a tensor.
func (t tensorflow) climbs(a, b Operand) []Step {
	if t.mode != "all" || a.Ambiguous != b.Ambiguous {
		return nil
	}
	j := jax{lattice: tensorflowLattice, wide: true}
	_, r, err := j.join(a, b)
	if err != nil {
		return nil
	}
	steps := j.climbSteps([]dtype.Typed{a.Typed, b.Typed}, r)
	for i := range steps {
		steps[i].Rule.Doc = strings.Replace(steps[i].Rule.Doc, "JAX", "TensorFlow", 1)
	}
	return steps
}

// resolve joins in pairs, from the left.
func (t tensorflow) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	first, steps := xs[0], []Step(nil)
	for _, y := range xs[1:] {
		joined, rule, err := t.join(first, y)
		if err != nil {
			return joined, steps, err
		}
		steps = append(steps, t.climbs(first, y)...)
		steps = append(steps, Step{first.Typed.String() + " with " + y.Typed.String(), joined, rule})
		first = Operand{Typed: joined, Rank: max(first.Rank, y.Rank)}
	}
	return first.Typed, steps, nil
}

// join returns the common dtype of the operands of an operation that promotes, and the rule
// that gives it. Two cases have rules of their own: a number with a tensor, and two weak
// operands. Otherwise the mode decides.
func (t tensorflow) join(a, b Operand) (dtype.Typed, Rule, error) {
	a, b = knownFirst(a, b)
	if b.Ambiguous && !a.Ambiguous {
		return t.joinNumber(a.DType, b.DType)
	}
	if a.Ambiguous && t.weak() { // b is ambiguous too; mode SAFE also uses mode ALL's lattice for weak dtypes
		x, r, err := tensorflowJoin(a, b)
		if t.mode == "safe" && r == jaxWeak {
			r = tensorflowAllWeak
		}
		return x, r, err
	}
	switch t.mode {
	case "legacy":
		return numpyJoin(Operand{Typed: Known(a.DType)}, Operand{Typed: Known(b.DType)})
	case "all":
		x, r, err := tensorflowJoin(Operand{Typed: Known(a.DType)}, Operand{Typed: Known(b.DType)})
		if err != nil {
			err = t.refusal(a, b)
		}
		return x, r, err
	case "safe":
		if d := tensorflowSafe.joinDTypes(a.DType, b.DType); d == a.DType || d == b.DType {
			return Known(d), tensorflowHolds, nil
		}
		return dtype.Typed{}, Rule{}, t.refusal(a, b)
	}
	if a.DType == b.DType {
		return Known(a.DType), tensorflowSame, nil
	}
	return dtype.Typed{}, Rule{}, t.refusal(a, b)
}

// weak reports whether the mode has weak dtypes.
func (t tensorflow) weak() bool { return t.mode == "all" || t.mode == "safe" }

// refusal returns the error that a and b have no common dtype.
func (t tensorflow) refusal(a, b Operand) error {
	if t.weak() {
		err := noCommonDType.refuse("promote", "TypeError",
			"In promotion mode PromoMode.%s, implicit dtype promotion between (<dtype: '%s'>, weak=%s) and (<dtype: '%s'>, "+
				"weak=%s) is disallowed.",
			strings.ToUpper(t.mode), a.DType.Long(), pythonBool[a.Ambiguous], b.DType.Long(), pythonBool[b.Ambiguous])
		return withRest(err, " You need to explicitly specify the dtype in your op, or relax your dtype promotion rules "+
			"(such as from SAFE mode to ALL mode).")
	}
	return noCommonDType.refuse("promote", "InvalidArgumentError",
		"cannot compute as input #1(zero-based) was expected to be a %s tensor but is a %s tensor",
		tensorflowSpell(a.DType), tensorflowSpell(b.DType))
}

// tensorflowFromBool are the dtypes to which TensorFlow converts a Python bool.
var tensorflowFromBool = []dtype.DType{dtype.I1, dtype.I32, dtype.I64, dtype.U64,
	dtype.F16, dtype.F32, dtype.F64, dtype.C128}

// joinNumber returns the common dtype of a tensor of dtype d and a Python number, whose default
// dtype is number, and the rule that gives it.
func (t tensorflow) joinNumber(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case number == dtype.I1 && !slices.Contains(tensorflowFromBool, d):
		return dtype.Typed{}, Rule{}, tensorflowUnconverted(Operand{Typed: Known(d)}, Operand{})
	case t.mode == "legacy":
		return numpyScalar("result_type", d, numpyNumbers[number])
	case kindRank(number) <= kindRank(d):
		return Known(d), tensorflowNumber, nil
	case t.mode == "off":
		return dtype.Typed{}, Rule{}, tensorflowUnconverted(Operand{Typed: Known(d)}, Operand{})
	case d == dtype.I1:
		return Amb(number), tensorflowBools, nil
	case t.mode == "safe":
		return t.safeNumber(d, number)
	case d.Is(dtype.Floating): // the number is complex
		return Known(tensorflowLattice.joinDTypes(d, dtype.C64)), tensorflowRaise, nil
	case number.Is(dtype.Complex):
		return Amb(dtype.C128), tensorflowWide, nil
	}
	return Amb(dtype.F64), tensorflowWide, nil
}

// safeNumber is joinNumber in mode SAFE for a number of a higher kind than d. It returns c128
// for a complex number if d is f64 or an integer dtype of less than 64 bits, else an error.
func (t tensorflow) safeNumber(d, number dtype.DType) (dtype.Typed, Rule, error) {
	holds := number.Is(dtype.Complex) && (d.Is(dtype.Integral) && d.Bits() < 64 || d == dtype.F64)
	if !holds {
		return dtype.Typed{}, Rule{}, t.refusal(Operand{Typed: Known(d)}, Operand{Typed: Amb(number)})
	}
	return dtype.Typed{DType: number, Ambiguous: d != dtype.F64}, tensorflowC128, nil
}

// numpyNumbers maps TensorFlow's default dtypes of numbers to NumPy's.
var numpyNumbers = map[dtype.DType]dtype.DType{dtype.I1: dtype.I1, dtype.I32: dtype.I64,
	dtype.F32: dtype.F64, dtype.C128: dtype.C128}

// tensorflowNumPyJoin is numpyJoin for operands whose numbers have TensorFlow's dtypes.
func tensorflowNumPyJoin(a, b Operand) (dtype.Typed, Rule, error) {
	for _, x := range []*Operand{&a, &b} {
		if x.Ambiguous {
			x.DType = numpyNumbers[x.DType]
		}
	}
	return numpyJoin(a, b)
}

var tensorflowTable = tableOf("tensorflow")

// kernel returns the kernel of an operation: that of the mode if the table has one, else
// that of the mode off.
func (t tensorflow) kernel(section, op string) (*kernel, error) {
	if k, err := tensorflowTable().kernel(strings.TrimSpace(t.mode+" "+section), op); err == nil {
		return k, nil
	}
	return tensorflowTable().kernel(strings.TrimSpace("off "+section), op)
}

// compute returns the dtype of the result of op, computed in the dtype x.
func (t tensorflow) compute(section, op string, x dtype.Typed) (dtype.Typed, error) {
	k, err := t.kernel(section, op)
	if err != nil {
		return dtype.Typed{}, err
	}
	r, err := k.at(op, Known(x.DType), dtype.DType.Long)
	r.Ambiguous = x.Ambiguous && r.DType != dtype.I1 && !strings.HasPrefix(op, "tf.arg") // a position is never weak
	return r, nodeOf(op).wholeError(x.DType, err)
}

// tensorflowPromoting are the operations that promote, by mode, with a space before and after
// each. Other operations take operands of one dtype. The operations of tnp are not listed: they
// promote as NumPy does, except tnp.where and tnp.concatenate, which promote by the mode's rules if
// the mode is not off.
var tensorflowPromoting = map[string]string{
	"off": "",
	"legacy": " add sub mul true_divide floor_divide remainder pow bitwise_and bitwise_or bitwise_xor " +
		"less less_equal greater greater_equal equal tf.not_equal ",
	"all":  tensorflowWeakOps,
	"safe": tensorflowWeakOps,
}

// tensorflowWeakOps are the operations that promote in the modes with weak dtypes.
const tensorflowWeakOps = " add sub mul true_divide floor_divide remainder pow equal " +
	"tf.add tf.maximum tf.minimum tf.truncatediv tf.truncatemod "

// promotes reports whether the operation promotes in this mode.
func (t tensorflow) promotes(op string) bool {
	return strings.Contains(tensorflowPromoting[t.mode], " "+op+" ")
}

// joinOf returns the function that joins the operands of op.
func (t tensorflow) joinOf(op string) func(a, b Operand) (dtype.Typed, Rule, error) {
	switch {
	case t.promotes(op), t.mode != "off" && (op == "tnp.where" || op == "tnp.concatenate"):
		return t.join
	case strings.HasPrefix(op, "tnp."):
		return tensorflowNumPyJoin
	}
	return t.convertNumber
}

// convertNumber joins the operands of an operation that does not promote. It converts a number
// to the dtype of the tensor, which may be weak, and the second of two numbers to the dtype of
// the first. The join of mode off converts a number only to the dtype of a known operand, so
// convertNumber treats the operand whose dtype is kept as known.
func (t tensorflow) convertNumber(a, b Operand) (dtype.Typed, Rule, error) {
	aIsNumber, bIsNumber := a.Literal != nil, b.Literal != nil
	if aIsNumber && bIsNumber || t.weak() && !aIsNumber {
		a.Ambiguous = false
	}
	if t.weak() && !bIsNumber {
		b.Ambiguous = false
	}
	return tensorflow{mode: "off"}.join(a, b)
}

// operate returns the dtype of the result of op on xs. It joins the operands in pairs, from the
// left, as the operation does (see joinOf), and looks up the result for the common dtype.
func (t tensorflow) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		r, err := t.compute("unary", op, xs[0].Typed)
		if err != nil {
			return r, nil, err
		}
		return r, []Step{kernelStep(op, xs[0].Typed, r)}, nil
	}
	if _, err := t.kernel("", op); err != nil {
		return dtype.Typed{}, nil, err
	}
	if op == "mul" && t.isLogicalAnd(xs[0], xs[1]) {
		return Known(dtype.I1), []Step{{listed(xs), Known(dtype.I1),
			Rule{"product with a bool", "a product with a bool tensor is computed as a logical and"}}}, nil
	}
	if err := t.checkNumbers(op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	first, steps := xs[0], []Step(nil)
	for _, y := range xs[1:] {
		joined, rule, err := t.joinOf(op)(first, y)
		if err != nil {
			return joined, steps, t.joinError(op, first, y, err)
		}
		if t.promotes(op) {
			steps = append(steps, t.climbs(first, y)...)
		}
		steps = append(steps, Step{listed([]Operand{first, y}), joined, rule})
		first = Operand{Typed: joined, Rank: 1}
	}
	x := first.Typed
	if strings.HasPrefix(op, "tnp.") && x.Ambiguous { // tnp converts the operands to arrays, which are known
		steps = appendKernelStep(steps, op, x, Known(x.DType))
		x = Known(x.DType)
	}
	r, err := t.compute("", op, x)
	if op == "tf.maximum" || op == "tf.minimum" {
		r.Ambiguous = false
	}
	if err != nil {
		return r, steps, err
	}
	return r, appendKernelStep(steps, op, x, r), nil
}

// isLogicalAnd reports whether TensorFlow computes the product of x and y as a logical and. It
// does if one of them is a tensor of bools, but not in mode legacy, which promotes both, and not
// in mode off for a number x, which is converted to the tensor's dtype before the product.
func (t tensorflow) isLogicalAnd(x, y Operand) bool {
	isBools := func(x Operand) bool { return x.Literal == nil && x.Typed == Known(dtype.I1) }
	convertedFirst := t.mode == "off" && x.Literal != nil
	return (isBools(x) || isBools(y)) && t.mode != "legacy" && !convertedFirst
}

// checkNumbers returns an error if xs has a number that op does not take. It checks only the modes
// with weak dtypes, in which an int must fit i32 before it promotes, and bitwise operations do
// not take a number as first operand.
func (t tensorflow) checkNumbers(op string, xs []Operand) error {
	if !t.weak() {
		return nil
	}
	if xs[0].Literal != nil && strings.HasPrefix(op, "bitwise_") {
		return refuse(op, "AttributeError", "'%s' object has no attribute 'dtype'", pythonType(xs[0].Literal))
	}
	if !t.promotes(op) || len(xs) == 2 && op == "mul" && t.isLogicalAnd(xs[0], xs[1]) {
		return nil
	}
	for _, x := range xs {
		if n, ok := x.Literal.(int); ok && int(int32(n)) != n {
			return outOfRange.refuse(op, "OverflowError", "Python int %d too large to convert to np.int32", n)
		}
	}
	return nil
}

// tensorflowReductions maps each reduction to an operation of the table whose result has the dtype
// of the reduction's result. Extreme has neg, which keeps the dtype. Logical and Compare, which give bools, have none.
var tensorflowReductions = [...]string{Sum: "tf.reduce_sum", Extreme: "neg", Mean: "tf.reduce_mean", Index: "tf.argmax"}

// reduce returns the dtype of the reduction r of x.
func (t tensorflow) reduce(r Reduction, x dtype.Typed) (dtype.Typed, Rule) {
	if r == Compare || r == Logical {
		return Known(dtype.I1), ruleBoolResult
	}
	d, err := t.compute("unary", tensorflowReductions[r], x)
	if err != nil {
		return x, ruleReduction
	}
	return d, kernelRule(tensorflowReductions[r], x, d)
}

// tensorflowNegative is TensorFlow's Rules.NegativePower. It returns an error if the exponent
// is negative after its conversion to the tensor's dtype.
func tensorflowNegative(_, stored int) error {
	if stored < 0 {
		return negativeExponent.refuse("pow", "InvalidArgumentError", "Integers to negative integer powers are not allowed")
	}
	return nil
}
