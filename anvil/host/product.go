package host

import (
	"context"
	"runtime"
	"sync"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/shape"
)

// A multiplier multiplies matrices of f64 by tiles, which lie in registers: rows
// of a times columns of b.
type multiplier struct {
	rows, columns int
	tile          func(n int, a *float64, lda int, b *float64, c *float64, ldc int)
}

// depth is how many products a tile adds up at a time: as many as leave a panel
// of b in the nearest caches.
const depth = 256

// Products of matrices with sides of leastSide at least, leastProducts in all, are
// done here, of at most multipliable elements each: what the plugin has computed is
// copied.
const (
	leastSide     = 64
	leastProducts = 1 << 22
	multipliable  = 1 << 25
)

// Multiplies reports whether an operation on operands of these types is a product
// of two large f64 matrices that is faster here: plugins of the year 2025 bring
// kernels for f32 alone, and take five times as long.
func Multiplies(c ir.Code, attrs any, a, b shape.Type) bool {
	d, ok := attrs.(ops.DotAttrs)
	if !ok || c != ir.DotGeneral || len(multipliers) == 0 || a.DType != dtype.F64 || b.DType != dtype.F64 {
		return false
	}
	return d.DType == dtype.Invalid && isLarge(a.Shape) && isLarge(b.Shape) && d.LhsBatch == "" &&
		d.LhsContract == shape.DimsOf(1) && d.RhsContract == shape.DimsOf(0) &&
		a.Shape.Size()*b.Shape[1] >= leastProducts && a.Shape[0]*b.Shape[1] <= multipliable
}

func isLarge(s shape.Shape) bool {
	return len(s) == 2 && min(s[0], s[1]) >= leastSide && s.Size() <= multipliable
}

// isProduct reports whether g is nothing but what Multiplies.
func isProduct(g *ir.Graph) bool {
	if len(g.Nodes) != 1 || len(g.Outputs) != 1 || g.Outputs[0].Node != g.Nodes[0] {
		return false
	}
	n := g.Nodes[0]
	return len(n.Args) == 2 && Multiplies(n.Code, n.Attrs, n.Args[0].Type, n.Args[1].Type)
}

// multiplication returns the kernel of a product that Multiplies, for a result
// that is 0 before.
func multiplication(n *ir.Node) kernel {
	if len(n.Args) != 2 || !Multiplies(n.Code, n.Attrs, n.Args[0].Type, n.Args[1].Type) {
		return nil
	}
	rows, inner, columns := n.Args[0].Type.Shape[0], n.Args[0].Type.Shape[1], n.Args[1].Type.Shape[1]
	return func(ctx context.Context, out []byte, in [][]byte) error {
		multipliers[0].multiply(ctx, array.View[float64](out), array.View[float64](in[0]), array.View[float64](in[1]), rows, inner, columns)
		return ctx.Err()
	}
}

// multiply adds a, rows x inner, times b, inner x columns, to c: each processor
// has a part of the rows.
func (m multiplier) multiply(ctx context.Context, c, a, b []float64, rows, inner, columns int) {
	parts := min(runtime.GOMAXPROCS(0), (rows+m.rows-1)/m.rows)
	each := (rows/m.rows + parts) / parts * m.rows
	var wg sync.WaitGroup
	for from := 0; from < rows; from += each {
		to := min(from+each, rows)
		wg.Go(func() { m.part(ctx, c[from*columns:to*columns], a[from*inner:to*inner], b, to-from, inner, columns) })
	}
	wg.Wait()
}

// part is multiply on one processor.
func (m multiplier) part(ctx context.Context, c, a, b []float64, rows, inner, columns int) {
	w := work{multiplier: m, panelA: make([]float64, (rows+m.rows)*depth), panelB: make([]float64, depth*m.columns), edge: make([]float64, m.rows*m.columns)}
	for k := 0; k < inner && ctx.Err() == nil; k += depth {
		w.n = min(depth, inner-k)
		for i := range rows {
			copy(w.panelA[i*w.n:(i+1)*w.n], a[i*inner+k:])
		}
		for j := 0; j < columns; j += m.columns {
			w.pack(b[k*columns:], j, columns)
			w.column(c, j, rows, columns)
		}
	}
}

// A work is what one processor has in its caches.
type work struct {
	multiplier
	n              int       // how many products are added up
	panelA, panelB []float64 // rows of a, and m.columns columns of b, of length n
	edge           []float64 // a tile that does not lie in c wholly
}

// pack copies columns of b from j on.
func (w *work) pack(b []float64, j, columns int) {
	width := min(w.columns, columns-j)
	for k := range w.n {
		copy(w.panelB[k*w.columns:k*w.columns+width], b[k*columns+j:])
	}
}

// column adds the tiles of the columns from j on.
func (w *work) column(c []float64, j, rows, columns int) {
	for i := 0; i < rows; i += w.rows {
		if i+w.rows <= rows && j+w.columns <= columns {
			w.tile(w.n, &w.panelA[i*w.n], w.n, &w.panelB[0], &c[i*columns+j], columns)
			continue
		}
		clear(w.edge)
		w.tile(w.n, &w.panelA[i*w.n], w.n, &w.panelB[0], &w.edge[0], w.columns)
		for r := range min(w.rows, rows-i) {
			to, from := c[(i+r)*columns+j:(i+r+1)*columns], w.edge[r*w.columns:]
			for k := range min(w.columns, columns-j) {
				to[k] += from[k]
			}
		}
	}
}
