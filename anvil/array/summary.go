package array

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// SummaryBins is the number of bins of a Summary.
const SummaryBins = 16

// A Summary describes the distribution of elements. Min, Max, Mean and Deviation describe the finite
// elements, or their magnitudes if they are complex. Without finite elements they are NaN.
type Summary struct {
	Count, NaN, Infinite int
	Min, Max, Mean       float64
	Deviation            float64          // the square root of the mean squared distance to the mean
	Bins                 [SummaryBins]int // finite elements in intervals of equal width from Min to Max
	Casts                []CastLoss       // one for each dtype that Narrower returns
}

// A CastLoss has the numbers of finite elements that a conversion to DType changes.
type CastLoss struct {
	DType    dtype.DType
	Overflow int // those that become infinite, or NaN if DType has no infinity
	Flush    int // those other than 0 that become 0
	Round    int // those that become another number
}

// A narrowing describes a dtype for which a Summary counts the losses of casts.
type narrowing struct {
	dtype       dtype.DType
	digits      int     // binary digits of the mantissa, without the leading one
	minExponent int     // the least exponent of a normal number
	overflow    float64 // the least magnitude that overflows
}

// narrowings has the dtypes for which a Summary counts the losses of casts. Their overflow is about half a
// step above the greatest finite number, since casts round to nearest, ties to even.
var narrowings = []narrowing{
	{dtype.F16, 10, -14, 65520},
	{dtype.BF16, 7, -126, 0x1.ffp127},
	{dtype.F8E4M3FN, 3, -6, math.Nextafter(464, 465)},
	{dtype.F8E5M2, 2, -14, 61440},
}

// Narrower returns the dtypes for which a Summary of elements of dtype d counts the losses of casts. For f16
// and bf16 they include the other of the two: casts to bf16 lose digits, casts to f16 lose range.
func Narrower(d dtype.DType) (to []dtype.DType) {
	for _, n := range narrowings {
		other16 := d.Bits() == 16 && n.dtype.Bits() == 16 && d != n.dtype
		if d.Is(dtype.Floating) && (d.Bits() > n.dtype.Bits() || other16) {
			to = append(to, n.dtype)
		}
	}
	return to
}

// Summarize returns the summary of a's elements.
func Summarize(ctx context.Context, a Array) (Summary, error) {
	n := a.Size()
	workers := max(1, min(runtime.GOMAXPROCS(0), n/(4*summaryBlock))) // at least 4 blocks each
	scans := make([]scan, workers)
	forEachBlock := func(visit func(s *scan, xs []float64)) {
		var wg sync.WaitGroup
		for w := range scans {
			wg.Go(func() {
				s := &scans[w]
				for from := w * summaryBlock; from < n && ctx.Err() == nil; from += workers * summaryBlock {
					visit(s, s.load(a, from, min(n, from+summaryBlock)))
				}
			})
		}
		wg.Wait()
	}
	forEachBlock((*scan).firstPass)
	total := Summary{Count: n, Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range scans {
		s := &scans[i]
		total.NaN, total.Infinite = total.NaN+s.nan, total.Infinite+s.infinite
		total.Min, total.Max = min(total.Min, s.low), max(total.Max, s.high)
		total.Mean += s.sum
	}
	finite := float64(n - total.NaN - total.Infinite)
	total.Mean /= finite
	if finite == 0 {
		total.Min, total.Max = math.NaN(), math.NaN()
	}
	to := Narrower(a.Type.DType)
	for i := range scans {
		scans[i].prepare(&total, to)
	}
	forEachBlock((*scan).secondPass)
	for i := range scans {
		s := &scans[i]
		total.Deviation += s.squares
		for k, count := range s.bins {
			total.Bins[k] += count
		}
		s.addCasts(&total)
	}
	total.Deviation = math.Sqrt(total.Deviation / finite)
	return total, ctx.Err()
}

// summaryBlock is the number of elements processed between checks of the context.
const summaryBlock = 1 << 12

// A scan summarizes the part of the elements that one goroutine processes.
type scan struct {
	xs           []float64 // the block being processed
	nan          int
	infinite     int
	low, high    float64
	sum, squares float64
	mean         float64 // of the finite elements of all scans
	halfMin      float64 // half of the minimum; bins are computed from halves, since Max-Min may overflow
	binScale     float64 // the number of bins divided by Max/2 - Min/2, or 0 if these are equal
	bins         [SummaryBins]int

	to    []narrowing
	casts []CastLoss // one for each of to
	// digits has the numbers of nonzero elements by digitsIndex, which determines how casts round an element.
	// It is nil if there are few elements; countLosses then calls countCasts for each element.
	digits []int
}

// load returns the elements of a with indices in [from, to) as float64. It converts bools to 0 and 1, and
// complex numbers to their magnitudes.
func (s *scan) load(a Array, from, to int) []float64 {
	if s.xs == nil {
		s.xs = make([]float64, summaryBlock)
		s.low, s.high = math.Inf(1), math.Inf(-1)
	}
	xs := s.xs[:to-from]
	d := a.Type.DType
	data := a.Data[from*d.Size():]
	switch {
	case d.Is(dtype.Floating):
		loadFloats(xs, data, d)
	case d.Is(dtype.Complex):
		cs := make([]complex128, len(xs))
		loadComplexes(cs, data, d)
		for i, c := range cs {
			xs[i] = math.Hypot(real(c), imag(c))
			if math.IsNaN(real(c)) || math.IsNaN(imag(c)) {
				xs[i] = math.NaN()
			}
		}
	case d.Is(dtype.Signed):
		is := make([]int64, len(xs))
		loadInts(is, data, d.Bits())
		for i, x := range is {
			xs[i] = float64(x)
		}
	default:
		us := make([]uint64, len(xs))
		loadUints(us, data, d.Bits())
		for i, x := range us {
			xs[i] = float64(x)
		}
	}
	return xs
}

// firstPass counts NaNs and infinities, and updates the extremes and the sum.
func (s *scan) firstPass(xs []float64) {
	low, high, sum := s.low, s.high, 0.0
	for _, x := range xs {
		if x-x != 0 { // x is infinite or NaN
			if x != x {
				s.nan++
			} else {
				s.infinite++
			}
			continue
		}
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
		sum += x
	}
	s.low, s.high, s.sum = low, high, s.sum+sum
}

// prepare sets the fields that the second pass needs from the total of the first pass.
func (s *scan) prepare(total *Summary, to []dtype.DType) {
	s.mean, s.halfMin = total.Mean, total.Min/2
	if total.Max > total.Min {
		s.binScale = SummaryBins / (total.Max/2 - s.halfMin)
	}
	for _, n := range narrowings {
		for _, d := range to {
			if n.dtype == d {
				s.to, s.casts = append(s.to, n), append(s.casts, CastLoss{DType: d})
			}
		}
	}
	if len(s.to) > 0 && total.Count > summaryBlock {
		s.digits = make([]int, 1<<11*64) // 11 bits of exponent, up to 52 trailing zeros
	}
}

// secondPass adds the squared deviations, and counts bins and the losses of casts.
func (s *scan) secondPass(xs []float64) {
	mean, halfMin, binScale, squares := s.mean, s.halfMin, s.binScale, 0.0
	for _, x := range xs {
		if x-x != 0 {
			continue
		}
		squares += (x - mean) * (x - mean)
		bin := SummaryBins - 1
		if at := (x*0.5 - halfMin) * binScale; at < float64(bin) { // false if binScale is +Inf: Max-Min is subnormal
			bin = int(at)
		}
		s.bins[bin]++
	}
	s.squares += squares
	s.countLosses(xs)
}

// countLosses counts the elements of xs that casts change. It looks for elements that overflow
// only if the extremes do, since most tensors have none.
func (s *scan) countLosses(xs []float64) {
	if len(s.to) == 0 {
		return
	}
	for _, x := range xs {
		switch {
		case x == 0 || x-x != 0:
		case s.digits != nil:
			s.digits[digitsIndex(x)]++
		default:
			s.countCasts(digitsIndex(x), 1)
		}
	}
	for i, n := range s.to {
		if s.low > -n.overflow && s.high < n.overflow {
			continue
		}
		for _, x := range xs {
			if x = math.Abs(x); x < n.overflow || x-x != 0 {
				continue
			}
			s.casts[i].Overflow++
			if n.rounds(digitsIndex(x)) { // countCasts also counts x as rounded
				s.casts[i].Round--
			}
		}
	}
}

// countCasts counts the casts that flush or round numbers whose digitsIndex is index. elements is how many
// such numbers there are.
func (s *scan) countCasts(index, elements int) {
	for i, n := range s.to {
		switch {
		case n.flushes(index):
			s.casts[i].Flush += elements
		case n.rounds(index):
			s.casts[i].Round += elements
		}
	}
}

// digitsIndex combines the biased exponent of x and the number of trailing zeros of its
// mantissa into an index into scan.digits.
func digitsIndex(x float64) int {
	u := math.Float64bits(x) &^ (1 << 63)
	return int(u>>52)<<6 | bits.TrailingZeros64(u|1<<52)
}

// mantissaDigits returns, for numbers whose digitsIndex is index, how many mantissa digits a cast
// to n.dtype keeps, and how many the numbers have. Neither counts the leading one.
func (n narrowing) mantissaDigits(index int) (kept, has int) {
	return n.digits + min(0, index>>6-1023-n.minExponent), 52 - index&63
}

// flushes reports whether casts to n.dtype change numbers whose digitsIndex is index to zero. These are the
// magnitudes up to half of the least positive number of n.dtype, inclusive since ties go to even.
func (n narrowing) flushes(index int) bool {
	kept, has := n.mantissaDigits(index)
	return kept < -1 || kept == -1 && has == 0
}

// rounds reports whether casts to n.dtype change numbers whose digitsIndex is index to other nonzero numbers.
// It is also true for some numbers that overflow.
func (n narrowing) rounds(index int) bool {
	kept, has := n.mantissaDigits(index)
	return has > kept && !n.flushes(index) && index>>6-1023 <= math.Ilogb(n.overflow)
}

// addCasts adds to total the losses of casts of the elements that s has seen.
func (s *scan) addCasts(total *Summary) {
	for index, elements := range s.digits {
		if elements > 0 {
			s.countCasts(index, elements)
		}
	}
	if total.Casts == nil {
		total.Casts = s.casts
		return
	}
	for i, c := range s.casts {
		total.Casts[i].Overflow += c.Overflow
		total.Casts[i].Flush += c.Flush
		total.Casts[i].Round += c.Round
	}
}
