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

// This file implements the errors that some frameworks define for certain matrices, such as
// singular ones. The elements are read only under these frameworks: at once, or within a
// trace when the program runs.

// A flaw locates an invalid value.
type flaw struct {
	batch int // the index of the matrix in the batch; -1: no batch axes
	row   int // counted from 1; 0: unknown
}

// checkRegular fails with the framework's error for f if the diagonal of an LU factorization
// contains a 0.
func (c *call) checkRegular(f emulate.Fault, lu expr.Value) {
	if c.framework.Fault(f) == nil || lu.Shape().Size() == 0 {
		return
	}
	c.failWhereAny(f, c.Eq(c.diagonal(lu, 0), 0), func(w flaw) (flaw, emulate.Fault) { return w, f })
}

// checkFinite fails with the framework's error for f if the matrices a contain infinities or
// nan.
func (c *call) checkFinite(f emulate.Fault, a expr.Value) {
	if c.framework.Fault(f) == nil || a.Shape().Size() == 0 {
		return
	}
	c.failWhereAny(f, c.Not(c.finiteRows(a)), func(w flaw) (flaw, emulate.Fault) { return w, f })
}

// finiteRows returns whether the elements of the matrices a are finite, with each matrix
// flattened to one row.
func (c *call) finiteRows(a expr.Value) expr.Value {
	s := a.Shape()
	rank := len(s) - 2
	a = c.reshape(a, append(s[:rank:rank].Clone(), s[rank]*s[rank+1]))
	if a.DType().Is(dtype.Complex) {
		return c.And(c.Do(ir.IsFinite, nil, c.Real(a)), c.Do(ir.IsFinite, nil, c.Imag(a)))
	}
	return c.Do(ir.IsFinite, nil, a)
}

// cholesky returns the Cholesky factors of the matrices a. If the framework has an error for
// matrices that are not positive definite, cholesky fails with it for such a matrix.
func (c *call) cholesky(a expr.Value) expr.Value {
	l := c.Do(ir.Cholesky, nil, a)
	if c.framework.Fault(emulate.NotPositive) == nil || l.Shape().Size() == 0 {
		return l
	}
	diagonal := c.diagonal(l, 0)
	bad := c.Ne(diagonal, diagonal)
	// If the framework has no error for a minor that is nan, only a finite matrix without a factor is an error. Outside
	// a trace, the function given to failWhereAny tells the two apart.
	if c.operandTrace() != nil && c.framework.Fault(emulate.NotANumberMinor) == nil {
		s := bad.Shape()
		rank := len(s) - 1
		finite := c.reshape(c.fold(ir.ReduceAnd, c.finiteRows(a), lastAxis), append(s[:rank:rank].Clone(), 1))
		bad = c.And(bad, c.to(finite, s))
	}
	c.failWhereAny(emulate.NotPositive, bad, func(w flaw) (flaw, emulate.Fault) {
		row, nan := firstBadMinor(c.matrixAt(a, max(w.batch, 0)))
		if nan {
			return flaw{w.batch, row}, emulate.NotANumberMinor
		}
		return flaw{w.batch, row}, emulate.NotPositive
	})
	return l
}

// failWhereAny fails if any element of bad is true. The last axis of bad has an element for
// each row of a matrix, or for each of its elements. Outside a trace, examine is called with
// the first flaw of each matrix and returns the flaw to report and its fault. A fault for
// which the framework has no error is ignored. Within a trace, the fault is f and the program fails when it runs.
func (c *call) failWhereAny(f emulate.Fault, bad expr.Value, examine func(flaw) (flaw, emulate.Fault)) {
	if t := c.operandTrace(); t != nil {
		anyBad := c.fold(ir.ReduceOr, bad, nil).(*tensor).arr
		t.AddFault(engine.Fault{When: anyBad, Err: c.errorAt(f, flaw{-1, 0})})
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
			if w, f := examine(w); c.framework.Fault(f) != nil {
				panic(c.errorAt(f, w))
			}
			break
		}
	}
}

// errorAt returns the system's error for f. The known parts of the location w are filled in.
func (c *call) errorAt(f emulate.Fault, w flaw) *Error {
	err := c.framework.Fault(f)
	if refusal := (*promote.Refusal)(nil); errors.As(err, &refusal) {
		filled, batch := *refusal, ""
		if w.batch >= 0 {
			batch = "(Batch element " + strconv.Itoa(w.batch) + "): "
		}
		if w.row == 0 {
			filled.Reason = strings.NewReplacer(" of order {k}", "", " {k}", "", "[{k},{k}]", "").Replace(filled.Reason)
		}
		filled.Reason = strings.NewReplacer("{batch}", batch, "{k}", strconv.Itoa(w.row)).Replace(filled.Reason)
		err = &filled
	}
	return c.errorOf(f, err)
}

// matrixAt returns matrix i of a batch as rows of complex numbers.
func (c *call) matrixAt(a expr.Value, i int) [][]complex128 {
	s := a.Shape()
	n := s[len(s)-1]
	a = c.reshape(a, Shape{s.Size() / (n * n), n * n})
	attrs := ir.SliceAttrs{Start: shape.DimsOf(i, 0), Limit: shape.DimsOf(i+1, n*n), Strides: shape.DimsOf(1, 1)}
	a = c.Do(ir.Slice, attrs, a)
	data, err := c.convert(a, dtype.C128).(*tensor).read()
	c.check(err)
	xs := array.Load[complex128](array.Array{Type: shape.Of(dtype.C128, n*n), Data: data})
	rows := make([][]complex128, n)
	for i := range rows {
		rows[i] = xs[i*n : (i+1)*n]
	}
	return rows
}

// firstBadMinor returns the order of the first leading minor of the Hermitian matrix a that
// is not positive, and whether that minor is nan. The order is 0 if all minors are positive.
// firstBadMinor overwrites the elements of a below the diagonal.
func firstBadMinor(a [][]complex128) (order int, nan bool) {
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
