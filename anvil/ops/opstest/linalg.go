package opstest

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Samples of linear algebra: matrices whose factors are well determined, so that two
// algorithms agree, and matrices for which the row of the op table states the result.

// matrixOf returns the batch of matrices of shape s with the elements f(b, i, j), where b
// counts the matrices. Real dtypes take the real parts.
func matrixOf(d dtype.DType, f func(b, i, j int) complex128, s ...int) array.Array {
	t := shape.Of(d, s...)
	rows, cols := s[len(s)-2], s[len(s)-1]
	var xs []complex128
	var reals []float64
	for b := range t.Shape[:len(s)-2].Size() {
		for i := range rows {
			for j := range cols {
				x := f(b, i, j)
				xs, reals = append(xs, x), append(reals, real(x))
			}
		}
	}
	if d.Is(dtype.Complex) {
		return array.Store(array.New(t), xs)
	}
	return array.Store(array.New(t), reals)
}

// wavy returns the elements of a matrix without special structure.
func wavy(b, i, j int) complex128 {
	x := float64(7*b + 3*i + 5*j + i*j + 1)
	return complex(math.Sin(x*x), math.Cos(3*x))
}

// dominant returns the elements of a matrix whose lower triangle is diagonally dominant.
func dominant(b, i, j int) complex128 {
	if i == j {
		return complex(8+float64(i), 0)
	}
	return wavy(b, i, j)
}

// hermitian returns the elements of a positive definite Hermitian matrix with well
// separated eigenvalues.
func hermitian(b, i, j int) complex128 {
	switch {
	case i == j:
		return complex(3*float64(i+1), 0)
	case i < j:
		return complex(real(wavy(b, j, i)), -imag(wavy(b, j, i))) / 2
	}
	return wavy(b, i, j) / 2
}

// constant returns a function that gives every element of a matrix the value x.
func constant(x complex128) func(b, i, j int) complex128 {
	return func(_, _, _ int) complex128 { return x }
}

// eachOf returns one sample for each shape, of matrices with the elements f(b, i, j).
func eachOf(d dtype.DType, attrs any, f func(b, i, j int) complex128, shapes ...shape.Shape) []Sample {
	var samples []Sample
	for _, s := range shapes {
		samples = append(samples, Sample{Name: s.String(), Attrs: attrs, Args: []array.Array{matrixOf(d, f, s...)}})
	}
	return samples
}

// moreAtF32 returns the samples in base, and for f32 also those in more. Other dtypes have
// fewer samples, since programs of linear algebra take long to compile.
func moreAtF32(d dtype.DType, base []Sample, more ...Sample) []Sample {
	if d == dtype.F32 {
		return append(base, more...)
	}
	return base
}

func choleskySamples(d dtype.DType) []Sample {
	more := eachOf(d, nil, hermitian, shape.Shape{1, 1}, shape.Shape{0, 0}, shape.Shape{0, 2, 2})
	return append(moreAtF32(d, eachOf(d, nil, hermitian, shape.Shape{2, 3, 3}), more...),
		Sample{Name: "awkward", Args: []array.Array{matrixOf(d, func(b, i, j int) complex128 {
			return [...]complex128{wavy(b, i, j), 0, complex(math.NaN(), math.NaN())}[b]
		}, 3, 2, 2)}})
}

func triangularSamples(d dtype.DType) []Sample {
	var base, more []Sample
	for i := range 24 { // all combinations of Right, Upper, Unit and the three Ops
		attrs := ir.TriangularAttrs{Right: i&1 != 0, Upper: i&2 != 0, Unit: i&4 != 0, Op: ir.MatrixOp(i / 8)}
		s := Sample{Name: attrs.Op.String(), Attrs: attrs, Args: []array.Array{matrixOf(d, dominant, 2, 3, 3), matrixOf(d, wavy, 2, 3, 3)}}
		if attrs.Unit {
			s.Args[0] = matrixOf(d, wavy, 2, 3, 3)
		}
		if i%5 == 0 { // a subset in which each attribute takes each of its values
			base = append(base, s)
		} else {
			more = append(more, s)
		}
	}
	for _, s := range [][2]shape.Shape{{{1, 1}, {1, 4}}, {{0, 0}, {0, 2}}, {{3, 3}, {3, 0}}, {{35, 35}, {35, 2}}} {
		more = append(more, Sample{Name: s[1].String(), Attrs: ir.TriangularAttrs{},
			Args: []array.Array{matrixOf(d, dominant, s[0]...), matrixOf(d, wavy, s[1]...)}})
	}
	return moreAtF32(d, base, more...)
}

func luSamples(d dtype.DType) []Sample {
	more := eachOf(d, nil, wavy, shape.Shape{1, 1}, shape.Shape{5, 3}, shape.Shape{0, 3}, shape.Shape{2, 3, 0}, shape.Shape{35, 40})
	return moreAtF32(d, eachOf(d, nil, wavy, shape.Shape{2, 3, 5}),
		append(more, Sample{Name: "singular", Args: []array.Array{matrixOf(d, constant(1), 3, 3)}})...)
}

func qrSamples(d dtype.DType) []Sample {
	more := eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{3, 4}, shape.Shape{0, 2}, shape.Shape{1, 1}, shape.Shape{40, 35})
	more = append(more, eachOf(d, ir.FullAttrs{Full: true}, wavy, shape.Shape{4, 3}, shape.Shape{2, 0})...)
	return moreAtF32(d, eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{2, 4, 3}), more...)
}

func eighSamples(d dtype.DType) []Sample {
	more := eachOf(d, nil, hermitian, shape.Shape{1, 1}, shape.Shape{0, 0}, shape.Shape{35, 35})
	return moreAtF32(d, eachOf(d, nil, hermitian, shape.Shape{2, 3, 3}), more...)
}

func svdSamples(d dtype.DType) []Sample {
	more := eachOf(d, ir.FullAttrs{Full: true}, wavy, shape.Shape{3, 4}, shape.Shape{2, 0})
	more = append(more, eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{0, 2})...)
	return moreAtF32(d, eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{2, 4, 3}), more...)
}
