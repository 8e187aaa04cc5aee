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

// A Summary describes the distribution of elements. The statistics are of the finite
// elements, for complex dtypes of their magnitudes; without finite elements they are NaN.
type Summary struct {
	Count, NaN, Infinite int
	Min, Max, Mean       float64
	Deviation            float64          // the square root of the mean squared distance to the mean
	Bins                 [SummaryBins]int // finite elements in intervals of one width from Min to Max
	Casts                []CastLoss       // of floating dtypes, to narrower ones
}

// A CastLoss counts what a conversion to DType changes among finite elements.
type CastLoss struct {
	DType    dtype.DType
	Overflow int // to infinity, or NaN where DType has no infinity
	Flush    int // to zero
	Round    int // to another number
}

// A narrowing is a dtype that casts are counted for. Its normal numbers are multiples of
// 2^(e-digits) for exponents e from least on.
type narrowing struct {
	dtype         dtype.DType
	digits, least int
	overflow      float64 // the least magnitude that overflows
}

// The conversions round to nearest, ties to even, and the bounds follow from that.
var narrowings = []narrowing{
	{dtype.F16, 10, -14, 65520},
	{dtype.BF16, 7, -126, 0x1.ffp127},
	{dtype.F8E4M3FN, 3, -6, math.Nextafter(464, 465)},
	{dtype.F8E5M2, 2, -14, 61440},
}

// Narrower returns the dtypes that a Summary of dtype d counts casts to.
func Narrower(d dtype.DType) (to []dtype.DType) {
	for _, n := range narrowings {
		if d.Is(dtype.Floating) && (d.Bits() > n.dtype.Bits() || d.Bits() == 16 && n.dtype.Bits() == 16 && d != n.dtype) {
			to = append(to, n.dtype)
		}
	}
	return to
}

// Summarize returns the summary of a's elements.
func Summarize(ctx context.Context, a Array) (Summary, error) {
	n := a.Size()
	workers := max(1, min(runtime.GOMAXPROCS(0), n/(4*summaryBlock)))
	scans := make([]scan, workers)
	each := func(visit func(s *scan, xs []float64)) {
		var all sync.WaitGroup
		for w := range scans {
			all.Go(func() {
				s := &scans[w]
				for from := w * summaryBlock; from < n && ctx.Err() == nil; from += workers * summaryBlock {
					visit(s, s.load(a, from, min(n, from+summaryBlock)))
				}
			})
		}
		all.Wait()
	}
	each((*scan).limits)
	sum := Summary{Count: n, Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range scans {
		s := &scans[i]
		sum.NaN, sum.Infinite = sum.NaN+s.nan, sum.Infinite+s.infinite
		sum.Min, sum.Max = min(sum.Min, s.low), max(sum.Max, s.high)
		sum.Mean += s.sum
	}
	finite := float64(n - sum.NaN - sum.Infinite)
	if sum.Mean /= finite; finite == 0 {
		sum.Min, sum.Max = sum.Mean, sum.Mean
	}
	to := Narrower(a.Type.DType)
	for i := range scans {
		scans[i].prepare(&sum, to)
	}
	each((*scan).spread)
	for i := range scans {
		s := &scans[i]
		sum.Deviation += s.squares
		for k, count := range s.bins {
			sum.Bins[k] += count
		}
		s.addCasts(&sum)
	}
	sum.Deviation = math.Sqrt(sum.Deviation / finite)
	return sum, ctx.Err()
}

// summaryBlock is the number of elements processed between checks of the context.
const summaryBlock = 1 << 12

// A scan is the summary of one goroutine's part of the elements.
type scan struct {
	xs           []float64
	nan          int
	infinite     int
	low, high    float64
	sum, squares float64
	mean         float64
	half, scale  float64 // half of the minimum; bins per half of a unit
	bins         [SummaryBins]int

	to    []narrowing
	casts []CastLoss // one for each of to
	// digits counts nonzero elements by the biased exponent of a float64 and by the trailing
	// zeros of its mantissa, which determine what is rounded. It is nil if elements are few.
	digits []int
}

// load returns elements of a as float64: bools as 0 and 1, and of complex numbers the magnitudes.
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

// limits adds what the first pass finds.
func (s *scan) limits(xs []float64) {
	low, high, sum := s.low, s.high, 0.0
	for _, x := range xs {
		if x-x != 0 {
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

// prepare sets what the second pass needs from the first.
func (s *scan) prepare(sum *Summary, to []dtype.DType) {
	s.mean, s.half = sum.Mean, sum.Min/2
	if sum.Max > sum.Min {
		s.scale = SummaryBins / (sum.Max/2 - s.half)
	}
	for _, n := range narrowings {
		for _, d := range to {
			if n.dtype == d {
				s.to, s.casts = append(s.to, n), append(s.casts, CastLoss{DType: d})
			}
		}
	}
	if len(s.to) > 0 && sum.Count > summaryBlock {
		s.digits = make([]int, 1<<11*64)
	}
}

// spread adds what the second pass finds.
func (s *scan) spread(xs []float64) {
	mean, half, scale, squares := s.mean, s.half, s.scale, 0.0
	for _, x := range xs {
		if x-x != 0 {
			continue
		}
		squares += (x - mean) * (x - mean)
		bin := SummaryBins - 1
		if at := (x*0.5 - half) * scale; at < float64(bin) { // NaN where the range is subnormal
			bin = int(at)
		}
		s.bins[bin]++
	}
	s.squares += squares
	s.narrow(xs)
}

// narrow counts what casts change among xs. The elements that overflow are counted one by
// one, since most tensors have none.
func (s *scan) narrow(xs []float64) {
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
			if n.rounds(digitsIndex(x)) {
				s.casts[i].Round--
			}
		}
	}
}

// countCasts adds a number of elements at an index of digits to the casts that change them.
func (s *scan) countCasts(at, elements int) {
	for i, n := range s.to {
		switch {
		case n.flushes(at):
			s.casts[i].Flush += elements
		case n.rounds(at):
			s.casts[i].Round += elements
		}
	}
}

// digitsIndex returns the index of |x| in digits.
func digitsIndex(x float64) int {
	u := math.Float64bits(x) &^ (1 << 63)
	return int(u>>52)<<6 | bits.TrailingZeros64(u|1<<52)
}

// kept returns how many mantissa digits n keeps of the numbers at an index of digits, and
// how many the numbers have, not counting the leading one.
func (n narrowing) kept(at int) (kept, has int) {
	return n.digits + min(0, at>>6-1023-n.least), 52 - at&63
}

// flushes reports whether the numbers at an index of digits become zero: those up to half of
// the least number, since the tie goes to zero.
func (n narrowing) flushes(at int) bool {
	kept, has := n.kept(at)
	return kept < -1 || kept == -1 && has == 0
}

// rounds reports whether the numbers at an index of digits become other numbers. It may
// include numbers that overflow.
func (n narrowing) rounds(at int) bool {
	kept, has := n.kept(at)
	return has > kept && !n.flushes(at) && at>>6-1023 <= math.Ilogb(n.overflow)
}

// addCasts adds the casts of the elements that s has seen.
func (s *scan) addCasts(sum *Summary) {
	for at, elements := range s.digits {
		if elements > 0 {
			s.countCasts(at, elements)
		}
	}
	if sum.Casts == nil {
		sum.Casts = s.casts
		return
	}
	for i, c := range s.casts {
		sum.Casts[i].Overflow += c.Overflow
		sum.Casts[i].Flush += c.Flush
		sum.Casts[i].Round += c.Round
	}
}
