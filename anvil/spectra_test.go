package anvil_test

import (
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// spectra are the functions of spectra.txt.
var spectra = map[string]composition{
	"FFT": {transformed((*nv.Lib).FFT), 1, 16}, "IFFT": {transformed((*nv.Lib).IFFT), 1, 16},
	"RFFT": {transformed((*nv.Lib).RFFT), 1, 16}, "IRFFT": {transformed((*nv.Lib).IRFFT), 1, 16},
	"FFT2": {transformed((*nv.Lib).FFT2), 1, 16}, "IFFT2": {transformed((*nv.Lib).IFFT2), 1, 16},
	"RFFT2": {transformed((*nv.Lib).RFFT2), 1, 16}, "IRFFT2": {transformed((*nv.Lib).IRFFT2), 1, 16},
	"FFTN": {transformed((*nv.Lib).FFTN), 1, 64}, "IFFTN": {transformed((*nv.Lib).IFFTN), 1, 64},
	"RFFTN": {transformed((*nv.Lib).RFFTN), 1, 64}, "IRFFTN": {transformed((*nv.Lib).IRFFTN), 1, 64},
	"FFTFreq":   {frequencies((*nv.Lib).FFTFreq), 0, 0},
	"RFFTFreq":  {frequencies((*nv.Lib).RFFTFreq), 0, 0},
	"FFTShift":  {alongAxis((*nv.Lib).FFTShift), 0, 0},
	"IFFTShift": {alongAxis((*nv.Lib).IFFTShift), 0, 0},
	"Convolve":  {slid((*nv.Lib).Convolve), 0, 0},
	"Correlate": {slid((*nv.Lib).Correlate), 0, 0},
	"Hanning":   {tapered((*nv.Lib).Hanning), 0, 1}, "Hamming": {tapered((*nv.Lib).Hamming), 0, 1},
	"Blackman": {tapered((*nv.Lib).Blackman), 0, 1}, "Bartlett": {tapered((*nv.Lib).Bartlett), 0, 1},
	"Interp": {func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return l.Interp(x[0], x[1], x[2]) }, 2, 1},
	"Resize": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Resize(x[0], listOf(args[1]), args[0], nv.Antialias(args[2] == "True"))
	}, 4, 4},
}

func listOf(words string) (list []int) {
	for _, f := range floats(strings.Split(words, ",")) {
		list = append(list, int(f))
	}
	return list
}

// transformed calls f on a real operand, or on the complex numbers whose parts are two
// operands. It returns complex results as real and imaginary parts.
func transformed(f func(l *nv.Lib, x any, opts ...nv.FFTOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, words []string) nv.Tensor {
		var opts []nv.FFTOption
		for _, word := range words {
			switch name, value, _ := strings.Cut(word, "="); name {
			case "axes":
				for _, axis := range listOf(value) {
					opts = append(opts, nv.Axis(axis))
				}
			case "n":
				opts = append(opts, nv.FFTLength(listOf(value)...))
			case "norm":
				opts = append(opts, nv.FFTNorm(value))
			}
		}
		z := x[0]
		if len(x) == 2 {
			d := nv.F32
			if z.DType() == nv.F64 {
				d = nv.F64
			}
			z = l.Complex(z.AsType(d), x[1].AsType(d))
		}
		r := f(l, z, opts...)
		if r.DType() != nv.C64 && r.DType() != nv.C128 {
			return r
		}
		return l.Stack(0, l.Real(r), l.Imag(r))
	}
}

func frequencies(f func(l *nv.Lib, n int, spacing float64, opts ...nv.Option) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor {
		return f(l, int(axisOf(args[0])), floats(args[1:])[0])
	}
}

func tapered(f func(l *nv.Lib, n int, opts ...nv.Option) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, _ []nv.Tensor, args []string) nv.Tensor { return f(l, int(axisOf(args[0]))) }
}

func slid(f func(l *nv.Lib, x, y any, mode ...string) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], x[1], args...) }
}

// TestSpectra compares with the results of NumPy and JAX, under both executors.
func TestSpectra(t *testing.T) { agreeWithFile(t, "testdata/spectra.txt", spectra) }

// TestSpectralDTypes: dtype and flag follow the operand and the system.
func TestSpectralDTypes(t *testing.T) {
	i := nv.Ones(nv.Shape{2}, nv.I32)
	want(t, nv.FFT(i), "c64?{2} [(2+0i) (0+0i)]")
	want(t, nv.FFT(i.AsType(nv.F64)), "c128{2} [(2+0i) (0+0i)]")
	want(t, nv.FFT(i.AsType(nv.BF16)), "c64{2} [(2+0i) (0+0i)]")
	want(t, nv.With(promote.NumPy).FFT(i), "c128{2} [(2+0i) (0+0i)]")
	want(t, nv.With(promote.Torch).RFFT(i), "c64{2} [(2+0i) (0+0i)]")
	want(t, nv.IRFFT(nv.FFT(i)), "f32?{2} [1 1]")
	want(t, nv.With(promote.NumPy).Convolve(i, nv.Ones(nv.Shape{2}, nv.F32)), "f64{3} [1 2 1]")
	want(t, nv.Correlate(nv.New([]complex64{1i, 2}), nv.New([]complex64{1i, 0}), "full"), "c64{3} [(0+0i) (1+0i) (0-2i)]")
	want(t, nv.Correlate(nv.New([]complex64{1i}), nv.New([]complex64{1i, 1}), "full"), "c64{2} [(0+1i) (1+0i)]")
	want(t, nv.FFT(nv.Zeros(nv.Shape{0, 2})), "c64{0,2} []")
}

func TestSpectralErrors(t *testing.T) {
	x, m := nv.Ones(nv.Shape{4}), nv.Ones(nv.Shape{2, 3})
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { nv.FFT(m, nv.Axis(2)) }, "FFT(f32{2,3}): axis 2 does not exist: the rank is 2; axes are 0 to 1, or -2 to -1"},
		{func() { nv.FFT(m, nv.Axis(0), nv.Axis(1)) }, "FFT(f32{2,3}): 2 axes are given for a transform along 1 axis; nv.FFTN takes any number of axes"},
		{func() { nv.FFT2(x) }, "FFT2(f32{4}): axis -2 does not exist: the rank is 1; axes are 0 to 0, or -1 to -1"},
		{func() { nv.FFTN(m, nv.Axis(0), nv.Axis(-2)) }, "FFTN(f32{2,3}): axis -2 is given twice; give each axis once"},
		{func() { nv.FFT(1.0) }, "FFT(float64 1): axis -1 does not exist: a scalar has no axes; x.ExpandDims(0) " +
			"has one"},
		{func() { nv.FFT(nv.Ones(nv.Shape{0})) }, "FFT(f32{0}): the transform has 0 elements along axis 0; give a length of at least 1 with nv.FFTLength"},
		{func() { nv.IRFFT(nv.Ones(nv.Shape{1})) }, "IRFFT(f32{1}): the transform has 0 elements along axis 0; " +
			"give a length of at least 1 with nv.FFTLength"},
		{func() { nv.FFT(x, nv.FFTLength(2, 3)) }, "FFT(f32{4}): 2 lengths are given for 1 axis; give nv.FFTLength " +
			"one number per axis"},
		{func() { nv.FFT(x, nv.FFTLength(1<<60)) }, "FFT(f32{4}): shape {4,1152921504606846976} has too many " +
			"elements; give a smaller shape, or compute parts one after the other"},
		{func() { nv.RFFT(nv.FFT(x)) }, "RFFT(c64{4}): the operand must be real, not c64; nv.FFT takes complex numbers"},
		{func() { nv.FFTNorm("big") }, `FFTNorm("big"): unknown norm; give "backward", "ortho" or "forward"`},
		{func() { nv.With(promote.Torch).FFT(x.AsType(nv.F16)) },
			"FFT(f16{4}): under torch there is no transform of f16; convert x with AsType(nv.F32)"},
		{func() { nv.FFTFreq(0, 1) }, "FFTFreq(int 0, float64 1): 0 samples have no frequencies; give at least one " +
			"sample"},
		{func() { nv.RFFTFreq(4, 0) }, "RFFTFreq(int 4, float64 0): the spacing of the samples is 0; Go divides " +
			"integers, so that 1/256 is 0: write 1.0/256"},
		{func() { nv.Hanning(1 << 40) }, "Hanning(int 1099511627776): f32{1099511627776} would take 4096.00 GiB, " +
			"and this machine has 23.54 GiB; give a smaller shape, or compute parts one after the other"},
		{func() { nv.Convolve(m, x) }, "Convolve(f32{2,3}, f32{4}): an operand has shape {2,3} and must be a " +
			"vector that is not empty; nv.Flatten makes a vector; nv.Conv1D convolves a batch"},
		{func() { nv.Convolve(x, nv.Ones(nv.Shape{0})) },
			"Convolve(f32{4}, f32{0}): an operand has shape {0} and must be a vector that is not empty; " +
				"nv.Flatten makes a vector; nv.Conv1D convolves a batch"},
		{func() { nv.Correlate(x, x, "half") }, `Correlate(f32{4}, f32{4}): unknown mode "half"; give "full", ` +
			`"same" or "valid"`},
		{func() { nv.Hanning(-1) }, "Hanning(int -1): the number of elements is negative; give 0 or more"},
		{func() { nv.Resize(m, nv.Shape{2}, "linear") }, "Resize(f32{2,3}): shape {2} has 1 axis, and x has 2; give a length for each axis of x; repeat the length of an axis to keep it"},
		{func() { nv.Resize(m, nv.Shape{2, 2}, "spline") },
			`Resize(f32{2,3}): unknown method "spline"; give nearest, linear, cubic, lanczos3 or lanczos5`},
		{func() { nv.Resize(nv.Ones(nv.Shape{0}), nv.Shape{2}, "linear") },
			"Resize(f32{0}): axis 0 is empty and cannot be resized to 2; give x at least one element on " +
				"each axis"},
		{func() { nv.Interp(x, m, m) }, "Interp(f32{4}, f32{2,3}, f32{2,3}): the points have shapes {2,3} and " +
			"{2,3}; give xp and fp as vectors of equal length, at least 1"},
	} {
		if got := errorOf(t, c.f); got != c.want {
			t.Errorf("%s; want %q", got, c.want)
		}
	}
}
