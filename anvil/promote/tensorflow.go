package promote

import (
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// tensorflowLattice is the promotion of TensorFlow's mode ALL: JAX's lattice
// without the narrow dtypes.
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

// tensorflowSafe says which dtypes hold all values of which: in mode SAFE one
// operand must lie above the other, for what lies above both is not taken.
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

var tensorflowDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// TensorFlow's systems: no promotion at all, and the three modes of
// tf.experimental.numpy.
var (
	TensorFlow       = newTensorFlow("tensorflow", "TensorFlow: operands have one dtype; numbers take the tensor's", tensorflow{mode: "off"})
	TensorFlowLegacy = newTensorFlow("tensorflow-legacy", "TensorFlow with NumPy's promotion", tensorflow{mode: "legacy"})
	TensorFlowAll    = newTensorFlow("tensorflow-all", "TensorFlow's mode ALL: a lattice with weak dtypes", tensorflow{mode: "all", lattice: tensorflowLattice})
	TensorFlowSafe   = newTensorFlow("tensorflow-safe", "TensorFlow's mode SAFE: only what loses nothing", tensorflow{mode: "safe", lattice: tensorflowSafe})
)

// tensorflow is what varies between TensorFlow's systems.
type tensorflow struct {
	mode    string
	lattice *Lattice
}

func newTensorFlow(name, doc string, t tensorflow) *System {
	return New(name, doc, tensorflowDTypes, Rules{
		Literal: t.literal,
		Convert: tensorflowConvert,
		Lattice: t.lattice,
		Join:    t.join,
		Divide: func(x dtype.Typed) (dtype.Typed, Rule) {
			r, err := t.compute("", "true_divide", x)
			if err != nil {
				r = x
			}
			return r, Rule{"true division", "integers are divided in f32 or f64, by their width"}
		},
		Reduce:  t.reduce,
		Operate: t.operate,
		Numbers: func(op string, xs []Operand, _ dtype.Typed) error { return t.early(op, xs) },
		Values:  tensorflowValues,
	})
}

// tensorflowConvert: a number is cast; of a complex one a bool is whether the real
// part is 0.
func tensorflowConvert(v any, d dtype.DType) (any, error) {
	if z, ok := v.(complex128); ok && d == dtype.I1 {
		v = real(z)
	}
	return dtype.Cast(v, d)
}

// literal: a number is of 32 bits where nothing says more.
func (t tensorflow) literal(v any) (dtype.Typed, error) {
	return defaultOf(v, dtype.I32, dtype.F32, dtype.C128)
}

var (
	tensorflowSame  = Rule{"one dtype", "both operands have it"}
	tensorflowHolds = Rule{"holds the other", "one dtype holds all values of the other"}
	tensorflowBools = Rule{"number beside bools, weak", "a bool tensor takes on the number's own dtype, weak"}
	tensorflowWide  = Rule{"number beside integers", "integers take on f64 or c128, by the number's kind, weak"}
	tensorflowRaise = Rule{"complex number beside a float", "a complex number beside floats: the complex dtype whose parts are as wide, at least c64"}
	tensorflowC128  = Rule{"complex number in c128, weak beside integers", "a complex number is c128, which holds the tensor's values; weak beside integers"}
	// SAFE has another lattice for what is known, in which i32 and f32 have no join.
	tensorflowAllWeak = Rule{"all weak, by mode ALL", "both are weak: the join that mode ALL's lattice has for them, made weak; nothing need hold the other"}
	tensorflowNumber  = Rule{"number", "the number is converted to the tensor's dtype"}
)

func (t tensorflow) join(a, b Operand) (dtype.Typed, Rule, error) {
	if a.Ambiguous && !b.Ambiguous {
		a, b = b, a
	}
	if b.Ambiguous && !a.Ambiguous {
		return t.number(a.DType, b.DType)
	}
	if a.Ambiguous && (t.mode == "all" || t.mode == "safe") { // both are: by the lattice, in either mode
		x, r, err := jax{lattice: tensorflowLattice, wide: true}.join(a, b)
		if t.mode == "safe" && r == jaxWeak {
			r = tensorflowAllWeak
		}
		return x, r, err
	}
	switch t.mode {
	case "legacy":
		return numpyJoin(Operand{Typed: Known(a.DType)}, Operand{Typed: Known(b.DType)})
	case "all":
		j := jax{lattice: tensorflowLattice, wide: true}
		x, r, err := j.join(Operand{Typed: Known(a.DType)}, Operand{Typed: Known(b.DType)})
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

func (t tensorflow) refusal(a, b Operand) error {
	if t.mode == "all" || t.mode == "safe" {
		err := refuse("promote", "TypeError", "In promotion mode PromoMode.%s, implicit dtype promotion between (<dtype: '%s'>, weak=%s) and (<dtype: '%s'>, weak=%s) is disallowed.",
			strings.ToUpper(t.mode), a.DType.Long(), pythonBool[a.Ambiguous], b.DType.Long(), pythonBool[b.Ambiguous])
		return goingOn(err, " You need to explicitly specify the dtype in your op, or relax your dtype promotion rules (such as from SAFE mode to ALL mode).")
	}
	return refuse("promote", "InvalidArgumentError", "cannot compute as input #1(zero-based) was expected to be a %s tensor but is a %s tensor", tensorflowSpell(a.DType), tensorflowSpell(b.DType))
}

// tensorflowTruth are the dtypes that a Python bool is converted to.
var tensorflowTruth = []dtype.DType{dtype.I1, dtype.I32, dtype.I64, dtype.U64, dtype.F16, dtype.F32, dtype.F64, dtype.C128}

// number returns the dtype of a tensor of d beside a Python number, whose dtype
// is that of the number by itself.
func (t tensorflow) number(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case number == dtype.I1 && !slices.Contains(tensorflowTruth, d):
		return t.unconverted(d)
	case t.mode == "legacy":
		return numpyScalar("result_type", d, numpyNumbers[number])
	case kindRank(number) <= kindRank(d):
		return Known(d), tensorflowNumber, nil
	case t.mode == "off":
		return t.unconverted(d)
	case d == dtype.I1:
		return Amb(number), tensorflowBools, nil
	case t.mode == "safe":
		return t.safeNumber(d, number)
	case d.Is(dtype.Floating): // beside a complex number
		return Known(tensorflowLattice.joinDTypes(d, dtype.C64)), tensorflowRaise, nil
	case number.Is(dtype.Complex):
		return Amb(dtype.C128), tensorflowWide, nil
	}
	return Amb(dtype.F64), tensorflowWide, nil
}

// safeNumber: a number of a higher kind is c128 or f32, which must hold all
// values of the tensor's dtype.
func (t tensorflow) safeNumber(d, number dtype.DType) (dtype.Typed, Rule, error) {
	holds := number.Is(dtype.Complex) && (d.Is(dtype.Integral) && d.Bits() < 64 || d == dtype.F64)
	if !holds {
		return dtype.Typed{}, Rule{}, t.refusal(Operand{Typed: Known(d)}, Operand{Typed: Amb(number)})
	}
	return dtype.Typed{DType: number, Ambiguous: d != dtype.F64}, tensorflowC128, nil
}

func (t tensorflow) unconverted(d dtype.DType) (dtype.Typed, Rule, error) {
	return dtype.Typed{}, Rule{}, tensorflowUnconverted(Operand{Typed: Known(d)}, Operand{})
}

// numpyNumbers are the dtypes by which NumPy's rules know a number that
// TensorFlow knows by another.
var numpyNumbers = map[dtype.DType]dtype.DType{dtype.I1: dtype.I1, dtype.I32: dtype.I64, dtype.F32: dtype.F64, dtype.C128: dtype.C128}

// numpyOperands returns xs as NumPy's rules know them.
func numpyOperands(a, b Operand) (dtype.Typed, Rule, error) {
	for _, x := range []*Operand{&a, &b} {
		if x.Ambiguous {
			x.DType = numpyNumbers[x.DType]
		}
	}
	return numpyJoin(a, b)
}

var tensorflowTable = sync.OnceValue(func() map[string]section { return sections("tensorflow") })

// kernel returns where an operation is defined. The table has what differs
// between the modes, and all else where there is none.
func (t tensorflow) kernel(part, op string) (*kernel, error) {
	for _, mode := range []string{t.mode, "off"} {
		if k, ok := tensorflowTable()[strings.TrimSpace(mode+" "+part)][op]; ok {
			return k, nil
		}
	}
	return nil, unnamed("tensorflow", op)
}

// compute returns the result of an operation at the dtype x.
func (t tensorflow) compute(part, op string, x dtype.Typed) (dtype.Typed, error) {
	k, err := t.kernel(part, op)
	if err != nil {
		return dtype.Typed{}, err
	}
	r, err := k.at(op, Known(x.DType), dtype.DType.Long)
	r.Ambiguous = x.Ambiguous && r.DType != dtype.I1 && !strings.HasPrefix(op, "tf.arg") // a position is never weak
	return r, nodeOf(op).whole(x.DType, err)
}

// tensorflowPromoting are the operations that promote, by mode. The others
// take operands of one dtype; those of tnp compute by NumPy's promotion, or by
// the mode's where they only put elements together.
var tensorflowPromoting = map[string]string{
	"off":    "",
	"legacy": " add sub mul true_divide floor_divide remainder pow bitwise_and bitwise_or bitwise_xor less less_equal greater greater_equal equal tf.not_equal ",
	"all":    tensorflowWeak,
	"safe":   tensorflowWeak,
}

// tensorflowWeak are the operations that promote in the modes that know weak
// dtypes.
const tensorflowWeak = " add sub mul true_divide floor_divide remainder pow equal tf.add tf.maximum tf.minimum tf.truncatediv tf.truncatemod "

// promotes reports whether the operation promotes in this mode.
func (t tensorflow) promotes(op string) bool {
	return strings.Contains(tensorflowPromoting[t.mode], " "+op+" ")
}

// how returns the join of an operation's operands in this mode.
func (t tensorflow) how(op string) func(a, b Operand) (dtype.Typed, Rule, error) {
	switch {
	case op == "tnp.where" || op == "tnp.concatenate":
		if t.mode != "off" {
			return t.join
		}
		return numpyOperands
	case strings.HasPrefix(op, "tnp."):
		return numpyOperands
	case t.promotes(op):
		return t.join
	}
	return t.converted
}

// converted is the join of an operation that does not promote: a number is
// converted to the dtype of the tensor beside it, which may be weak, and of two
// numbers the second to that of the first.
func (t tensorflow) converted(a, b Operand) (dtype.Typed, Rule, error) {
	weak := t.mode == "all" || t.mode == "safe"
	if numbers := a.Literal != nil && b.Literal != nil; numbers || weak && a.Literal == nil {
		a.Ambiguous = false
	}
	if weak && b.Literal == nil {
		b.Ambiguous = false
	}
	return tensorflow{mode: "off"}.join(a, b)
}

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
	if op == "mul" && t.logical(xs[0], xs[1]) {
		return Known(dtype.I1), []Step{{operands(xs), Known(dtype.I1), Rule{"product with a bool", "the product of a bool is a logical and"}}}, nil
	}
	if err := t.early(op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	first, steps := xs[0], []Step(nil)
	for _, y := range xs[1:] {
		joined, rule, err := t.how(op)(first, y)
		if err != nil {
			return joined, steps, t.mixed(op, first, y, err)
		}
		steps = append(steps, Step{operands([]Operand{first, y}), joined, rule})
		first = Operand{Typed: joined, Rank: 1}
	}
	x := first.Typed
	if strings.HasPrefix(op, "tnp.") && x.Ambiguous { // elements are put together, without a flag
		steps = append(steps, kernelStep(op, x, Known(x.DType)))
		x = Known(x.DType)
	}
	r, err := t.compute("", op, x)
	if op == "tf.maximum" || op == "tf.minimum" {
		r.Ambiguous = false
	}
	if err != nil {
		return r, steps, err
	}
	return r, append(steps, kernelStep(op, x, r)), nil
}

// logical reports whether the product of x and y is a logical and: one of them is
// a tensor of bools, and they are not promoted.
func (t tensorflow) logical(x, y Operand) bool {
	bools := func(x Operand) bool { return x.Literal == nil && x.Typed == Known(dtype.I1) }
	converted := t.mode == "off" && x.Literal != nil // it is of the tensor's dtype, or refused, first
	return (bools(x) || bools(y)) && t.mode != "legacy" && !converted
}

// early is what an operation says of a number before it promotes: where dtypes
// are weak an integer is i32 first, and what is called on a number's left operand
// does not know numbers.
func (t tensorflow) early(op string, xs []Operand) error {
	if t.mode != "all" && t.mode != "safe" {
		return nil
	}
	if xs[0].Literal != nil && strings.HasPrefix(op, "bitwise_") {
		return refuse(op, "AttributeError", "'%s' object has no attribute 'dtype'", pythonType(xs[0].Literal))
	}
	if !t.promotes(op) || len(xs) == 2 && op == "mul" && t.logical(xs[0], xs[1]) {
		return nil
	}
	for _, x := range xs {
		if n, ok := x.Literal.(int); ok && int(int32(n)) != n {
			return refuse(op, "OverflowError", "Python int %d too large to convert to np.int32", n)
		}
	}
	return nil
}

var tensorflowReductions = [...]string{Sum: "tf.reduce_sum", Extreme: "neg", Mean: "tf.reduce_mean", Logical: "neg", Index: "tf.argmax"}

func (t tensorflow) reduce(r Reduction, x dtype.Typed) (dtype.Typed, Rule) {
	if r == Compare || r == Logical {
		return Known(dtype.I1), Rule{"bool", "a bool"}
	}
	d, err := t.compute("unary", tensorflowReductions[r], x)
	if err != nil {
		return x, Rule{"reduction", "keeps the dtype"}
	}
	return d, kernelRule(x, d)
}
