package shape

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Broadcast returns the shape that s and t both broadcast to. Axes are paired from the last; the
// lengths of a pair must be equal, or one of them must be 1. The error is a *dtype.Error with
// Reason and Hint; the caller sets Op and Operands.
func Broadcast(s, t Shape) (Shape, error) {
	if s.Equal(t) {
		return s, nil
	}
	long, short := s, t
	if len(s) < len(t) {
		long, short = t, s
	}
	out := long.Clone()
	for i, n := range short {
		k := len(long) - len(short) + i
		switch {
		case out[k] == n || n == 1:
		case out[k] == 1:
			out[k] = n
		default:
			return nil, &dtype.Error{
				Reason: "shapes " + long.String() + " and " + short.String() + " do not broadcast: axis " +
					strconv.Itoa(k) + " has length " + strconv.Itoa(long[k]) + " and " + strconv.Itoa(n),
				Hint: "Reshape one of them so that the lengths agree or one is 1"}
		}
	}
	return out, nil
}
