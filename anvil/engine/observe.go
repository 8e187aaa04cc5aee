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
// Each text describes the first such operation with its layer and operands, for example
// "Exp in the layer Out (nn.Dense) of 90" for an Exp of 90. It is "" if there is no such operation.
type Observation struct {
	Overflow string // an infinity from finite operands
	NaN      string // a NaN from operands that have no NaN and are not infinite everywhere

	// Underflow describes a product, quotient, power, exponential, logistic function or conversion of finite numbers
	// whose result is 0 only because of rounding. Products counts the result elements that could have been rounded to
	// 0, and Underflows those that were.
	Underflow            string
	Underflows, Products int

	// Absorbed describes a sum or a difference that is equal to one operand (or to its negative) although the other
	// operand is not 0. Sums counts the result elements of sums and differences of nonzero numbers, and Absorptions
	// those that are equal to an operand (or to its negative).
	Absorbed          string
	Absorptions, Sums int

	Partial  bool // the time limit was reached before all operations were observed
	deadline time.Time
}

var errTimeUp = errors.New("the time for observing operations is up")

// Observe makes each following operation compute its result at once and observes it, until end is called. After
// the given time, operations return an error instead.
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

// observing returns the Observation of the current Observe, or nil if there is none.
func (s *Session) observing() *Observation {
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	return s.observed
}

// maxObserved is the greatest number of elements that results and operands of an observed operation may have.
const maxObserved = 1 << 16

// observe records in o the information that an operation with the given operands has lost. values are
// the elements of its result.
func (s *Session) observe(o *Observation, code ir.Code, scope ir.Scope, operands []*node, values []complex128) error {
	if time.Now().After(o.deadline) {
		s.watchMu.Lock()
		defer s.watchMu.Unlock()
		o.Partial = true
		return errTimeUp
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

// operandElements returns the elements of each operand, or nil for an operand that is not examined: operands of exact
// dtypes are examined for Convert only. ok is false if an examined operand has more than maxObserved elements.
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

// record adds to o the information that one operation has lost. name describes the operation, xs are the elements of
// its operands, and values are the elements of its result.
func (o *Observation) record(code ir.Code, name string, operands []*node, xs [][]complex128, values []complex128) {
	nanExpected := false // an operand has a NaN, or is infinite everywhere
	inf := false         // whether an operand has an infinity
	for _, x := range xs {
		if x == nil {
			continue
		}
		infinities := 0
		for _, v := range x {
			nanExpected = nanExpected || cmplx.IsNaN(v)
			if cmplx.IsInf(v) {
				infinities++
			}
		}
		inf = inf || infinities > 0
		// An operand that is infinite everywhere is taken for a constant that masks elements, so a NaN
		// that it causes is expected.
		nanExpected = nanExpected || infinities == len(x)
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
		case cmplx.IsNaN(y) && !nanExpected:
			describe(&o.NaN)
		}
		if !allFinite(xs, i, len(values)) {
			continue
		}
		switch code {
		case ir.Mul, ir.MulNoNaN, ir.Div, ir.Exp, ir.Logistic, ir.Pow, ir.Convert:
			if code != ir.Exp && code != ir.Logistic && anyZero(xs, i) { // a result of 0 is then exact
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

// shortNumber returns v, an element of dtype d, as text with three significant digits.
func shortNumber(v complex128, d dtype.DType) string {
	if d.Is(dtype.Complex) {
		return fmt.Sprintf("%.3g", v)
	}
	return fmt.Sprintf("%.3g", real(v))
}

// allFinite reports whether all operands have n elements and a finite element i.
func allFinite(xs [][]complex128, i, n int) bool {
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
