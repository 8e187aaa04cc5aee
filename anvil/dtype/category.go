package dtype

// A Category is a class of dtypes in the order of promotion: boolean, integral, floating,
// complex. Signed and unsigned integers share a category.
type Category uint8

// The categories, lowest first.
const (
	NoCategory Category = iota // of Invalid and of foreign dtypes without a kind
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
