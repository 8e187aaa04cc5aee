package anvil_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// withoutGradient are the operands at which a function has a finite value and no real
// derivative: powers of negative numbers by the exponent, logarithms of negative numbers.
var withoutGradient = map[string]func(x, y float64) bool{
	"Pow":     func(x, _ float64) bool { return x < 0 },
	"PowR":    func(x, _ float64) bool { return x < 0 },
	"XLogY":   func(x, y float64) bool { return x == 0 && y < 0 },
	"XLog1py": func(x, y float64) bool { return x == 0 && y < -1 },
}

// TestGradientsAreNumbers calls every function of one or two operands at special values, as
// scalars and among other elements, and requires that no gradient of a finite value is NaN.
func TestGradientsAreNumbers(t *testing.T) {
	special := []float64{0, 1, -1, 2, 0.5, -0.5, 100}
	functions := 0
	for name, f := range functionsOfOperands(1) {
		functions++
		for _, v := range special {
			requireNumbers(t, name, f, nv.Scalar(v, nv.F64))
			requireNumbers(t, name, f, nv.New([]float64{v, 1.5, v}))
		}
	}
	for name, f := range functionsOfOperands(2) {
		functions++
		for _, v := range special {
			for _, w := range special {
				if no := withoutGradient[name]; no != nil && no(v, w) {
					continue
				}
				requireNumbers(t, name, f, nv.Scalar(v, nv.F64), nv.Scalar(w, nv.F64))
				requireNumbers(t, name, f, nv.New([]float64{v, 1.5, v}), nv.New([]float64{w, 0.7, 1.5}))
			}
		}
	}
	if functions < 250 {
		t.Errorf("%d functions; the test has lost some", functions)
	}
}

// functionsOfOperands returns the functions of n operands, without options, that return a
// tensor, by name.
func functionsOfOperands(n int) map[string]func(xs []nv.Tensor) nv.Tensor {
	lib := reflect.ValueOf(nv.Default().Lib)
	found := map[string]func(xs []nv.Tensor) nv.Tensor{}
	for i := range lib.NumMethod() {
		f, ft := lib.Method(i), lib.Method(i).Type()
		fixed := ft.NumIn()
		if ft.IsVariadic() {
			fixed--
		}
		operands := fixed == n && ft.NumOut() > 0 && ft.Out(0) == reflect.TypeFor[nv.Tensor]()
		for k := range fixed {
			operands = operands && ft.In(k) == reflect.TypeFor[any]()
		}
		if name := lib.Type().Method(i).Name; operands && name != "Print" {
			found[name] = func(xs []nv.Tensor) nv.Tensor {
				in := make([]reflect.Value, n)
				for k, x := range xs {
					in[k] = reflect.ValueOf(x)
				}
				return f.Call(in)[0].Interface().(nv.Tensor)
			}
		}
	}
	return found
}

// requireNumbers checks the gradient of the sum of f by xs, and reports whether there is one:
// f may refuse the operands, have no finite value, or no derivative.
func requireNumbers(t *testing.T, name string, f func(xs []nv.Tensor) nv.Tensor, xs ...nv.Tensor) (checked bool) {
	t.Helper()
	sum := func(xs []nv.Tensor) nv.Tensor { return nv.Sum(nv.AsType(nv.Real(f(xs)), nv.F64)) }
	var value float64
	var gradients []nv.Tensor
	if nv.Try(func() { value, gradients = sum(xs).Float(), nv.Grad(sum)(xs) }) != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return false
	}
	for k, g := range gradients {
		checked = checked || g.Valid()
		if g.Valid() && nv.Any(nv.IsNaN(g)).Bool() {
			var at []string
			for _, x := range xs {
				at = append(at, fmt.Sprint(nv.Values[float64](nv.Flatten(x))))
			}
			t.Errorf("%s of %v is %v, its gradient by operand %d %v", name, at, value, k+1, nv.Values[float64](nv.Flatten(g)))
		}
	}
	return checked
}
