package promote

import (
	"fmt"
	"math"
	"math/big"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Loss is a number that one of two dtypes has and their common one has not.
type Loss struct {
	Pair
	From    dtype.Typed // the operand that has the number
	Value   any         // the number, as the Go type that holds From
	Becomes any         // what it is rounded to; nil where the result's range ends before it
}

// String returns "i32 with f32 gives f32, in which 16777217 of i32 becomes
// 16777216".
func (l Loss) String() string {
	if l.Becomes == nil {
		return fmt.Sprintf("%s, whose range (%s) is without %s of %s", l.Pair, l.Result.DType.Range(), number(l.Value), l.From)
	}
	return fmt.Sprintf("%s, in which %s of %s becomes %s", l.Pair, number(l.Value), l.From, number(l.Becomes))
}

// weight orders losses: those of narrower dtypes first, which one meets with
// smaller numbers.
func (l Loss) weight() int { return -l.From.DType.Bits() }

// number returns a value as a learner writes it: without an exponent up to 20
// digits.
func number(v any) string {
	f, ok := v.(float64)
	if !ok {
		if g, is := v.(float32); is {
			f, ok = float64(g), true
		}
	}
	if ok && f == math.Trunc(f) && math.Abs(f) < 1e20 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprint(v)
}

// lossOf returns a number of x's dtype that the pair's result does not have. Complex
// dtypes are looked at by their parts.
func lossOf(p Pair, x dtype.Typed) (Loss, bool) {
	from, to := part(x.DType), part(p.Result.DType)
	if from == to || !from.Valid() || !to.Valid() {
		return Loss{}, false
	}
	for _, probe := range probes(from) {
		v, _ := dtype.Cast(probe, from)
		w, _ := dtype.Cast(v, to)
		switch a, b := exact(v), exact(w); {
		case a == nil, b != nil && a.Cmp(b) == 0:
			continue
		case to.Is(dtype.Integral) && !from.Is(dtype.Floating):
			return Loss{p, x, v, nil}, true
		default:
			return Loss{p, x, v, w}, true
		}
	}
	return Loss{}, false
}

// parts are the dtypes of the parts of complex dtypes that dtype.Elem does not know.
var parts = map[dtype.DType]dtype.DType{dtype.C32: dtype.F16, dtype.BC32: dtype.BF16, dtype.C160: dtype.F80}

func part(d dtype.DType) dtype.DType {
	if p, ok := parts[d]; ok {
		return p
	}
	return d.Elem()
}

// probes returns numbers of the dtype d that narrower ones are likely to lack,
// those first that one meets first.
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

// exact returns v as a fraction; nil for what is not finite.
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
