package anvil_test

import (
	"math"
	"math/cmplx"
	"reflect"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// arithmetics are the functions of one or two numbers whose results at the edges
// of a dtype differ between languages and machines.
var arithmetics = strings.Fields(`Add Sub Mul Div TrueDiv FloorDiv TruncDiv Rem Fmod Pow Maximum Minimum And Or Xor AndNot Shl Shr Eq Lt
	Neg Abs Sign Square Not Floor Ceil Round RoundAway Trunc Popcount Clz IsNaN IsFinite Reciprocal`)

// edged are dtypes of each class and of different widths.
var edged = []dtype.DType{dtype.I1, dtype.I4, dtype.I8, dtype.I32, dtype.I64, dtype.U2, dtype.U8, dtype.U64, dtype.F4E2M1FN,
	dtype.F8E4M3FN, dtype.F8E8M0FNU, dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64}

// A numeric is a named function of one or two tensors.
type numeric struct {
	name string
	f    func(l *nv.Lib, x, y nv.Tensor) nv.Tensor
}

// numerics returns the arithmetics and the conversions to each dtype.
func numerics() (all []numeric) {
	for _, name := range arithmetics {
		m, _ := reflect.TypeFor[*nv.Lib]().MethodByName(name)
		operands := m.Type.NumIn()
		if m.Type.IsVariadic() {
			operands--
		}
		all = append(all, numeric{name, func(l *nv.Lib, x, y nv.Tensor) nv.Tensor {
			in := []reflect.Value{reflect.ValueOf(l), reflect.ValueOf(x), reflect.ValueOf(y)}
			return m.Func.Call(in[:operands])[0].Interface().(nv.Tensor)
		}})
	}
	for _, d := range edged {
		all = append(all, numeric{"AsType " + d.String(), func(l *nv.Lib, x, _ nv.Tensor) nv.Tensor { return l.AsType(x, d) }})
	}
	return all
}

// awkwardOf returns numbers at the edges of d.
func awkwardOf(d dtype.DType) (xs []any) {
	add := func(v any) {
		if w, err := dtype.Cast(v, d); err == nil {
			xs = append(xs, w)
		}
	}
	switch {
	case d == dtype.I1:
		return []any{false, true}
	case d.Is(dtype.Integral):
		bits := d.Bits()
		high := uint64(math.MaxUint64) >> (64 - bits)
		if d.Is(dtype.Signed) {
			high /= 2
			for _, v := range []int64{-int64(high) - 1, -int64(high), -1, -2, -7} {
				if v >= -int64(high)-1 {
					add(v)
				}
			}
		}
		for _, v := range []uint64{high, high - 1, 0, 1, 2, 3, 7, uint64(bits) - 1, uint64(bits), uint64(bits) + 1} {
			if v <= high {
				add(v)
			}
		}
	case d.Is(dtype.Complex):
		for _, v := range []complex128{0, 1, -1, 1i, 2 - 3i, 0.5 + 0.25i, -3 - 1i, 1e-3 + 5i} {
			add(v)
		}
	default:
		for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3, math.Inf(1), math.Inf(-1), math.NaN(), dtype.Largest(d),
			-dtype.Largest(d), 0.1, 100.25, 0x1p31, -0x1p31 - 1, 0x1p63, 1e-6} {
			add(v)
		}
	}
	return xs
}

// pairsOf returns all pairs of awkward numbers of d.
func pairsOf(c *nv.Context, d dtype.DType) (x, y nv.Tensor) {
	numbers := awkwardOf(d)
	n := len(numbers)
	all := reflect.MakeSlice(reflect.SliceOf(d.GoType()), 0, n)
	for _, v := range numbers {
		all = reflect.Append(all, reflect.ValueOf(v))
	}
	v := c.From(all.Interface(), d)
	return c.Repeat(v, n), c.Tile(v, nv.Shape{n})
}

// TestExecutorsAgree checks that arithmetic on numbers at the edges of dtypes has
// the same type and elements, or the same error, wherever it is computed; integers
// and bools exactly. Functions that the host does not compute are put into one
// program.
func TestExecutorsAgree(t *testing.T) {
	reference, here := nv.NewContext(nv.ContextOptions{Backend: "reference"}), nv.NewContext(nv.ContextOptions{})
	for _, d := range edged {
		x, y := pairsOf(reference, d)
		hx, hy := pairsOf(here, d)
		var computed []numeric
		var want []nv.Tensor
		for _, f := range numerics() {
			var r nv.Tensor
			failed := nv.Try(func() { r = f.f(reference.Lib, x, y); elements(r) })
			if failed == nil {
				computed, want = append(computed, f), append(want, r)
			} else if err := nv.Try(func() { f.f(here.Lib, hx, hy) }); err == nil {
				t.Errorf("%s of %v: no error, but the reference has %v", f.name, d, failed)
			}
		}
		if d.Bits() < 8 || d.Bits() == 8 && d.Is(dtype.Floating) {
			for i, got := range inOne(here, computed, hx, hy) {
				compareElements(t, computed[i].name+" of "+d.String(), want[i], got)
			}
			continue
		}
		for i, f := range computed {
			compareElements(t, f.name+" of "+d.String(), want[i], f.f(here.Lib, hx, hy))
		}
	}
}

// inOne returns the results of functions of x and y, computed in one program.
func inOne(c *nv.Context, fs []numeric, x, y nv.Tensor) []nv.Tensor {
	return c.JitAny(func(x, y nv.Tensor) (all []nv.Tensor) {
		for _, f := range fs {
			all = append(all, f.f(c.Lib, x, y))
		}
		return all
	}).(func(x, y nv.Tensor) []nv.Tensor)(x, y)
}

func compareElements(t *testing.T, name string, want, got nv.Tensor) {
	t.Helper()
	if want.Typed() != got.Typed() || !want.Shape().Equal(got.Shape()) {
		t.Errorf("%s: %v%v, want %v%v", name, got.Typed(), got.Shape(), want.Typed(), want.Shape())
		return
	}
	ws, gs := reflect.ValueOf(elements(want)), reflect.ValueOf(elements(got))
	for i := range ws.Len() {
		if w, g := ws.Index(i).Interface(), gs.Index(i).Interface(); !alike(want.DType(), w, g) {
			t.Errorf("%s [%d]: %v, want %v", name, i, g, w)
			return
		}
	}
}

// alike reports whether numbers of d are equal. Floats may differ by some units in
// the last place, and subnormal numbers of f32 may be 0, or nan if d has no 0.
func alike(d dtype.DType, w, g any) bool {
	switch w := w.(type) {
	case float64:
		g := g.(float64)
		return near(w, g, 16*spacingOf(d)*math.Abs(w)) || w == g || math.Abs(w) < 0x1p-126 && (g == 0 || d == dtype.F8E8M0FNU && g != g)
	case complex128:
		g := g.(complex128)
		return cmplx.Abs(w-g) <= 64*spacingOf(d)*cmplx.Abs(w) || w == g || cmplx.IsNaN(w) || cmplx.IsInf(w)
	}
	return w == g
}
