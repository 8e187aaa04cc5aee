package promote

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// torchLattice is PyTorch's promotion of two dtypes. Its 13x13 table is the
// least upper bound here; so is what the release adds to it: unsigned integers
// wider than a byte meet floats only, and float8, bits, sub-byte and quantized
// dtypes meet nothing but themselves.
// Source: c10/core/ScalarType.cpp of 2.15, and torch.promote_types itself.
var torchLattice = NewLattice(`
i1 -> ui8 i8
ui8 i8 -> i16
i16 -> i32
i32 -> i64
i64 -> f16 bf16
ui16 ui32 ui64 -> f16 bf16 f4e2m1fn_x2
ui1 ui2 ui3 ui4 ui5 ui6 ui7 -> f16 bf16 f4e2m1fn_x2
f16 -> f32 c32
bf16 -> f32 bc32
f32 -> f64 c64
c32 bc32 -> c64
f64 c64 -> c128
f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu f4e2m1fn_x2
bits16 bits1x8 bits2x4 bits4x2 bits8
i1_int i2 i3 i4 i5 i6 i7
qint32 qint8 quint2x4 quint4x2 quint8
`)

// torchDTypes are the thirteen of PyTorch's promotion table.
var torchDTypes = []dtype.DType{dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.F32,
	dtype.F64, dtype.C32, dtype.C64, dtype.C128, dtype.I1, dtype.BF16}

var torchExtDTypes = append(slices.Clone(torchDTypes), dtype.U16, dtype.U32, dtype.U64,
	dtype.F8E4M3FN, dtype.F8E4M3FNUZ, dtype.F8E5M2, dtype.F8E5M2FNUZ, dtype.F8E8M0FNU, dtype.BC32)

// Torch is PyTorch's system as its TensorIterator documents it: thirteen
// dtypes, and tensors with axes, tensors without and numbers in that order.
var Torch = newTorch("torch", "PyTorch: tensors with axes decide the dtype within a category, then those without, then numbers", torchDTypes, torch{float: dtype.F32})

// TorchExt is Torch with the dtypes that the release 2.15 has besides: the
// wider unsigned integers, float8, and complex numbers of two bf16.
var TorchExt = newTorch("torchext", "PyTorch 2.15 with unsigned integers, float8 and half complex numbers", torchExtDTypes, torch{float: dtype.F32, wide: true})

// TorchDefault returns TorchExt where d, a float, is the default dtype.
func TorchDefault(d dtype.DType) (*System, error) {
	if !d.Is(dtype.Floating) {
		return nil, refuse("set_default_dtype", "TypeError", "only floating-point types are supported as the default type")
	}
	return newTorch("torchext", TorchExt.doc, torchExtDTypes, torch{float: d, wide: true}), nil
}

// torch is what varies between PyTorch's systems.
type torch struct {
	float dtype.DType // the default dtype
	wide  bool        // knows more than the thirteen dtypes
}

func newTorch(name, doc string, ds []dtype.DType, t torch) *System {
	return New(name, doc, ds, Rules{
		Literal: t.literal,
		Convert: dtype.Cast, // a number wraps where it does not fit
		Lattice: torchLattice,
		Join:    t.pair,
		Resolve: t.resolve,
		Divide:  t.divide,
		Reduce:  t.reduce,
		Operate: t.operate,
		Assign:  t.assign,
		CanCast: torchCanCast,
	})
}

// torchNames are the scalar types' names in PyTorch's messages.
var torchNames = map[dtype.DType]string{dtype.I1: "Bool", dtype.U8: "Byte", dtype.I8: "Char", dtype.I16: "Short",
	dtype.I32: "Int", dtype.I64: "Long", dtype.U16: "UInt16", dtype.U32: "UInt32", dtype.U64: "UInt64",
	dtype.F16: "Half", dtype.BF16: "BFloat16", dtype.F32: "Float", dtype.F64: "Double",
	dtype.C32: "ComplexHalf", dtype.BC32: "BComplex32", dtype.C64: "ComplexFloat", dtype.C128: "ComplexDouble",
	dtype.F8E4M3FN: "Float8_e4m3fn", dtype.F8E4M3FNUZ: "Float8_e4m3fnuz", dtype.F8E5M2: "Float8_e5m2",
	dtype.F8E5M2FNUZ: "Float8_e5m2fnuz", dtype.F8E8M0FNU: "Float8_e8m0fnu"}

func torchName(d dtype.DType) string {
	if name, ok := torchNames[d]; ok {
		return name
	}
	name := d.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// literal: a number has a category only; its dtype is i64, the default dtype,
// or the complex dtype of that. Its value is never read.
func (t torch) literal(v any) (dtype.Typed, error) {
	return defaultOf(v, dtype.I64, t.float, t.complexOf(t.float))
}

// complexOf returns the complex dtype of two d. Where there are thirteen dtypes
// a complex number of two bf16 is c64.
func (t torch) complexOf(d dtype.DType) dtype.DType {
	switch d {
	case dtype.F16:
		return dtype.C32
	case dtype.F64:
		return dtype.C128
	}
	return dtype.C64
}

// toComplex is complexOf for a tensor's dtype.
func (t torch) toComplex(d dtype.DType) (dtype.DType, error) {
	switch {
	case d.Bits() < 16:
		return dtype.Invalid, refuse("result_type", "RuntimeError", "Unknown Complex ScalarType for %s", torchName(d))
	case d == dtype.BF16 && t.wide:
		return dtype.BC32, nil
	}
	return t.complexOf(d), nil
}

// A torchState holds the dtypes seen so far in each of the three classes of
// operands, Invalid where there was none: ResultTypeState in
// aten/src/ATen/native/TypeProperties.h.
type torchState struct{ dim, zero, wrapped dtype.DType }

var torchClasses = [...]Rule{
	{"with axes", "tensors with axes are joined with each other first"},
	{"without axes", "tensors of rank 0 are joined with each other"},
	{"wrapped numbers", "numbers are joined with each other; floats stand for the default dtype"},
}

func (s *torchState) class(x Operand) (*dtype.DType, Rule) {
	switch {
	case x.Literal != nil:
		return &s.wrapped, torchClasses[2]
	case x.Rank == 0:
		return &s.zero, torchClasses[1]
	}
	return &s.dim, torchClasses[0]
}

func (t torch) pair(a, b Operand) (dtype.Typed, Rule, error) {
	var s torchState
	d, r, err := t.state(&s, a)
	if err == nil {
		d, r, err = t.state(&s, b)
	}
	if err == nil {
		d, r, err = t.combine(s)
	}
	return Known(d), r, err
}

// state joins x into its class.
func (t torch) state(s *torchState, x Operand) (dtype.DType, Rule, error) {
	class, r := s.class(x)
	if *class == dtype.Invalid {
		*class = x.DType
		return x.DType, r, nil
	}
	d, err := t.promote(*class, x.DType)
	*class = d
	return d, r, err
}

// combine returns the common dtype of the three classes.
func (t torch) combine(s torchState) (dtype.DType, Rule, error) {
	low, _, err := t.categories(s.zero, s.wrapped)
	if err != nil {
		return low, Rule{}, err
	}
	return t.categories(s.dim, low)
}

// The rules of combine_categories, in the order in which they are tried.
var (
	torchOnly     = Rule{"one class", "there is no operand of a class that counts for less"}
	torchComplex  = Rule{"complex stays", "a complex dtype is kept whatever the lower class holds"}
	torchFloat    = Rule{"float stays", "a float keeps its width beside a lower class that is not complex"}
	torchLift     = Rule{"float made complex", "the lower class is complex: the complex dtype of two such floats"}
	torchLower    = Rule{"complex below", "the lower class is complex: its dtype, beside integers and bools"}
	torchTable    = Rule{"higher category below", "the lower class is of a higher category, or this one is bool: both are joined"}
	torchCategory = Rule{"category stays", "integers of the lower class do not widen those of the higher"}
)

// categories is combine_categories: what a class makes of a lower one.
func (t torch) categories(high, low dtype.DType) (dtype.DType, Rule, error) {
	switch {
	case high == dtype.Invalid:
		return low, torchOnly, nil
	case low == dtype.Invalid:
		return high, torchOnly, nil
	case high.Is(dtype.Complex):
		return high, torchComplex, nil
	case high.Is(dtype.Floating) && low.Is(dtype.Complex):
		d, err := t.toComplex(high)
		return d, torchLift, err
	case high.Is(dtype.Floating):
		return high, torchFloat, nil
	case low.Is(dtype.Complex):
		return low, torchLower, nil
	case high == dtype.I1 || low.Is(dtype.Floating):
		d, err := t.promote(high, low)
		return d, torchTable, err
	}
	return high, torchCategory, nil
}

// promote is promote_types: the join of two dtypes.
func (t torch) promote(a, b dtype.DType) (dtype.DType, error) {
	if !t.wide && (!slices.Contains(torchDTypes, a) || !slices.Contains(torchDTypes, b)) {
		return dtype.Invalid, refuse("promote_types", "RuntimeError", "Promotion from %s and %s is unsupported.", torchName(a), torchName(b))
	}
	if d := torchLattice.joinDTypes(a, b); d != dtype.Invalid && !torchStorage(a, b) && !torchStorage(b, a) {
		return d, nil
	}
	return dtype.Invalid, torchRefusal(a, b)
}

// torchStorage reports whether a is one of the unsigned dtypes that are there
// for storage, and b a complex one: these two do not meet although both meet
// the floats between them.
func torchStorage(a, b dtype.DType) bool {
	return a.Is(dtype.Unsigned) && a != dtype.U8 && b.Is(dtype.Complex)
}

func torchRefusal(a, b dtype.DType) error {
	x, y := torchName(a), torchName(b)
	has := func(in func(dtype.DType) bool) bool { return in(a) || in(b) }
	switch {
	case has(func(d dtype.DType) bool { return strings.HasPrefix(d.String(), "q") }):
		return refuse("promote_types", "RuntimeError", "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, offending types: %s %s", x, y)
	case has(func(d dtype.DType) bool { return strings.HasPrefix(d.String(), "bits") }):
		return refuse("promote_types", "RuntimeError", "Promotion from %s and %s is unsupported.", x, y)
	case has(func(d dtype.DType) bool { return d.Is(dtype.Floating) && d.Bits() < 16 }):
		return refuse("promote_types", "RuntimeError", "Promotion for Float8 Types is not supported, attempted to promote %s and %s", x, y)
	case has(func(d dtype.DType) bool { return d.Is(dtype.Unsigned) && d != dtype.U8 }):
		return refuse("promote_types", "RuntimeError", "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote %s and %s", x, y)
	}
	return refuse("promote_types", "RuntimeError", "ix_a != -1 INTERNAL ASSERT FAILED: %s and %s are not in the table", x, y)
}

func (t torch) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	var s torchState
	var steps []Step
	for _, x := range xs {
		d, r, err := t.state(&s, x)
		if err != nil {
			return dtype.Typed{}, steps, err
		}
		steps = append(steps, Step{x.String(), Known(d), r})
	}
	low, r, err := t.categories(s.zero, s.wrapped)
	if err != nil {
		return dtype.Typed{}, steps, err
	}
	if s.zero != dtype.Invalid && s.wrapped != dtype.Invalid {
		steps = append(steps, Step{s.zero.String() + " over " + s.wrapped.String(), Known(low), r})
	}
	d, r, err := t.categories(s.dim, low)
	if err == nil && s.dim != dtype.Invalid && low != dtype.Invalid {
		steps = append(steps, Step{s.dim.String() + " over " + low.String(), Known(d), r})
	}
	return Known(d), steps, err
}

func (t torch) divide(x dtype.Typed) (dtype.Typed, Rule) {
	if x.DType.Is(dtype.Bits) {
		return Known(t.float), Rule{"division of integers", "integers are divided in the default dtype"}
	}
	return x, Rule{"division", "computed in the common dtype"}
}

func (t torch) reduce(r Reduction, x dtype.Typed) (dtype.Typed, Rule) {
	switch {
	case r == Sum && x.DType.Is(dtype.Bits):
		return Known(dtype.I64), Rule{"sum of integers", "integers and bools are summed in i64"}
	case r == Index:
		return Known(dtype.I64), Rule{"position", "i64"}
	case r == Logical && x.DType == dtype.U8:
		return Known(dtype.U8), Rule{"any, all of bytes", "ui8, as it was before there was a bool dtype"}
	case r == Logical || r == Compare:
		return Known(dtype.I1), Rule{"bool", "a bool"}
	}
	return x, Rule{"reduction", "keeps the dtype"}
}

var torchKernels = sync.OnceValue(func() map[string]section { return sections("torch") })

// torchSame are the operations that do not promote: their operands have one dtype.
var torchSame = map[string]string{
	"matmul":    "dot : expected both vectors to have same dtype, but found %s and %s",
	"tensordot": "both inputs should have same dtype, but found %s and %s",
	"lerp":      "expected dtype %s for `end` but got dtype %s",
}

func (t torch) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if op == "rtrue_divide" && len(xs) == 2 {
		return t.reflectedDivide(xs[0], xs[1])
	}
	d, steps, err := t.common(op, xs)
	if err != nil || op == "float_power" || op == "pow" && len(xs) == 2 && torchTrivialPower(xs) {
		return d, steps, err
	}
	return t.compute(op, len(xs) == 1, d.DType, steps)
}

// reflectedDivide: a number divided by a tensor is the tensor's reciprocal
// times the number. Source: torch/_tensor.py __rtruediv__.
func (t torch) reflectedDivide(number, x Operand) (dtype.Typed, []Step, error) {
	r, steps, err := t.compute("reciprocal", true, x.DType, nil)
	if err != nil {
		return r, steps, err
	}
	r, more, err := t.operate("mul", []Operand{{Typed: r, Rank: x.Rank}, number})
	return r, append(steps, more...), err
}

// torchTrivialPower reports whether a power is 1 or its base whatever the
// dtype: such a one is filled or copied, not computed. Source:
// aten/src/ATen/native/Pow.cpp.
func torchTrivialPower(xs []Operand) bool {
	base, exponent := numberOf(xs[0].Literal), numberOf(xs[1].Literal)
	_, truth := xs[0].Literal.(bool) // True is not taken for the base 1
	return base == 1 && !truth || exponent == 1 || xs[1].Literal != nil && exponent == 0
}

// numberOf returns a literal as a float, 0 where there is none; a complex
// number is its real part where it has no other, else nan.
func numberOf(v any) float64 {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
	case int:
		return float64(v)
	case float64:
		return v
	case complex128:
		if imag(v) == 0 {
			return real(v)
		}
		return math.NaN()
	}
	return 0
}

// common returns the dtype in which an operation is computed.
func (t torch) common(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		return xs[0].Typed, nil, nil
	}
	if err := torchRefuses(op, xs); err != nil {
		return dtype.Typed{}, nil, err
	}
	if op == "float_power" {
		return t.floatPower(xs)
	}
	return t.resolve(xs)
}

// torchRefuses is what an operation says of its operands before it promotes.
func torchRefuses(op string, xs []Operand) error {
	if text, ok := torchSame[op]; ok && xs[0].DType != xs[1].DType {
		return refuse(op, "RuntimeError", text, torchName(xs[0].DType), torchName(xs[1].DType))
	}
	if op == "maximum" && slices.ContainsFunc(xs, func(x Operand) bool { return x.DType.Is(dtype.Complex) }) {
		return refuse(op, "TypeError", "maximum not implemented for complex tensors.")
	}
	if op == "sub" && slices.ContainsFunc(xs, func(x Operand) bool { return x.DType == dtype.I1 }) {
		return refuse(op, "NotImplementedError", "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
	}
	return nil
}

// floatPower computes in f64 or c128 whatever it gets.
func (t torch) floatPower(xs []Operand) (dtype.Typed, []Step, error) {
	d := dtype.F64
	for _, x := range xs {
		if x.DType.Is(dtype.Complex) {
			d = dtype.C128
		}
	}
	return Known(d), []Step{{operands(xs), Known(d), Rule{"double precision", "computed in f64, or in c128 where an operand is complex"}}}, nil
}

// compute returns the result of the operation at the dtype d.
func (t torch) compute(op string, unary bool, d dtype.DType, steps []Step) (dtype.Typed, []Step, error) {
	part := torchKernels()[""]
	if unary {
		part = torchKernels()["unary"]
	}
	k, ok := part[op]
	if !ok {
		return dtype.Typed{}, steps, unnamed("torch", op)
	}
	r, err := k.at(op, Known(d), torchName)
	if err != nil {
		return dtype.Typed{}, steps, err
	}
	if d.Is(dtype.Bits) && r.DType == dtype.F32 {
		r.DType = t.float
	}
	return r, append(steps, kernelStep(op, Known(d), r)), nil
}

// assign: the dtype in which the operation is computed must be one that may be
// stored in the first operand; a comparison computes a bool.
func (t torch) assign(op string, into, x Operand) (dtype.Typed, []Step, error) {
	plain := strings.TrimSuffix(op, "_")
	switch plain {
	case "copy":
		return Known(into.DType), []Step{{op, Known(into.DType), Rule{"copied", "a copy casts whatever it gets"}}}, nil
	case "div":
		plain = "true_divide"
	}
	d, steps, err := t.common(plain, []Operand{into, x})
	if err != nil {
		return d, steps, err
	}
	if plain == "true_divide" {
		d, _ = t.divide(d)
	}
	if ok, _ := torchCanCast(d.DType, into.DType, ""); !ok && plain != "lt" {
		return dtype.Typed{}, steps, refuse(op, "RuntimeError", "result type %s can't be cast to the desired output type %s", torchName(d.DType), torchName(into.DType))
	}
	if plain != "pow" || !torchTrivialPower([]Operand{into, x}) {
		if _, steps, err = t.compute(plain, false, d.DType, steps); err != nil {
			return dtype.Typed{}, steps, err
		}
	}
	return Known(into.DType), append(steps, Step{d.String() + " into " + into.DType.String(), Known(into.DType), Rule{"stored", "cast to the dtype of the tensor it is stored in"}}), nil
}

// torchCanCast: a category may be stored in itself or a higher one; only bools
// are stored as bool. Source: c10 canCast.
func torchCanCast(from, to dtype.DType, _ string) (bool, error) {
	switch {
	case from.Is(dtype.Complex) && !to.Is(dtype.Complex),
		from.Is(dtype.Floating) && to.Is(dtype.Bits),
		from != dtype.I1 && to == dtype.I1:
		return false, nil
	}
	return true, nil
}

// operands returns xs in words.
func operands(xs []Operand) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = x.String()
	}
	return strings.Join(words, ", ")
}
