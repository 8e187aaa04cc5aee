package opstest

import (
	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// elementwise returns the samples of an elementwise operation: every combination of
// awkward values, and small numbers in each of shapes.
func elementwise(operands int) sampleFunc {
	return func(d dtype.DType) []Sample {
		samples := []Sample{{Name: "awkward", Args: combinations(awkward(d), operands)}}
		for _, s := range shapes {
			sample := Sample{Name: s.String()}
			for i := range operands {
				sample.Args = append(sample.Args, counting(shape.Type{DType: d, Shape: s}, i+1))
			}
			samples = append(samples, sample)
		}
		return samples
	}
}

// drawElementwise draws operands of one random shape.
func drawElementwise(operands int) drawFunc {
	return func(r source, d dtype.DType) Sample {
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
		for i, s := range elementwise(2)(d) {
			if i == 0 || dir == ir.EQ { // for the other shapes one direction suffices
				s.Name, s.Attrs = dir.String()+" "+s.Name, ir.CompareAttrs{Direction: dir}
				samples = append(samples, s)
			}
		}
	}
	return samples
}

func drawCompare(r source, d dtype.DType) Sample {
	s := drawElementwise(2)(r, d)
	s.Attrs = ir.CompareAttrs{Direction: ir.LT}
	if d.Is(dtype.Complex) {
		s.Attrs = ir.CompareAttrs{Direction: ir.NE}
	}
	return s
}

func selectSamples(d dtype.DType) []Sample {
	var samples []Sample
	for _, s := range elementwise(2)(d) {
		pred := counting(shape.Type{DType: dtype.I1, Shape: s.Args[0].Type.Shape}, 0)
		s.Args = append([]array.Array{pred}, s.Args...)
		samples = append(samples, s)
	}
	t := shape.Of(d, 2, 2)
	return append(samples, Sample{Name: "scalar pred",
		Args: []array.Array{scalar(dtype.I1, 1), counting(t, 1), counting(t, 2)}})
}

func clampSamples(d dtype.DType) []Sample {
	samples := elementwise(3)(d)
	if d.Is(dtype.Numeric) && awkward(d).Size() > 12 { // too many for all combinations of operand and bounds
		x := awkward(d)
		samples[0].Args = []array.Array{filled(x.Type, 1), x, filled(x.Type, 3)}
	}
	return append(samples, Sample{Name: "scalar bounds",
		Args: []array.Array{scalar(d, 1), awkward(d), scalar(d, 3)}})
}

// redraw returns a drawFunc that takes one of the samples of f and replaces the elements of
// its operands, except the first keep operands, by random ones.
func redraw(f sampleFunc, keep int) drawFunc {
	return func(r source, d dtype.DType) Sample {
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

// functionSamples returns the samples of a function that is computed by an expansion:
// awkward values, and for f32 also each of shapes. Other dtypes have fewer samples, since an
// expansion takes long to compile and does not depend on the shape.
func functionSamples(operands int) sampleFunc {
	return func(d dtype.DType) []Sample {
		samples := elementwise(operands)(d)
		if d != dtype.F32 {
			samples = samples[:1]
		}
		return samples
	}
}

// polygammaSamples returns the samples of Polygamma. At the awkward values it uses only the
// orders 0 to 4, since the factorial of the order must not overflow.
func polygammaSamples(d dtype.DType) []Sample {
	samples := functionSamples(2)(d)
	var orders, x []float64
	for _, v := range array.Load[float64](awkward(d)) {
		for k := range 5 {
			orders, x = append(orders, float64(k)), append(x, v)
		}
	}
	samples[0].Args = []array.Array{vector(d, orders), vector(d, x)}
	return samples
}
