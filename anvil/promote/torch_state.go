package promote

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Undefined is an operand that is not given; PyTorch's promotion skips it.
var Undefined = Operand{}

// Wrap returns the number v as an operand, as PyTorch wraps a number for an operation with a
// tensor: a zero-dimensional tensor of the widest dtype of the number's category, marked as a
// wrapped number. A number of one of Go's sized types has the dtype of its type, and is not
// marked. Wrap panics if v is not a number.
func Wrap(v any) Operand {
	t, err := numberDType(v, dtype.I64, dtype.F64, dtype.C128)
	if err != nil {
		panic(err)
	}
	return Operand{Typed: t, Literal: v}
}

// Wrapped reports whether x is a number without a dtype of its own.
func (x Operand) Wrapped() bool { return x.Literal != nil && (x.Ambiguous || x.DType == dtype.I1) }

// literal returns the dtype of a number, by its category: i64, the default dtype, or
// the complex dtype with parts of the default dtype.
func (t TorchRules) literal(v any) (dtype.Typed, error) {
	return numberDType(v, dtype.I64, t.Default, t.complexOf(t.Default))
}

// complexOf returns the complex dtype with parts of the float d. For bf16 it returns c64,
// since the thirteen dtypes have no complex dtype of two bf16.
func (t TorchRules) complexOf(d dtype.DType) dtype.DType {
	switch d {
	case dtype.F16:
		return dtype.C32
	case dtype.F64:
		return dtype.C128
	}
	return dtype.C64
}

// toComplex is complexOf for the dtype of a tensor, with PyTorch's errors.
func (t TorchRules) toComplex(d dtype.DType) (dtype.DType, error) {
	switch {
	case d.Bits() < 16:
		return dtype.Invalid, noCommonDType.refuse("result_type", "RuntimeError", "Unknown Complex ScalarType for %s",
			TorchName(d))
	case d == dtype.BF16 && t.Wide:
		return dtype.BC32, nil
	}
	return t.complexOf(d), nil
}

// A TorchState holds the common dtype so far of each class of operands: tensors with
// dimensions, zero-dimensional tensors, and wrapped numbers. The dtype of a class without
// operands is Invalid. Source: ResultTypeState in aten/src/ATen/native/TypeProperties.h.
type TorchState struct{ Dim, Zero, Wrapped dtype.DType }

// String returns the three classes: "dim i32, zero f64, wrapped -".
func (s TorchState) String() string {
	text := func(d dtype.DType) string {
		if d == dtype.Invalid {
			return "-"
		}
		return d.String()
	}
	return "dim " + text(s.Dim) + ", zero " + text(s.Zero) + ", wrapped " + text(s.Wrapped)
}

// torchClasses has a rule for each class of operands, those of higher precedence first.
var torchClasses = [...]Rule{
	{"tensors with dimensions", "promoted first, among themselves"},
	{"zero-dimensional tensors", "promoted next, among themselves"},
	{"plain numbers", "promoted last, among themselves"},
}

// class returns a pointer to the dtype in s of x's class, and the rule of the class.
func (s *TorchState) class(x Operand) (*dtype.DType, Rule) {
	switch {
	case x.Rank > 0:
		return &s.Dim, torchClasses[0]
	case x.Wrapped():
		return &s.Wrapped, torchClasses[2]
	}
	return &s.Zero, torchClasses[1]
}

// classIndex returns the index in torchClasses of the class of r, a rule that classReason
// returned.
func classIndex(r Rule) int {
	return slices.IndexFunc(torchClasses[:], func(c Rule) bool { return c.Name == r.Name })
}

// classReason returns r, the rule of a class, with the reason for the dtype that the class has
// after an operand of dtype d joined it. before is the dtype that the class had until then, or
// Invalid for the first operand of the class.
func classReason(r Rule, before, d dtype.DType) Rule {
	switch {
	case before == dtype.Invalid && r == torchClasses[2] && d.Is(dtype.Complex):
		r.Doc += "; a complex number counts as the complex dtype of the default dtype"
	case before == dtype.Invalid && r == torchClasses[2] && d.Is(dtype.Floating):
		r.Doc += "; a float counts as the default dtype"
	case before == dtype.Invalid:
	case before == d:
		r.Doc += "; both have this dtype"
	case kindRank(before) != kindRank(d) && !(before.Is(dtype.Inexact) && d.Is(dtype.Inexact)):
		r.Doc += "; the higher kind wins (bool < integer < float < complex)"
	case before.Is(dtype.Complex) || d.Is(dtype.Complex):
		r.Doc += "; complex, with parts as wide as the wider float of both"
	case before.Is(dtype.Floating) && before.Bits() == d.Bits():
		r.Doc += "; neither float holds the values of the other, f32 holds both"
	case before.Is(dtype.Unsigned) != d.Is(dtype.Unsigned):
		r.Doc += "; the narrowest signed integer that holds both"
	default:
		r.Doc += "; the wider of the two"
	}
	return r
}

// joinPair returns the common dtype of two operands and the rule that gives it. For two tensors
// with dimensions it does without a TorchState, which is faster.
func (t TorchRules) joinPair(a, b Operand) (dtype.Typed, Rule, error) {
	haveDimensions := a.Rank > 0 && b.Rank > 0 && a.Literal == nil && b.Literal == nil
	if haveDimensions && a.DType != dtype.Invalid && b.DType != dtype.Invalid {
		d, err := t.Promote(a.DType, b.DType)
		return Known(d), torchOnly, err
	}
	var s TorchState
	_, r, err := t.join(&s, a)
	if err == nil {
		_, r, err = t.join(&s, b)
	}
	var d dtype.DType
	if err == nil {
		d, r, err = t.result(s)
	}
	return Known(d), r, err
}

// Update returns s with x joined into its class, and the rule of the class. An undefined
// x does not change s.
func (t TorchRules) Update(s TorchState, x Operand) (TorchState, Rule, error) {
	if x.DType == dtype.Invalid {
		return s, Rule{"undefined", "an operand that is not given is skipped"}, nil
	}
	_, r, err := t.join(&s, x)
	return s, r, err
}

// join joins x into its class in s, and returns the new dtype and the rule of the class. It
// returns Invalid for an undefined x.
func (t TorchRules) join(s *TorchState, x Operand) (dtype.DType, Rule, error) {
	if x.DType == dtype.Invalid {
		return dtype.Invalid, Rule{}, nil
	}
	if !t.knows(x.DType) {
		return dtype.Invalid, Rule{}, torchUnknown(x.DType)
	}
	class, r := s.class(x)
	d := t.Current(x)
	if *class == dtype.Invalid {
		*class = d
		return d, r, nil
	}
	d, err := t.Promote(*class, d)
	*class = d
	return d, r, err
}

// Current returns the dtype with which x promotes: the default dtype for a wrapped float,
// and the complex dtype with parts of the default dtype for a wrapped complex number.
func (t TorchRules) Current(x Operand) dtype.DType {
	switch {
	case !x.Wrapped():
	case x.DType.Is(dtype.Floating):
		return t.Default
	case x.DType.Is(dtype.Complex):
		return t.complexOf(t.Default)
	}
	return x.DType
}

// Result returns the common dtype of the classes in s: it combines the dtype of
// zero-dimensional tensors with that of numbers, and then the dtype of tensors with
// dimensions with the result. It returns a step for each combination of two dtypes.
func (t TorchRules) Result(s TorchState) (dtype.DType, []Step, error) {
	var steps []Step
	combine := func(high, low dtype.DType) (dtype.DType, error) {
		d, r, err := t.Combine(high, low)
		if err == nil && high != dtype.Invalid && low != dtype.Invalid {
			steps = append(steps, Step{high.String() + " beside " + low.String(), Known(d), r})
		}
		return d, err
	}
	low, err := combine(s.Zero, s.Wrapped)
	if err != nil {
		return dtype.Invalid, steps, err
	}
	d, err := combine(s.Dim, low)
	return d, steps, err
}

// result is Result with the last rule in place of the steps. It does not allocate.
func (t TorchRules) result(s TorchState) (dtype.DType, Rule, error) {
	low, _, err := t.Combine(s.Zero, s.Wrapped)
	if err != nil {
		return low, Rule{}, err
	}
	return t.Combine(s.Dim, low)
}

// torchOrder is the order of the classes of operands.
const torchOrder = "(numbers < zero-dimensional tensors < tensors with dimensions)"

// The rules of combine_categories, in the order in which they are tried.
var (
	torchOnly = Rule{"one class",
		"all operands are of one class: tensors with dimensions, zero-dimensional tensors, or numbers"}
	torchComplex = Rule{"complex stays", "a complex dtype stays beside operands of a lower class " + torchOrder}
	torchFloat   = Rule{"float stays", "a float dtype stays beside operands of a lower class " + torchOrder +
		", unless these are complex"}
	torchLift = Rule{"float made complex", "a complex operand of a lower class " + torchOrder +
		" makes a float complex: the parts have the float's dtype, or f32 if there is no such complex dtype"}
	torchLower = Rule{"complex beside integers",
		"integers and bools take the dtype of a complex operand of a lower class " + torchOrder}
	torchTable = Rule{"higher kind",
		"the operand of the lower class " + torchOrder + " is of a higher kind (bool < integer < float < complex): " +
			"its dtype is the result"}
	torchCategory = Rule{"kind stays", "an operand of a lower class " + torchOrder + " changes the dtype only if " +
		"its kind is higher (bool < integer < float < complex)"}
)

// Combine implements PyTorch's combine_categories. It returns the common dtype of a class of
// operands with the dtype high and a class of lower precedence with the dtype low, and the rule
// that gives it. The dtype of a class without operands is Invalid.
func (t TorchRules) Combine(high, low dtype.DType) (dtype.DType, Rule, error) {
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
	case high == dtype.I1 && low != dtype.I1 || low.Is(dtype.Floating):
		d, err := t.Promote(high, low)
		return d, torchTable, err
	}
	return high, torchCategory, nil
}

// CombineCategories is TorchRules.Combine under Torch, without the rule. It panics if there is
// no common dtype.
func CombineCategories(high, low dtype.DType) dtype.DType {
	d, _, err := Torch.rules.Torch.Combine(high, low)
	if err != nil {
		panic(err)
	}
	return d
}

// Categories returns the table of CombineCategories. The rows are of the higher class.
func Categories() Table {
	t := Table{System: Torch, Rows: Torch.DTypes(), Cols: Torch.DTypes(),
		Title: "combine_categories: the row is the dtype of a higher class, the column that of a lower one " + torchOrder}
	for _, high := range t.Rows {
		row := make([]Cell, len(t.Cols))
		for i, low := range t.Cols {
			d, r, err := Torch.rules.Torch.Combine(high, low)
			row[i] = Cell{Known(d), r, err}
		}
		t.Cells = append(t.Cells, row)
	}
	return t
}

// Promote implements PyTorch's promote_types. It returns the common dtype of a and b, or
// Invalid if one of them is Invalid.
func (t TorchRules) Promote(a, b dtype.DType) (dtype.DType, error) {
	if a == dtype.Invalid || b == dtype.Invalid {
		return dtype.Invalid, nil
	}
	for _, d := range [...]dtype.DType{a, b} {
		if !t.knows(d) {
			return dtype.Invalid, torchUnknown(d)
		}
	}
	d := torchLattice.joinDTypes(a, b)
	if d != dtype.Invalid && !unsignedWithComplex(a, b) && !unsignedWithComplex(b, a) {
		return d, nil
	}
	return dtype.Invalid, torchRefusal(a, b)
}

// Promote returns the common dtype of a and b, as PyTorch's promote_types does: Invalid
// if one of them is Invalid. It panics if there is none.
func (s *System) Promote(a, b dtype.DType) dtype.DType {
	if a == dtype.Invalid || b == dtype.Invalid {
		return dtype.Invalid
	}
	return s.Common(Known(a), Known(b)).DType
}

// knows reports whether d is one of the system's dtypes.
func (t TorchRules) knows(d dtype.DType) bool { return t.Wide || torchThirteen[d] }

var torchThirteen = setOf(torchDTypes)

// torchUnknown returns the error that Torch does not have d.
func torchUnknown(d dtype.DType) error {
	return noCommonDType.refuse("promote_types", "RuntimeError",
		"%s is not one of the thirteen dtypes of PyTorch's promotion table; promote.TorchExt has the other dtypes of "+
			"PyTorch 2.15", TorchName(d))
}

// unsignedWithComplex reports whether a is an unsigned dtype wider than a byte and b is
// complex. These have no common dtype, although both have one with floats.
func unsignedWithComplex(a, b dtype.DType) bool {
	return a.Is(dtype.Unsigned) && a != dtype.U8 && b.Is(dtype.Complex)
}

// torchRefusal returns the error that a and b have no common dtype.
func torchRefusal(a, b dtype.DType) error {
	x, y := TorchName(a), TorchName(b)
	has := func(is func(dtype.DType) bool) bool { return is(a) || is(b) }
	switch {
	case has(func(d dtype.DType) bool { return strings.HasPrefix(d.String(), "q") }):
		return noCommonDType.refuse("promote_types", "RuntimeError",
			"promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, "+
				"offending types: %s %s", x, y)
	case has(func(d dtype.DType) bool { return strings.HasPrefix(d.String(), "bits") }):
		return noCommonDType.refuse("promote_types", "RuntimeError", "Promotion from %s and %s is unsupported.", x, y)
	case has(func(d dtype.DType) bool { return d.Is(dtype.Floating) && d.Bits() < 16 && d.String() != "f4e2m1fn_x2" }):
		return noCommonDType.refuse("promote_types", "RuntimeError",
			"Promotion for Float8 Types is not supported, attempted to promote %s and %s", x, y)
	case has(func(d dtype.DType) bool { return d.Is(dtype.Unsigned) && d != dtype.U8 }):
		return noCommonDType.refuse("promote_types", "RuntimeError",
			"Promotion for uint16, uint32, uint64 types is not supported, attempted to promote %s and %s", x, y)
	}
	// One of the two dtypes is not in PyTorch's table, and the assertion on its index fails.
	missing, line := "ix_a", 103 // the variable in the assertion, and its line
	if torchThirteen[a] || a == dtype.BC32 {
		missing, line = "ix_b", 105
	}
	return noCommonDType.refuse("promote_types", "RuntimeError",
		"%s != -1 INTERNAL ASSERT FAILED at \"/__w/pytorch/pytorch/c10/core/ScalarType.cpp\":%d, please report a bug to "+
			"PyTorch.", missing, line)
}

// resolve joins the operands of each class, and combines the classes. The step of the second
// operand of a class names the first operand too, and so replaces the step of the first.
func (t TorchRules) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	var s TorchState
	var steps []Step
	for _, x := range xs {
		class, _ := s.class(x)
		before := *class
		d, r, err := t.join(&s, x)
		if err != nil {
			return dtype.Typed{}, steps, err
		}
		if d == dtype.Invalid {
			continue
		}
		step := Step{x.String(), Known(d), classReason(r, before, t.Current(x))}
		if before == dtype.Invalid {
			steps = append(steps, step)
			continue
		}
		step.Operands = before.String() + " with " + step.Operands
		firstOfClass := slices.IndexFunc(steps, func(s Step) bool {
			return s.Rule.Name == r.Name && !strings.Contains(s.Operands, " with ") // a step of one operand
		})
		if firstOfClass >= 0 {
			steps[firstOfClass] = step
		} else {
			steps = append(steps, step)
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return classIndex(a.Rule) - classIndex(b.Rule) })
	d, more, err := t.Result(s)
	if err == nil && d == dtype.Invalid {
		err = noCommonDType.refuse("result_type", "RuntimeError", "every operand is undefined; there is no dtype to give")
	}
	return Known(d), append(steps, more...), err
}
