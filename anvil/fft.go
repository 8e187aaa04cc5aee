package anvil

import (
	"math"
	"slices"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// An FFTOption is an option of a Fourier transform: an Axis (several for FFTN and related functions), the lengths along
// the axes (FFTLength), or the scaling (FFTNorm).
type FFTOption interface{ fft(*fftOptions) }

// fftOptions holds the options of a Fourier transform.
type fftOptions struct {
	axes    []Axis
	lengths []int
	norm    string
}

func (a Axis) fft(t *fftOptions) { t.axes = append(t.axes, a) }

type fftOption struct {
	name string
	set  func(*fftOptions)
}

func (f fftOption) fft(t *fftOptions)  { f.set(t) }
func (f fftOption) optionName() string { return f.name }

// FFTLength returns the option that cuts the axes of the operand to the given lengths, one per axis, or pads them with
// zeros. For inverse transforms to real numbers, the lengths are those of the result.
func FFTLength(n ...int) FFTOption {
	return fftOption{"FFTLength", func(t *fftOptions) { t.lengths = n }}
}

// FFTNorm returns the option that sets the scaling by the number of elements n: "backward" (the default) divides the
// inverse transform by n, "forward" divides the forward transform by n, and "ortho" divides both by the square root of
// n. FFTNorm panics with an *Error on another name.
func FFTNorm(name string) FFTOption {
	if _, ok := fftNorms[name]; !ok {
		panic(&Error{Op: "FFTNorm", Operands: strconv.Quote(name), Reason: "unknown norm",
			Hint: `give "backward", "ortho" or "forward"`})
	}
	return fftOption{"FFTNorm", func(t *fftOptions) { t.norm = name }}
}

// fftNorms maps a norm to a power p of the number of elements n. The forward transform is multiplied by n^p. The
// inverse transform, which is already divided by n, is multiplied by n^-p.
var fftNorms = map[string]float64{"": 0, "backward": 0, "ortho": -0.5, "forward": -1}

// fft computes the transform op, whose operation is code, along count axes, or along any number of axes if count is -1.
func (l *Lib) fft(op string, code ir.Code, count int, x any, opts []FFTOption) Tensor {
	c := l.call(op, x)
	var o fftOptions
	for _, opt := range accepted(op, opts, x) {
		opt.fft(&o)
	}
	a, ambiguous := c.fftOperand(code, x)
	axes := c.fftAxes(o, count, len(a.Shape()))
	lengths := c.fftLengths(o, code, a, axes)
	rank := len(a.Shape())
	others := slices.DeleteFunc(upTo(rank), func(i int) bool { return slices.Contains(axes, i) })
	order := append(others, axes...)
	back := make([]int, rank) // the inverse of the permutation order
	for i, axis := range order {
		back[axis] = i
	}
	n := 1
	for i, length := range lengths {
		n *= length
		if code == ir.IRFFT && i == len(lengths)-1 { // the operand has the first half of the frequencies
			length = length/2 + 1
		}
		a = c.fit(a, axes[i], length)
	}
	if len(axes) > 0 {
		a = c.Permute(c.alongLast(code, c.Permute(a, order...), lengths), back...)
	}
	power := fftNorms[o.norm]
	if code == ir.IFFT || code == ir.IRFFT {
		power = -power
	}
	if power != 0 {
		a = c.Mul(a, math.Pow(float64(n), power))
	}
	return c.result(a, ambiguous)
}

// fftOperand returns x at the dtype that a transform takes: real for RFFT, complex otherwise.
func (c *call) fftOperand(code ir.Code, x any) (a expr.Value, ambiguous bool) {
	t := c.typed(x)
	d := t.DType
	c.requireSupport("transform", d, "convert x with AsType(nv.F32)")
	if code == ir.RFFT && d.Is(dtype.Complex) {
		c.fail("the operand must be real, not "+d.String(), "nv.FFT takes complex numbers")
	}
	t = c.inexact(t)
	d = t.DType
	switch {
	case code == ir.RFFT:
		return c.convert(c.at(x, d), wide(d)), t.Ambiguous
	case d.Is(dtype.Complex):
		return c.at(x, d), t.Ambiguous
	case d == dtype.F64:
		return c.convert(c.at(x, d), dtype.C128), t.Ambiguous
	}
	return c.convert(c.at(x, d), dtype.C64), t.Ambiguous
}

// fftAxes returns the axes of a transform along count axes of a tensor of the given rank. A count of -1 means any
// number of axes. Without an Axis in o, they are the last axes.
func (c *call) fftAxes(o fftOptions, count, rank int) []int {
	given := o.axes
	if len(given) == 0 {
		n := count
		if count < 0 {
			n = rank
			if o.lengths != nil {
				n = len(o.lengths)
			}
		}
		for i := -n; i < 0; i++ {
			given = append(given, Axis(i))
		}
	}
	if count >= 0 && len(given) != count {
		c.fail(plural(len(given), "axis is", "axes are")+" given for a transform along "+plural(count, "axis", "axes"),
			"nv.FFTN takes any number of axes")
	}
	return c.distinctAxes(given, rank)
}

// fftLengths returns the length of a transform along each of axes.
func (c *call) fftLengths(o fftOptions, code ir.Code, a expr.Value, axes []int) []int {
	lengths := o.lengths
	if lengths == nil {
		lengths = lengthsOf(a, axes)
		if last := len(axes) - 1; code == ir.IRFFT && last >= 0 {
			lengths[last] = 2 * (lengths[last] - 1)
		}
	}
	if len(lengths) != len(axes) {
		c.fail(plural(len(lengths), "length is", "lengths are")+" given for "+plural(len(axes), "axis", "axes"),
			"give nv.FFTLength one number per axis")
	}
	for i, n := range lengths {
		if n < 1 {
			c.fail("the transform has "+itoa(n)+" elements along axis "+itoa(axes[i]),
				"give a length of at least 1 with nv.FFTLength")
		}
	}
	return lengths
}

// fit returns a cut to n elements along an axis, or padded to n elements with zeros.
func (c *call) fit(a expr.Value, axis, n int) expr.Value {
	s := a.Shape()
	if s[axis] >= n {
		return c.sliceAxis(a, axis, 0, n, 1)
	}
	c.checkLengths(append(s.Clone(), n))
	return c.PadAxis(a, axis, 0, n-s[axis], c.literal(0, a.DType()))
}

// alongLast transforms a along its last axes, which have the given lengths. One operation transforms up to three axes;
// the other axes are transformed one by one. These single transforms run before an IRFFT and after other operations,
// where the elements are complex.
func (c *call) alongLast(code ir.Code, a expr.Value, lengths []int) expr.Value {
	n := max(0, len(lengths)-3)
	single := ir.FFT // the transform of one of the other axes
	if code == ir.IFFT || code == ir.IRFFT {
		single = ir.IFFT
	}
	rest := func(a expr.Value) expr.Value {
		rank := len(a.Shape())
		for i, length := range lengths[:n] {
			axis := rank - len(lengths) + i
			swapped := upTo(rank)
			swapped[rank-1], swapped[axis] = axis, rank-1
			a = c.Permute(c.Do(single, ir.FFTAttrs{Lengths: shape.DimsOf(length)}, c.Permute(a, swapped...)), swapped...)
		}
		return a
	}
	attrs := ir.FFTAttrs{Lengths: shape.DimsOf(lengths[n:]...)}
	if code == ir.IRFFT {
		return c.Do(code, attrs, rest(a))
	}
	return rest(c.Do(code, attrs, a))
}

// frequencies returns the first count of the frequencies of n samples at the given spacing. If negative is set, the
// second half of the frequencies is negative, in the order of FFT.
func (l *Lib) frequencies(op string, n, count int, negative bool, spacing float64, opts []Option) Tensor {
	c, o := l.creation(op, opts, n, spacing)
	if n < 1 {
		c.fail(itoa(n)+" samples have no frequencies", "give at least one sample")
	}
	if spacing == 0 {
		c.fail("the spacing of the samples is 0", "Go divides integers, so that 1/256 is 0: write 1.0/256")
	}
	return c.hostFloats(count, o, func(i int) float64 {
		if negative && i >= (n+1)/2 {
			i -= n
		}
		return float64(i) / (float64(n) * spacing)
	})
}

// hostFloats returns f(0), ... f(n-1), computed on the host, as floats that are not ambiguous.
func (c *call) hostFloats(n int, o dtype.Options, f func(i int) float64) Tensor {
	o = c.settle(o, c.ownDefault(0.0), nil)
	c.checkLengths(Shape{n})
	ty := shape.Type{DType: o.DType, Shape: Shape{n}}
	data := c.listMemory(ty)
	for i := range n {
		dtype.PutFloat(data[i*o.DType.Size():], o.DType, f(i))
	}
	return c.creationResult(c.host(ty, data, ""), false, o)
}

// fftShift rolls x by half its length along axes. Half of an odd length is rounded up if roundUp is 1, and down if
// roundUp is 0.
func (l *Lib) fftShift(op string, x any, axes []Axis, roundUp int) Tensor {
	c, a, ambiguous := l.layout(op, x)
	s := a.Shape()
	for _, axis := range c.fftAxes(fftOptions{axes: axes}, -1, len(s)) {
		a = c.roll(a, (s[axis]+roundUp)/2, axis)
	}
	return c.result(a, ambiguous)
}
