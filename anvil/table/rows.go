package table

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Take returns the rows with the given indices, in their order.
func (t *Table) Take(rows []int) *Table {
	out := &Table{Columns: make([]Column, len(t.Columns)), Rows: len(rows)}
	for k := range t.Columns {
		out.Columns[k] = t.Columns[k].Take(rows)
	}
	return out
}

// Take returns the values of the rows with the given indices.
func (c *Column) Take(rows []int) Column {
	out := *c
	n := c.RowSize()
	out.Bools, out.Ints = takeRows(c.Bools, rows, n), takeRows(c.Ints, rows, n)
	out.Floats, out.Texts = takeRows(c.Floats, rows, n), takeRows(c.Texts, rows, n)
	out.Missing = 0
	for _, v := range out.Floats {
		if math.IsNaN(v) {
			out.Missing++
		}
	}
	for _, v := range out.Texts {
		if v == "" {
			out.Missing++
		}
	}
	return out
}

// takeRows returns the values of the given rows. Each row has n values.
func takeRows[T any](values []T, rows []int, n int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, 0, len(rows)*n)
	for _, i := range rows {
		out = append(out, values[i*n:(i+1)*n]...)
	}
	return out
}

// Compare compares the values of rows i and j; a missing value comes after all others.
func (c *Column) Compare(i, j int) int {
	switch c.Kind {
	case Bools:
		return cmp.Compare(boolNumber(c.Bools[i]), boolNumber(c.Bools[j]))
	case Ints:
		if c.DType == dtype.U64 {
			return cmp.Compare(uint64(c.Ints[i]), uint64(c.Ints[j]))
		}
		return cmp.Compare(c.Ints[i], c.Ints[j])
	case Floats:
		a, b := c.Floats[i], c.Floats[j]
		if math.IsNaN(a) || math.IsNaN(b) {
			return cmp.Compare(boolNumber(math.IsNaN(a)), boolNumber(math.IsNaN(b)))
		}
		return cmp.Compare(a, b)
	}
	a, b := c.Texts[i], c.Texts[j]
	if a == "" || b == "" {
		return cmp.Compare(boolNumber(a == ""), boolNumber(b == ""))
	}
	return cmp.Compare(a, b)
}

// boolNumber returns 1 for true and 0 for false.
func boolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// isMissing reports whether row i has no value.
func (c *Column) isMissing(i int) bool {
	switch c.Kind {
	case Floats:
		return math.IsNaN(c.Floats[i])
	case Texts:
		return c.Texts[i] == ""
	}
	return false
}

// Order returns the indices of the rows, sorted by the first column in by, then by the
// second, and so on. The order of column k is descending if descending[k] is true, and otherwise
// ascending. Equal rows keep their order, and missing values are last.
func (t *Table) Order(by []*Column, descending []bool) []int {
	rows := make([]int, t.Rows)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int {
		for k, c := range by {
			order := c.Compare(i, j)
			if descending[k] && !c.isMissing(i) && !c.isMissing(j) {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	return rows
}

// Groups returns the indices of the rows, grouped by equal values in all columns in by. The
// groups are in the order of their first rows.
func (t *Table) Groups(by []*Column) [][]int {
	var groups [][]int
	groupOf := map[string]int{}
	for i := range t.Rows {
		key := keyOf(by, i)
		k, seen := groupOf[key]
		if !seen {
			k = len(groups)
			groupOf[key] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	return groups
}

// keyOf returns a key for row i. Rows with equal values in all columns in by have the same key.
func keyOf(by []*Column, i int) string {
	var b strings.Builder
	for _, c := range by {
		text := c.Text(i)
		if c.Kind == Floats && !c.isMissing(i) {
			text = strconv.FormatFloat(c.Floats[i]+0, 'g', -1, 64) // in f64 for all dtypes; -0 + 0 is 0
		}
		b.WriteString(strconv.Itoa(len(text)) + ":" + text)
	}
	return b.String()
}

// Matches returns all pairs of a row of t and a row of u in which each column by[k] of t has the same value as the
// column other[k] of u: row rows[k] of t matches row others[k] of u. The pairs are sorted by the row of t and then by
// the row of u. Missing values match nothing.
func Matches(t *Table, by []*Column, u *Table, other []*Column) (rows, others []int) {
	rowsOf := map[string][]int{}
	for j := range u.Rows {
		if !anyMissing(other, j) {
			key := keyOf(other, j)
			rowsOf[key] = append(rowsOf[key], j)
		}
	}
	for i := range t.Rows {
		if anyMissing(by, i) {
			continue
		}
		for _, j := range rowsOf[keyOf(by, i)] {
			rows, others = append(rows, i), append(others, j)
		}
	}
	return rows, others
}

// anyMissing reports whether row i lacks the value of any of the columns.
func anyMissing(by []*Column, i int) bool {
	return slices.ContainsFunc(by, func(c *Column) bool { return c.isMissing(i) })
}

// Numbers returns the values that are not missing as floats, with bools as 0 and 1. The second
// result is false for texts.
func (c *Column) Numbers() ([]float64, bool) {
	var out []float64
	for _, v := range c.Bools {
		out = append(out, boolNumber(v))
	}
	for _, v := range c.Ints {
		if c.DType == dtype.U64 {
			out = append(out, float64(uint64(v)))
		} else {
			out = append(out, float64(v))
		}
	}
	for _, v := range c.Floats {
		if !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out, c.Kind != Texts
}
