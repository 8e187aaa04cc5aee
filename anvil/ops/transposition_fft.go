package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
)

// transposeFFT returns the adjoint of the DFT of N elements, which is N times the inverse DFT.
func transposeFFT(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	v := b.Do(ir.IFFT, n.Attrs, ct[0])
	return []expr.Value{b.Mul(v, b.Like(v, float64(transformSize(n))))}
}

// transposeIFFT returns the adjoint of the inverse DFT of N elements, which is the DFT divided by N.
func transposeIFFT(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	v := b.Do(ir.FFT, n.Attrs, ct[0])
	return []expr.Value{b.Mul(v, b.Like(v, 1/float64(transformSize(n))))}
}

// transformSize returns the number N of elements of the transform n: the product of the lengths of its axes.
func transformSize(n *ir.Node) int {
	size := 1
	for _, l := range n.Attrs.(ir.FFTAttrs).Lengths.Ints() {
		size *= l
	}
	return size
}

// transposeRFFT returns the adjoint of the real DFT, which is the first half of the DFT. It
// pads the cotangent with zeros to the full length and returns the real part of the adjoint of
// the DFT.
func transposeRFFT(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	lengths := n.Attrs.(ir.FFTAttrs).Lengths.Ints()
	s := ct[0].Shape()
	last := len(s) - 1
	rest := append(s[:last:last].Clone(), lengths[len(lengths)-1]-s[last])
	full := b.Concatenate(-1, ct[0], b.Number(0, ct[0].DType(), rest...))
	v := b.Do(ir.IFFT, n.Attrs, full)
	return []expr.Value{b.Real(b.Mul(v, b.Like(v, float64(transformSize(n)))))}
}

// transposeIRFFT returns the adjoint of the inverse real DFT. The inverse real DFT uses the DC and the Nyquist element
// once, and each other element twice: itself and its conjugate. So the adjoint is the real DFT of the cotangent
// divided by N, with the elements other than DC and Nyquist doubled.
func transposeIRFFT(b expr.Builder, n *ir.Node, _, ct []expr.Value) []expr.Value {
	lengths := n.Attrs.(ir.FFTAttrs).Lengths.Ints()
	size := lengths[len(lengths)-1]
	v := b.Do(ir.RFFT, n.Attrs, ct[0])
	s := v.Shape()
	at := b.Iota(dtype.I32, len(s)-1, s...)
	single := b.Eq(at, 0)
	if size%2 == 0 {
		single = b.Or(single, b.Eq(at, size/2))
	}
	d, scale := n.Results[0].Type.DType, 1/float64(transformSize(n))
	times := b.Where(single, b.Number(scale, d, s...), 2*scale)
	return []expr.Value{b.Mul(v, b.Convert(times, v.DType()))}
}
