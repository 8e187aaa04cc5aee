package dtype

// A Category is one of the four families of numbers, lowest first. Signed and
// unsigned integers share one.
type Category uint8

// The categories, lowest first.
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
