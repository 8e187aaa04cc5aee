package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Where linear algebra is tested: on matrices whose factors are well determined,
// so that two ways to them agree, and on the awkward ones of which the row says
// what comes out.

// matrixOf returns the batch of matrices of shape s with the elements f(b, i, j).
func matrixOf(d dtype.DType, f func(b, i, j int) complex128, s ...int) array.Array {
	t := shape.Of(d, s...)
	batch, rows, cols, err := matrix(t)
	if err != nil {
		panic(err)
	}
	xs := make([]complex128, 0, s[len(s)-1])
	for b := range batch.Size() {
		for i := range rows {
			for j := range cols {
				xs = append(xs, f(b, i, j))
			}
		}
	}
	return stored(array.New(t), xs)
}

// wavy is a matrix of no special form.
func wavy(b, i, j int) complex128 {
	x := float64(7*b + 3*i + 5*j + i*j + 1)
	return complex(math.Sin(x*x), math.Cos(3*x))
}

// dominant is wavy with a diagonal that outweighs the rest of its row.
func dominant(b, i, j int) complex128 {
	if i == j {
		return complex(8+float64(i), 0)
	}
	return wavy(b, i, j)
}

// hermitian is Hermitian and positive definite, with eigenvalues far apart.
func hermitian(b, i, j int) complex128 {
	switch {
	case i == j:
		return complex(3*float64(i+1), 0)
	case i < j:
		return complex(real(wavy(b, j, i)), -imag(wavy(b, j, i))) / 2
	}
	return wavy(b, i, j) / 2
}

func constant(x complex128) func(b, i, j int) complex128 {
	return func(_, _, _ int) complex128 { return x }
}

func eachOf(d dtype.DType, attrs any, f func(b, i, j int) complex128, shapes ...shape.Shape) []Sample {
	var samples []Sample
	for _, s := range shapes {
		samples = append(samples, Sample{Name: s.String(), Attrs: attrs, Args: []array.Array{matrixOf(d, f, s...)}})
	}
	return samples
}

// ofEach returns samples that each dtype is tested on, and more on one: programs
// of linear algebra take long to compile.
func ofEach(d dtype.DType, each []Sample, more ...Sample) []Sample {
	if d == dtype.F32 {
		return append(each, more...)
	}
	return each
}

func choleskySamples(d dtype.DType) []Sample {
	return append(ofEach(d, eachOf(d, nil, hermitian, shape.Shape{2, 3, 3}), eachOf(d, nil, hermitian, shape.Shape{1, 1}, shape.Shape{0, 0}, shape.Shape{0, 2, 2})...),
		Sample{Name: "awkward", Args: []array.Array{matrixOf(d, func(b, i, j int) complex128 {
			return [...]complex128{wavy(b, i, j), 0, complex(math.NaN(), math.NaN())}[b]
		}, 3, 2, 2)}})
}

func triangularSamples(d dtype.DType) []Sample {
	var each, more []Sample
	for i := range 24 {
		attrs := ir.TriangularAttrs{Right: i&1 != 0, Upper: i&2 != 0, Unit: i&4 != 0, Op: ir.MatrixOp(i / 8)}
		s := Sample{Name: attrs.Op.String(), Attrs: attrs, Args: []array.Array{matrixOf(d, dominant, 2, 3, 3), matrixOf(d, wavy, 2, 3, 3)}}
		if attrs.Unit {
			s.Args[0] = matrixOf(d, wavy, 2, 3, 3)
		}
		if i%5 == 0 {
			each = append(each, s)
		} else {
			more = append(more, s)
		}
	}
	for _, s := range [][2]shape.Shape{{{1, 1}, {1, 4}}, {{0, 0}, {0, 2}}, {{3, 3}, {3, 0}}, {{35, 35}, {35, 2}}} {
		more = append(more, Sample{Name: s[1].String(), Attrs: ir.TriangularAttrs{},
			Args: []array.Array{matrixOf(d, dominant, s[0]...), matrixOf(d, wavy, s[1]...)}})
	}
	return ofEach(d, each, more...)
}

func luSamples(d dtype.DType) []Sample {
	more := eachOf(d, nil, wavy, shape.Shape{1, 1}, shape.Shape{5, 3}, shape.Shape{0, 3}, shape.Shape{2, 3, 0}, shape.Shape{35, 40})
	return ofEach(d, eachOf(d, nil, wavy, shape.Shape{2, 3, 5}),
		append(more, Sample{Name: "singular", Args: []array.Array{matrixOf(d, constant(1), 3, 3)}})...)
}

func qrSamples(d dtype.DType) []Sample {
	more := eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{3, 4}, shape.Shape{0, 2}, shape.Shape{1, 1}, shape.Shape{40, 35})
	return ofEach(d, eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{2, 4, 3}), append(more, eachOf(d, ir.FullAttrs{Full: true}, wavy, shape.Shape{4, 3}, shape.Shape{2, 0})...)...)
}

func eighSamples(d dtype.DType) []Sample {
	return ofEach(d, eachOf(d, nil, hermitian, shape.Shape{2, 3, 3}), eachOf(d, nil, hermitian, shape.Shape{1, 1}, shape.Shape{0, 0}, shape.Shape{35, 35})...)
}

func svdSamples(d dtype.DType) []Sample {
	more := eachOf(d, ir.FullAttrs{Full: true}, wavy, shape.Shape{3, 4}, shape.Shape{2, 0})
	return ofEach(d, eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{2, 4, 3}), append(more, eachOf(d, ir.FullAttrs{}, wavy, shape.Shape{0, 2})...)...)
}
