// Package table reads and writes tables of named columns. It knows numbers,
// bools and texts of Go, not tensors.
package table

import (
	"math"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Kind is what the values of a column are.
type Kind uint8

// The kinds, in the order in which they are tried: a column is of the first that
// holds all its values.
const (
	Bools Kind = iota
	Ints
	Floats
	Texts
)

// String returns the kind's name: "ints".
func (k Kind) String() string { return [...]string{"bools", "ints", "floats", "texts"}[k] }

// A Column is a name with values, of which those of its kind are there. What is
// missing is NaN in floats and "" in texts; bools and ints have nothing missing.
type Column struct {
	Name    string
	Kind    Kind
	Bools   []bool
	Ints    []int64 // of ui64 their bits
	Floats  []float64
	Texts   []string
	Missing int // how many values are missing

	DType dtype.DType // of the numbers, where it is known; Invalid where only the values tell
	Shape []int       // of what stands in one row, its values in row-major order; nil is one value

	Odd    Place  // of texts, the first that is no number
	Origin string // of texts, what they were where they are none: timestamp[us]
}

// A Place is where a value stands in a file.
type Place struct {
	Line, Column int
	Text         string
}

// Each returns how many values stand in one row.
func (c *Column) Each() int {
	n := 1
	for _, length := range c.Shape {
		n *= length
	}
	return n
}

// Len returns how many rows the column has.
func (c *Column) Len() int {
	return max(len(c.Bools), len(c.Ints), len(c.Floats), len(c.Texts)) / c.Each()
}

// Text returns what stands in row i as a text; a missing value is "".
func (c *Column) Text(i int) string {
	if c.Shape == nil {
		return c.value(i)
	}
	words := make([]string, c.Each())
	for k := range words {
		words[k] = c.value(i*len(words) + k)
	}
	return "[" + strings.Join(words, " ") + "]"
}

func converted[A, B any](xs []A, f func(A) B) []B {
	ys := make([]B, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// A Table is columns of one length.
type Table struct {
	Columns []Column
	Rows    int
}

// Column returns the column of that name, nil where there is none.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Names returns the names of the columns, in their order.
func (t *Table) Names() []string {
	return converted(t.Columns, func(c Column) string { return c.Name })
}

var missing = math.NaN()
