// Package table reads and writes tables of named columns. Columns are slices of Go
// numbers, bools or strings, not tensors.
package table

import (
	"math"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Kind is the kind of the values of a column.
type Kind uint8

// The kinds. A column of a CSV file has the first kind that holds all its values.
const (
	Bools Kind = iota
	Ints
	Floats
	Texts
)

// String returns the kind's name: "ints".
func (k Kind) String() string { return [...]string{"bools", "ints", "floats", "texts"}[k] }

// A Column has a name and values, in the field of its kind. Missing values are NaN in
// Floats and "" in Texts; Bools and Ints have no missing values.
type Column struct {
	Name    string
	Kind    Kind
	Bools   []bool
	Ints    []int64 // if DType is ui64, each has the bits of a uint64
	Floats  []float64
	Texts   []string
	Missing int // the number of missing values

	DType dtype.DType // the dtype of the column in the file, or Invalid if the file gives none
	Shape []int       // the shape of the values of a row, in row-major order; nil for one value a row

	NotNumber Place  // for Texts of a CSV file, the first text that is not a number
	Origin    string // for Texts made from values of another type: the name of that type, such as timestamp[us]
}

// A Place is the position of a text in a file.
type Place struct {
	Line, Column int
	Text         string
}

// RowSize returns the number of values in a row.
func (c *Column) RowSize() int {
	n := 1
	for _, length := range c.Shape {
		n *= length
	}
	return n
}

// Len returns the number of rows.
func (c *Column) Len() int {
	return max(len(c.Bools), len(c.Ints), len(c.Floats), len(c.Texts)) / c.RowSize()
}

// Text returns row i as text, with "" for a missing value.
func (c *Column) Text(i int) string {
	if c.Shape == nil {
		return c.value(i)
	}
	words := make([]string, c.RowSize())
	for k := range words {
		words[k] = c.value(i*len(words) + k)
	}
	return "[" + strings.Join(words, " ") + "]"
}

// value returns value i in row-major order as text, or "" if it is missing.
func (c *Column) value(i int) string {
	switch c.Kind {
	case Bools:
		return strconv.FormatBool(c.Bools[i])
	case Ints:
		if c.DType == dtype.U64 {
			return strconv.FormatUint(uint64(c.Ints[i]), 10)
		}
		return strconv.FormatInt(c.Ints[i], 10)
	case Floats:
		if c.Floats[i] != c.Floats[i] {
			return ""
		}
		bits := 64
		if c.DType.Valid() && c.DType != dtype.F64 {
			bits = 32
		}
		text := strconv.FormatFloat(c.Floats[i], 'g', -1, bits)
		if !strings.ContainsAny(text, ".eIn") {
			text += ".0" // so that ReadCSV reads a float
		}
		return text
	}
	return c.Texts[i]
}

// A Table is a list of columns of the same length.
type Table struct {
	Columns []Column
	Rows    int
}

// Column returns the column with the given name, or nil.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Names returns the names of the columns in order.
func (t *Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i := range t.Columns {
		names[i] = t.Columns[i].Name
	}
	return names
}

// missing is the missing value of Floats.
var missing = math.NaN()
