package promote

// Values are a system's rules for what an operation computes, where real
// systems compute different values from operands of one dtype. The zero rules
// are XLA's arithmetic, which is anvil's own.
type Values struct {
	Median    MedianRule // between the two elements in the middle
	Fold      FoldRule   // in which dtype a sum and a mean add up
	Freedom   int        // how many less than the count a variance divides by
	RealTruth bool       // any and all ask the real parts of complex numbers alone
}

// A MedianRule is what the median of an even number of elements is.
type MedianRule uint8

// The rules of medians.
const (
	MedianMean     MedianRule = iota // the mean of both in the middle
	MedianLower                      // the lesser of both
	MedianMidpoint                   // half their sum, which may overflow
)

// A FoldRule is in which dtype a reduction adds up.
type FoldRule uint8

// The rules of sums.
const (
	FoldXLA        FoldRule = iota // a half in f32; a mean rounds the sum first
	FoldWide                       // a mean and a variance of halves are computed in f32
	FoldNumPy                      // a mean of f16 in f32; bf16 is rounded after each element
	FoldDouble                     // FoldWide, and variances and running sums of f32 in f64
	FoldTensorFlow                 // a mean of bf16 in f32, of integers in 64 bits, of none 0
)

var xlaValues = &Values{}

// Values returns the system's rules for values.
func (s *System) Values() *Values {
	if s.rules.Values == nil {
		return xlaValues
	}
	return s.rules.Values
}

var numpyValues = &Values{Fold: FoldNumPy}

var jaxValues = &Values{Median: MedianMidpoint, Fold: FoldWide, RealTruth: true}

var torchValues = &Values{Median: MedianLower, Fold: FoldDouble, Freedom: 1}

var tensorflowValues = &Values{Fold: FoldTensorFlow}
