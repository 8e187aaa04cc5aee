package dense

import (
	"runtime"
	"sync"
)

// A tiling multiplies matrices by tiles, which lie in registers: rows of a times
// columns of b.
type tiling struct {
	rows, columns int
	tile          func(n int, a []float64, lda int, b, c []float64, ldc int)
}

// depth is how many products a tile adds up at a time: as many as leave a panel
// of b in the nearest caches.
const depth = 256

// parallel is from how many products on a multiplication is worth a second
// processor.
const parallel = 1 << 20

// As a product's operand a matrix is taken as it is or transposed.
type operand struct {
	Matrix
	transposed bool
}

func as(a Matrix) operand     { return operand{a, false} }
func turned(a Matrix) operand { return operand{a, true} }
func (o operand) width() int  { return pick(o.transposed, o.Rows, o.Cols) }
func pick(b bool, x, y int) int {
	if b {
		return x
	}
	return y
}

// multiply adds factor * a * b to c.
func multiply(c Matrix, factor float64, a, b operand) {
	if c.Rows == 0 || c.Cols == 0 || a.width() == 0 {
		return
	}
	tilings[0].multiply(c, factor, a, b)
}

func (t tiling) multiply(c Matrix, factor float64, a, b operand) {
	parts := 1
	if c.Rows*c.Cols*a.width() >= parallel {
		parts = min(runtime.GOMAXPROCS(0), (c.Rows+t.rows-1)/t.rows)
	}
	each := (c.Rows/t.rows + parts) / parts * t.rows
	inParallel(parts, func(i int) {
		if from, to := min(i*each, c.Rows), min(i*each+each, c.Rows); from < to {
			t.part(c.rows(from, to), factor, a, from, b)
		}
	})
}

// inParallel calls f with the numbers up to parts, at the same time.
func inParallel(parts int, f func(i int)) {
	var wg sync.WaitGroup
	for i := 1; i < parts; i++ {
		wg.Go(func() { f(i) })
	}
	f(0)
	wg.Wait()
}

// part is multiply for rows of the product, which come from row first of a on.
func (t tiling) part(c Matrix, factor float64, a operand, first int, b operand) {
	inner := a.width()
	most := min(depth, inner)
	w := panels{t, make([]float64, (c.Rows+t.rows)*most), make([]float64, most*t.columns), make([]float64, t.rows*t.columns)}
	for k := 0; k < inner; k += depth {
		n := min(depth, inner-k)
		w.packA(a, factor, first, c.Rows, k, n)
		for j := 0; j < c.Cols; j += t.columns {
			w.packB(b, k, n, j, min(t.columns, c.Cols-j))
			w.column(c, n, j)
		}
	}
}

// panels are what one processor has in its caches: rows of a, and columns of b, of
// one length, and a tile that does not lie in c wholly.
type panels struct {
	tiling
	a, b, edge []float64
}

// packA copies factor times n elements, from k on, of rows of a.
func (w *panels) packA(a operand, factor float64, first, rows, k, n int) {
	for i := range rows {
		to := w.a[i*n : (i+1)*n]
		if !a.transposed {
			for p, v := range a.X[(first+i)*a.Stride+k:][:n] {
				to[p] = factor * v
			}
		}
	}
	if !a.transposed {
		return
	}
	for p := range n {
		for i, v := range a.X[(k+p)*a.Stride+first:][:rows] {
			w.a[i*n+p] = factor * v
		}
	}
}

// packB copies n elements, from k on, of columns of b from j on.
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

// column adds the tiles of the columns from j on.
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
