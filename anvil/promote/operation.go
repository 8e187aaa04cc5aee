package promote

import (
	"errors"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Operates reports whether the system has operations by name (see Operation).
// Other systems have only their rules of division and reduction.
func (s *System) Operates() bool { return s.rules.Operate != nil }

// Operation returns the dtype of the result of an operation on xs (see Result). op is the
// operation's name in the real system. Operation returns an error if the system has no
// such operation, or does not define it for xs.
func (s *System) Operation(op string, xs ...any) (dtype.Typed, error) {
	ops, err := s.Operands(xs...)
	if err != nil {
		return dtype.Typed{}, err
	}
	return s.Operate(op, ops)
}

// Operate is Operation for operands. Results are cached, since an eager program
// repeats its operations.
func (s *System) Operate(op string, xs []Operand) (dtype.Typed, error) {
	if s.rules.Operate == nil || len(xs) == 0 {
		return dtype.Typed{}, noSuchOperation(s.name, op)
	}
	key, ok := s.cacheKey(op, xs)
	if ok {
		if t, ok := s.results.get(op, key); ok {
			return t, s.checkNumbers(op, xs, t)
		}
	}
	t, _, err := s.rules.Operate(op, xs)
	if err != nil {
		return t, err
	}
	if ok {
		s.results.put(op, key, t)
	}
	return t, s.checkNumbers(op, xs, t)
}

// ExplainOperation returns the steps by which an operation on xs gets its dtype.
func (s *System) ExplainOperation(op string, xs ...any) Explanation {
	e := Explanation{System: s}
	if e.Operands, e.Err = s.Operands(xs...); e.Err != nil {
		return e
	}
	if s.rules.Operate == nil || len(e.Operands) == 0 {
		e.Err = noSuchOperation(s.name, op)
		return e
	}
	var steps []Step
	e.Result, steps, e.Err = s.rules.Operate(op, e.Operands)
	e.Steps = append(s.literalSteps(e.Operands), steps...)
	if e.Err == nil {
		e.Err = s.checkNumbers(op, e.Operands, e.Result)
	}
	e.Steps = append(e.Steps, e.wrapSteps(op)...)
	return e
}

// Assignment returns the dtype of an operation that stores its result in its first
// operand (iadd, add_). It returns an error if the system does not allow it.
func (s *System) Assignment(op string, into, x any) (dtype.Typed, error) {
	e := s.ExplainAssignment(op, into, x)
	return e.Result, e.Err
}

// ExplainAssignment returns the steps by which an operation that stores its result
// in its first operand gets its dtype (see Assignment).
func (s *System) ExplainAssignment(op string, into, x any) Explanation {
	e := Explanation{System: s}
	if e.Operands, e.Err = s.Operands(into, x); e.Err != nil {
		return e
	}
	if s.rules.Assign == nil {
		e.Err = noSuchOperation(s.name, op)
		return e
	}
	var steps []Step
	e.Result, steps, e.Err = s.rules.Assign(op, e.Operands[0], e.Operands[1])
	e.Steps = append(s.literalSteps(e.Operands), steps...)
	return e
}

// Store returns an error if the result of op, of dtype from, must not be stored in a
// tensor of dtype to.
func (s *System) Store(op string, from, to dtype.DType) error {
	switch {
	case s.rules.Store != nil:
		return s.rules.Store(op, from, to)
	case from == to:
		return nil
	}
	return &dtype.Error{Op: op, Operands: from.String() + " into " + to.String(),
		Reason: "the result is " + from.String() + ", which " + s.name + " does not convert to " + to.String(),
		Hint:   "convert an operand or the result with AsType"}
}

// CanCast reports whether a tensor of dtype from may be cast to dtype to. The casting rule is one of NumPy's (no,
// equiv, safe, same_kind, unsafe), or "" for the system's own.
func (s *System) CanCast(from, to dtype.DType, rule string) (bool, error) {
	if s.rules.CanCast == nil {
		return false, &dtype.Error{Op: "can_cast", Operands: s.name, Reason: "the system has no rule for casts",
			Hint: "give promote.NumPy, promote.Torch, promote.ArrayAPI or promote.Ivy"}
	}
	return s.rules.CanCast(from, to, rule)
}

// isNoSuchOperation reports whether err is the error of noSuchOperation for op.
func isNoSuchOperation(err error, op string) bool {
	var e *dtype.Error
	return errors.As(err, &e) && e.Op == op
}

// noSuchOperation returns the error that the system has no operation named op.
func noSuchOperation(system, op string) error {
	return &dtype.Error{Op: op, Operands: system,
		Reason: "the system has no operation with this name and number of operands",
		Hint:   "give the operation's name in the framework itself: add, div, sum"}
}
