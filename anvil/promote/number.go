package promote

import (
	"reflect"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
)

// powers are the names of the operation that raises to a power.
var powers = []string{"pow", "power", "pow_", "ipow", "tnp.power"}

// anyNumber are the operations in which a number need not fit the dtype that it
// stands beside: they compare it as it is, or wrap it.
var anyNumber = []string{"equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "where", "concatenate", "clip"}

// numbers is what an operation that gives t says of the values of the numbers
// among its operands: an integer must fit the integer dtype that it stands
// beside, unless both are computed as floats, and integers have no negative
// powers, where the system says so.
func (s *System) numbers(op string, xs []Operand, t dtype.Typed) error {
	if len(xs) != 2 {
		return nil
	}
	for i, x := range xs {
		v, ok := x.Literal.(int)
		beside := xs[1-i].DType
		if !ok || !beside.Is(dtype.Bits) {
			continue
		}
		if beside.Is(dtype.Integral) && beside.Valid() && !t.DType.Is(dtype.Inexact) && !slices.Contains(anyNumber, op) {
			w, err := s.Convert(v, beside)
			if err != nil {
				return err
			}
			if s.Values().Tensors { // what it has wrapped to is what is asked for its sign
				v = int(reflect.ValueOf(w).Convert(reflect.TypeFor[int]()).Int())
			}
		}
		if i == 1 && v < 0 && slices.Contains(powers, op) {
			if err := s.Values().Fault(NegativeNumber); err != nil {
				return err
			}
		}
	}
	if s.rules.Numbers != nil {
		return s.rules.Numbers(op, xs, t)
	}
	return nil
}
