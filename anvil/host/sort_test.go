package host_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// sorted returns the program that sorts an operand along its last axis.
func sorted(d dtype.DType, descending bool, dims ...int) *ir.Graph {
	return sortedAlong(len(dims)-1, descending, shape.Of(d, dims...))
}

// sortedAlong returns the program that sorts operands along an axis by the first of them.
func sortedAlong(axis int, descending bool, operands ...shape.Type) *ir.Graph {
	g := &ir.Graph{Name: "sorted"}
	args := make([]*ir.Value, len(operands))
	for i, t := range operands {
		args[i] = g.Param(t)
	}
	g.Outputs = g.Add(ir.Sort, ir.SortAttrs{Axis: axis, Descending: descending}, nil, args, operands...).Results
	return g
}

// TestSortIsTheReferences compares sorts with the reference evaluator bit by bit. The
// elements include zeros of both signs, different NaNs, infinities and repeated numbers.
func TestSortIsTheReferences(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64, dtype.U32, dtype.U64} {
		for _, descending := range []bool{false, true} {
			x := array.New(shape.Of(d, 3, 500))
			for i := range x.Size() {
				at := x.Data[i*d.Size():]
				switch v := r.IntN(4); {
				case v == 0 && d.Is(dtype.Floating):
					dtype.PutFloat(at, d, []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1}[r.IntN(5)])
				case v == 1:
					dtype.PutInt(at, d, int64(r.IntN(9)-4))
				default:
					dtype.PutUint(at, map[int]dtype.DType{4: dtype.U32, 8: dtype.U64}[d.Size()], r.Uint64())
				}
				if d.Is(dtype.Floating) && r.IntN(10) == 0 { // a NaN
					copy(at[d.Size()-2:d.Size()], []byte{byte(0xf8 | r.IntN(8)), byte(0x7f | r.IntN(2)<<7)})
				}
			}
			likeReference(t, sorted(d, descending, 3, 500), x)
			for axis, dims := range [][]int{{500, 3}, {3, 500}, {3, 100, 5}} {
				axis %= 2
				operands := []array.Array{{Type: shape.Of(d, dims...), Data: x.Data}}
				likeReference(t, sortedAlong(axis, descending, operands[0].Type), operands...)
				for _, by := range []dtype.DType{dtype.I1, dtype.U8, dtype.F16, dtype.I32, dtype.F64} {
					y := array.New(shape.Of(by, dims...))
					for i := range y.Size() {
						y.Data[i*by.Size()] = byte(r.IntN(2))
					}
					operands = append(operands, y)
				}
				likeReference(t, sortedAlong(axis, descending, shapesOf(operands)...), operands...)
			}
		}
	}
}

func shapesOf(xs []array.Array) (types []shape.Type) {
	for _, x := range xs {
		types = append(types, x.Type)
	}
	return types
}

func likeReference(t *testing.T, g *ir.Graph, xs ...array.Array) {
	t.Helper()
	want, err := reference.Run(context.Background(), g, xs)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range run(t, g, xs) {
		if !bytes.Equal(got.Data, want[i].Data) {
			t.Errorf("%v: result %d is %v, reference %v", g, i, got, want[i])
		}
	}
}

// TestLargeSortsAreDoneHere checks that package host runs sorts up to their own bound if the
// program has no other operation, and that they end with their context.
func TestLargeSortsAreDoneHere(t *testing.T) {
	g := sorted(dtype.F32, false, 1_000_000)
	x := array.New(g.Params[0].Type)
	if !host.Takes(g) || host.Takes(sorted(dtype.F32, false, 1<<40)) || host.Takes(sorted(dtype.BF16, false, 1_000_000)) ||
		!host.Takes(sortedAlong(0, true, shape.Of(dtype.I64, 1_000_000, 2), shape.Of(dtype.I32, 1_000_000, 2))) {
		t.Error("Takes is wrong for a sort")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := host.Compile(g).Run(ctx, []host.Value{host.Of(x.Type, x.Data)}, make([]host.Value, 1)); err != context.Canceled {
		t.Error(err)
	}
}

func BenchmarkSort(b *testing.B) {
	g := sorted(dtype.F32, false, 1_000_000)
	x := array.New(g.Params[0].Type)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range x.Size() {
		dtype.PutFloat(x.Data[4*i:], dtype.F32, r.Float64())
	}
	p, v := host.Compile(g), host.Of(x.Type, x.Data)
	for b.Loop() {
		if err := p.Run(context.Background(), []host.Value{v}, make([]host.Value, 1)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSortKeepsBits checks that zeros and NaNs, which share a key, keep their bits if only
// one of the two kinds occurs.
func TestSortKeepsBits(t *testing.T) {
	const sign, nan = 1 << 63, 0x7ff8 << 48
	one := math.Float64bits(1)
	for name, bits := range map[string][]uint64{
		"zeros": {one, sign, 0, sign | one, sign, 0},
		"NaNs":  {nan | 3, one, sign | nan | 1, sign | one, nan, sign | nan},
	} {
		for _, descending := range []bool{false, true} {
			x := array.New(shape.Of(dtype.F64, len(bits)))
			for i, b := range bits {
				dtype.PutUint(x.Data[8*i:], dtype.U64, b)
			}
			t.Run(name, func(t *testing.T) { likeReference(t, sorted(dtype.F64, descending, len(bits)), x) })
		}
	}
}
