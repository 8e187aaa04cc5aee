package ops

import (
	"math/cmplx"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// fourier holds the rows of Fourier transforms. The reference computes in f64 and rounds once.
var fourier = []Def{
	transform(ir.FFT, dtype.Complex, nil, "FFT returns the discrete Fourier transform along the last axes: result[k] = sum over j of operand[j]*exp(-2*pi*i*j*k/n)."),
	transform(ir.IFFT, dtype.Complex, nil, "IFFT returns the inverse discrete Fourier transform along the last axes: result[j] = sum over k of operand[k]*exp(2*pi*i*j*k/n)/n."),
	transform(ir.RFFT, dtype.Floating, []dtype.DType{dtype.F32, dtype.F64},
		"RFFT returns the discrete Fourier transform of real numbers along the last axes, without the elements that follow by symmetry: only the first n/2+1 elements along the last axis."),
	transform(ir.IRFFT, dtype.Complex, nil,
		"IRFFT returns the inverse of RFFT, as real numbers. The imaginary parts of the DC and Nyquist bins are ignored."),
}

// transform returns the row of the Fourier transform c.
func transform(c ir.Code, accepts dtype.Kind, only []dtype.DType, doc string) Def {
	return Def{Code: c, Name: c.String(), HLO: "fft", Params: []string{"operand"}, Accepts: []dtype.Kind{accepts}, Only: only, Doc: doc,
		Infer: inferFFT(c), Lower: lowerFFT, Eval: evalFFT,
		Bound: Bound{ULP: 2, Sum: true, AnyZero: true}}
}

// inferFFT checks the constraints of StableHLO's fft: (C1) there are lengths for one to three of the operand's axes;
// (C2) the real dtype of RFFT and IRFFT is the dtype of the complex numbers' parts; (C3) to (C5) the last axes of
// operand and result have the given lengths, except that the last axis of RFFT's result and of IRFFT's operand
// has n/2+1 elements, where n is the last length.
func inferFFT(c ir.Code) InferFunc {
	return func(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
		a, _ := attrs.(ir.FFTAttrs)
		n, t := a.Lengths.Ints(), args[0]
		if len(n) < 1 || len(n) > 3 || len(n) > len(t.Shape) {
			return nil, fault("the transform is along "+strconv.Itoa(len(n))+" axes, but the operand has "+strconv.Itoa(len(t.Shape)),
				"transform one to three of its axes")
		}
		whole, half := shape.Shape(n), shape.Shape(n).Clone()
		half[len(n)-1] = n[len(n)-1]/2 + 1
		from, to := whole, whole
		d := t.DType
		switch c {
		case ir.RFFT:
			to, d = half, complexOf(d)
		case ir.IRFFT:
			from, d = half, d.Elem()
		}
		at := len(t.Shape) - len(n)
		if !from.Equal(t.Shape[at:]) || whole.Size() == 0 {
			return nil, fault(
				"the last axes have lengths "+t.Shape[at:].String()+", and the transform needs "+from.String(),
				"slice or pad the operand; each length must be at least 1")
		}
		return []shape.Type{{DType: d, Shape: append(t.Shape[:at].Clone(), to...)}}, nil
	}
}

// complexOf returns the complex dtype whose parts have dtype d.
func complexOf(d dtype.DType) dtype.DType {
	if d == dtype.F64 {
		return dtype.C128
	}
	return dtype.C64
}

func lowerFFT(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.fft ").Values(n.Args...).Str(", type = ").Str(strings.ToUpper(n.Code.Mnemonic())).
		Str(", length = ").Dims(n.Attrs.(ir.FFTAttrs).Lengths).EndFunc(n)
}

// evalFFT transforms one axis after the other, the last axis last.
func evalFFT(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, t, lengths := args[0], n.Results[0].Type, n.Attrs.(ir.FFTAttrs).Lengths.Ints()
	s, xs, inverse := x.Type.Shape.Clone(), complexes(x), n.Code == ir.IFFT || n.Code == ir.IRFFT
	last := len(s) - 1
	for axis := len(s) - len(lengths); axis <= last; axis++ {
		if axis == last && n.Code == ir.IRFFT {
			xs = extendHermitian(xs, s[last], lengths[len(lengths)-1])
			s[last] = lengths[len(lengths)-1]
		}
		if err := array.Fourier(e.Context(), s, axis, xs, inverse); err != nil {
			return nil, err
		}
	}
	whole := array.Store(array.New(shape.Type{DType: dtype.C128, Shape: s}), xs)
	if n.Code == ir.IRFFT {
		return oneResult(array.Map1(e.Context(), t, whole, func(z complex128) float64 { return real(z) }))
	}
	part, err := array.Read(e.Context(), t.Shape, whole, 0, array.Strides(s)) // the first half for RFFT, else all
	if err != nil {
		return nil, err
	}
	return oneResult(array.Map1(e.Context(), t, part, func(z complex128) complex128 { return z })) // rounds to t's dtype
}

// complexes returns the elements of x, real or complex, as complex128.
func complexes(x array.Array) []complex128 {
	if x.DType().Is(dtype.Complex) {
		return array.Load[complex128](x)
	}
	zs := make([]complex128, x.Size())
	for i, v := range array.Load[float64](x) {
		zs[i] = complex(v, 0)
	}
	return zs
}

// extendHermitian extends each row of xs from half to n elements by symmetry: result[n-k] = conj(result[k]).
func extendHermitian(xs []complex128, half, n int) []complex128 {
	out := make([]complex128, 0, len(xs)/half*n)
	for ; len(xs) > 0; xs = xs[half:] {
		out = append(out, xs[:half]...)
		for k := half; k < n; k++ {
			out = append(out, cmplx.Conj(xs[n-k]))
		}
	}
	return out
}
