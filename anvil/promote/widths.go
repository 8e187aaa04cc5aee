package promote

import "github.com/goanvil/notebook/anvil/dtype"

// widths is the join of systems in which only the kinds and the widths of dtypes matter.
type widths struct {
	beyond      dtype.DType // the join of an unsigned integer of 64 or more bits with a signed one that is not wider
	widensFloat bool        // a float with an integer is made wide enough; else it keeps its width
	onlyC64     bool        // c64 is the only complex dtype
	ruleBeyond  Rule        // the rule that gives beyond
}

// newWidths returns a widths with the given fields, which allows all complex dtypes.
func newWidths(beyond dtype.DType, widensFloat bool) *widths {
	return &widths{beyond: beyond, widensFloat: widensFloat, ruleBeyond: beyondRule(beyond)}
}

// beyondRule returns the rule of the join d in the field beyond of widths.
func beyondRule(d dtype.DType) Rule {
	return Rule{"no wider signed: " + d.String(),
		"no signed integer of 64 bits or fewer holds all values of the unsigned one: the result is " + d.String()}
}

// The rules of widths.
var (
	ruleSame  = Rule{"same dtype", "both operands have this dtype"}
	ruleBool  = Rule{"bool is lowest", "a bool takes on the other's dtype"}
	ruleWider = Rule{"wider integer", "the wider of two signed integers, or of two unsigned ones"}
	ruleHolds = Rule{"signed holds unsigned",
		"the signed dtype, which is wider and holds all values of the unsigned one"}
	ruleTwice  = Rule{"signed of twice the width", "a signed dtype of twice the unsigned one's width, which holds both"}
	ruleFloat  = Rule{"wider float", "the wider of two floats"}
	ruleHalves = Rule{"two halves", "neither bf16 nor f16 holds the other's values; f32 holds both"}
	ruleOver   = Rule{"float over integer", "an integer of any width takes on the float's dtype"}
	ruleEnough = Rule{"float wide enough",
		"an 8-bit integer needs a float of at least 16 bits, a 16-bit one of 32, a wider one of 64"}
	ruleComplex = Rule{"complex", "the result is complex, with parts as wide as the wider float of the operands"}
	ruleParts   = Rule{"complex wide enough", "the result is complex, with parts that are wide enough for both operands"}
	ruleOnly    = Rule{"the complex dtype", "the system has one complex dtype"}
)

// join returns the common dtype of x and y, each a bool, an integer, a float or complex,
// and the rule that gives it. It returns Invalid if they have no common dtype.
func (w *widths) join(x, y dtype.DType) (dtype.DType, Rule) {
	if x == y {
		return x, ruleSame
	}
	if kindRank(x) > kindRank(y) {
		x, y = y, x
	}
	switch {
	case x == dtype.I1:
		return y, ruleBool
	case y.Is(dtype.Complex) && w.onlyC64:
		return y, ruleOnly
	case y.Is(dtype.Complex):
		part, _ := w.join(elem(x), elem(y))
		if w.widensFloat {
			return complexOf(part), ruleParts
		}
		return complexOf(part), ruleComplex
	case x.Is(dtype.Floating):
		return widerFloat(x, y)
	case y.Is(dtype.Floating):
		return w.integerWithFloat(x, y)
	case y.Is(dtype.Integral):
		return w.integers(x, y)
	}
	return dtype.Invalid, Rule{}
}

// integers joins two different integer dtypes.
func (w *widths) integers(x, y dtype.DType) (dtype.DType, Rule) {
	if x.Is(dtype.Signed) == y.Is(dtype.Signed) {
		if x.Bits() > y.Bits() {
			return x, ruleWider
		}
		return y, ruleWider
	}
	if x.Is(dtype.Signed) {
		x, y = y, x
	}
	switch { // x is unsigned, y is signed
	case y.Bits() > x.Bits():
		return y, ruleHolds
	case 2*x.Bits() <= 64:
		return signedOfWidth[2*x.Bits()], ruleTwice
	}
	return w.beyond, w.ruleBeyond
}

// signedOfWidth maps widths in bits to signed integers.
var signedOfWidth = map[int]dtype.DType{16: dtype.I16, 32: dtype.I32, 64: dtype.I64}

// integerWithFloat joins an integer x and a float y.
func (w *widths) integerWithFloat(x, y dtype.DType) (dtype.DType, Rule) {
	if !w.widensFloat {
		return y, ruleOver
	}
	switch need := min(2*x.Bits(), 64); { // see ruleEnough
	case y.Bits() >= need:
	case need == 32:
		y = dtype.F32
	default:
		y = dtype.F64
	}
	return y, ruleEnough
}

// widerFloat joins two different floats. If their widths are equal, they are bf16 and f16.
func widerFloat(x, y dtype.DType) (dtype.DType, Rule) {
	switch {
	case x.Bits() == y.Bits():
		return dtype.F32, ruleHalves
	case x.Bits() > y.Bits():
		return x, ruleFloat
	}
	return y, ruleFloat
}
