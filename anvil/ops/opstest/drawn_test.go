package opstest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// same reports whether two samples have the same attributes and operands.
func same(a, b Sample) bool {
	return a.Attrs == b.Attrs && slices.EqualFunc(a.Args, b.Args, func(x, y array.Array) bool {
		return x.Type.String() == y.Type.String() && bytes.Equal(x.Data, y.Data)
	})
}

// TestDrawnSamples checks that each row takes its drawn samples, that they depend on the arguments of Drawn only, and
// that another seed gives others.
func TestDrawnSamples(t *testing.T) {
	for _, d := range ops.All() {
		for _, dt := range []dtype.DType{dtype.I1, dtype.I8, dtype.U8, dtype.F32, dtype.C64} {
			if len(d.Params) == 0 || !d.Takes(0, dt) {
				continue
			}
			first, again, other := Drawn(d, dt, 12, 1), Drawn(d, dt, 12, 1), Drawn(d, dt, 12, 2)
			if (len(first) == 0) != (samplesOf(d).draw == nil) {
				t.Errorf("%s: %d samples of %v", d.Name, len(first), dt)
			}
			differ := false
			for i, s := range first {
				check(t, d, dt, s)
				if s.Name != fmt.Sprint("drawn ", i) || !same(s, again[i]) {
					t.Errorf("%s: sample %d of %v is %q, and differs from one call to the next: %t", d.Name, i, dt, s.Name, !same(s, again[i]))
				}
				differ = differ || !same(s, other[i])
			}
			if len(first) > 0 && !differ {
				t.Errorf("%s: another seed gives the same samples of %v", d.Name, dt)
			}
		}
	}
}

// TestDrawnOperands checks that of the operands of the rows that draw fixed samples anew, only the index of Case and
// the counters of While and Scan are kept, and that all samples are drawn.
func TestDrawnOperands(t *testing.T) {
	kept := map[ir.Code]int{ir.Case: 1, ir.While: 1, ir.Scan: 1}
	for _, code := range []ir.Code{
		ir.Convert, ir.BitcastConvert, ir.Reshape, ir.DynamicSlice, ir.DynamicUpdateSlice, ir.Gather, ir.Concatenate, ir.Reverse,
		ir.Select, ir.Clamp, ir.ArgMax, ir.ArgMin, ir.Sort, ir.FFT, ir.IFFT, ir.RFFT, ir.IRFFT, ir.If, ir.Case, ir.While, ir.Scan,
		ir.CumSum, ir.CumProd, ir.CumMax, ir.CumMin,
	} {
		d, dt := ops.Lookup(code), dtype.F32
		if code == ir.IFFT || code == ir.FFT || code == ir.IRFFT {
			dt = dtype.C64
		}
		if code == ir.If || code == ir.Select {
			dt = dtype.I16 // the first operand is a bool
		}
		fixed, drawn := Samples(d, dt), Drawn(d, dt, 400, 1)
		for _, f := range fixed {
			var of []Sample // drawn from f
			for _, s := range drawn {
				if describe(s) == describe(f) {
					of = append(of, s)
				}
			}
			if len(of) == 0 {
				t.Errorf("%s: the sample %q is not drawn", d.Name, f.Name)
				continue
			}
			for k, a := range f.Args {
				if a.Size() == 0 {
					continue
				}
				isOf := func(g, s Sample) bool { return bytes.Equal(g.Args[k].Data, s.Args[k].Data) }
				if k >= kept[code] {
					if !slices.ContainsFunc(of, func(s Sample) bool { return !isOf(f, s) }) {
						t.Errorf("%s: operand %d of the sample %q is never drawn", d.Name, k, f.Name)
					}
					continue
				}
				for _, s := range of {
					if !slices.ContainsFunc(fixed, func(g Sample) bool { return isOf(g, s) }) {
						t.Errorf("%s: operand %d of the sample %q is drawn", d.Name, k, f.Name)
					}
				}
				if !slices.ContainsFunc(of, func(s Sample) bool { return isOf(f, s) }) {
					t.Errorf("%s: the sample %q is not drawn", d.Name, f.Name)
				}
			}
		}
	}
}

// describe returns the attributes and types of a sample.
func describe(s Sample) string {
	text := fmt.Sprint(s.Attrs)
	for _, a := range s.Args {
		text += " " + a.Type.String()
	}
	for _, g := range s.Regions {
		text += " " + graph(g)
	}
	return text
}

// TestDrawnRanges checks which values occur in drawn samples: all that a row must be tested on, and none that would
// make the samples too large.
func TestDrawnRanges(t *testing.T) {
	args := func(k int) func(s Sample) []int { return func(s Sample) []int { return s.Args[k].Type.Shape } }
	list := func(f func(s Sample) shape.Dims) func(s Sample) []int {
		return func(s Sample) []int { return f(s).Ints() }
	}
	slice := func(s Sample) ir.SliceAttrs { return s.Attrs.(ir.SliceAttrs) }
	pad := func(s Sample) ir.PadAttrs { return s.Attrs.(ir.PadAttrs) }
	window := func(s Sample) ir.WindowAttrs { return s.Attrs.(ir.WindowAttrs) }
	conv := func(s Sample) ir.ConvAttrs { return s.Attrs.(ir.ConvAttrs) }
	at := func(k, axis int) func(s Sample) []int {
		return func(s Sample) []int {
			x := s.Args[k].Type.Shape
			return x[(axis+len(x))%len(x) : (axis+len(x))%len(x)+1]
		}
	}
	for _, c := range []struct {
		code   ir.Code
		name   string
		values func(s Sample) []int
		want   string
	}{
		{ir.Neg, "ranks", func(s Sample) []int { return []int{len(s.Args[0].Type.Shape)} }, "0 1 2 3"},
		{ir.Neg, "lengths", args(0), "0 1 2 3 4"},
		{ir.BroadcastInDim, "axes", broadcastKinds, "0 1 2"},
		{ir.BroadcastInDim, "axes that are 1", func(s Sample) []int { return s.Args[0].Type.Shape }, "0 1 2 3 4"},
		{ir.Transpose, "permutations", func(s Sample) []int {
			n := 0
			for _, a := range s.Attrs.(ir.AxesAttrs).Axes.Ints() {
				n = 10*n + a + 1
			}
			return []int{n}
		}, "0 1 12 21 123 132 213 231 312 321"},
		{ir.Slice, "starts", list(func(s Sample) shape.Dims { return slice(s).Start }), "0 1 2 3 4"},
		{ir.Slice, "limits", list(func(s Sample) shape.Dims { return slice(s).Limit }), "0 1 2 3 4"},
		{ir.Slice, "strides", list(func(s Sample) shape.Dims { return slice(s).Strides }), "1 2 3"},
		{ir.Pad, "low", list(func(s Sample) shape.Dims { return pad(s).Low }), "-2 -1 0"},
		{ir.Pad, "high", list(func(s Sample) shape.Dims { return pad(s).High }), "-2 -1 0 1 2"},
		{ir.Pad, "interior", list(func(s Sample) shape.Dims { return pad(s).Interior }), "0 1 2"},
		{ir.Pad, "operands", func(s Sample) []int { return []int{len(s.Args), len(s.Args[1].Type.Shape)} }, "0 2"},
		{ir.ReduceSum, "axes", func(s Sample) []int {
			n := 0
			for _, a := range s.Attrs.(ir.AxesAttrs).Axes.Ints() {
				n |= 1 << a
			}
			return []int{n}
		}, "0 1 2 3 4 5 6 7"},
		{ir.ReduceWindowMax, "sizes", list(func(s Sample) shape.Dims { return window(s).Size }), "1 2 3"},
		{ir.ReduceWindowMax, "strides", list(func(s Sample) shape.Dims { return window(s).Strides }), "1 2 3"},
		{ir.ReduceWindowMax, "low", list(func(s Sample) shape.Dims { return window(s).Low }), "0 1 2"},
		{ir.ReduceWindowMax, "high", list(func(s Sample) shape.Dims { return window(s).High }), "0 1 2"},
		{ir.ReduceWindowMax, "base dilations", list(func(s Sample) shape.Dims { return window(s).BaseDilation }), "1 2 3"},
		{ir.ReduceWindowMax, "dilations", list(func(s Sample) shape.Dims { return window(s).Dilation }), "1 2"},
		{ir.Convolution, "ranks", func(s Sample) []int { return []int{conv(s).Strides.Len()} }, "1 2"},
		{ir.Convolution, "strides", list(func(s Sample) shape.Dims { return conv(s).Strides }), "1 2"},
		{ir.Convolution, "operand dilations", list(func(s Sample) shape.Dims { return conv(s).LhsDilation }), "1 2"},
		{ir.Convolution, "kernel dilations", list(func(s Sample) shape.Dims { return conv(s).RhsDilation }), "1 2"},
		{ir.Convolution, "low", list(func(s Sample) shape.Dims { return conv(s).Low }), "0 1 2"},
		{ir.Convolution, "high", list(func(s Sample) shape.Dims { return conv(s).High }), "0 1 2"},
		{ir.Convolution, "reversal", func(s Sample) []int {
			n := 0
			for _, a := range conv(s).Reversal.Ints() {
				n |= 1 << a
			}
			return []int{n}
		}, "0 1 2 3"},
		{ir.Convolution, "groups", func(s Sample) []int { return []int{conv(s).FeatureGroups} }, "1 2"},
		{ir.Convolution, "batches", at(0, 0), "1 2"},
		{ir.Convolution, "features", at(0, -1), "1 2 4"},
		{ir.Convolution, "lengths", at(0, 1), "1 2 3 4 5"},
		{ir.Convolution, "kernel lengths", at(1, 0), "1 2 3"},
		{ir.Convolution, "kernel inputs", at(1, -2), "1 2"},
		{ir.Convolution, "kernel outputs", at(1, -1), "1 2 3 4 6"},
		{ir.DotGeneral, "batches", at(0, 0), "1 2"},
		{ir.DotGeneral, "rows", at(0, 1), "0 1 2 3"},
		{ir.DotGeneral, "terms", at(0, 2), "0 1 2 3 4"},
		{ir.DotGeneral, "columns", at(1, 2), "0 1 2 3"},
		{ir.Reduce, "shapes", func(s Sample) []int { return []int{s.Args[0].Size()} }, "0 1 6 12"},
	} {
		seen := map[int]bool{}
		for _, s := range Drawn(ops.Lookup(c.code), dtype.F32, 1000, 1) {
			for _, x := range c.values(s) {
				seen[x] = true
			}
		}
		var xs []int
		for x := range seen {
			xs = append(xs, x)
		}
		slices.Sort(xs)
		if got := strings.Trim(fmt.Sprint(xs), "[]"); got != c.want {
			t.Errorf("%v: the %s are %s, want %s", c.code, c.name, got, c.want)
		}
	}
}

// broadcastKinds returns, for each axis of the result whose length is not 1, 0 if the operand has its length, 1 if it
// is stretched, and 2 if the operand lacks it.
func broadcastKinds(s Sample) (kinds []int) {
	a := s.Attrs.(ir.BroadcastAttrs)
	axes := a.Axes.Ints()
	for i, n := range a.Shape.Ints() {
		k := slices.Index(axes, i)
		switch {
		case n == 1:
		case k < 0:
			kinds = append(kinds, 2)
		case s.Args[0].Type.Shape[k] == n:
			kinds = append(kinds, 0)
		default:
			kinds = append(kinds, 1)
		}
	}
	return kinds
}

// TestDrawnScatters checks that indices are drawn only where updates are combined.
func TestDrawnScatters(t *testing.T) {
	fixed := map[string]Sample{}
	for _, s := range Samples(ops.Lookup(ir.Scatter), dtype.F32) {
		fixed[describe(s)] = s
	}
	moved := map[string]bool{}
	for _, s := range Drawn(ops.Lookup(ir.Scatter), dtype.F32, 400, 1) {
		f := fixed[describe(s)]
		combines := s.Attrs.(ir.ScatterAttrs).Combine != ir.Invalid || len(s.Regions) > 0
		if !bytes.Equal(s.Args[1].Data, f.Args[1].Data) {
			moved[f.Name] = true
			if !combines {
				t.Errorf("%s: the indices are drawn", f.Name)
			}
		}
		if len(s.Args) != 3 || bytes.Equal(s.Args[0].Data, f.Args[0].Data) || s.Args[2].Size() > 0 && bytes.Equal(s.Args[2].Data, f.Args[2].Data) {
			t.Errorf("%s: the operand or the updates are not drawn", f.Name)
		}
	}
	for _, s := range fixed {
		if combines := s.Attrs.(ir.ScatterAttrs).Combine != ir.Invalid || len(s.Regions) > 0; combines != moved[s.Name] {
			t.Errorf("%s: the indices are drawn: %t", s.Name, moved[s.Name])
		}
	}
}

// TestDrawnFolds checks that the initial value stays the identity of the region, and that comparisons are drawn in a
// direction that the dtype has.
func TestDrawnFolds(t *testing.T) {
	for _, s := range Drawn(ops.Lookup(ir.Reduce), dtype.F32, 20, 1) {
		if got := dtype.GetFloat(s.Args[1].Data, dtype.F32); !math.IsInf(got, -1) {
			t.Errorf("%s: init_value is %v", s.Name, got)
		}
		if s.Args[0].Size() > 1 && same(Sample{Args: s.Args[:1]}, Sample{Args: []array.Array{counting(s.Args[0].Type, 0)}}) {
			t.Errorf("%s: the operand is not drawn", s.Name)
		}
	}
	for dt, want := range map[dtype.DType]ir.Direction{dtype.F32: ir.LT, dtype.I8: ir.LT, dtype.C64: ir.NE} {
		for _, s := range Drawn(ops.Lookup(ir.Compare), dt, 3, 1) {
			if got := s.Attrs.(ir.CompareAttrs).Direction; got != want {
				t.Errorf("comparisons of %v are %v, want %v", dt, got, want)
			}
		}
	}
}

// TestDrawnElements checks the random elements: floats from 2^-6 to 4 of either sign, integers of any bits.
func TestDrawnElements(t *testing.T) {
	smallest, largest, negative := math.Inf(1), 0.0, map[bool]bool{}
	fraction := map[bool]bool{}
	note := func(x float64) {
		smallest, largest = min(smallest, math.Abs(x)), max(largest, math.Abs(x))
		negative[x < 0] = true
		_, frac := math.Modf(math.Abs(x) * 64)
		fraction[frac > 0.5] = true
	}
	var bits, bools, parts uint64
	ones := ^uint64(0)
	for _, s := range Drawn(ops.Lookup(ir.Neg), dtype.F64, 300, 1) {
		for _, x := range array.Load[float64](s.Args[0]) {
			note(x)
		}
	}
	if smallest < 1.0/64 || smallest > 1.0/32 || largest >= 4 || largest < 2 || len(negative) != 2 || len(fraction) != 2 {
		t.Errorf("floats are from %v to %v, negative %v, with fractions %v", smallest, largest, negative, fraction)
	}
	for _, s := range Drawn(ops.Lookup(ir.Neg), dtype.C128, 300, 1) {
		for _, x := range Complexes(s.Args[0]) {
			note(real(x))
			note(imag(x))
			if real(x) != imag(x) {
				parts++
			}
		}
	}
	if smallest < 1.0/64 || largest >= 4 || parts == 0 {
		t.Errorf("parts of complex numbers are from %v to %v; %d numbers have different parts", smallest, largest, parts)
	}
	for _, s := range Drawn(ops.Lookup(ir.Not), dtype.U64, 300, 1) {
		for _, x := range array.Load[uint64](s.Args[0]) {
			bits |= x
			ones &= x
		}
	}
	if bits != math.MaxUint64 || ones != 0 {
		t.Errorf("integers have the bits %x and not %x", bits, ^ones)
	}
	for _, s := range Drawn(ops.Lookup(ir.Not), dtype.I1, 300, 1) {
		for _, x := range s.Args[0].Data {
			bools |= 1 << x
		}
	}
	if bools != 3 {
		t.Errorf("the bools are those in %b", bools)
	}
}

// TestNumbersForDerivatives checks Random, Moved, Magnitudes, Complexes and Inner on small arrays.
func TestNumbersForDerivatives(t *testing.T) {
	seed := uint64(1)
	for _, dt := range []dtype.DType{dtype.F64, dtype.C128} {
		x := Random(shape.Of(dt, 200), &seed)
		negative, values := map[bool]bool{}, map[float64]bool{}
		for _, v := range Complexes(x) {
			ps := []float64{real(v), imag(v)}[:dt.Size()/8]
			for _, p := range ps {
				negative[p < 0] = true
				values[p] = true
				if a := math.Abs(p); a < 0.5 || a > 1 {
					t.Errorf("%v: the random number %v", dt, p)
				}
			}
		}
		if len(negative) != 2 || len(values) < 190*dt.Size()/8 {
			t.Errorf("%v: signs %v, %d different numbers", dt, negative, len(values))
		}
	}
	least, most := 1.0, 0.0
	for _, v := range array.Load[float64](Random(shape.Of(dtype.F64, 200), &seed)) {
		least, most = min(least, math.Abs(v)), max(most, math.Abs(v))
	}
	if least > 0.55 || most < 0.95 {
		t.Errorf("random numbers are from %v to %v", least, most)
	}
	x, y := vector(dtype.C128, []complex128{1 + 2i, 3}), vector(dtype.C128, []complex128{4 - 1i, 1i})
	if got := Inner(x, y); got != 1*4+2*-1 {
		t.Errorf("the inner product is %v", got)
	}
	if got := Inner(vector(dtype.F32, []float64{2, 3}), vector(dtype.F32, []float64{5, 7})); got != 31 {
		t.Errorf("the inner product of real numbers is %v", got)
	}
	if got := Complexes(Moved(x, y, 2)); !slices.Equal(got, []complex128{9, 3 + 2i}) {
		t.Errorf("moved to %v", got)
	}
	narrow := Moved(vector(dtype.F32, []float64{1, 2}), vector(dtype.F64, []float64{1, -1}), 0.5)
	if narrow.DType() != dtype.F64 || !slices.Equal(Complexes(narrow), []complex128{1.5, 1.5}) {
		t.Errorf("moved to %v", narrow)
	}
	if got := Complexes(Magnitudes(vector(dtype.F32, []float64{-2, 3}))); !slices.Equal(got, []complex128{2, 3}) {
		t.Errorf("magnitudes %v", got)
	}
}

// TestTraced checks that a traced builder makes a call of the rule of a function, and adds the nodes to its graph.
func TestTraced(t *testing.T) {
	g := &ir.Graph{}
	x := g.Param(shape.Of(dtype.F32, 2))
	b := Traced(g)
	if !(traced{g}).Traced(nil) {
		t.Error("derivatives are not needed")
	}
	y := b.Do(ir.Neg, nil, x)
	if len(g.Nodes) != 1 || g.Nodes[0].Code != ir.Neg || y.(*ir.Value) != g.Nodes[0].Results[0] {
		t.Errorf("the graph has %v", g.Nodes)
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong operand is taken")
		}
	}()
	b.Do(ir.Add, nil, x)
}
