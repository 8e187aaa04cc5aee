package promote

import "github.com/goanvil/notebook/anvil/dtype"

// Operates reports whether the system answers for operations by name (see
// Operation); one that does not has its rules of division and reduction only.
func (s *System) Operates() bool { return s.rules.Operate != nil }

// Operation returns the dtype of an operation of the real system, named as that
// system names it, on xs (see Result); an error where the system has none.
func (s *System) Operation(op string, xs ...any) (dtype.Typed, error) {
	ops, err := s.Operands(xs...)
	if err != nil {
		return dtype.Typed{}, err
	}
	return s.Operate(op, ops)
}

// Operate is Operation for operands. What an operation comes to is remembered:
// an eager program asks the same again and again.
func (s *System) Operate(op string, xs []Operand) (dtype.Typed, error) {
	if s.rules.Operate == nil {
		return dtype.Typed{}, unnamed(s.name, op)
	}
	key, ok := s.answerKey(op, xs)
	if ok {
		if t, ok := s.answers.of(op, key); ok {
			return t, s.numbers(op, xs, t)
		}
	}
	t, _, err := s.rules.Operate(op, xs)
	if err != nil {
		return t, err
	}
	if ok {
		s.answers.put(op, key, t)
	}
	return t, s.numbers(op, xs, t)
}

// ExplainOperation returns how an operation on xs comes to its dtype.
func (s *System) ExplainOperation(op string, xs ...any) Explanation {
	e := Explanation{System: s}
	if e.Operands, e.Err = s.Operands(xs...); e.Err != nil {
		return e
	}
	if s.rules.Operate == nil {
		e.Err = unnamed(s.name, op)
		return e
	}
	var steps []Step
	e.Result, steps, e.Err = s.rules.Operate(op, e.Operands)
	e.Steps = append(s.literalSteps(e.Operands), steps...)
	if e.Err == nil {
		e.Err = s.numbers(op, e.Operands, e.Result)
	}
	e.Steps = append(e.Steps, e.wrapped(op)...)
	return e
}

// Assignment returns the dtype of an operation that is stored into its first
// operand: iadd, add_; an error where the system does not let it.
func (s *System) Assignment(op string, into, x any) (dtype.Typed, error) {
	e := s.ExplainAssignment(op, into, x)
	return e.Result, e.Err
}

// ExplainAssignment returns how an operation that is stored into its first
// operand comes to its dtype (see Assignment).
func (s *System) ExplainAssignment(op string, into, x any) Explanation {
	e := Explanation{System: s}
	if e.Operands, e.Err = s.Operands(into, x); e.Err != nil {
		return e
	}
	if s.rules.Assign == nil {
		e.Err = unnamed(s.name, op)
		return e
	}
	var steps []Step
	e.Result, steps, e.Err = s.rules.Assign(op, e.Operands[0], e.Operands[1])
	e.Steps = append(s.literalSteps(e.Operands), steps...)
	return e
}

// Store returns why the result of an operation, of dtype from, may not be
// stored in a tensor of dtype to; nil where it may.
func (s *System) Store(op string, from, to dtype.DType) error {
	switch {
	case s.rules.Store != nil:
		return s.rules.Store(op, from, to)
	case from == to:
		return nil
	}
	return &dtype.Error{Op: op, Operands: from.String() + " into " + to.String(),
		Reason: "the result is " + from.String() + ", and " + s.name + " converts nothing to store it in " + to.String(), Hint: "convert an operand or the result with AsType"}
}

// CanCast reports whether the system lets from be stored as to. The casting
// rule is NumPy's (no, equiv, safe, same_kind, unsafe); "" is the system's own.
func (s *System) CanCast(from, to dtype.DType, rule string) (bool, error) {
	if s.rules.CanCast == nil {
		return false, unnamed(s.name, "can_cast")
	}
	return s.rules.CanCast(from, to, rule)
}

func unnamed(system, op string) error {
	return &dtype.Error{Op: op, Operands: system, Reason: "this system has no operation of that name and number of operands",
		Hint: "System.Operation takes the real system's names: add, div, sum"}
}

// kernelStep is the step from the dtype that an operation is computed in to
// the dtype of its result.
func kernelStep(op string, at, r dtype.Typed) Step {
	return Step{op + " of " + at.String(), r, kernelRule(at, r)}
}

// kernelRule names what an operation makes of the dtype that it is computed in.
func kernelRule(at, r dtype.Typed) Rule {
	to := r.DType.String()
	switch {
	case at == r:
		return Rule{"keeps the dtype", "the result has the dtype that it is computed in"}
	case r == Known(at.DType):
		return Rule{"keeps the dtype, known", "the result has the dtype that it is computed in, and is not weak"}
	case r == Amb(at.DType):
		return Rule{"keeps the dtype, weak", "the result has the dtype that it is computed in, and is weak"}
	}
	rule := Rule{"result in " + to, "the operation gives " + to + " there"}
	switch {
	case r.DType == dtype.I1:
		rule = Rule{"truth", "a bool"}
	case at.DType.Is(dtype.Complex) && r.DType == part(at.DType):
		rule = Rule{"real part", "a real number, of the parts' dtype"}
	case at.DType.Is(dtype.Bits) && r.DType.Is(dtype.Inexact):
		rule = Rule{"integers in " + to, "integers and bools are computed in " + to}
	case at.DType.Is(dtype.Bits) && r.DType.Bits() > at.DType.Bits():
		rule = Rule{"widened to " + to, "a dtype as narrow as " + at.DType.String() + " gives " + to}
	case r.DType.Is(dtype.Integral):
		rule = Rule{"counted in " + to, "a position or a count, which is " + to}
	}
	if r.Ambiguous {
		rule.Name, rule.Doc = rule.Name+", weak", rule.Doc+", and weak"
	}
	return rule
}
