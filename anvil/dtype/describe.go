package dtype

import "fmt"

// A Category is one of the four families that languages speak of, lowest
// first. Signed and unsigned integers share one.
type Category uint8

// The categories, in the order in which they win.
const (
	NoCategory Category = iota
	BooleanCategory
	IntegralCategory
	FloatingCategory
	ComplexCategory
)

var categoryNames = [...]string{"none", "boolean", "integral", "floating", "complex"}

// String returns the category's name: "integral".
func (c Category) String() string { return categoryNames[min(int(c), len(categoryNames)-1)] }

// CategoryOf returns the category of d.
func CategoryOf(d DType) Category {
	switch {
	case d.Is(Boolean):
		return BooleanCategory
	case d.Is(Integral):
		return IntegralCategory
	case d.Is(Floating):
		return FloatingCategory
	case d.Is(Complex):
		return ComplexCategory
	}
	return NoCategory
}

var classNames = map[Kind]string{Boolean: "BooleanType", Signed: "IntegerType",
	Unsigned: "UIntegerType", Floating: "FloatType", Complex: "ComplexType"}

// Describe returns the dtype as R anvil prints one: "<FloatType: 64>". The
// kinds of one class and width that R does not have add their name:
// "<FloatType: 16, bf16>".
func (d DType) Describe() string {
	class, ok := classNames[d.Kind()]
	switch {
	case !ok:
		return "<InvalidType>"
	case d == I1:
		return "<" + class + ">"
	case d.Is(Floating) && d.Bits() < 32:
		return fmt.Sprintf("<%s: %d, %s>", class, d.Bits(), d)
	}
	return fmt.Sprintf("<%s: %d>", class, d.Bits())
}

// Elem returns the dtype of the parts of a complex dtype; of any other, d.
func (d DType) Elem() DType {
	switch d {
	case C64:
		return F32
	case C128:
		return F64
	}
	return d
}
