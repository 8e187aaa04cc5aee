package host_test

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// linear are the rows that package host computes in other ways than the reference.
var linear = map[ir.Code]bool{ir.Cholesky: true, ir.TriangularSolve: true, ir.LU: true, ir.QR: true, ir.Eigh: true, ir.SVD: true}

// TestFactorizations compares linear algebra with the reference evaluator within the bound of
// the row, at every sample, on every dtype, alone and together with another operation.
func TestFactorizations(t *testing.T) {
	done := 0
	for _, d := range ops.All() {
		if !linear[d.Code] {
			continue
		}
		for _, ty := range d.Only {
			for _, s := range append(opstest.Samples(d, ty), opstest.Drawn(d, ty, 1, 100)...) {
				done++
				compareFactors(t, d, ty, s)
			}
		}
	}
	if done < 60 {
		t.Errorf("only %d samples", done)
	}
}

func compareFactors(t *testing.T, d *ops.Def, ty dtype.DType, s opstest.Sample) {
	t.Helper()
	g := &ir.Graph{Name: "factors"}
	var in []*ir.Value
	var types []shape.Type
	for _, a := range s.Args {
		in, types = append(in, g.Param(a.Type)), append(types, a.Type)
	}
	results, err := ops.Infer(d.Code, s.Attrs, nil, types...)
	if err != nil {
		t.Fatal(err)
	}
	g.Outputs = g.Add(d.Code, s.Attrs, nil, in, results...).Results
	if !host.Takes(g) {
		if ty.Is(dtype.Complex) && max(types[0].Shape[0], types[0].Shape[len(types[0].Shape)-1]) > 32 {
			return
		}
		t.Errorf("package host does not run %s of %s %s", d.Name, ty, s.Name)
		return
	}
	want, err := reference.RunFlushing(context.Background(), g, s.Args)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range run(t, g, s.Args) {
		if !near(got, want[i], d.Bound.ULP) {
			t.Errorf("%s of %s %s: result %d is %v, reference %v", d.Name, ty, s.Name, i, got, want[i])
		}
	}
	if w := g.Outputs[0]; !ty.Is(dtype.Complex) && len(s.Args) == 1 && w.Type.Shape.Size() < 100 { // with an operation after it
		g.Outputs = g.Add(ir.Neg, nil, nil, []*ir.Value{w}, w.Type).Results
		if !host.Takes(g) {
			if rows := types[0].Shape; rows[len(rows)-1] < 10 {
				t.Errorf("package host does not run -%s of %s %s", d.Name, ty, s.Name)
			}
			return
		}
		more := run(t, g, s.Args)
		for k, x := range array.Load[float64](want[0]) {
			if y := -array.Load[float64](more[0])[k]; math.Abs(y-x) > 1e-3*(1+math.Abs(x)) {
				t.Errorf("-%s of %s %s: %v, not %v", d.Name, ty, s.Name, y, x)
			}
		}
	}
}

// TestProducts compares products of matrices whose axes are in any order with the reference
// evaluator, within the bound of the row.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		d := []dtype.DType{dtype.F32, dtype.F64}[i%2]
		sizes := [4]int{1 + r.IntN(3), 1 + r.IntN(40), 1 + r.IntN(40), 1 + r.IntN(30)} // of a batch, both sides, and inner
		if i%5 == 0 {
			sizes = [4]int{1, 1 + r.IntN(3), 1 + r.IntN(30), 150 + r.IntN(100)}
		}
		if i >= 150 {
			sizes = [4]int{1 + r.IntN(3), 1 + r.IntN(4), 1 + r.IntN(4), 1 + r.IntN(4)}
		}
		lhs, rhs := drawnSide(r, d, sizes[0], sizes[1], sizes[3]), drawnSide(r, d, sizes[0], sizes[2], sizes[3])
		g := &ir.Graph{}
		in := []*ir.Value{g.Param(lhs.x.Type), g.Param(rhs.x.Type)}
		attrs := ir.DotAttrs{LhsBatch: lhs.batch, RhsBatch: rhs.batch, LhsContract: lhs.inner, RhsContract: rhs.inner}
		out, err := ops.Infer(ir.DotGeneral, attrs, nil, lhs.x.Type, rhs.x.Type)
		if err != nil {
			t.Fatal(err)
		}
		g.Outputs = g.Add(ir.DotGeneral, attrs, nil, in, out...).Results
		args := []array.Array{lhs.x, rhs.x}
		want, err := reference.RunFlushing(context.Background(), g, args)
		if err != nil {
			t.Fatal(err)
		}
		if got := run(t, g, args)[0]; !near(got, want[0], 32) {
			t.Errorf("%v of %v and %v: %v, reference %v", attrs, lhs.x.Type, rhs.x.Type, got, want[0])
		}
	}
}

// A drawnOperand is a random operand of a product, whose axes are in any order.
type drawnOperand struct {
	x            array.Array
	batch, inner shape.Dims
}

func drawnSide(r *rand.Rand, d dtype.DType, batch, free, inner int) drawnOperand {
	lengths := []int{batch, free, inner, 2} // the last is contracted, too
	order := r.Perm(4)
	s, at := make(shape.Shape, 4), make([]int, 4)
	for i, axis := range order {
		s[i], at[axis] = lengths[axis], i
	}
	x := array.New(shape.Type{DType: d, Shape: s})
	for i := range s.Size() {
		dtype.PutFloat(x.Data[i*d.Size():], d, r.NormFloat64())
	}
	return drawnOperand{x, shape.DimsOf(at[0]), shape.DimsOf(at[2], at[3])}
}

// near reports whether a and b differ by at most ulp units in the last place of b's greatest
// element.
func near(a, b array.Array, ulp int) bool {
	eps := 0x1p-23
	if a.DType().Elem() == dtype.F64 {
		eps = 0x1p-52
	}
	xs, ys := elements(a), elements(b)
	greatest := 0.0
	for _, y := range ys {
		if !cmplx.IsInf(y) && !cmplx.IsNaN(y) {
			greatest = max(greatest, cmplx.Abs(y))
		}
	}
	if a.DType() == dtype.I32 {
		ulp = 0
	}
	for i, x := range xs {
		y := ys[i]
		if !(cmplx.Abs(x-y) <= float64(ulp)*eps*greatest) && !(cmplx.IsNaN(x) && cmplx.IsNaN(y)) && x != y {
			return false
		}
	}
	return true
}

func elements(a array.Array) []complex128 {
	if a.DType().Is(dtype.Complex) {
		return array.Load[complex128](a)
	}
	var xs []complex128
	if a.DType() == dtype.I32 {
		for _, x := range array.Load[int64](a) {
			xs = append(xs, complex(float64(x), 0))
		}
		return xs
	}
	for _, x := range array.Load[float64](a) {
		xs = append(xs, complex(x, 0))
	}
	return xs
}

// TestFactorizesBounds checks which operations and types Factorizes leaves to the plugin.
func TestFactorizesBounds(t *testing.T) {
	for _, c := range []struct {
		code ir.Code
		t    shape.Type
		want bool
	}{
		{ir.SVD, shape.Of(dtype.F32, 500, 500), true},
		{ir.SVD, shape.Of(dtype.F64, 1000, 3, 3), true},
		{ir.SVD, shape.Of(dtype.C64, 8, 8), true},
		{ir.SVD, shape.Of(dtype.C64, 64, 64), false},
		{ir.SVD, shape.Of(dtype.C64, 2, 32), true},
		{ir.SVD, shape.Of(dtype.C64, 2, 33), false},
		{ir.SVD, shape.Of(dtype.C128, 16, 32, 32), true}, // 1 << 14 elements
		{ir.SVD, shape.Of(dtype.C128, 17, 32, 32), false},
		{ir.SVD, shape.Of(dtype.F32, 64, 1<<10, 1<<10), true}, // 1 << 26 elements
		{ir.SVD, shape.Of(dtype.F32, 65, 1<<10, 1<<10), false},
		{ir.SVD, shape.Of(dtype.F64, 1, 1<<26), true},
		{ir.SVD, shape.Of(dtype.F64, 0, 1, 1<<26+1), false},
		{ir.SVD, shape.Of(dtype.F16, 2, 2), false},
		{ir.SVD, shape.Of(dtype.F32, 1<<20, 1<<20), false},
		{ir.SVD, shape.Of(dtype.F32, 1<<30, 0), false},
		{ir.Add, shape.Of(dtype.F32, 2, 2), false},
	} {
		if got := host.Factorizes(c.code, c.t); got != c.want {
			t.Errorf("%s of %s: %v", c.code, c.t, got)
		}
	}
}

// TestFactorizationsOfMany checks that each matrix of a large batch has the factors that it has alone.
func TestFactorizationsOfMany(t *testing.T) {
	const count, n = 5, 48
	r := rand.New(rand.NewPCG(3, 4))
	batch := array.New(shape.Of(dtype.F64, count, n, n))
	for i := range batch.Size() {
		dtype.PutFloat(batch.Data[8*i:], dtype.F64, r.NormFloat64())
	}
	factors := func(x array.Array) []array.Array {
		g := &ir.Graph{}
		results, err := ops.Infer(ir.QR, ir.FullAttrs{}, nil, x.Type)
		if err != nil {
			t.Fatal(err)
		}
		g.Outputs = g.Add(ir.QR, ir.FullAttrs{}, nil, []*ir.Value{g.Param(x.Type)}, results...).Results
		return run(t, g, []array.Array{x})
	}
	all := factors(batch)
	for i := range count {
		one := array.Array{Type: shape.Of(dtype.F64, n, n), Data: batch.Data[8*n*n*i:][:8*n*n]}
		for k, want := range factors(one) {
			size := len(want.Data)
			if got := (array.Array{Type: want.Type, Data: all[k].Data[size*i:][:size]}); !same(got, want) {
				t.Errorf("factor %d of matrix %d of many differs from that of the matrix alone", k, i)
			}
		}
	}
}
