package optim

import (
	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/typename"
)

// rateOf returns the rate, a number or a scalar tensor, for the step with number state.Count. rate
// is the field Rate of the optimizer op; standard is the rate if the field is nil.
func rateOf(op string, rate any, standard float64, state State) any {
	switch r := rate.(type) {
	case nil:
		return standard
	case Schedule:
		return r.At(state.Count.Sub(1))
	case nv.Tensor:
		if r.Rank() != 0 {
			fail(op, "rate "+r.Shape().String(), "the rate is not a scalar", "give one number")
		}
		return r
	}
	if _, ok := dtype.Of(rate); !ok {
		fail(op, "rate "+typename.Of(rate), "the rate is not a number",
			"give a number, a scalar tensor or a Schedule")
	}
	return rate
}

// times returns x times r, a real number or scalar tensor, at the dtype of x.
func times(x nv.Tensor, r any) nv.Tensor {
	if t, ok := r.(nv.Tensor); ok {
		r = t.AsType(x.DType())
	}
	return x.Mul(r)
}

// isComplex reports whether x is complex.
func isComplex(x nv.Tensor) bool { return x.DType().Is(dtype.Complex) }
