package ops

import (
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Where elementwise operations are tested: at the awkward points of each dtype,
// and on shapes from rank 0 to empty.

var (
	awkwardInts   = []int64{0, 1, -1, 2, 3, -3, 5, 7, 31, 64, math.MinInt64, math.MaxInt64, math.MinInt64 + 1, math.MaxInt64 - 1}
	awkwardFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, -7, 0.1, 1e-3, 10, 100.25, -1000,
		math.Inf(1), math.Inf(-1), math.NaN(), 1e-7, 1e7, 65504, math.Pi, math.E}
	// Complex functions are compared where they are finite and off their branch
	// cuts: at infinities the specification leaves them open.
	plainParts  = []float64{0.5, -0.75, 1, 1.5, -2, 3}
	sampleShape = []shape.Shape{{}, {1}, {0, 3}, {2, 3}}
)

// awkward returns the awkward points of d, in one axis.
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

func plainComplex() []complex128 {
	var xs []complex128
	for _, re := range plainParts {
		for _, im := range plainParts {
			xs = append(xs, complex(re, im))
		}
	}
	return xs
}

// smallest returns a small value of d that is not subnormal.
func smallest(d dtype.DType) float64 {
	switch d {
	case dtype.F64:
		return 0x1p-1022
	case dtype.F32, dtype.BF16:
		return 0x1p-126
	}
	return 0x1p-6
}

// vector returns xs as an array of one axis.
func vector[T array.Elem](d dtype.DType, xs []T) array.Array {
	return array.Store(array.New(shape.Of(d, len(xs))), xs)
}

// elementwiseSamples returns the samples of an operation of so many operands:
// every combination of awkward points, and some shapes.
func elementwiseSamples(operands int) SampleFunc {
	return func(d dtype.DType) []Sample {
		samples := []Sample{{Name: "awkward", Args: combinations(awkward(d), operands)}}
		for _, s := range sampleShape {
			sample := Sample{Name: s.String()}
			for i := range operands {
				sample.Args = append(sample.Args, counting(shape.Type{DType: d, Shape: s}, i+1))
			}
			samples = append(samples, sample)
		}
		return samples
	}
}

// combinations returns arrays that hold every combination of x's elements.
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

// counting returns an array of small numbers: from, from+1, and so on, round and
// round.
func counting(t shape.Type, from int) array.Array {
	out := array.New(t)
	for i := range out.Size() {
		putSmall(out, i, (from+i)%5)
	}
	return out
}

// putSmall makes element i of a the number x, or one that a's dtype has.
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

// drawShape returns a random shape of rank 0 to 3.
func drawShape(r Source) shape.Shape {
	s := make(shape.Shape, r.Int(0, 3))
	for i := range s {
		s[i] = r.Int(0, 4)
	}
	return s
}

// drawArray returns an array of type t of random elements: integers of any
// bits, floats of moderate size.
func drawArray(r Source, t shape.Type) array.Array {
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

// drawFloat returns a float between 2^-6 and 2^3 in magnitude.
func drawFloat(r Source) float64 {
	bits := r.Bits()
	x := math.Ldexp(1+float64(bits>>12)/(1<<52), int(bits&7)-6)
	if bits&8 != 0 {
		return -x
	}
	return x
}

// drawElementwise returns what draws operands of one random shape.
func drawElementwise(operands int) DrawFunc {
	return func(r Source, d dtype.DType) Sample {
		t := shape.Type{DType: d, Shape: drawShape(r)}
		s := Sample{Name: "drawn"}
		for range operands {
			s.Args = append(s.Args, drawArray(r, t))
		}
		return s
	}
}

func compareSamples(d dtype.DType) []Sample {
	var samples []Sample
	for dir := ir.EQ; dir <= ir.GE; dir++ {
		if d.Is(dtype.Complex) && dir > ir.NE {
			break
		}
		for i, s := range elementwiseSamples(2)(d) {
			if i == 0 || dir == ir.EQ { // shapes do not depend on the direction
				s.Name, s.Attrs = dir.String()+" "+s.Name, ir.CompareAttrs{Direction: dir}
				samples = append(samples, s)
			}
		}
	}
	return samples
}

func drawCompare(r Source, d dtype.DType) Sample {
	s := drawElementwise(2)(r, d)
	s.Attrs = ir.CompareAttrs{Direction: ir.LT}
	if d.Is(dtype.Complex) {
		s.Attrs = ir.CompareAttrs{Direction: ir.NE}
	}
	return s
}

func selectSamples(d dtype.DType) []Sample {
	var samples []Sample
	for _, s := range elementwiseSamples(2)(d) {
		pred := counting(shape.Type{DType: dtype.I1, Shape: s.Args[0].Type.Shape}, 0)
		s.Args = append([]array.Array{pred}, s.Args...)
		samples = append(samples, s)
	}
	t := shape.Of(d, 2, 2)
	return append(samples, Sample{Name: "scalar pred",
		Args: []array.Array{vectorless(dtype.I1, 1), counting(t, 1), counting(t, 2)}})
}

// vectorless returns an array of rank 0 that holds the small number x.
func vectorless(d dtype.DType, x int) array.Array {
	a := array.New(shape.Of(d))
	putSmall(a, 0, x)
	return a
}

func clampSamples(d dtype.DType) []Sample {
	samples := elementwiseSamples(3)(d)
	if d.Is(dtype.Numeric) && awkward(d).Size() > 12 { // every pair of bounds suffices
		x := awkward(d)
		samples[0].Args = []array.Array{filled(x.Type, 1), x, filled(x.Type, 3)}
	}
	return append(samples, Sample{Name: "scalar bounds",
		Args: []array.Array{vectorless(d, 1), awkward(d), vectorless(d, 3)}})
}

// filled returns an array of the small number x.
func filled(t shape.Type, x int) array.Array {
	out := array.New(t)
	for i := range out.Size() {
		putSmall(out, i, x)
	}
	return out
}

// redrawn returns what draws random elements for one of the row's own samples;
// the first keep operands stay.
func redrawn(f SampleFunc, keep int) DrawFunc {
	return func(r Source, d dtype.DType) Sample {
		samples := f(d)
		s := samples[r.Int(0, len(samples)-1)]
		args := append([]array.Array(nil), s.Args[:keep]...)
		for _, a := range s.Args[keep:] {
			args = append(args, drawArray(r, a.Type))
		}
		s.Args = args
		return s
	}
}
