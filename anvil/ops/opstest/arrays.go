package opstest

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// The elements and shapes of samples.
var (
	awkwardInts   = []int64{0, 1, -1, 2, 3, -3, 5, 7, 31, 64, math.MinInt64, math.MaxInt64, math.MinInt64 + 1, math.MaxInt64 - 1}
	awkwardFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, -7, 0.1, 1e-3, 10, 100.25, -1000,
		math.Inf(1), math.Inf(-1), math.NaN(), 1e-7, 1e7, 65504, math.Pi, math.E}
	// Complex functions are compared at finite points away from their branch
	// cuts, since the specification does not define them at infinities.
	plainParts = []float64{0.5, -0.75, 1, 1.5, -2, 3}
	shapes     = []shape.Shape{{}, {1}, {0, 3}, {2, 3}}
)

// awkward returns the values of d that are likely to reveal errors, as a vector: zeros, the greatest and least numbers,
// infinities and NaN.
func awkward(d dtype.DType) array.Array {
	switch d.Kind() {
	case dtype.Boolean:
		return vector(d, []bool{false, true})
	case dtype.Signed:
		low, high := -int64(1)<<(d.Bits()-1), int64(1)<<(d.Bits()-1)-1
		return vector(d, append([]int64{low, high, low + 1, high - 1}, awkwardInts...))
	case dtype.Unsigned:
		high := uint64(math.MaxUint64) >> (64 - d.Bits())
		return vector(d, []uint64{0, 1, 2, 3, 5, 7, 31, 64, high, high - 1, high/2 + 1, high / 2})
	case dtype.Complex:
		return vector(d, plainComplex())
	}
	return vector(d, append([]float64{dtype.Largest(d), -dtype.Largest(d), smallest(d)}, awkwardFloats...))
}

// plainComplex returns every complex number with parts in plainParts.
func plainComplex() []complex128 {
	var xs []complex128
	for _, re := range plainParts {
		for _, im := range plainParts {
			xs = append(xs, complex(re, im))
		}
	}
	return xs
}

// smallest returns a small normal value of d.
func smallest(d dtype.DType) float64 {
	switch d {
	case dtype.F64:
		return 0x1p-1022
	case dtype.F32, dtype.BF16:
		return 0x1p-126
	}
	return 0x1p-6
}

// vector returns xs as an array of rank 1.
func vector[T array.Elem](d dtype.DType, xs []T) array.Array {
	return array.Store(array.New(shape.Of(d, len(xs))), xs)
}

// combinations returns an array for each operand. Their elements number i are one
// combination of elements of x; every combination occurs once.
func combinations(x array.Array, operands int) []array.Array {
	n := x.Size()
	total := 1
	for range operands {
		total *= n
	}
	args := make([]array.Array, operands)
	step := 1
	for k := range args {
		at := make([]int, total)
		for i := range at {
			at[i] = i / step % n
		}
		args[k] = array.Take(shape.Of(x.DType(), total), x, at)
		step *= n
	}
	return args
}

// counting returns an array whose element i is the small number (from+i) modulo 5 (see putSmall).
func counting(t shape.Type, from int) array.Array {
	out := array.New(t)
	for i := range out.Size() {
		putSmall(out, i, (from+i)%5)
	}
	return out
}

// putSmall stores the number x in element i of a, or another number that depends on x if a's
// dtype cannot hold x.
func putSmall(a array.Array, i, x int) {
	d := a.DType()
	at := a.Data[i*d.Size():]
	switch {
	case d.Is(dtype.Boolean):
		dtype.PutBool(at, d, x%2 == 1)
	case d.Is(dtype.Complex):
		dtype.PutComplex(at, d, complex(float64(x), float64(x%3)-1))
	case d == dtype.F8E8M0FNU:
		dtype.PutFloat(at, d, math.Ldexp(1, x))
	default:
		dtype.PutInt(at, d, int64(x))
	}
}

// scalar returns an array of rank 0 that holds the small number x.
func scalar(d dtype.DType, x int) array.Array {
	a := array.New(shape.Of(d))
	putSmall(a, 0, x)
	return a
}

// filled returns an array whose elements are the small number x.
func filled(t shape.Type, x int) array.Array {
	out := array.New(t)
	for i := range out.Size() {
		putSmall(out, i, x)
	}
	return out
}

// drawShape returns a random shape of rank 0 to 3.
func drawShape(r source) shape.Shape {
	s := make(shape.Shape, r.Int(0, 3))
	for i := range s {
		s[i] = r.Int(0, 4)
	}
	return s
}

// drawArray returns an array of random elements: integers of random bits, and floats of
// moderate size.
func drawArray(r source, t shape.Type) array.Array {
	out := array.New(t)
	for i := range out.Size() {
		d := t.DType
		at := out.Data[i*d.Size():]
		switch d.Kind() {
		case dtype.Boolean:
			dtype.PutBool(at, d, r.Bits()&1 == 1)
		case dtype.Complex:
			dtype.PutComplex(at, d, complex(drawFloat(r), drawFloat(r)))
		case dtype.Floating:
			dtype.PutFloat(at, d, drawFloat(r))
		default:
			dtype.PutUint(at, d, r.Bits())
		}
	}
	return out
}

// drawFloat returns a float between 2^-6 and 2^2 in magnitude.
func drawFloat(r source) float64 {
	bits := r.Bits()
	x := math.Ldexp(1+float64(bits>>12)/(1<<52), int(bits&7)-6)
	if bits&8 != 0 {
		return -x
	}
	return x
}

// sampleOf returns a sample with one operand of shape s, whose elements are those of counting.
func sampleOf(name string, d dtype.DType, attrs any, s ...int) Sample {
	return Sample{Name: name, Attrs: attrs, Args: []array.Array{counting(shape.Of(d, s...), 0)}}
}

func dims(xs ...int) shape.Dims { return shape.DimsOf(xs...) }

// Inner returns the sum of Re(conj(x)*y) over the elements of x and y.
func Inner(x, y array.Array) (sum float64) {
	ys := Complexes(y)
	for i, v := range Complexes(x) {
		sum += real(v)*real(ys[i]) + imag(v)*imag(ys[i])
	}
	return sum
}

// Complexes returns the elements of x as complex numbers.
func Complexes(x array.Array) []complex128 {
	out := make([]complex128, x.Type.Shape.Size())
	for i := range out {
		out[i] = dtype.GetComplex(x.Data[i*x.Type.DType.Size():], x.Type.DType)
	}
	return out
}

// Random returns an array of random numbers with magnitudes between 1/2 and 1 and either sign. It advances seed.
func Random(t shape.Type, seed *uint64) array.Array {
	a := array.New(t)
	next := func() float64 {
		*seed = *seed*6364136223846793005 + 1442695040888963407
		v := 0.5 + float64(*seed>>40)/(1<<25)
		if *seed>>33&1 == 1 {
			v = -v
		}
		return v
	}
	for i := range t.Shape.Size() {
		at := a.Data[i*t.DType.Size():]
		if t.DType.Is(dtype.Complex) {
			dtype.PutComplex(at, t.DType, complex(next(), next()))
		} else {
			dtype.PutFloat(at, t.DType, next())
		}
	}
	return a
}

// Moved returns x + by*t in the dtype of t.
func Moved(x, t array.Array, by float64) array.Array {
	out := array.New(t.Type)
	ts := Complexes(t)
	for i, v := range Complexes(x) {
		dtype.PutComplex(out.Data[i*t.Type.DType.Size():], t.Type.DType, v+complex(by, 0)*ts[i])
	}
	return out
}

// Magnitudes returns the absolute values of real numbers x.
func Magnitudes(x array.Array) array.Array {
	out := array.New(x.Type)
	for i, v := range Complexes(x) {
		dtype.PutFloat(out.Data[i*x.Type.DType.Size():], x.Type.DType, math.Abs(real(v)))
	}
	return out
}
