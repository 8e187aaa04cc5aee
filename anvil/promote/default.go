package promote

import "github.com/goanvil/notebook/anvil/dtype"

// defaultOf returns the ambiguous dtype that a plain Go number has in a system
// with these defaults; a bool is an i1. Values of sized types keep their own.
func defaultOf(v any, integer, float, cplx dtype.DType) (dtype.Typed, error) {
	switch v.(type) {
	case bool:
		return Amb(dtype.I1), nil
	case int:
		return Amb(integer), nil
	case float64:
		return Amb(float), nil
	case complex128:
		return Amb(cplx), nil
	}
	return dtype.OfLiteral(v)
}
