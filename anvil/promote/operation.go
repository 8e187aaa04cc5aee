package promote

import "github.com/goanvil/notebook/anvil/dtype"

// Operates reports whether the system answers for operations by name (see
// Operation); one that does not has its rules of division and reduction only.
func (s *System) Operates() bool { return s.rules.Operate != nil }

// Operation returns the dtype of an operation of the real system, named as that
// system names it, on xs (see Result); an error where the system has none.
func (s *System) Operation(op string, xs ...any) (dtype.Typed, error) {
	e := s.ExplainOperation(op, xs...)
	return e.Result, e.Err
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
	e.Result, e.Steps, e.Err = s.rules.Operate(op, e.Operands)
	if e.Err == nil {
		e.Err = s.numbers(op, e.Operands)
	}
	return e
}

// Assignment returns the dtype of an operation that is stored into its first
// operand: iadd, add_; an error where the system does not let it.
func (s *System) Assignment(op string, into, x any) (dtype.Typed, error) {
	ops, err := s.Operands(into, x)
	if err != nil {
		return dtype.Typed{}, err
	}
	if s.rules.Assign == nil {
		return dtype.Typed{}, unnamed(s.name, op)
	}
	t, _, err := s.rules.Assign(op, ops[0], ops[1])
	return t, err
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
	return &dtype.Error{Op: op, Operands: system, Reason: "this system has no operation of that name",
		Hint: "its table under anvil/promote/tables lists them"}
}

// kernelStep is the step from the dtype that an operation is computed in to
// the dtype of its result.
func kernelStep(op string, at, r dtype.Typed) Step {
	return Step{op + " of " + at.String(), r, Rule{"kernel", "what the operation gives at that dtype"}}
}
