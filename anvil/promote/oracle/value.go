package oracle

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// The rows have values as JSON numbers; integers beyond 2^53 as decimal text;
// "nan", "inf", "-inf" and "-0.0"; complex numbers as pairs.

// measured returns a row's value, or list of values, as a tensor of one axis.
func (l laboratory) measured(v any, d dtype.DType) anvil.Tensor {
	vs, list := v.([]any)
	if !list || d.Is(dtype.Complex) {
		vs = []any{v}
	}
	elements := reflect.MakeSlice(reflect.SliceOf(d.GoType()), 0, len(vs))
	for _, v := range vs {
		w, err := dtype.Cast(number(v), d)
		if err != nil {
			panic(unsupported(err.Error()))
		}
		elements = reflect.Append(elements, reflect.ValueOf(w))
	}
	return l.context().With(promote.Anvil).From(elements.Interface(), d)
}

// number returns the Go number that a row's value stands for.
func number(v any) any {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= 1<<53 && !(v == 0 && math.Signbit(v)) {
			return int64(v)
		}
		return v
	case string:
		if i, err := strconv.ParseInt(v, 10, 64); err == nil && v != "-0" {
			return i
		}
		if u, err := strconv.ParseUint(v, 10, 64); err == nil {
			return u
		}
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f
		}
	case []any:
		if len(v) == 2 {
			re, _ := dtype.Cast(number(v[0]), dtype.F64)
			im, _ := dtype.Cast(number(v[1]), dtype.F64)
			return complex(re.(float64), im.(float64))
		}
	}
	panic(unsupported(fmt.Sprintf("no value %v", v)))
}

// first returns the first element of t as a row has it.
func first(t anvil.Tensor) any {
	if t.Rank() == 0 {
		return plain(t.Item())
	}
	return plain(t.At(0).Item())
}

// whole returns the elements of t, or its one, as a row has them.
func whole(t anvil.Tensor) any {
	if t.Rank() == 0 {
		return plain(t.Item())
	}
	vs := make([]any, t.Len())
	for i := range vs {
		vs[i] = plain(t.At(i).Item())
	}
	return vs
}

// plain returns a Go number as a row has it.
func plain(v any) any {
	switch v := v.(type) {
	case bool:
		return v
	case float32:
		return plainFloat(float64(v))
	case float64:
		return plainFloat(v)
	case complex64:
		return []any{plainFloat(float64(real(v))), plainFloat(float64(imag(v)))}
	case complex128:
		return []any{plainFloat(real(v)), plainFloat(imag(v))}
	case uint64:
		if v > 1<<53 {
			return strconv.FormatUint(v, 10)
		}
		return float64(v)
	}
	i, _ := dtype.Cast(v, dtype.I64)
	if n := i.(int64); n > 1<<53 || n < -1<<53 {
		return strconv.FormatInt(n, 10)
	}
	return float64(i.(int64))
}

func plainFloat(f float64) any {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == 0 && math.Signbit(f):
		return "-0.0"
	}
	return f
}
