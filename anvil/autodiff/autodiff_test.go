package autodiff_test

import (
	"math"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// gradient returns the program of the gradient of g with respect to its only parameter.
func gradient(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	d, err := autodiff.Gradient(g, []bool{true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.Outputs = d.Outputs[len(g.Outputs):]
	if err := ops.Verify(ir.Prune(d)); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRepeatedDerivativesStaySmall bounds the number of operations of the sixth derivative
// of tanh, which would grow exponentially with the order without simplification.
func TestRepeatedDerivativesStaySmall(t *testing.T) {
	g := expr.Graph(ops.Infer, []shape.Type{shape.Of(dtype.F64)}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Tanh(x[0])}
	})
	for range 6 {
		g = gradient(t, g)
		t.Log(len(g.Nodes))
	}
	if n := len(g.Nodes); n > 250 {
		t.Errorf("%d operations, want at most 250", n)
	}
}

// recurrence returns a function of x, a weight w and inputs: the sum of x after n steps of a
// recurrence plus the sum of the steps' results, written as a scan or unrolled.
func recurrence(n int, scan, reverse bool) expr.Function {
	step := func(b expr.Builder, x, w, in expr.Value) (next, y expr.Value) {
		h := b.Tanh(b.Add(b.Mul(w, x), in))
		return h, b.Mul(h, b.Sin(b.Mul(x, in)))
	}
	return func(b expr.Builder, args []expr.Value) []expr.Value {
		x, w, in := args[0], args[1], args[2]
		if scan {
			final, stacked := b.Scan(n, []expr.Value{x}, []expr.Value{w}, []expr.Value{in}, reverse,
				func(b expr.Builder, c, s, e []expr.Value) (next, results []expr.Value) {
					h, y := step(b, c[0], s[0], e[0])
					return []expr.Value{h}, []expr.Value{y}
				})
			return []expr.Value{b.Add(b.Sum(final[0], 0), b.Sum(b.Sum(stacked[0], 0), 0))}
		}
		total := b.Number(0, dtype.F64)
		for i := range n {
			if reverse {
				i = n - 1 - i
			}
			h, y := step(b, x, w, b.Reshape(b.Slice(in, 0, i, i+1), x.Shape()...))
			x, total = h, b.Add(total, b.Sum(y, 0))
		}
		return []expr.Value{b.Add(total, b.Sum(x, 0))}
	}
}

// TestScan compares the first three derivatives of a scan with those of the unrolled steps.
func TestScan(t *testing.T) {
	const n = 4
	types := []shape.Type{shape.Of(dtype.F64, 3), shape.Of(dtype.F64, 3), shape.Of(dtype.F64, n, 3)}
	args := make([]array.Array, len(types))
	for i, ty := range types {
		args[i] = array.New(ty)
		for k := range ty.Shape.Size() {
			dtype.PutFloat(args[i].Data[8*k:], dtype.F64, math.Sin(float64(7*i+k+1)))
		}
	}
	for _, reverse := range []bool{false, true} {
		var want [][]float64
		for _, scan := range []bool{false, true} {
			g := expr.Graph(ops.Infer, types, recurrence(n, scan, reverse))
			var got [][]float64
			for range 3 {
				active := []bool{true, true, true}
				d, err := autodiff.Gradient(g, active, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := ops.Verify(d); err != nil {
					t.Fatal(err)
				}
				out, err := reference.Run(t.Context(), d, args)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range out {
					got = append(got, array.Load[float64](a))
				}
				// The next function is the sum of the gradients, weighted.
				g = expr.Graph(ops.Infer, types, func(b expr.Builder, x []expr.Value) []expr.Value {
					out := b.All(ir.Call, ir.CallAttrs{}, []*ir.Graph{d}, x...)[1:]
					sum := b.Number(0, dtype.F64)
					for k, v := range out {
						v = b.Mul(v, b.Like(v, float64(k+1)))
						for range v.Shape() {
							v = b.Sum(v, 0)
						}
						sum = b.Add(sum, v)
					}
					return []expr.Value{sum}
				})
			}
			if !scan {
				want = got
				continue
			}
			for i := range want {
				for k, v := range want[i] {
					if math.Abs(got[i][k]-v) > 1e-10*max(1, math.Abs(v)) {
						t.Fatalf("reverse %v, result %d: %v, unrolled %v", reverse, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// TestIdentityIsNotMultiplied takes Jacobians of products with a matrix. Reverse and forward
// mode multiply the matrix by the identity; the program must have no product, and return the
// matrix.
func TestIdentityIsNotMultiplied(t *testing.T) {
	matrix := make([]float64, 6)
	for i := range matrix {
		matrix[i] = float64(i + 1)
	}
	w := ir.ConstantAttrs{DType: dtype.F64, Shape: shape.DimsOf(2, 3), Data: string(array.Bytes(matrix))}
	for name, product := range map[string]expr.Function{
		"W x": func(b expr.Builder, x []expr.Value) []expr.Value {
			return []expr.Value{b.Do(ir.DotGeneral, ir.DotAttrs{LhsContract: shape.DimsOf(1), RhsContract: shape.DimsOf(0)}, b.Do(ir.Constant, w), x[0])}
		},
		"x W'": func(b expr.Builder, x []expr.Value) []expr.Value {
			return []expr.Value{b.Do(ir.DotGeneral, ir.DotAttrs{LhsContract: shape.DimsOf(0), RhsContract: shape.DimsOf(1)}, x[0], b.Do(ir.Constant, w))}
		},
	} {
		g := expr.Graph(ops.Infer, []shape.Type{shape.Of(dtype.F64, 3)}, product)
		for _, forward := range []bool{false, true} {
			d, err := autodiff.Jacobian(g, []bool{true}, forward, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := ops.Verify(d); err != nil {
				t.Fatal(err)
			}
			for _, n := range d.Nodes {
				if n.Code == ir.DotGeneral {
					t.Errorf("%s, forward %v: the program has a product:\n%v", name, forward, d)
				}
			}
			out, err := reference.Run(t.Context(), d, []array.Array{array.New(shape.Of(dtype.F64, 3))})
			if err != nil {
				t.Fatal(err)
			}
			if got := array.Load[float64](out[0]); !slices.Equal(got, matrix) {
				t.Errorf("%s, forward %v: %v", name, forward, got)
			}
		}
	}
}
