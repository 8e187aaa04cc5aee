package promote

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// IvyPrecise and IvyFast are Ivy in and out of its precise mode. Ivy is Ivy as
// a session has set it: there, it follows the mode and the default dtypes of
// the session's settings; without one it is as it starts, precise.
var (
	IvyPrecise = newIvy(IvyMode{Precise: true})
	IvyFast    = newIvy(IvyMode{})
	Ivy        = FollowIvy(func() *System { return IvyPrecise })
)

// An IvyMode is what varies in Ivy: whether a float is made wide enough for an
// integer that it meets, and the default dtypes, where Invalid stands for i32,
// f32 and c64.
type IvyMode struct {
	Precise             bool
	Int, Float, Complex dtype.DType
}

// In returns Ivy in this mode. Equal modes have the same system.
func (m IvyMode) In() *System {
	m.Int, m.Float, m.Complex = unlessFirst(m.Int, dtype.I32), unlessFirst(m.Float, dtype.F32), unlessFirst(m.Complex, dtype.C64)
	switch m {
	case IvyMode{Precise: true}:
		return IvyPrecise
	case IvyMode{}:
		return IvyFast
	}
	s, _ := ivyModes.LoadOrStore(m, newIvy(m))
	return s.(*System)
}

var ivyModes sync.Map // systems by IvyMode, of which there are few

// unlessFirst returns d, or Invalid where it is what Ivy starts with.
func unlessFirst(d, first dtype.DType) dtype.DType {
	if d == first {
		return dtype.Invalid
	}
	return d
}

func orFirst(d, first dtype.DType) dtype.DType {
	if d == dtype.Invalid {
		return first
	}
	return d
}

// ivy holds the rules of one mode, its default dtypes filled in.
type ivy struct {
	precise             bool
	integer, float, cpl dtype.DType
}

func newIvy(m IvyMode) *System {
	v := ivy{m.Precise, orFirst(m.Int, dtype.I32), orFirst(m.Float, dtype.F32), orFirst(m.Complex, dtype.C64)}
	name, doc := "ivy-fast", "Ivy out of precise mode: a float keeps its width beside integers"
	if m.Precise {
		name, doc = "ivy-precise", "Ivy's precise mode: a float wide enough for the integer"
	}
	if m.Int|m.Float|m.Complex != dtype.Invalid {
		doc += fmt.Sprintf("; default dtypes %s, %s, %s", v.integer, v.float, v.cpl)
	}
	return New(name, doc, tensorflowDTypes, Rules{ // the same fifteen
		Literal: v.literal,
		Convert: ivyConvert,
		Join:    v.join,
		Resolve: v.resolve,
		Divide:  v.divide,
		Reduce:  numpyReduce,
		Operate: v.operate,
		CanCast: func(from, to dtype.DType, _ string) (bool, error) { return v.canCast(from, to) },
		Numbers: v.numbers,
		Values:  ivyValues(),
	})
}

// ivyValues: NumPy is Ivy's backend here. Negative powers of integers are computed
// as floats, and errors have names of their own.
func ivyValues() *Values {
	v := *numpyValues
	v.Floor, v.Tie, v.Power, v.Defaults = FloorPlain, TieOrder, PowerFloat, true
	v.Faults = map[Fault]*Refusal{InfinitePower: refusal("pow", "IvyValueError", "numpy: pow: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")}
	for f, no := range numpyValues.Faults {
		switch f {
		case NegativePower, NegativeNumber:
		case NoMinimum:
			v.Faults[f] = no // which Ivy lets through
		case Singular, SingularSystem, NotPositive, NotFinite, NotFiniteEquation: // a LinAlgError is a ValueError
			v.Faults[f] = refusal(no.Op, "IvyValueError", "numpy: "+no.Op+": "+no.Reason)
		default:
			v.Faults[f] = refusal(no.Op, "Ivy"+no.Kind, "numpy: "+no.Op+": "+no.Reason)
		}
	}
	return &v
}

// numbers: a number beside integers is made one of their dtype, also where they
// are compared, or computed as floats. One that where chooses, or beside bools, is
// made one of its default dtype; and a power of complex numbers asks first whether
// it is infinite.
func (v ivy) numbers(op string, xs []Operand, _ dtype.Typed) error {
	for i, x := range xs {
		n, ok := x.Literal.(int)
		beside := xs[len(xs)-1-i].DType
		own := dtype.I64
		if ok && n <= math.MaxInt32 {
			own = v.integer
		}
		switch _, err := numpyConvert(n, own); {
		case !ok:
		case op == "where" && err != nil:
			return refuse(op, "IvyBackendException", "numpy: where: %s", err.(*Refusal).Reason)
		case op == "pow" && i == 1 && beside.Is(dtype.Complex) && err != nil:
			return refuse(op, "IvyBackendException", "numpy: pow: numpy: isinf: %s", err.(*Refusal).Reason)
		case op != "where" && beside.Is(dtype.Bits):
			if beside != dtype.I1 {
				own = beside
			}
			if _, err := ivyConvert(n, own); err != nil {
				return err
			}
		}
	}
	return nil
}

// ivyConvert is NumPy's, Ivy's backend here, which Ivy's error quotes.
func ivyConvert(v any, d dtype.DType) (any, error) {
	x, err := numpyConvert(v, d)
	if no, ok := err.(*Refusal); ok {
		return nil, refuse("promote_types_of_inputs", "IvyBackendException", "numpy: promote_types_of_inputs: %s", no.Reason)
	}
	return x, err
}

// ivyName is the name of the systems that follow settings.
const ivyName = "ivy"

// FollowIvy returns a system that is at each use the one that now returns: Ivy
// in the mode of that moment. A session has one, which follows its settings.
func FollowIvy(now func() *System) *System {
	rules := newIvy(IvyMode{Precise: true}).rules
	rules.Literal = func(v any) (dtype.Typed, error) { return now().rules.Literal(v) }
	rules.Join = func(a, b Operand) (dtype.Typed, Rule, error) { return now().rules.Join(a, b) }
	rules.Resolve = func(xs []Operand) (dtype.Typed, []Step, error) { return now().rules.Resolve(xs) }
	rules.Divide = func(t dtype.Typed) (dtype.Typed, Rule) { return now().rules.Divide(t) }
	rules.Operate = func(op string, xs []Operand) (dtype.Typed, []Step, error) { return now().rules.Operate(op, xs) }
	rules.Numbers = func(op string, xs []Operand, t dtype.Typed) error { return now().rules.Numbers(op, xs, t) }
	rules.CanCast = func(from, to dtype.DType, rule string) (bool, error) { return now().rules.CanCast(from, to, rule) }
	return New(ivyName, "Ivy as the session has set it: it starts in precise mode", tensorflowDTypes, rules)
}

// Follows reports whether s follows the settings of a session: a library under
// it computes under the mode that is set when an operation is written.
func (s *System) Follows() bool { return s.name == ivyName }

// literal: a number by itself has Ivy's default dtypes; a whole number beyond
// 32 bits is i64, a float beyond f32 is f64.
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
	return defaultOf(x, v.integer, v.float, v.cpl)
}

// beyondF32 reports whether f32 does not hold v as a normal number.
func beyondF32(v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	_, e := math.Frexp(v)
	return math.Abs(v) > 3.4028235e38 || e < -126 || e > 128
}

// divide: integers are divided in the default float.
func (v ivy) divide(t dtype.Typed) (dtype.Typed, Rule) {
	if t.DType.Is(dtype.Bits) {
		return Known(v.float), Rule{ivyDivision.Name + " in " + v.float.String(), ivyDivision.Doc + ", " + v.float.String()}
	}
	return t, Rule{"division", "computed in the common dtype"}
}

var (
	ivyNumber   = Rule{"number", "the number takes the array's dtype where its kind is not higher"}
	ivyBools    = Rule{"number beside bools", "a bool array takes on the default dtype of the number's kind"}
	ivyComplex  = Rule{"complex number in c128", "a complex number makes any array but c64 c128"}
	ivyDouble   = Rule{"float number in f64", "a number with a fraction makes an integer array f64, in either mode"}
	ivyDivision = Rule{"division of integers", "integers are divided in the default float"}
)

func (v ivy) join(a, b Operand) (dtype.Typed, Rule, error) {
	if a.Ambiguous && !b.Ambiguous {
		a, b = b, a
	}
	if b.Ambiguous && !a.Ambiguous {
		return ivyScalar(a.DType, b.DType)
	}
	x, y := a.DType, b.DType
	if !ivyHas[x] || !ivyHas[y] {
		return dtype.Typed{}, Rule{}, refuse("promote_types", "IvyException", "these dtypes (%s and %s) are not type promotable", x.Long(), y.Long())
	}
	w := ivyFastWidths
	if v.precise {
		w = ivyWidths
	}
	d, r := w.join(x, y)
	if a.Ambiguous { // both are; the result is not, as nothing is in Ivy
		r.Name += ", known"
	}
	return Known(d), r, nil
}

// ivyHas are Ivy's dtypes.
var ivyHas = func() (has [256]bool) {
	for _, d := range tensorflowDTypes {
		has[d] = true
	}
	return has
}()

// Ivy's tables are rules of widths: its precise mode makes a float wide enough
// for an integer.
var ivyWidths, ivyFastWidths = newWidths(64, dtype.F64, true), newWidths(64, dtype.F64, false)

// resolve joins from the left, which matters: the tables are not associative.
// No array of Ivy's is ambiguous, not even one of a number.
func (v ivy) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	t, steps, err := (&System{rules: Rules{Join: v.join}}).fold(xs, true)
	return Known(t.DType), steps, err
}

// ivyScalar returns the dtype of an array of d beside a Python number.
func ivyScalar(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case kindRank(number) <= kindRank(d):
		return Known(d), ivyNumber, nil
	case d == dtype.I1:
		return Known(number), ivyBools, nil
	case number.Is(dtype.Complex):
		return Known(dtype.C128), ivyComplex, nil
	}
	return Known(dtype.F64), ivyDouble, nil
}

// ivyNames are the operations that NumPy, Ivy's backend here, calls otherwise.
var ivyNames = map[string]string{"atan2": "arctan2", "concat": "concatenate", "pow": "power", "abs": "absolute",
	"bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift", "divide": "true_divide"}

// ivyLacks are names of NumPy's that are none of Ivy's.
var ivyLacks = slices.Sorted(maps.Values(ivyNames))

func (v ivy) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		return ivyUnary(op, xs[0].Typed)
	}
	switch {
	case slices.Contains(ivyLacks, op):
		return dtype.Typed{}, nil, unnamed("ivy", op)
	case op == "stack": // not promoted by Ivy, so by its backend
		return numpyOperate("concatenate", xs)
	case op == "where" && (xs[0].Ambiguous || xs[1].Ambiguous):
		return v.where(xs)
	}
	var t dtype.Typed
	var r Rule
	var err error
	if len(xs) > 2 {
		return v.several(op, xs)
	}
	if op == "matmul" { // not promoted by Ivy, so by its backend
		t, r, err = numpyJoin(xs[0], xs[1])
	} else {
		t, r, err = v.join(xs[0], xs[1])
	}
	if err != nil {
		return t, nil, err
	}
	steps := []Step{{operands(xs), t, r}}
	switch {
	case strings.HasPrefix(op, "bitwise_") && ivyBits(xs[0], xs[1], t):
		first, second := ivyQuery(xs[0].DType, xs[1].DType)
		return t, steps, refuse(op, "IvyBackendException", "numpy: %s: numpy: promote_types_of_inputs: numpy: promote_types: ('%s', '%s')", op, first.Long(), second.Long())
	case op == "divide" && t.DType.Is(dtype.Bits):
		d, rule := v.divide(t)
		return d, append(steps, Step{"divide of " + t.String(), d, rule}), nil
	case op == "divide":
		return t, append(steps, kernelStep(op, t, t)), nil
	}
	name := op
	if n, ok := ivyNames[op]; ok {
		name = n
	}
	if t.DType == dtype.I1 && op == "floor_divide" {
		return t, append(steps, Step{op + " of " + t.String(), t, Rule{"cast back", "the backend's result is cast to the common dtype"}}), nil
	}
	same := Operand{Typed: t, Rank: 1}
	d, more, err := numpyOperate(name, []Operand{same, same})
	if no, refused := err.(*Refusal); refused {
		if op == "floor_divide" { // the floor of a quotient
			no.Reason = strings.Replace(no.Reason, "'floor_divide'", "'floor'", 1)
		}
		return d, steps, refuse(op, "IvyBackendException", "numpy: %s: %s", op, no.Reason)
	} else if err != nil { // NumPy has no operation of that name
		return d, steps, unnamed("ivy", op)
	}
	return d, append(steps, more...), nil
}

// where makes numbers arrays of their default dtypes, which then promote.
func (v ivy) where(xs []Operand) (dtype.Typed, []Step, error) {
	arrays, steps := slices.Clone(xs), []Step(nil)
	for i, x := range xs {
		if arrays[i] = (Operand{Typed: Known(x.DType), Rank: x.Rank}); x.Ambiguous {
			steps = append(steps, Step{x.String(), Known(x.DType), Rule{"literal, known", "a number that where chooses is an array of its default dtype"}})
		}
	}
	t, more, err := v.operate("where", arrays)
	return t, append(steps, more...), err
}

// ivyBits reports whether the bitwise operations refuse two operands that give t:
// these promote as the standard says. A number of the array's kind is converted.
func ivyBits(a, b Operand, t dtype.Typed) bool {
	if a.DType == b.DType || IvyStandard(a.DType, b.DType) {
		return false
	}
	return !(a.Ambiguous && t.DType == b.DType || b.Ambiguous && t.DType == a.DType)
}

// IvyStandard reports whether two dtypes are together in Ivy's table of the
// standard, which has no complex ones and f16 among the floats.
func IvyStandard(a, b dtype.DType) bool {
	float := func(d dtype.DType) bool { return d.Is(dtype.Floating) && d != dtype.BF16 }
	return float(a) && float(b) || a.Is(dtype.Bits) && b.Is(dtype.Bits) && arrayAPILattice.joinDTypes(a, b) != dtype.Invalid
}

// ivyQuery returns two dtypes in the order in which Ivy's table has them: by their
// kind and then their width, but what an integer is too wide for before it.
// Source: the promotion tables in ivy/__init__.py.
func ivyQuery(a, b dtype.DType) (first, second dtype.DType) {
	if a == dtype.F64 && b == dtype.C64 || a == dtype.C64 && b == dtype.F64 || ivyPlace(a) == ivyPlace(b) {
		return a, b // the table has both orders
	}
	if ivyPlace(a) > ivyPlace(b) {
		a, b = b, a
	}
	if common, _ := ivyWidths.join(a, b); a.Is(dtype.Integral) && b.Is(dtype.Inexact) && common != b {
		return b, a
	}
	return a, b
}

// ivyPlace orders bools, unsigned and signed integers, floats and complex numbers,
// each from narrow to wide.
func ivyPlace(d dtype.DType) int {
	order := []dtype.Kind{dtype.Boolean, dtype.Unsigned, dtype.Signed, dtype.Floating, dtype.Complex}
	return slices.IndexFunc(order, d.Is)*1000 + d.Bits()
}

// several is operate for more than two operands, which are put together.
func (v ivy) several(op string, xs []Operand) (dtype.Typed, []Step, error) {
	t, steps, err := v.resolve(xs)
	if err != nil {
		return t, steps, err
	}
	same := Operand{Typed: t, Rank: 1}
	d, more, err := v.operate(op, []Operand{same, same})
	return d, append(steps, more...), err
}

var ivyTable = sync.OnceValue(func() map[string]section { return sections("ivy") })

func ivyUnary(op string, t dtype.Typed) (dtype.Typed, []Step, error) {
	if op == "bitwise_invert" && t.DType.Is(dtype.Inexact) {
		return t, nil, refuse(op, "IvyBackendException", "numpy: bitwise_invert: ufunc 'invert' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
	}
	k, ok := ivyTable()["unary"][op]
	if !ok {
		return dtype.Typed{}, nil, unnamed("ivy", op)
	}
	r, err := k.at(op, Known(t.DType), dtype.DType.Long)
	if err != nil {
		return r, nil, err
	}
	return r, []Step{kernelStep(op, t, r)}, nil
}

// canCast: a dtype may be cast to what promotion with it gives.
func (v ivy) canCast(from, to dtype.DType) (bool, error) {
	t, _, err := v.join(Operand{Typed: Known(from)}, Operand{Typed: Known(to)})
	return err == nil && t.DType == to, err
}
