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

// An Observation reports where operations have lost information: by overflow, NaN, underflow or absorption.
// Each text names the first such operation with its layer and operands, "Exp in the layer Out (nn.Dense) of 90",
// or is "" if there is none.
type Observation struct {
	Overflow string // finite operands gave an infinity
	NaN      string // operands without a NaN gave one

	// Underflow names a product, quotient, power, exponential or conversion of finite numbers whose result is 0
	// only because of rounding. Products is the number of elements of such operations, and Underflows the number
	// of those that are 0.
	Underflow            string
	Underflows, Products int

	// Absorbed names a sum or a difference that is equal to one operand (or to its negative) although the other
	// operand is not 0. Sums is the number of elements of sums and differences of nonzero numbers, and Absorptions
	// the number of those that are absorbed.
	Absorbed          string
	Absorptions, Sums int

	Part     bool // the time was up before all operations were observed
	deadline time.Time
}

var errObserved = errors.New("the time for observing operations is up")

// Observe makes each following operation compute its result at once and observes it, for the given time or
// until end is called. When the time is up, operations fail.
func (s *Session) Observe(limit time.Duration) (end func() Observation) {
	o := &Observation{deadline: time.Now().Add(limit)}
	s.watchMu.Lock()
	s.observed = o
	s.watchMu.Unlock()
	s.watching.Store(true)
	return func() Observation {
		s.watching.Store(false)
		s.watchMu.Lock()
		defer s.watchMu.Unlock()
		s.observed = nil
		return *o
	}
}

// observing returns the Observation that Observe has begun, or nil.
func (s *Session) observing() *Observation {
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	return s.observed
}

// maxObserved is the most elements of a result or an operand of an operation that is examined.
const maxObserved = 1 << 16

// observe records in o what an operation with the given operands has lost. values are the
// elements of its result.
func (s *Session) observe(o *Observation, code ir.Code, scope ir.Scope, operands []*node, values []complex128) error {
	if time.Now().After(o.deadline) {
		s.watchMu.Lock()
		defer s.watchMu.Unlock()
		o.Part = true
		return errObserved
	}
	if len(values) > maxObserved || len(operands) == 0 {
		return nil
	}
	xs, ok, err := s.operandElements(code, operands)
	if err != nil || !ok {
		return err
	}
	name := code.String()
	if scope != 0 {
		name += " in the layer " + scope.String()
	}
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	o.record(code, name, operands, xs, values)
	return nil
}

// operandElements returns the elements of the operands that are examined: the inexact ones, and that of Convert. It
// returns nil for other operands. ok is false if an operand has more than maxObserved elements.
func (s *Session) operandElements(code ir.Code, operands []*node) (xs [][]complex128, ok bool, err error) {
	xs = make([][]complex128, len(operands))
	for i, m := range operands {
		if !m.typ.DType.Is(dtype.Inexact) && code != ir.Convert {
			continue
		}
		if m.typ.Shape.Size() > maxObserved {
			return nil, false, nil
		}
		if xs[i], err = s.elements(m); err != nil {
			return nil, false, err
		}
	}
	return xs, true, nil
}

// record adds what the operation code has lost. name describes it, xs has the elements of its operands, and values
// those of its result.
func (o *Observation) record(code ir.Code, name string, operands []*node, xs [][]complex128, values []complex128) {
	nan, inf := false, false // an operand has a NaN, or an infinity
	for _, x := range xs {
		if x == nil {
			continue
		}
		infinities := 0
		for _, v := range x {
			nan = nan || cmplx.IsNaN(v)
			if cmplx.IsInf(v) {
				infinities++
			}
		}
		inf = inf || infinities > 0
		// An operand that is infinite everywhere is a constant with which a function masks
		// its results: a NaN that it causes is not a loss.
		nan = nan || infinities == len(x)
	}
	for i, y := range values {
		describe := func(text *string) {
			if *text != "" {
				return // only the first is described
			}
			var numbers []string
			for k, x := range xs {
				if len(x) == len(values) {
					numbers = append(numbers, shortNumber(x[i], operands[k].typ.DType))
				}
			}
			if *text = name; len(numbers) > 0 {
				*text += " of " + strings.Join(numbers, " and ")
			}
		}
		switch {
		case cmplx.IsInf(y) && !inf:
			describe(&o.Overflow)
		case cmplx.IsNaN(y) && !nan:
			describe(&o.NaN)
		}
		if !eachFinite(xs, i, len(values)) {
			continue
		}
		switch code {
		case ir.Mul, ir.MulNoNaN, ir.Div, ir.Exp, ir.Logistic, ir.Pow, ir.Convert:
			if code != ir.Exp && code != ir.Logistic && anyZero(xs, i) { // a result of 0 is exact
				continue
			}
			o.Products++
			if y == 0 {
				o.Underflows++
				describe(&o.Underflow)
			}
		case ir.Add, ir.Sub:
			if anyZero(xs, i) {
				continue
			}
			o.Sums++
			a, b := xs[0][i], xs[1][i]
			absorbed := y == a || code == ir.Add && y == b || code == ir.Sub && y == -b
			if absorbed {
				o.Absorptions++
				describe(&o.Absorbed)
			}
		}
	}
}

// shortNumber returns v, an element of dtype d, with three digits.
func shortNumber(v complex128, d dtype.DType) string {
	if d.Is(dtype.Complex) {
		return fmt.Sprintf("%.3g", v)
	}
	return fmt.Sprintf("%.3g", real(v))
}

// eachFinite reports whether each operand has n elements and its element i is finite.
func eachFinite(xs [][]complex128, i, n int) bool {
	for _, x := range xs {
		if len(x) != n || cmplx.IsNaN(x[i]) || cmplx.IsInf(x[i]) {
			return false
		}
	}
	return true
}

// anyZero reports whether element i of an operand is 0.
func anyZero(xs [][]complex128, i int) bool {
	for _, x := range xs {
		if x[i] == 0 {
			return true
		}
	}
	return false
}
