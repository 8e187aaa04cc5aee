package display

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// An array is a tensor as the printer sees it. It is printed as a stack of
// matrices: all axes but the last two count the matrices, row by row; a vector
// is one column, a scalar one element.
type array struct {
	typed    dtype.Typed
	shape    shape.Shape
	platform string // as the bracket line names it: CPU
	device   string // as one asks for it: cpu:0
	// read returns the elements of the first matrices, of their first rows, and
	// of those the first columns, as host bytes.
	read func(matrices, rows, cols int) ([]byte, error)
}

// extent returns how many matrices there are, and their rows and columns.
func (a array) extent() (matrices, rows, cols int) {
	switch n := len(a.shape); n {
	case 0:
		return 1, 1, 1
	case 1:
		return 1, a.shape[0], 1
	default:
		return a.shape[:n-2].Size(), a.shape[n-2], a.shape[n-1]
	}
}

// index returns the leading indices of the matrix i.
func (a array) index(i int) []int {
	lead := a.shape[:max(0, len(a.shape)-2)]
	at := make([]int, len(lead))
	for k := len(lead) - 1; k >= 0; k-- {
		at[k], i = i%lead[k], i/lead[k]
	}
	return at
}

// A matrix holds the elements of one that came to the host.
type matrix struct {
	dtype      dtype.DType
	data       []byte
	rows, cols int
}

func (m matrix) element(row, col int) []byte {
	size := m.dtype.Size()
	return m.data[(row*m.cols+col)*size:][:size]
}

// blockColumns is how many columns at most fit side by side.
func blockColumns(width, cols int) int {
	if width <= 0 {
		return cols
	}
	return max(1, min(cols, width/2)) // a blank and one character each
}

// window returns how many matrices, rows and columns can be shown at most
// within the limits: what is worth reading.
func (o Options) window(a array) (matrices, rows, cols int) {
	matrices, rows, cols = a.extent()
	if o.MaxRows < 0 {
		return matrices, rows, cols
	}
	rows = min(rows, o.MaxRows)
	if rows == 0 || cols == 0 {
		return 0, 0, 0
	}
	perBlock := blockColumns(o.MaxWidth, cols)
	lines := rows * ceil(cols, perBlock) // of one matrix, at least
	matrices = min(matrices, ceil(o.MaxRows, lines))
	return matrices, rows, min(cols, ceil(o.MaxRows, rows)*perBlock)
}

func ceil(a, b int) int { return (a + b - 1) / b }
