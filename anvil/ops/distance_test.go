package ops_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// comparePoint compares the results of one point.
func comparePoint(t *testing.T, p point, got, want []array.Array) {
	t.Helper()
	if m := mismatch(p, got, want); m != "" {
		t.Error(m)
	}
}

// mismatch describes where the results of a point differ by more than its row's bound; it
// returns "" if they do not.
func mismatch(p point, got, want []array.Array) string {
	var scale array.Array
	if p.def.Bound.Sum {
		scale = magnitudes(p)
	}
	for k := range got {
		norm := 0.0
		if p.def.Bound.Norm {
			norm = greatest(want[k])
		}
		for i := range got[k].Size() {
			unit := max(norm, p.def.Bound.Floor)
			if p.def.Bound.Sum && got[k].DType().Is(dtype.Inexact) {
				unit = array.Load[float64](scale)[i]
			}
			bound := p.def.Bound.For(got[k].DType())
			if d := distance(got[k], want[k], i, unit, p.def.Bound.AnyZero); d > float64(bound) {
				return fmt.Sprintf("%v result %d [%d]: xla %v, reference %v: %.3g ulp, bound %d%s", p, k, i,
					element(got[k], i), element(want[k], i), d, bound, operandsAt(p, i))
			}
		}
	}
	return ""
}

// operandsAt formats the operands of an elementwise point at position i.
func operandsAt(p point, i int) string {
	s := ""
	for _, a := range p.sample.Args {
		if i < a.Size() && a.Type.Shape.Equal(p.types[0].Shape) {
			s += " " + fmt.Sprint(element(a, i))
		}
	}
	return s
}

func element(a array.Array, i int) any {
	d := a.DType()
	return dtype.Get(a.Data[i*d.Size():(i+1)*d.Size()], d)
}

// distance returns the difference of element i of got and of want in units in the last
// place of want, or of scale if that is greater. Two NaNs have distance 0.
func distance(got, want array.Array, i int, scale float64, anyZero bool) float64 {
	d := got.DType()
	x, y := got.Data[i*d.Size():(i+1)*d.Size()], want.Data[i*d.Size():(i+1)*d.Size()]
	switch d.Kind() {
	case dtype.Floating:
		return floatDistance(d, dtype.GetFloat(x, d), dtype.GetFloat(y, d), scale, anyZero)
	case dtype.Complex:
		a, b := dtype.GetComplex(x, d), dtype.GetComplex(y, d)
		scale = max(scale, math.Abs(real(b)), math.Abs(imag(b)))
		return max(floatDistance(d.Elem(), real(a), real(b), scale, true), floatDistance(d.Elem(), imag(a), imag(b), scale, true))
	}
	// Compare values: the unused bits of a narrow element are unspecified.
	if dtype.Get(x, d) == dtype.Get(y, d) {
		return 0
	}
	return math.Inf(1)
}

// floatDistance is distance for two floats: x is got, and y is wanted.
func floatDistance(d dtype.DType, x, y, scale float64, anyZero bool) float64 {
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case x == y && (anyZero || math.Signbit(x) == math.Signbit(y)):
		return 0
	case math.IsNaN(x) || math.IsNaN(y) || x == y:
		return math.Inf(1)
	case x == 0 && math.Abs(y) < math.Ldexp(1, smallestExp[d]) && d.Bits() >= 16 && d != dtype.F16:
		return 0 // XLA has flushed a subnormal number
	}
	if math.IsInf(scale, 0) || math.IsNaN(scale) {
		scale = 0
	}
	return math.Abs(x-y) / ulp(d, max(scale, math.Abs(y)))
}

// mantissa has the number of bits of the mantissa, without the leading one.
var mantissa = map[dtype.DType]int{dtype.F64: 52, dtype.F32: 23, dtype.F16: 10, dtype.BF16: 7, dtype.F8E3M4: 4, dtype.F8E4M3: 3,
	dtype.F8E4M3B11FNUZ: 3, dtype.F8E4M3FN: 3, dtype.F8E4M3FNUZ: 3, dtype.F8E5M2: 2, dtype.F8E5M2FNUZ: 2, dtype.F8E8M0FNU: 0,
	dtype.F4E2M1FN: 1}

// smallestExp has the exponent of the smallest normal number.
var smallestExp = map[dtype.DType]int{dtype.F64: -1022, dtype.F32: -126, dtype.F16: -14, dtype.BF16: -126, dtype.F8E3M4: -2,
	dtype.F8E4M3: -6, dtype.F8E4M3B11FNUZ: -10, dtype.F8E4M3FN: -6, dtype.F8E4M3FNUZ: -7, dtype.F8E5M2: -14, dtype.F8E5M2FNUZ: -15,
	dtype.F8E8M0FNU: -127, dtype.F4E2M1FN: 0}

// ulp returns the distance between neighboring numbers of d near x.
func ulp(d dtype.DType, x float64) float64 {
	exp := smallestExp[d]
	if x != 0 {
		exp = max(exp, math.Ilogb(x))
	}
	return math.Ldexp(1, exp-mantissa[d])
}

// magnitudes returns the results of p for the magnitudes of its operands. The error bounds
// of sums are relative to these results.
func magnitudes(p point) array.Array {
	if _, ok := p.sample.Attrs.(ir.FFTAttrs); ok {
		return sumOfAll(p)
	}
	g := &ir.Graph{}
	var args []array.Array
	var operands []*ir.Value
	for _, a := range p.sample.Args {
		abs := array.New(shape.Type{DType: dtype.F64, Shape: a.Type.Shape})
		for i := range a.Size() {
			dtype.PutFloat(abs.Data[8*i:], dtype.F64, magnitude(a, i))
		}
		args = append(args, abs)
		operands = append(operands, g.Param(abs.Type))
	}
	t := shape.Type{DType: dtype.F64, Shape: p.types[0].Shape}
	g.Outputs = g.Add(p.def.Code, p.sample.Attrs, nil, operands, t).Results
	out, err := reference.Run(context.Background(), g, args)
	if err != nil {
		panic(err)
	}
	return out[0]
}

// greatest returns the greatest finite magnitude in a.
func greatest(a array.Array) float64 {
	g := 0.0
	for i := range a.Size() {
		if m := magnitude(a, i); m > g && !math.IsInf(m, 0) {
			g = m
		}
	}
	return g
}

// sumOfAll returns, for each element of the result, the sum of the magnitudes of all
// elements of the operand: each element of a Fourier transform depends on all of them.
func sumOfAll(p point) array.Array {
	sum, x := 0.0, p.sample.Args[0]
	for i := range x.Size() {
		sum += magnitude(x, i)
	}
	out := array.New(shape.Type{DType: dtype.F64, Shape: p.types[0].Shape})
	for i := range out.Size() {
		dtype.PutFloat(out.Data[8*i:], dtype.F64, sum)
	}
	return out
}

// magnitude returns the magnitude of element i; for complex numbers, the sum of the magnitudes
// of the parts.
func magnitude(a array.Array, i int) float64 {
	d := a.DType()
	at := a.Data[i*d.Size():]
	if d.Is(dtype.Complex) {
		c := dtype.GetComplex(at, d)
		return math.Abs(real(c)) + math.Abs(imag(c))
	}
	return math.Abs(dtype.GetFloat(at, d))
}
