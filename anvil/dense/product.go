package dense

import (
	"runtime"
	"sync"
)

// A tiling computes c += a * b tile by tile: the function tile adds the product of some rows of a and columns
// of b to a tile of c, which has rows x columns elements and is held in registers.
type tiling struct {
	rows, columns int
	tile          tileFunc
}

// A tileFunc adds the product of n columns of a and n rows of b, which are parts of panels, to the tile c.
// The rows of a start lda elements apart, and those of c ldc elements apart.
type tileFunc func(n int, a []float64, lda int, b, c []float64, ldc int)

// depth is the greatest n of the calls of a tileFunc, chosen so that the panel of b stays in the processor's
// caches.
const depth = 256

// minParallel is the number of multiplications of elements from which an operation uses all processors.
const minParallel = 1 << 20

// An operand of a product is a matrix or its transpose.
type operand struct {
	Matrix
	transposed bool
}

func noTrans(a Matrix) operand { return operand{a, false} }
func trans(a Matrix) operand   { return operand{a, true} }

// inner returns the number of columns of o, after transposition if o.transposed is true.
func (o operand) inner() int {
	if o.transposed {
		return o.Rows
	}
	return o.Cols
}

// Multiply adds a * b to c. It uses the transpose of a if aTransposed is true, and the transpose of b if
// bTransposed is true.
func Multiply(c, a, b Matrix, aTransposed, bTransposed bool) {
	multiply(c, 1, operand{a, aTransposed}, operand{b, bTransposed})
}

// multiply adds factor * a * b to c.
func multiply(c Matrix, factor float64, a, b operand) {
	if c.Rows == 0 || c.Cols == 0 || a.inner() == 0 {
		return
	}
	tilings[0].multiply(c, factor, a, b)
}

// multiply adds factor * a * b to c, with the tiles of t.
func (t tiling) multiply(c Matrix, factor float64, a, b operand) {
	parts := 1
	if c.Rows*c.Cols*a.inner() >= minParallel {
		parts = min(runtime.GOMAXPROCS(0), (c.Rows+t.rows-1)/t.rows)
	}
	rowsPerPart := (c.Rows/t.rows + parts) / parts * t.rows // a multiple of t.rows for which the parts cover all rows
	inParallel(parts, func(i int) {
		if from, to := min(i*rowsPerPart, c.Rows), min(i*rowsPerPart+rowsPerPart, c.Rows); from < to {
			t.multiplyRows(c.rows(from, to), factor, a, from, b)
		}
	})
}

// inParallel calls f concurrently with 0 to parts-1, and waits for all calls.
func inParallel(parts int, f func(i int)) {
	var wg sync.WaitGroup
	for i := 1; i < parts; i++ {
		wg.Go(func() { f(i) })
	}
	f(0)
	wg.Wait()
}

// multiplyRows adds rows first to first+c.Rows-1 of factor * a * b to c.
func (t tiling) multiplyRows(c Matrix, factor float64, a operand, first int, b operand) {
	inner := a.inner()
	n := min(depth, inner)
	w := panels{
		tiling: t,
		a:      make([]float64, (c.Rows+t.rows)*n), // the last tile may extend beyond c
		b:      make([]float64, n*t.columns),
		edge:   make([]float64, t.rows*t.columns),
	}
	for k := 0; k < inner; k += depth {
		n := min(depth, inner-k)
		w.packA(a, factor, first, c.Rows, k, n)
		for j := 0; j < c.Cols; j += t.columns {
			w.packB(b, k, n, j, min(t.columns, c.Cols-j))
			w.column(c, n, j)
		}
	}
}

// panels has copies of parts of the operands, which one goroutine keeps in the processor's caches.
type panels struct {
	tiling
	a, b []float64 // parts of rows of a times a factor, and parts of t.columns columns of b
	edge []float64 // the products of a tile that extends beyond c
}

// packA sets w.a to factor times elements k to k+n-1 of rows first to first+rows-1 of a.
func (w *panels) packA(a operand, factor float64, first, rows, k, n int) {
	if !a.transposed {
		for i := range rows {
			to := w.a[i*n : (i+1)*n]
			for p, v := range a.X[(first+i)*a.Stride+k:][:n] {
				to[p] = factor * v
			}
		}
		return
	}
	for p := range n {
		for i, v := range a.X[(k+p)*a.Stride+first:][:rows] {
			w.a[i*n+p] = factor * v
		}
	}
}

// packB sets w.b to elements k to k+n-1 of columns j to j+width-1 of b.
func (w *panels) packB(b operand, k, n, j, width int) {
	if !b.transposed {
		for p := range n {
			copy(w.b[p*w.columns:p*w.columns+width], b.X[(k+p)*b.Stride+j:])
		}
		return
	}
	for i := range width {
		for p, v := range b.X[(j+i)*b.Stride+k:][:n] {
			w.b[p*w.columns+i] = v
		}
	}
}

// column adds the products of the panels to the tiles of c that begin at column j.
func (w *panels) column(c Matrix, n, j int) {
	for i := 0; i < c.Rows; i += w.rows {
		if i+w.rows <= c.Rows && j+w.columns <= c.Cols {
			w.tile(n, w.a[i*n:], n, w.b, c.X[i*c.Stride+j:], c.Stride)
			continue
		}
		clear(w.edge)
		w.tile(n, w.a[i*n:], n, w.b, w.edge, w.columns)
		for r := range min(w.rows, c.Rows-i) {
			to, from := c.Row(i + r)[j:], w.edge[r*w.columns:]
			for k := range min(w.columns, len(to)) {
				to[k] += from[k]
			}
		}
	}
}
