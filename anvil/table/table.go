// Package table reads and writes tables of named columns. It knows numbers,
// bools and texts of Go, not tensors.
package table

import (
	"math"
	"slices"
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
	Ints    []int64
	Floats  []float64
	Texts   []string
	Missing int // how many values are missing

	Odd Place // of texts, the first that is no number
}

// A Place is where a value stands in a file.
type Place struct {
	Line, Column int
	Text         string
}

// Len returns how many values the column has.
func (c *Column) Len() int {
	return max(len(c.Bools), len(c.Ints), len(c.Floats), len(c.Texts))
}

// AsFloats returns the values as float64, nil where they are texts.
func (c *Column) AsFloats() []float64 {
	switch c.Kind {
	case Floats:
		return c.Floats
	case Ints:
		return converted(c.Ints, func(v int64) float64 { return float64(v) })
	case Bools:
		return converted(c.Bools, func(v bool) float64 {
			if v {
				return 1
			}
			return 0
		})
	}
	return nil
}

func converted[A, B any](xs []A, f func(A) B) []B {
	ys := make([]B, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// Exact reports whether the column's values are integers that float64 holds.
func (c *Column) Exact() bool {
	return c.Kind != Ints || !slices.ContainsFunc(c.Ints, func(v int64) bool { return v < -1<<53 || v > 1<<53 })
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
