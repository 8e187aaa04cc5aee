package ops

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// lowerSVD reduces the matrix to a real bidiagonal one by reflections from both
// sides, and takes that one's singular values and vectors from the eigenvalues
// and eigenvectors of the tridiagonal matrix in which they lie in turn. Source:
// Golub and Kahan, Calculating the singular values and pseudo-inverse of a
// matrix, 1965. No product of the matrix with itself is made, so that small
// values are as exact as large ones.
func lowerSVD(n *ir.Node) program {
	return func(p composer, args []*ir.Value) []*ir.Value {
		x, results := args[0], n.Results
		batch, rows, cols, _ := matrix(x.Type)
		f := n.Attrs.(ir.FullAttrs)
		if x.Type.Shape.Size() == 0 {
			square := func(v *ir.Value) *ir.Value {
				s := v.Type.Shape
				return p.to(p.eye(x.Type.DType, s[len(s)-2], s[len(s)-1]), s)
			}
			return []*ir.Value{square(results[0]), p.zeros(results[1].Type.DType, results[1].Type.Shape...), square(results[2])}
		}
		x, scale := p.scaled(p.reshape(x, batch.Size(), rows, cols))
		var u, w, v *ir.Value
		if rows >= cols {
			u, w, v = p.svd(x, f.Full)
		} else {
			v, w, u = p.svd(p.adjoint(x), f.Full)
		}
		u, v = p.signs(u, v, min(rows, cols))
		return []*ir.Value{p.reshape(u, results[0].Type.Shape...), p.reshape(p.mul(w, scale), results[1].Type.Shape...),
			p.reshape(p.adjoint(v), results[2].Type.Shape...)}
	}
}

// signs returns u and v with the leading components of u's columns real and
// positive, and of v's where u has no more.
func (p composer) signs(u, v *ir.Value, common int) (*ir.Value, *ir.Value) {
	both := p.turned(p.cut(u, 2, 0, common), p.cut(u, 2, 0, common), p.cut(v, 2, 0, common))
	rest := func(x, done *ir.Value) *ir.Value {
		if n := x.Type.Shape[2]; n > common {
			own := p.cut(x, 2, common, n)
			return p.join(2, done, p.turned(own, own)[0])
		}
		return done
	}
	return rest(u, both[0]), rest(v, both[1])
}

// svd returns the factors of matrices with no more columns than rows.
func (p composer) svd(x *ir.Value, full bool) (u, w, v *ir.Value) {
	d, batch, m, n := x.Type.DType, x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	b := p.bidiagonal(x)
	beside := p.reshape(p.join(2, p.column(b.diagonal), p.column(b.beside)), batch, 2*n)
	w, q := p.ascending(p.conquer(p.zeros(d.Elem(), batch, 2*n), beside))
	w, q = p.cut(w, 1, n, 2*n), p.cut(q, 2, n, 2*n)
	w, q = p.do(ir.Reverse, ir.AxesAttrs{Axes: dims(1)}, w), p.do(ir.Reverse, ir.AxesAttrs{Axes: dims(2)}, q)
	q = p.reshape(q, batch, n, 2, n)
	left, right := p.reshape(p.cut(q, 2, 1, 2), batch, n, n), p.reshape(p.cut(q, 2, 0, 1), batch, n, n)

	u, v = p.convert(p.orthogonal(left), d), p.convert(p.orthogonal(right), d)
	width := n
	if full {
		width = m
	}
	if m > n {
		u = p.add(p.pad(u, m, width), p.rest(d, m, n, width))
	}
	return p.reflected(b.left, u), p.max(w, p.like(w, 0)), p.reflected(b.right, v)
}

// rest returns the m x width matrix with ones on the diagonal but for the first
// n.
func (p composer) rest(d dtype.DType, m, n, width int) *ir.Value {
	below := p.compare(ir.GE, p.column(p.count(m)), p.number(dtype.I32, float64(n)))
	return p.where(below, p.eye(d, m, width), p.number(d, 0))
}

// orthogonal returns matrices whose columns, nearly orthogonal to each other, are
// made of length 1 and orthogonal. The vectors of values that are next to 0
// beside the others are no more than the first ones leave: any will do.
func (p composer) orthogonal(x *ir.Value) *ir.Value {
	n := x.Type.Shape[1]
	q, r := p.triangular(x)
	diagonal := p.sum(p.where(p.eye(dtype.I1, n, n), r, p.like(r, 0)), 1)
	sign := p.where(p.compare(ir.LT, diagonal, p.like(r, 0)), p.like(r, -1), p.like(r, 1))
	return p.mul(p.reflected(q, p.to(p.eye(x.Type.DType, n, n), x.Type.Shape)), p.row(sign))
}

// A bidiagonal is a real matrix with elements on the diagonal and above it, of
// which the last of beside counts for nothing, and the reflections from the left
// and the right that make a matrix of it.
type bidiagonal struct {
	diagonal, beside *ir.Value
	left, right      reflections
}

// bidiagonal reduces matrices x, with no more columns than rows, a column and a
// row at a time.
func (p composer) bidiagonal(x *ir.Value) bidiagonal {
	d, batch, m, n := x.Type.DType, x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	start := []*ir.Value{x, p.zeros(d, batch, m, n), p.zeros(d, batch, n, n), p.zeros(d, batch, 2, n), p.zeros(d.Elem(), batch, 2, n)}
	out := p.loop(p.number(dtype.I32, 0), p.number(dtype.I32, float64(n)), start, nil, func(p composer, k *ir.Value, carried, _ []*ir.Value) []*ir.Value {
		x := carried[0]
		next := p.add(k, p.like(k, 1))
		v, tau, beta := p.reflection(p.window(x, 2, k, 1), k)
		z := p.mul(p.adjoint(p.dot(p.adjoint(v), x)), tau) // x - v*adjoint(z) is x, reflected
		row := p.sub(p.window(x, 1, k, 1), p.mul(p.window(v, 1, k, 1), p.adjoint(z)))
		w, tau2, beta2 := p.reflection(p.adjoint(row), next)
		y := p.mul(tau2, p.sub(p.dot(x, w), p.mul(v, p.dot(p.adjoint(z), w))))
		x = p.sub(p.sub(x, p.mul(v, p.adjoint(z))), p.mul(y, p.adjoint(w)))
		return []*ir.Value{x, p.update(carried[1], v, 2, k), p.update(carried[2], w, 2, k),
			p.update(carried[3], p.join(1, tau, tau2), 2, k), p.update(carried[4], p.join(1, beta, beta2), 2, k)}
	})
	half := func(x *ir.Value, i int) *ir.Value { return p.reshape(p.cut(x, 1, i, i+1), batch, n) }
	return bidiagonal{half(out[4], 0), half(out[4], 1), reflections{out[1], half(out[3], 0)}, reflections{out[2], half(out[3], 1)}}
}
