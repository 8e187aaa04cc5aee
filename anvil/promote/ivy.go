package promote

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// IvyPrecise and IvyFast implement the promotion rules of the library Ivy with its precise
// mode on and off. The system Ivy follows the mode and the default dtypes in a session's
// settings; outside a session it has the rules of IvyPrecise.
var (
	IvyPrecise = newIvy(IvyMode{Precise: true})
	IvyFast    = newIvy(IvyMode{})
	Ivy        = FollowIvy(func() *System { return IvyPrecise })
)

// An IvyMode holds the parameters of Ivy's systems.
type IvyMode struct {
	Precise             bool        // the common dtype of a float and an integer is wide enough for the integer
	Int, Float, Complex dtype.DType // the default dtypes; Invalid stands for i32, f32 and c64
}

// In returns Ivy's system in mode m. Equal modes have the same *System.
func (m IvyMode) In() *System {
	m.Int, m.Float, m.Complex = unset(m.Int, dtype.I32), unset(m.Float, dtype.F32), unset(m.Complex, dtype.C64)
	switch m {
	case IvyMode{Precise: true}:
		return IvyPrecise
	case IvyMode{}:
		return IvyFast
	}
	s, _ := ivyModes.LoadOrStore(m, newIvy(m))
	return s.(*System)
}

// unset returns Invalid if d is the standard default dtype, for which Invalid stands in an
// IvyMode, and d otherwise.
func unset(d, standard dtype.DType) dtype.DType {
	if d == standard {
		return dtype.Invalid
	}
	return d
}

var ivyModes sync.Map // from IvyMode to *System

// ivy holds the parameters of one mode; its methods are the mode's rules.
type ivy struct {
	precise              bool
	integer, float, cplx dtype.DType // the default dtypes, never Invalid
}

// newIvy returns the system of a mode.
func newIvy(m IvyMode) *System {
	v := ivy{m.Precise, cmp.Or(m.Int, dtype.I32), cmp.Or(m.Float, dtype.F32), cmp.Or(m.Complex, dtype.C64)}
	name, doc := "ivy-fast", "Ivy out of precise mode: a float keeps its width beside integers"
	if m.Precise {
		name, doc = "ivy-precise", "Ivy's precise mode: a float wide enough for the integer"
	}
	if m != (IvyMode{Precise: m.Precise}) {
		doc += fmt.Sprintf("; default dtypes %s, %s, %s", v.integer, v.float, v.cplx)
	}
	return New(name, doc, tensorflowDTypes, Rules{
		Literal:   v.literal,
		Convert:   ivyConvert,
		Join:      v.join,
		Resolve:   v.resolve,
		Divide:    v.divide,
		Reduce:    numpyReduce,
		Operate:   v.operate,
		CanCast:   v.canCast,
		Numbers:   v.checkNumbers,
		Framework: "ivy",
	})
}

// checkNumbers returns an error if an int among xs does not fit the dtype to which Ivy
// converts it: the dtype of the other operand if that is an integer, even in comparisons and
// float operations. If the other operand is a bool, if it is a complex number raised to the
// int, and in the operation "where", Ivy converts an int to the dtype that literal returns.
func (v ivy) checkNumbers(op string, xs []Operand, _ dtype.Typed) error {
	for i, x := range xs {
		n, isInt := x.Literal.(int)
		if !isInt {
			continue
		}
		otherDType := xs[1-i].DType
		target := dtype.I64
		if n <= math.MaxInt32 {
			target = v.integer
		}
		switch _, err := numpyConvert(n, target); {
		case op == "where" && err != nil:
			return outOfRange.refuse(op, "IvyBackendException", "numpy: where: %s", err.(*Refusal).Reason)
		case op == "pow" && i == 1 && otherDType.Is(dtype.Complex) && err != nil:
			return outOfRange.refuse(op, "IvyBackendException", "numpy: pow: numpy: isinf: %s", err.(*Refusal).Reason)
		case op != "where" && otherDType.Is(dtype.Bits):
			if otherDType != dtype.I1 {
				target = otherDType
			}
			if _, err := ivyConvert(n, target); err != nil {
				return err
			}
		}
	}
	return nil
}

// ivyConvert is numpyConvert with Ivy's error, which quotes NumPy's.
func ivyConvert(v any, d dtype.DType) (any, error) {
	x, err := numpyConvert(v, d)
	if refusal, ok := err.(*Refusal); ok {
		return nil, refusal.cause.refuse("promote_types_of_inputs", "IvyBackendException",
			"numpy: promote_types_of_inputs: %s", refusal.Reason)
	}
	return x, err
}

// ivyName is the name of the systems that follow settings.
const ivyName = "ivy"

// FollowIvy returns a system that calls current at each use and applies the rules of the
// system that current returns. A session uses it to follow its settings.
func FollowIvy(current func() *System) *System {
	rules := newIvy(IvyMode{Precise: true}).rules
	rules.Literal = func(v any) (dtype.Typed, error) { return current().rules.Literal(v) }
	rules.Join = func(a, b Operand) (dtype.Typed, Rule, error) { return current().rules.Join(a, b) }
	rules.Resolve = func(xs []Operand) (dtype.Typed, []Step, error) { return current().rules.Resolve(xs) }
	rules.Divide = func(t dtype.Typed) (dtype.Typed, Rule) { return current().rules.Divide(t) }
	rules.Operate = func(op string, xs []Operand) (dtype.Typed, []Step, error) {
		return current().rules.Operate(op, xs)
	}
	rules.Numbers = func(op string, xs []Operand, t dtype.Typed) error { return current().rules.Numbers(op, xs, t) }
	rules.CanCast = func(from, to dtype.DType, rule string) (bool, error) {
		return current().rules.CanCast(from, to, rule)
	}
	return New(ivyName, "Ivy as the session has set it: it starts in precise mode", tensorflowDTypes, rules)
}

// Follows reports whether s follows the settings of a session: each operation applies the
// rules of the mode that is set when it is called.
func (s *System) Follows() bool { return s.name == ivyName }

// literal returns the dtype of a number: the default dtype of its kind, but i64 for an int
// above the range of i32, f64 for a float outside the range of f32, and c128 for a complex
// number with both parts outside it.
func (v ivy) literal(x any) (dtype.Typed, error) {
	switch n := x.(type) {
	case int:
		if n > math.MaxInt32 {
			return Amb(dtype.I64), nil
		}
	case float64:
		if beyondF32(n) {
			return Amb(dtype.F64), nil
		}
	case complex128:
		if beyondF32(real(n)) && beyondF32(imag(n)) {
			return Amb(dtype.C128), nil
		}
	}
	return numberDType(x, v.integer, v.float, v.cplx)
}

// beyondF32 reports whether v is outside the range that Ivy counts as f32's: |v| is finite
// and above the largest f32, or 0 < |v| < 2^-127.
// Source: _check_float64 in ivy/functional/ivy/data_type.py.
func beyondF32(v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	_, exponent := math.Frexp(v)
	return math.Abs(v) > 3.4028235e38 || exponent < -126 || exponent > 128
}

// divide returns the dtype of a division: integers are divided in the default float.
func (v ivy) divide(t dtype.Typed) (dtype.Typed, Rule) {
	if t.DType.Is(dtype.Bits) {
		d := v.float.String()
		return Known(v.float), Rule{ivyDivision.Name + " in " + d, ivyDivision.Doc + ", " + d}
	}
	return t, ruleDivision
}

var (
	ivyBools   = Rule{"number beside bools", "a bool array takes on the default dtype of the number's kind"}
	ivyComplex = Rule{"complex number in c128", "a complex number makes an array of integers or floats c128"}
	ivyDouble  = Rule{"float number in f64",
		"a float number makes an array of integers f64, in precise mode and out of it"}
	ivyDivision = Rule{"division of integers", "integers are divided in the default float"}
)

// join returns the common dtype of two operands and the rule that gives it: the rule of
// ivyScalar for an array with a number, else one of the mode's promotion table.
func (v ivy) join(a, b Operand) (dtype.Typed, Rule, error) {
	a, b = knownFirst(a, b)
	if b.Ambiguous && !a.Ambiguous {
		return ivyScalar(a.DType, b.DType)
	}
	x, y := a.DType, b.DType
	if !ivyDTypes[x] || !ivyDTypes[y] {
		return dtype.Typed{}, Rule{},
			noCommonDType.refuse("promote_types", "IvyException", "these dtypes (%s and %s) are not type promotable",
				x.Long(), y.Long())
	}
	w := ivyFastWidths
	if v.precise {
		w = ivyWidths
	}
	d, r := w.join(x, y)
	if a.Ambiguous { // then b is ambiguous too; Ivy's results are always known
		r.Name, r.Doc = r.Name+", known", r.Doc+"; the result is known"
	}
	return Known(d), r, nil
}

// ivyDTypes are Ivy's dtypes, the same as TensorFlow's.
var ivyDTypes = setOf(tensorflowDTypes)

// ivyWidths and ivyFastWidths are Ivy's promotion tables with precise mode on and off.
var ivyWidths, ivyFastWidths = newWidths(dtype.F64, true), newWidths(dtype.F64, false)

// resolve joins xs from the left: Ivy's tables are not associative, so the order matters.
// The result is known even for a single number: Ivy has no ambiguous arrays.
func (v ivy) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	t, steps, err := fold(v.join, xs, true)
	return Known(t.DType), steps, err
}

// ivyScalar returns the common dtype of an array of dtype d and a Python number, whose
// default dtype is number, and the rule that gives it.
func ivyScalar(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case kindRank(number) <= kindRank(d):
		return Known(d), ruleNumber, nil
	case d == dtype.I1:
		return Known(number), ivyBools, nil
	case number.Is(dtype.Complex):
		return Known(dtype.C128), ivyComplex, nil
	}
	return Known(dtype.F64), ivyDouble, nil
}

// ivyNames maps Ivy's names of operations to NumPy's where the names differ.
var ivyNames = map[string]string{"atan2": "arctan2", "concat": "concatenate", "pow": "power", "abs": "absolute",
	"bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift", "divide": "true_divide"}

// notIvyNames are NumPy's names in ivyNames. Ivy has no operations of these names.
var notIvyNames = slices.Sorted(maps.Values(ivyNames))

// operate returns the dtype of the result of op on xs. Ivy converts the operands to their
// common dtype and calls NumPy, its backend. In the few operations in which Ivy does not
// promote, NumPy does.
func (v ivy) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		return ivyUnary(op, xs[0].Typed)
	}
	switch {
	case slices.Contains(notIvyNames, op):
		return dtype.Typed{}, nil, noSuchOperation("ivy", op)
	case op == "stack": // Ivy does not promote here, but NumPy does
		return numpyOperate("concatenate", xs)
	case op == "where" && (xs[0].Ambiguous || xs[1].Ambiguous):
		return v.where(xs)
	}
	if len(xs) > 2 { // Ivy joins all operands first, and calls NumPy with arrays of one dtype
		t, steps, err := v.resolve(xs)
		if err != nil {
			return t, steps, err
		}
		same := Operand{Typed: t, Rank: 1}
		d, more, err := v.operate(op, []Operand{same, same})
		return d, append(steps, more...), err
	}
	join := v.join
	if op == "matmul" { // Ivy does not promote here, but NumPy does
		join = numpyJoin
	}
	t, r, err := join(xs[0], xs[1])
	if err != nil {
		return t, nil, err
	}
	steps := []Step{{listed(xs), t, r}}
	switch {
	case strings.HasPrefix(op, "bitwise_") && !ivyBitwise(xs[0], xs[1], t):
		first, second := ivyTableOrder(xs[0].DType, xs[1].DType) // the error quotes the key of Ivy's table
		return t, steps, refuse(op, "IvyBackendException",
			"numpy: %s: numpy: promote_types_of_inputs: numpy: promote_types: ('%s', '%s')", op, first.Long(),
			second.Long())
	case op == "divide" && t.DType.Is(dtype.Bits):
		d, rule := v.divide(t)
		return d, append(steps, Step{"divide of " + t.String(), d, rule}), nil
	case op == "divide":
		return t, appendKernelStep(steps, op, t, t), nil
	}
	name := op
	if n, ok := ivyNames[op]; ok {
		name = n
	}
	if t.DType == dtype.I1 && op == "floor_divide" {
		return t, append(steps, Step{op + " of " + t.String(), t,
			Rule{"cast back", "the backend's result is cast to the common dtype"}}), nil
	}
	same := Operand{Typed: t, Rank: 1}
	d, more, err := numpyOperate(name, []Operand{same, same})
	if refusal, ok := err.(*Refusal); ok {
		reason := refusal.Reason
		if op == "floor_divide" { // Ivy computes the floor of the quotient
			reason = strings.Replace(reason, "'floor_divide'", "'floor'", 1)
		}
		return d, steps, refuse(op, "IvyBackendException", "numpy: %s: %s", op, reason)
	} else if err != nil { // NumPy has no operation called name
		return d, steps, noSuchOperation("ivy", op)
	}
	return d, append(steps, more...), nil
}

// where returns the dtype of the operation "where" if one of the operands, or both, are numbers.
// Ivy first turns a number into an array of its default dtype.
func (v ivy) where(xs []Operand) (dtype.Typed, []Step, error) {
	arrays, steps := slices.Clone(xs), []Step(nil)
	for i, x := range xs {
		arrays[i] = Operand{Typed: Known(x.DType), Rank: x.Rank}
		if x.Ambiguous {
			steps = append(steps, Step{x.String(), Known(x.DType),
				Rule{"literal, known", "in the function where, a number becomes an array of its default dtype"}})
		}
	}
	t, more, err := v.operate("where", arrays)
	return t, append(steps, more...), err
}

// ivyBitwise reports whether the bitwise operations take operands a and b, whose common
// dtype is t. They do if a and b have one dtype, if the array API standard promotes them, or
// if one of them is a number that is converted to the other's dtype.
func ivyBitwise(a, b Operand, t dtype.Typed) bool {
	numberConverted := a.Ambiguous && t.DType == b.DType || b.Ambiguous && t.DType == a.DType
	return a.DType == b.DType || IvyStandard(a.DType, b.DType) || numberConverted
}

// IvyStandard reports whether Ivy's copy of the array API standard's promotion table has the
// pair a, b. Unlike the standard, the table has f16 and no complex dtypes.
func IvyStandard(a, b dtype.DType) bool {
	isFloat := func(d dtype.DType) bool { return d.Is(dtype.Floating) && d != dtype.BF16 }
	return isFloat(a) && isFloat(b) || a.Is(dtype.Bits) && b.Is(dtype.Bits) &&
		arrayAPILattice.joinDTypes(a, b) != dtype.Invalid
}

// ivyTableOrder returns two dtypes in the order in which they form a key of Ivy's
// promotion tables: by kind and then width, but a float comes before an integer that is
// too wide for it. Source: the promotion tables in ivy/__init__.py.
func ivyTableOrder(a, b dtype.DType) (first, second dtype.DType) {
	if a == dtype.F64 && b == dtype.C64 || a == dtype.C64 && b == dtype.F64 || ivyRank(a) == ivyRank(b) {
		return a, b // the table has a key for either order
	}
	if ivyRank(a) > ivyRank(b) {
		a, b = b, a
	}
	if common, _ := ivyWidths.join(a, b); a.Is(dtype.Integral) && b.Is(dtype.Inexact) && common != b {
		return b, a
	}
	return a, b
}

// ivyRank returns a number that orders dtypes by kind (bool, unsigned integers, signed
// integers, floats, complex dtypes), and within a kind by width.
func ivyRank(d dtype.DType) int {
	order := []dtype.Kind{dtype.Boolean, dtype.Unsigned, dtype.Signed, dtype.Floating, dtype.Complex}
	return slices.IndexFunc(order, d.Is)*1000 + d.Bits()
}

var ivyTable = tableOf("ivy")

// ivyUnary returns the dtype of the result of op on one operand of dtype t.
func ivyUnary(op string, t dtype.Typed) (dtype.Typed, []Step, error) {
	if op == "bitwise_invert" && t.DType.Is(dtype.Inexact) {
		return t, nil, refuse(op, "IvyBackendException",
			"numpy: bitwise_invert: ufunc 'invert' not supported for the input types, and the inputs could not be safely "+
				"coerced to any supported types according to the casting rule ''safe''")
	}
	k, err := ivyTable().kernel("unary", op)
	if err != nil {
		return dtype.Typed{}, nil, err
	}
	r, err := k.at(op, Known(t.DType), dtype.DType.Long)
	if err != nil {
		return r, nil, err
	}
	return r, []Step{kernelStep(op, t, r)}, nil
}

// canCast reports whether to is the common dtype of from and to.
func (v ivy) canCast(from, to dtype.DType, _ string) (bool, error) {
	t, _, err := v.join(Operand{Typed: Known(from)}, Operand{Typed: Known(to)})
	return err == nil && t.DType == to, err
}
