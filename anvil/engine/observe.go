package engine

import (
	"errors"
	"fmt"
	"math/cmplx"
	"strings"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// An Observation describes what operations have lost. Its texts name the first such operation with its layer
// and operands, "Exp in the layer Out (nn.Dense) of 90", or are "" if there is none.
type Observation struct {
	Overflow string // finite operands gave an infinity
	NaN      string // operands without a NaN gave one

	// Underflow is a product, a quotient, an exponential or a conversion of finite numbers
	// that are not 0 and whose result is 0. Underflows counts the elements of Products.
	Underflow            string
	Underflows, Products int

	// Absorbed describes a sum that is equal to one of its operands although neither is 0. Absorptions counts
	// the elements of Sums.
	Absorbed          string
	Absorptions, Sums int

	Part bool // the observation ended before the operations did
	till time.Time
}

var errObserved = errors.New("the time for observing operations is up")

// Observe makes each following operation compute its result at once and observes it, for the given time or
// until end is called. When the time is up, operations fail.
func (s *Session) Observe(limit time.Duration) (end func() Observation) {
	s.observed = &Observation{till: time.Now().Add(limit)}
	s.watching.Store(true)
	return func() Observation {
		s.watching.Store(false)
		o := *s.observed
		s.observed = nil
		return o
	}
}

// maxObserved is the number of elements up to which the operands of a result are examined.
const maxObserved = 1 << 16

// observe adds an operation with the given operands and the elements of its result to
// s.observed.
func (s *Session) observe(code ir.Code, scope ir.Scope, operands []*node, values []complex128) error {
	if time.Now().After(s.observed.till) {
		s.observed.Part = true
		return errObserved
	}
	if len(values) > maxObserved || len(operands) == 0 {
		return nil
	}
	xs := make([][]complex128, len(operands))
	nan, inf := false, false
	for i, m := range operands {
		if !m.typ.DType.Is(dtype.Inexact) && code != ir.Convert {
			continue
		}
		if m.typ.Shape.Size() > maxObserved {
			return nil
		}
		var err error
		if xs[i], err = s.elements(m); err != nil {
			return err
		}
		finite := 0
		for _, x := range xs[i] {
			nan, inf = nan || cmplx.IsNaN(x), inf || cmplx.IsInf(x)
			if !cmplx.IsInf(x) {
				finite++
			}
		}
		nan = nan || finite == 0 // a constant of a function that selects among its results
	}
	o, name := s.observed, code.String()
	if scope != 0 {
		name += " in the layer " + scope.String()
	}
	for i, y := range values {
		first := func(text *string) {
			if *text != "" {
				return
			}
			var at []string
			for k, x := range xs {
				if len(x) == len(values) {
					at = append(at, shortNumber(x[i], operands[k].typ.DType))
				}
			}
			if *text = name; len(at) > 0 {
				*text += " of " + strings.Join(at, " and ")
			}
		}
		switch {
		case cmplx.IsInf(y) && !inf:
			first(&o.Overflow)
		case cmplx.IsNaN(y) && !nan:
			first(&o.NaN)
		}
		if !eachFinite(xs, i, len(values)) {
			continue
		}
		switch code {
		case ir.Mul, ir.MulNoNaN, ir.Div, ir.Exp, ir.Logistic, ir.Pow, ir.Convert:
			if code != ir.Exp && code != ir.Logistic && anyZero(xs, i) {
				continue
			}
			o.Products++
			if y == 0 {
				o.Underflows++
				first(&o.Underflow)
			}
		case ir.Add, ir.Sub:
			if anyZero(xs, i) {
				continue
			}
			o.Sums++
			if a, b := xs[0][i], xs[1][i]; y == a || y == b || code == ir.Sub && y == -b {
				o.Absorptions++
				first(&o.Absorbed)
			}
		}
	}
	return nil
}

func shortNumber(v complex128, d dtype.DType) string {
	if d.Is(dtype.Complex) {
		return fmt.Sprintf("%.3g", v)
	}
	return fmt.Sprintf("%.3g", real(v))
}

// eachFinite reports whether each operand has n elements, of which that at i is finite.
func eachFinite(xs [][]complex128, i, n int) bool {
	for _, x := range xs {
		if len(x) != n || cmplx.IsNaN(x[i]) || cmplx.IsInf(x[i]) {
			return false
		}
	}
	return true
}

func anyZero(xs [][]complex128, i int) bool {
	for _, x := range xs {
		if x[i] == 0 {
			return true
		}
	}
	return false
}
