package promote

import (
	"fmt"
	"math"
	"math/big"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Loss is a number of one dtype of a pair that the pair's common dtype does not hold.
type Loss struct {
	Pair
	From    dtype.Typed // the dtype of the pair that holds the number
	Value   any         // the number, in the Go type of From
	Becomes any         // Value converted to the common dtype; nil for an integer out of range of an integer dtype
}

// String returns the loss as text: "i32 with f32 gives f32, in which 16777217 of i32
// becomes 16777216".
func (l Loss) String() string {
	if l.Becomes == nil {
		return fmt.Sprintf("%s, whose range (%s) lacks %s of %s", l.Pair, l.Result.DType.Range(),
			plainNumber(l.Value), l.From)
	}
	return fmt.Sprintf("%s, in which %s of %s becomes %s", l.Pair, plainNumber(l.Value), l.From, plainNumber(l.Becomes))
}

// plainNumber returns v as text. A float that is a whole number below 1e20 has neither a
// point nor an exponent.
func plainNumber(v any) string {
	f, isFloat := v.(float64)
	if f32, ok := v.(float32); ok {
		f, isFloat = float64(f32), true
	}
	if isFloat && f == math.Trunc(f) && math.Abs(f) < 1e20 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprint(v)
}

// Lost returns, as text, a number of dtype from that changes when it is converted to dtype
// to: "16777217 becomes 16777216". It returns "" if none is found. Complex dtypes are compared
// by their parts.
func Lost(from, to dtype.DType) string {
	l, ok := lossOf(Pair{Result: Known(to)}, Known(from))
	switch {
	case !ok:
		return ""
	case l.Becomes == nil:
		return plainNumber(l.Value) + " is out of range"
	}
	was, is := plainNumber(l.Value), plainNumber(l.Becomes)
	if f, ok := l.Becomes.(float32); ok && was == is { // f64's 0.1 and f32's 0.1 print alike
		is = plainNumber(float64(f))
	}
	return was + " becomes " + is
}

// lossOf returns a number of x's dtype that the pair's result does not hold; ok is
// false if none is found. Complex dtypes are compared by their parts.
func lossOf(p Pair, x dtype.Typed) (l Loss, ok bool) {
	from, to := elem(x.DType), elem(p.Result.DType)
	if from == to || !from.Valid() || !to.Valid() {
		return Loss{}, false
	}
	for _, probe := range probes(from) {
		v, _ := dtype.Cast(probe, from)
		w, _ := dtype.Cast(v, to)
		switch a, b := exact(v), exact(w); {
		case a == nil, b != nil && a.Cmp(b) == 0: // v is not finite, or to holds it
			continue
		case to.Is(dtype.Integral) && !from.Is(dtype.Floating): // a conversion of integers never rounds
			return Loss{p, x, v, nil}, true
		default:
			return Loss{p, x, v, w}, true
		}
	}
	return Loss{}, false
}

// probes returns numbers of the dtype d that narrower dtypes are likely to lack,
// the most common ones first.
func probes(d dtype.DType) (vs []any) {
	switch {
	case d.Is(dtype.Boolean):
		return []any{false, true}
	case d.Is(dtype.Signed):
		vs = append(vs, int64(-1))
		for k := 1; k < d.Bits()-1; k++ {
			vs = append(vs, int64(1)<<k+1)
		}
		return append(vs, int64(math.MinInt64)>>(64-d.Bits()))
	case d.Is(dtype.Unsigned):
		for k := 1; k < d.Bits(); k++ {
			vs = append(vs, uint64(1)<<k+1)
		}
		return append(vs, uint64(math.MaxUint64)>>(64-d.Bits()))
	}
	for _, x := range []float64{0.5, 0.1, 1.0 / 3, 2049, 65536, 1e-6, 1e-20, 1e20, 1e-30, 1e30, 1e100} {
		vs = append(vs, dtype.Round(d, x))
	}
	return vs
}

// exact returns v as a fraction, or nil if it is not finite.
func exact(v any) *big.Rat {
	switch v := v.(type) {
	case bool:
		if v {
			return big.NewRat(1, 1)
		}
		return new(big.Rat)
	case float32:
		return new(big.Rat).SetFloat64(float64(v))
	case float64:
		return new(big.Rat).SetFloat64(v)
	}
	if r, ok := new(big.Rat).SetString(fmt.Sprint(v)); ok {
		return r
	}
	return nil
}
