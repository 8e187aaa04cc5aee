package anvil

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// Where real systems have an error for the values of a matrix. Only under these
// are values looked at; of a traced matrix the program looks when it runs.

// A flaw is where something is wrong: in which matrix of a batch, and in which row,
// countedLoop from 1. Of no matrix by itself batch is -1.
type flaw struct{ batch, row int }

// checkRegular fails with the system's error for f where factors of LU have a 0 on the
// diagonal.
func (c *call) checkRegular(f emulate.Fault, lu expr.Value) {
	if c.framework.Fault(f) == nil || lu.Shape().Size() == 0 {
		return
	}
	c.failWhereAny(f, c.Eq(c.diagonal(lu, 0), 0), func(w flaw) (flaw, emulate.Fault) { return w, f })
}

// checkFinite fails with the system's error for f where matrices a have infinities or
// nan.
func (c *call) checkFinite(f emulate.Fault, a expr.Value) {
	if c.framework.Fault(f) == nil || a.Shape().Size() == 0 {
		return
	}
	c.failWhereAny(f, c.Not(c.finiteRows(a)), func(w flaw) (flaw, emulate.Fault) { return w, f })
}

// finiteRows returns whether the elements of a are finite, those of a matrix in one
// row.
func (c *call) finiteRows(a expr.Value) expr.Value {
	s := a.Shape()
	rank := len(s) - 2
	a = c.reshape(a, append(s[:rank:rank].Clone(), s[rank]*s[rank+1]))
	if r := c.ofReals(ir.IsFinite, a); r != nil {
		return r
	}
	return c.Do(ir.IsFinite, nil, a)
}

// cholesky returns the factors of a, and fails where the system has none.
func (c *call) cholesky(a expr.Value) expr.Value {
	l := c.Do(ir.Cholesky, nil, a)
	if c.framework.Fault(emulate.NotPositive) == nil || l.Shape().Size() == 0 {
		return l
	}
	diagonal := c.diagonal(l, 0)
	bad := c.Ne(diagonal, diagonal)
	if c.trace() != nil && c.framework.Fault(emulate.NotANumberMinor) == nil { // where all is finite
		s := bad.Shape()
		rank := len(s) - 1
		fine := c.reshape(c.fold(ir.ReduceAnd, c.finiteRows(a), lastAxis), append(s[:rank:rank].Clone(), 1))
		bad = c.And(bad, c.to(fine, s))
	}
	c.failWhereAny(emulate.NotPositive, bad, func(w flaw) (flaw, emulate.Fault) {
		row, nan := minor(c.matrixAt(a, max(w.batch, 0)))
		if nan {
			return flaw{w.batch, row}, emulate.NotANumberMinor
		}
		return flaw{w.batch, row}, emulate.NotPositive
	})
	return l
}

// failWhereAny fails with the system's error where bad, whose last axis is the rows of
// a matrix, holds: for f, or for what look says of the first flaw in a matrix.
func (c *call) failWhereAny(f emulate.Fault, bad expr.Value, look func(flaw) (flaw, emulate.Fault)) {
	if t := c.trace(); t != nil {
		t.Watch(engine.Fault{When: arrayOf(c.fold(ir.ReduceOr, bad, nil)), Err: c.errorAt(f, flaw{-1, 0})})
		return
	}
	data, err := bad.(*tensor).read()
	c.check(err)
	s := bad.Shape()
	rows := s[len(s)-1]
	for from := 0; from < len(data); from += rows {
		for row, b := range data[from : from+rows] {
			if b == 0 {
				continue
			}
			w := flaw{-1, row + 1}
			if len(s) > 1 {
				w.batch = from / rows
			}
			if w, f := look(w); c.framework.Fault(f) != nil {
				panic(c.errorAt(f, w))
			}
			break
		}
	}
}

// errorAt is errorOf with the place of the flaw filled in, as far as it is known.
func (c *call) errorAt(f emulate.Fault, w flaw) *Error {
	err := c.framework.Fault(f)
	if no := (*promote.Refusal)(nil); errors.As(err, &no) {
		said, batch := *no, ""
		if w.batch >= 0 {
			batch = "(Batch element " + strconv.Itoa(w.batch) + "): "
		}
		if w.row == 0 {
			said.Reason = strings.NewReplacer(" of order {k}", "", " {k}", "", "[{k},{k}]", "").Replace(said.Reason)
		}
		said.Reason = strings.NewReplacer("{batch}", batch, "{k}", strconv.Itoa(w.row)).Replace(said.Reason)
		err = &said
	}
	return c.errorOf(f, err)
}

// matrixAt returns matrix i of a batch as rows of complex numbers.
func (c *call) matrixAt(a expr.Value, i int) [][]complex128 {
	s := a.Shape()
	n := s[len(s)-1]
	a = c.reshape(a, Shape{s.Size() / (n * n), n * n})
	a = c.Do(ir.Slice, ir.SliceAttrs{Start: shape.DimsOf(i, 0), Limit: shape.DimsOf(i+1, n*n), Strides: shape.DimsOf(1, 1)}, a)
	data, err := c.convert(a, dtype.C128).(*tensor).read()
	c.check(err)
	xs := array.Load[complex128](array.Array{Type: shape.Of(dtype.C128, n*n), Data: data})
	rows := make([][]complex128, n)
	for i := range rows {
		rows[i] = xs[i*n : (i+1)*n]
	}
	return rows
}

// minor returns the order of the first leading minor of a Hermitian matrix that is
// not positive, and whether it is nan; 0 where there is none.
func minor(a [][]complex128) (order int, nan bool) {
	for j := range a {
		pivot := real(a[j][j])
		for _, x := range a[j][:j] {
			pivot -= real(x)*real(x) + imag(x)*imag(x)
		}
		if !(pivot > 0) {
			return j + 1, math.IsNaN(pivot)
		}
		root := complex(math.Sqrt(pivot), 0)
		for i := j + 1; i < len(a); i++ {
			for k, x := range a[j][:j] {
				a[i][j] -= a[i][k] * complex(real(x), -imag(x))
			}
			a[i][j] /= root
		}
	}
	return 0, false
}
