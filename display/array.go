package display

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// An array describes a tensor that is to be printed, as a list of matrices: the last two axes are rows and columns,
// and the leading axes number the matrices in row-major order. A vector is a matrix with one column, and a scalar is a
// matrix with one element.
type array struct {
	typed    dtype.Typed
	shape    shape.Shape
	platform string // such as "CPU", for the line in brackets below the text
	device   string // such as "cpu:0"
	// read returns the elements in the first rows and columns of the first matrices, in host form: in row-major
	// order, little-endian, DType.Size bytes each.
	read func(matrices, rows, cols int) ([]byte, error)
}

// extent returns the number of matrices, and the numbers of rows and columns of each.
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

// index returns the indices of matrix i along the leading axes, which are all but the last two.
func (a array) index(i int) []int {
	lead := a.shape[:max(0, len(a.shape)-2)]
	indices := make([]int, len(lead))
	for k := len(lead) - 1; k >= 0; k-- {
		indices[k], i = i%lead[k], i/lead[k]
	}
	return indices
}

// A matrix holds the elements of one matrix that were copied to the host.
type matrix struct {
	dtype      dtype.DType
	data       []byte // in host form, row by row
	rows, cols int
}

// element returns the bytes of one element.
func (m matrix) element(row, col int) []byte {
	size := m.dtype.Size()
	return m.data[(row*m.cols+col)*size:][:size]
}

// blockColumns returns an upper bound of the number of columns, out of cols, that fit side by side into width
// characters. A width of 0 or less means no limit.
func blockColumns(width, cols int) int {
	if width <= 0 {
		return cols
	}
	return max(1, min(cols, width/2)) // a column takes a blank and at least one character
}

// window returns how many matrices, rows and columns of a have to be read to print it within the limits of o. The
// numbers are upper bounds of what fits.
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
	lines := rows * ceilDiv(cols, perBlock) // one matrix takes at least this many lines
	matrices = min(matrices, ceilDiv(o.MaxRows, lines))
	return matrices, rows, min(cols, ceilDiv(o.MaxRows, rows)*perBlock)
}

// ceilDiv returns a/b rounded up.
func ceilDiv(a, b int) int { return (a + b - 1) / b }
