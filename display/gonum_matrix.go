package display

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A gonumMatrix has the methods of gonum's matrices and vectors that display needs.
type gonumMatrix interface {
	Dims() (rows, cols int)
	At(i, j int) float64
}

// maxColumns is the greatest number of columns of a gonum matrix that are shown.
const maxColumns = 12

// matrixOf returns v as a gonumMatrix, and reports whether v is a matrix or vector of package mat of gonum.
func matrixOf(v any) (gonumMatrix, bool) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, false
	}
	if t.Kind() == reflect.Pointer {
		if reflect.ValueOf(v).IsNil() {
			return nil, false
		}
		t = t.Elem()
	}
	m, ok := v.(gonumMatrix)
	return m, ok && t.PkgPath() == "gonum.org/v1/gonum/mat"
}

// gonum returns the text of a matrix: its type and size, and below them its first rows and columns.
func (o Options) gonum(m gonumMatrix) Bundle {
	rows, cols := m.Dims()
	head := fmt.Sprintf("%s %d x %d", strings.TrimPrefix(fmt.Sprintf("%T", m), "*"), rows, cols)
	shown := rows
	if o.MaxRows >= 0 {
		shown = min(rows, o.MaxRows)
	}
	if shown == 0 || cols == 0 {
		return TextBundle(head)
	}
	grid := make([][]string, shown)
	for i := range grid {
		for j := range min(cols, maxColumns) {
			grid[i] = append(grid[i], strconv.FormatFloat(m.At(i, j), 'g', 6, 64))
		}
		if cols > maxColumns {
			grid[i] = append(grid[i], "...")
		}
	}
	text := head + "\n" + align(padLeft(grid))
	if more := rows - shown; more > 0 {
		text += "\n... " + plural(more, "more row") + "; display.MaxRows(-1) shows all"
	}
	return TextBundle(text)
}
