package autodiff_test

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// arrayOf returns an array of f64 or c128.
func arrayOf(ty shape.Type, f func(i int) complex128) array.Array {
	a := array.New(ty)
	for i := range ty.Shape.Size() {
		if x := f(i); ty.DType == dtype.C128 {
			dtype.PutComplex(a.Data[16*i:], dtype.C128, x)
		} else {
			dtype.PutFloat(a.Data[8*i:], dtype.F64, real(x))
		}
	}
	return a
}

// innerAll returns the sum of Re(conj(a)*b).
func innerAll(as, bs []array.Array) (sum float64) {
	for i := range as {
		sum += opstest.Inner(as[i], bs[i])
	}
	return sum
}

// normal returns an array of normal numbers.
func normal(r *rand.Rand, ty shape.Type) array.Array {
	return arrayOf(ty, func(int) complex128 { return complex(r.NormFloat64(), r.NormFloat64()) })
}

// A linalgCheck compares derivatives of programs with difference quotients.
type linalgCheck struct {
	*testing.T
	r           *rand.Rand
	step, bound float64 // of the difference quotients and of their relative errors
}

func (c linalgCheck) run(g *ir.Graph, args []array.Array) []array.Array {
	c.Helper()
	if err := ops.Verify(g); err != nil {
		c.Fatal(err)
	}
	out, err := reference.Run(c.Context(), g, args)
	if err != nil {
		c.Fatal(err)
	}
	return out
}

// inexact returns g without its outputs that are not differentiable.
func inexact(g *ir.Graph) *ir.Graph {
	h := *g
	h.Outputs = nil
	for _, o := range g.Outputs {
		if autodiff.Differentiable(o.Type.DType) {
			h.Outputs = append(h.Outputs, o)
		}
	}
	return &h
}

// derivatives checks the JVP of g, whose outputs are inexact, against central
// differences, and the VJP against the JVP. It returns the program of the cotangents and
// arguments for it.
func (c linalgCheck) derivatives(order string, g *ir.Graph, args []array.Array) (*ir.Graph, []array.Array) {
	c.Helper()
	active := make([]bool, len(args))
	var tangents, cotangents []array.Array
	for i, a := range args {
		active[i] = true
		tangents = append(tangents, normal(c.r, a.Type))
	}
	for _, o := range g.Outputs {
		cotangents = append(cotangents, normal(c.r, o.Type))
	}
	jvp, err := autodiff.JVP(g, active, nil)
	if err != nil {
		c.Fatal(order, err)
	}
	dy := c.run(jvp, append(args[:len(args):len(args)], tangents...))[len(g.Outputs):]

	h := c.step
	moved := func(by float64) []array.Array {
		var xs []array.Array
		for i, a := range args {
			x, t := opstest.Complexes(a), opstest.Complexes(tangents[i])
			xs = append(xs, arrayOf(a.Type, func(k int) complex128 { return x[k] + complex(by, 0)*t[k] }))
		}
		return c.run(g, xs)
	}
	near, far := [2][]array.Array{moved(h), moved(-h)}, [2][]array.Array{moved(2 * h), moved(-2 * h)}
	for i := range dy {
		got := opstest.Complexes(dy[i])
		n1, n2, f1, f2 := opstest.Complexes(near[0][i]), opstest.Complexes(near[1][i]), opstest.Complexes(far[0][i]), opstest.Complexes(far[1][i])
		scale := 1.0
		for k := range got {
			scale = max(scale, cmplx.Abs(got[k]))
		}
		for k := range got {
			want := (8*(n1[k]-n2[k]) - (f1[k] - f2[k])) / complex(12*h, 0)
			if !(cmplx.Abs(got[k]-want) <= c.bound*scale) {
				c.Errorf("%s order: tangent %d, element %d is %v, differences give %v", order, i, k, got[k], want)
				break
			}
		}
	}

	vjp, err := autodiff.VJP(g, active, nil)
	if err != nil {
		c.Fatal(order, err)
	}
	values := append(args[:len(args):len(args)], cotangents...)
	dx := c.run(vjp, values)[len(g.Outputs):]
	if a, b := innerAll(cotangents, dy), innerAll(dx, tangents); !(cmplx.Abs(complex(a-b, 0)) <= 1e-12*max(1, innerAll(dx, dx))) {
		c.Errorf("%s order: the tangents give %v, the cotangents %v", order, a, b)
	}
	back := *vjp
	back.Outputs = back.Outputs[len(g.Outputs):]
	return ir.Prune(&back), values
}

// TestLinearAlgebra checks the first and second derivatives of the rows of linear algebra.
func TestLinearAlgebra(t *testing.T) {
	type operation struct {
		code   ir.Code
		attrs  any
		shapes []shape.Shape
	}
	var all []operation
	add := func(code ir.Code, attrs any, shapes ...shape.Shape) {
		all = append(all, operation{code, attrs, shapes})
	}
	add(ir.Cholesky, nil, shape.Shape{3, 3})
	add(ir.Cholesky, nil, shape.Shape{2, 2, 4, 4})
	for k := range 24 {
		attrs := ir.TriangularAttrs{Right: k&1 > 0, Upper: k&2 > 0, Unit: k&4 > 0, Op: []ir.TriangularAttrs{{Op: ir.AsIs}, {Op: ir.Transposed}, {Op: ir.Adjoint}}[k/8].Op}
		rhs := shape.Shape{2, 3, 2}
		if attrs.Right {
			rhs = shape.Shape{2, 2, 3}
		}
		add(ir.TriangularSolve, attrs, shape.Shape{2, 3, 3}, rhs)
	}
	for _, s := range []shape.Shape{{3, 3}, {4, 2}, {2, 4}, {2, 3, 3}, {2, 1, 4, 3}, {2, 2, 3}, {1, 1}, {2, 0}} {
		add(ir.LU, nil, s)
		add(ir.QR, ir.FullAttrs{}, s)
		add(ir.SVD, ir.FullAttrs{}, s)
	}
	for _, s := range []shape.Shape{{1, 1}, {3, 3}, {2, 2, 4, 4}, {0, 0}} {
		add(ir.Eigh, nil, s)
	}
	for _, o := range all {
		for _, d := range []dtype.DType{dtype.F64, dtype.C128} {
			t.Run(strings.ReplaceAll(fmt.Sprintf("%v %v %v %v", o.code, d, o.attrs, o.shapes), " ", "_"), func(t *testing.T) {
				c := linalgCheck{t, rand.New(rand.NewPCG(1, 2)), 1e-4, 1e-7}
				var types []shape.Type
				var args []array.Array
				for i, s := range o.shapes {
					types = append(types, shape.Type{DType: d, Shape: s})
					args = append(args, wellConditioned(c.r, o.code, i, types[i]))
				}
				g := inexact(expr.Graph(ops.Infer, types, func(b expr.Builder, x []expr.Value) []expr.Value {
					return b.All(o.code, o.attrs, nil, x...)
				}))
				back, values := c.derivatives("first", g, args)
				c.derivatives("second", back, values)
			})
		}
	}
}

// wellConditioned returns operand i of an operation of linear algebra. The matrices of
// operand 0 have distinct elements on the diagonal, which are greater than all others.
func wellConditioned(r *rand.Rand, code ir.Code, i int, ty shape.Type) array.Array {
	a := normal(r, ty)
	if i > 0 {
		return a
	}
	xs := opstest.Complexes(a)
	n := len(ty.Shape) - 2
	rows, cols := ty.Shape[n], ty.Shape[n+1]
	return arrayOf(ty, func(k int) complex128 {
		row, col := k/cols%rows, k%cols
		switch {
		case row != col:
			return xs[k] / 3
		case code == ir.Cholesky || code == ir.Eigh:
			return complex(3+2*float64(row), 0)
		}
		return xs[k]/3 + complex(3+2*float64(row), 0)
	})
}
