package autodiff_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// total returns a function of the sum of y's elements and their squares that depends on each element.
func total(b expr.Builder, y expr.Value) expr.Value {
	re := b.Real(y)
	if y.DType().Is(dtype.Complex) {
		re = b.Add(re, b.Mul(b.Imag(y), 0.3))
	}
	n := re.Shape().Size()
	weights := b.Add(b.Mul(b.Reshape(b.Iota(re.DType(), 0, n), re.Shape()...), 0.1), 1)
	y = b.Mul(b.Sin(re), weights)
	for range y.Shape() {
		y = b.Sum(y, 0)
	}
	return y
}

// diagonal returns the diagonal matrix of a vector.
func diagonal(b expr.Builder, x expr.Value) expr.Value {
	n := x.Shape()[0]
	attrs := ir.PadAttrs{Low: shape.DimsOf(0), High: shape.DimsOf(0), Interior: shape.DimsOf(n)}
	return b.Reshape(b.Do(ir.Pad, attrs, x, b.Scalar(x, 0)), n, n)
}

// dot returns the product of x and y, summed over an axis of each.
func dot(b expr.Builder, x, y expr.Value, i, j int) expr.Value {
	return b.Do(ir.DotGeneral, ir.DotAttrs{LhsContract: shape.DimsOf(i), RhsContract: shape.DimsOf(j)}, x, y)
}

// vector returns three numbers in the dtype of x.
func vector(b expr.Builder, x expr.Value) expr.Value {
	return b.Concatenate(0, b.Number(0.5, x.DType(), 1), b.Number(1, x.DType(), 1), b.Number(-2, x.DType(), 1))
}

// A spectral function takes the values and vectors of a factorization: w and v of Eigh, or s and u, v* of SVD.
type spectral = func(b expr.Builder, w, v, vh expr.Value) expr.Value

// functionsOfEigh do not depend on the choice of the vectors of equal eigenvalues.
var functionsOfEigh = map[string]spectral{
	"exp": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return b.MatMul(b.Mul(v, b.Convert(b.Exp(w), v.DType())), vh)
	},
	"divided": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return b.MatMul(b.Div(v, b.Convert(b.Add(w, 1), v.DType())), vh)
	},
	"of rows": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return b.MatMul(v, b.Mul(b.Column(b.Convert(b.Pow(w, 3), v.DType())), vh))
	},
	"diagonal matrix": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return b.MatMul(b.MatMul(v, diagonal(b, b.Convert(b.Exp(w), v.DType()))), vh)
	},
	"diagonal first": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return b.MatMul(v, b.MatMul(diagonal(b, b.Convert(b.Exp(w), v.DType())), vh))
	},
	"batch axis": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		attrs := ir.DotAttrs{LhsBatch: shape.DimsOf(1), RhsBatch: shape.DimsOf(0)}
		return dot(b, b.Do(ir.DotGeneral, attrs, v, b.Convert(b.Exp(w), v.DType())), vh, 0, 0)
	},
	"twice": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		x := b.Convert(w, v.DType())
		return b.MatMul(b.Mul(b.Mul(b.Mul(v, x), b.Exp(x)), 0.3), vh)
	},
	"a square": func(b expr.Builder, w, v, _ expr.Value) expr.Value {
		h := b.Mul(v, b.Convert(b.Sqrt(b.Exp(w)), v.DType()))
		return b.MatMul(h, b.Adjoint(h))
	},
	"negative sum": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		h := b.Mul(v, b.Convert(b.Exp(w), v.DType()))
		return b.MatMul(b.Neg(b.Add(h, h)), vh)
	},
	"times a vector": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return dot(b, v, b.Mul(b.Convert(b.Exp(w), v.DType()), dot(b, vh, vector(b, v), 1, 0)), 1, 0)
	},
	"reshaped": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		h := b.Reshape(b.Mul(b.Reshape(v, 1, 3, 3), b.Convert(b.Exp(w), v.DType())), 3, 3)
		return b.MatMul(h, vh)
	},
	"sum":               func(b expr.Builder, w, _, _ expr.Value) expr.Value { return b.Sum(b.Exp(w), 0) },
	"sum of logarithms": func(b expr.Builder, w, _, _ expr.Value) expr.Value { return b.Sum(b.Log(b.Add(w, 1)), 0) },
	"of squares": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return b.Sum(b.Mul(b.Exp(w), b.Square(b.Abs(dot(b, vh, b.Mul(vector(b, v), 0.3), 1, 0)))), 0)
	},
	"of products": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		c := dot(b, vh, vector(b, v), 1, 0)
		return b.Sum(b.Mul(b.Div(b.Mul(b.Real(b.Mul(c, b.Conj(c))), 0.5), b.Add(w, 1)), b.Exp(w)), 0)
	},
	"dot of squares": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		return dot(b, b.Exp(w), b.Neg(b.Square(b.Abs(dot(b, vh, b.Mul(vector(b, v), 0.3), 1, 0)))), 0, 0)
	},
	"dot of squares, of matrices": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		squares := b.Square(b.Abs(b.MatMul(vh, b.Convert(b.Reshape(b.Iota(dtype.F64, 0, 6), 3, 2), v.DType()))))
		z := b.Concatenate(0, b.Number(0.1, dtype.F64, 1), b.Number(0.2, dtype.F64, 1))
		return dot(b, squares, b.Exp(b.Mul(b.Column(w), z)), 0, 0)
	},
	"diagonal of a product": func(b expr.Builder, w, v, _ expr.Value) expr.Value {
		m := b.Convert(b.Sin(b.Reshape(b.Iota(dtype.F64, 0, 9), 3, 3)), v.DType())
		return b.Sum(b.Mul(b.Real(b.Sum(b.Mul(b.Conj(v), b.MatMul(m, v)), 0)), b.Exp(w)), 0)
	},
	"transposed squares": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		c := b.Square(b.Abs(b.MatMul(vh, b.Convert(b.Sin(b.Reshape(b.Iota(dtype.F64, 0, 6), 3, 2)), v.DType()))))
		return b.Sum(b.Mul(b.BroadcastTo(b.Transpose(c), shape.Shape{4, 2, 3}), b.Exp(w)), 2)
	},
	"scaled rows": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		h := b.Mul(b.Mul(v, b.Column(b.Sin(vector(b, v)))), b.Convert(b.Exp(w), v.DType()))
		return b.MatMul(h, b.Div(vh, b.Exp(vector(b, v))))
	},
	"scaled squares": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		squares := b.Square(b.Abs(dot(b, vh, vector(b, v), 1, 0)))
		scale := b.BroadcastTo(b.Sin(b.Number(2, dtype.F64)), shape.Shape{3})
		return b.Sum(b.Mul(b.Mul(b.Exp(w), scale), b.Mul(scale, b.Div(squares, scale))), 0)
	},
	"squares in columns": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		squares := b.Square(b.Abs(dot(b, vh, vector(b, v), 1, 0)))
		return b.Sum(b.Mul(b.Column(b.Exp(w)), b.Column(squares)), 0)
	},
	"transposed to columns": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		m := b.Convert(b.Sin(b.Reshape(b.Iota(dtype.F64, 0, 6), 2, 3)), v.DType())
		return b.Sum(b.Mul(b.Transpose(b.Square(b.Abs(b.MatMul(m, v)))), b.Column(b.Exp(w))), 0)
	},
	"the first row of a matrix": func(b expr.Builder, w, v, _ expr.Value) expr.Value { // it is not diagonal
		attrs := ir.PadAttrs{Low: shape.DimsOf(0), High: shape.DimsOf(6), Interior: shape.DimsOf(0)}
		x := b.Convert(w, v.DType())
		row := b.Reshape(b.Do(ir.Pad, attrs, x, b.Scalar(x, 0)), 3, 3)
		return b.Sum(b.Sum(b.Real(b.Mul(b.Conj(b.Slice(v, 1, 0, 1)), b.MatMul(v, row))), 0), 0) // the sum of w
	},
	"resolvents": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
		squares := b.Square(b.Abs(dot(b, vh, vector(b, v), 1, 0)))
		z := b.Column(b.Concatenate(0, b.Number(4, dtype.F64, 1), b.Number(5, dtype.F64, 1)))
		return b.Sum(b.Div(squares, b.Sub(z, w)), 1)
	},
}

// functionsOfSVD do not depend on the choice of the vectors of equal singular values.
var functionsOfSVD = map[string]spectral{
	"itself": func(b expr.Builder, s, u, vh expr.Value) expr.Value {
		return b.MatMul(b.Mul(u, b.Convert(s, u.DType())), vh)
	},
	"cube": func(b expr.Builder, s, u, vh expr.Value) expr.Value {
		return b.MatMul(b.Mul(u, b.Convert(b.Pow(s, 3), u.DType())), vh)
	},
	"inverse": func(b expr.Builder, s, u, vh expr.Value) expr.Value {
		return b.MatMul(b.Div(b.Adjoint(vh), b.Convert(s, u.DType())), b.Adjoint(u))
	},
	"polar": func(b expr.Builder, _, u, vh expr.Value) expr.Value { return b.MatMul(u, vh) },
	"squares": func(b expr.Builder, s, u, _ expr.Value) expr.Value {
		return b.Sum(b.Mul(b.Sqrt(s), b.Square(b.Abs(dot(b, b.Adjoint(u), vector(b, u), 1, 0)))), 0)
	},
	"sum": func(b expr.Builder, s, _, _ expr.Value) expr.Value { return b.Sum(b.Log(s), 0) },
}

// rotated returns Q*diag(1, 1, 2)*Q', for an orthogonal matrix Q.
func rotated(i int) complex128 {
	q := [3][3]float64{{2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}}
	sum := 0.0
	for k, w := range []float64{1, 1, 2} {
		sum += q[i/3][k] * w * q[i%3][k]
	}
	return complex(sum, 0)
}

// TestEqualEigenvalues checks first and second derivatives of functions of matrices with equal eigenvalues or
// singular values against difference quotients.
func TestEqualEigenvalues(t *testing.T) {
	points := map[string]func(i int) complex128{
		"identity": func(i int) complex128 { return complex(1-math.Min(1, float64(i%4)), 0) },
		"rotated":  rotated,
	}
	for at, point := range points {
		for _, d := range []dtype.DType{dtype.F64, dtype.C128} {
			ty := shape.Of(d, 3, 3)
			check := func(name string, f expr.Function) {
				t.Run(name+"/"+at+"/"+d.String(), func(t *testing.T) {
					c := linalgCheck{t, rand.New(rand.NewPCG(1, 2)), 1e-3, 1e-6}
					g := expr.Graph(ops.Infer, []shape.Type{ty}, f)
					args := []array.Array{arrayOf(ty, point)}
					c.derivatives("first", g, args)
					gradient, err := autodiff.Gradient(g, []bool{true}, nil)
					if err != nil {
						t.Fatal(err)
					}
					gradient.Outputs = gradient.Outputs[1:]
					c.derivatives("second", ir.Prune(gradient), args)
				})
			}
			for name, f := range functionsOfEigh {
				check("Eigh/"+name, func(b expr.Builder, x []expr.Value) []expr.Value {
					y := b.All(ir.Eigh, nil, nil, b.Mul(b.Add(x[0], b.Adjoint(x[0])), 0.5))
					return []expr.Value{total(b, f(b, y[0], y[1], b.Adjoint(y[1])))}
				})
			}
			for name, f := range functionsOfSVD {
				check("SVD/"+name, func(b expr.Builder, x []expr.Value) []expr.Value {
					y := b.All(ir.SVD, ir.FullAttrs{}, nil, x...)
					return []expr.Value{total(b, f(b, y[1], y[0], y[2]))}
				})
			}
		}
	}
}

// TestEqualEigenvaluesOfBatches checks functions of two matrices with equal eigenvalues.
func TestEqualEigenvaluesOfBatches(t *testing.T) {
	ty := shape.Of(dtype.F64, 2, 3, 3)
	args := []array.Array{arrayOf(ty, func(i int) complex128 {
		if i < 9 {
			return rotated(i)
		}
		return complex(2*(1-math.Min(1, float64((i-9)%4))), 0)
	})}
	for name, f := range map[string]spectral{
		"exp": func(b expr.Builder, w, v, vh expr.Value) expr.Value {
			return b.MatMul(b.Mul(v, b.Reshape(b.Exp(w), 2, 1, 3)), vh)
		},
		"sum": func(b expr.Builder, w, _, _ expr.Value) expr.Value { return b.Sum(b.Exp(w), 1) },
		"squares": func(b expr.Builder, w, v, _ expr.Value) expr.Value {
			c := b.Square(b.MatMul(b.Number(0.5, dtype.F64, 2, 1, 3), v))
			return b.Sum(b.Mul(b.Reshape(c, 2, 3), b.Exp(w)), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := linalgCheck{t, rand.New(rand.NewPCG(1, 2)), 1e-3, 1e-6}
			g := expr.Graph(ops.Infer, []shape.Type{ty}, func(b expr.Builder, x []expr.Value) []expr.Value {
				y := b.All(ir.Eigh, nil, nil, b.Mul(b.Add(x[0], b.Transpose(x[0])), 0.5))
				return []expr.Value{total(b, f(b, y[0], y[1], b.Transpose(y[1])))}
			})
			c.derivatives("first", g, args)
			gradient, err := autodiff.Gradient(g, []bool{true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			gradient.Outputs = gradient.Outputs[1:]
			c.derivatives("second", ir.Prune(gradient), args)
		})
	}
}
