package anvil

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

// Head returns the first 5 rows, or the first n.
func (t *Table) Head(n ...int) *Table { return t.rowRange("Head", n, false) }

// Tail returns the last 5 rows, or the last n.
func (t *Table) Tail(n ...int) *Table { return t.rowRange("Tail", n, true) }

// rowRange returns the first n rows, or the last n rows if last is set. n is the only element of given, or 5 if given
// is empty.
func (t *Table) rowRange(op string, given []int, last bool) *Table {
	n := givenOr(given, 5)
	if n < 0 || len(given) > 1 {
		panic(&Error{Op: op, Operands: fmt.Sprint(given), Reason: op + " takes one number of rows, at least 0",
			Hint: "write t." + op + "(5)"})
	}
	rows := make([]int, min(n, t.data.Rows))
	for i := range rows {
		rows[i] = i
		if last {
			rows[i] += t.data.Rows - len(rows)
		}
	}
	return &Table{t.lib, t.data.Take(rows)}
}

// Take returns some rows of the table: those where a mask is true, or those with the given
// indices, in the order of the indices; negative indices count from the end. rows is the mask
// or the indices: a tensor of rank 1, a []bool, an []int or an int.
//
//	t.Take(t.Col("age").Tensor().Gt(30))
func (t *Table) Take(rows any) *Table {
	c := t.lib.call("Take")
	if n, ok := rows.(int); ok {
		rows = []int{n}
	}
	x := t.lib.New(rows)
	if d := x.DType(); x.Rank() != 1 || d != dtype.I1 && !d.Is(dtype.Signed) && !d.Is(dtype.Unsigned) {
		c.fail("rows cannot be selected by "+describe(x), "give a mask or indices of rank 1")
	}
	column := c.hostColumn(x, x.Size(), func(i int) int { return i })
	var indices []int
	if column.Kind == table.Bools {
		if column.Len() != t.data.Rows {
			c.fail("the mask has "+plural(column.Len(), "element", "elements")+
				", and the table has "+plural(t.data.Rows, "row", "rows"),
				"make the mask from a column of this table, as in t.Col(\"age\").Tensor().Gt(30)")
		}
		for i, selected := range column.Bools {
			if selected {
				indices = append(indices, i)
			}
		}
	}
	for k, i := range column.Ints {
		n := int64(t.data.Rows)
		if i < -n || i >= n || i < 0 && column.DType == dtype.U64 {
			c.fail("row "+column.Text(k)+" is out of range for "+plural(int(n), "row", "rows"), "indices begin at 0")
		}
		indices = append(indices, int((i+n)%n))
	}
	return &Table{t.lib, t.data.Take(indices)}
}

// Select returns the columns with the given names, in the order of names.
func (t *Table) Select(names ...string) *Table {
	out := &table.Table{Rows: t.data.Rows}
	for _, name := range names {
		out.Columns = append(out.Columns, *t.Col(name).data)
	}
	return &Table{t.lib, out}
}

// columns returns the columns with the given names. It panics with an *Error of op if no name
// is given or a column has several values per row.
func (t *Table) columns(op string, names []string) []*table.Column {
	if len(names) == 0 {
		panic(&Error{Op: op, Operands: "", Reason: "no column is named", Hint: t.columnsHint()})
	}
	var by []*table.Column
	for _, name := range names {
		c := t.Col(name).data
		if c.Shape != nil {
			panic(&Error{Op: op, Operands: fmt.Sprintf("%q", name), Reason: "a row has several values",
				Hint: "choose a column with one value per row"})
		}
		by = append(by, c)
	}
	return by
}

// Sort returns the rows sorted by the named columns: by the first one, where its values are
// equal by the second, and so on. The order is ascending, or descending for a name with a
// minus sign, such as "-age". Equal rows keep their order, and missing values are last.
func (t *Table) Sort(names ...string) *Table {
	descending := make([]bool, len(names))
	plain := slices.Clone(names)
	for i, name := range names {
		if rest, ok := strings.CutPrefix(name, "-"); ok && t.data.Column(name) == nil {
			plain[i], descending[i] = rest, true
		}
	}
	return &Table{t.lib, t.data.Take(t.data.Order(t.columns("Sort", plain), descending))}
}

// Join returns a row for each pair of rows of t and other with equal values in the named
// columns. The result has the columns of both tables. Rows without a partner are left out.
// ".1" is appended to the name of a column of other if t has a column of that name.
func (t *Table) Join(other *Table, names ...string) *Table {
	keys, otherKeys := t.columns("Join", names), other.columns("Join", names)
	for i := range keys {
		if keys[i].Kind != otherKeys[i].Kind {
			panic(&Error{Op: "Join", Operands: fmt.Sprintf("%q", names[i]),
				Reason: fmt.Sprintf("the column has %v in one table, %v in the other", keys[i].Kind, otherKeys[i].Kind),
				Hint:   "make one of the tables again with nv.NewTable, so that the kinds agree"})
		}
	}
	rows, otherRows := table.Matches(t.data, keys, other.data, otherKeys)
	out := t.data.Take(rows)
	for _, c := range other.data.Take(otherRows).Columns {
		if slices.Contains(names, c.Name) {
			continue
		}
		for out.Column(c.Name) != nil {
			c.Name += ".1"
		}
		out.Columns = append(out.Columns, c)
	}
	return &Table{t.lib, out}
}

// WriteCSV writes the table to a file, as nv.WriteCSV does.
func (t *Table) WriteCSV(path string, opts ...CSV) error {
	return replaceFile("WriteCSV", path, func(w io.Writer) error { return table.WriteCSV(w, t.data, csvOption(opts)) })
}

// Describe returns a row for each column: the numbers of present and missing values, and
// for numbers and bools their mean, sample standard deviation (divided by n-1), least value,
// quartiles and greatest value.
func (t *Table) Describe() *Table {
	counts, missing := make([]int64, len(t.data.Columns)), make([]int64, len(t.data.Columns))
	statistics := []statistic{mean, deviation, quantile(0), quantile(0.25), quantile(0.5), quantile(0.75), quantile(1)}
	values := make([][]float64, len(statistics))
	for i := range t.data.Columns {
		c := &t.data.Columns[i]
		counts[i], missing[i] = int64(c.Len()-c.Missing), int64(c.Missing)
		xs, _ := c.Numbers()
		for k, s := range statistics {
			values[k] = append(values[k], s(xs))
		}
	}
	out := &table.Table{Rows: len(counts), Columns: []table.Column{
		{Name: "column", Kind: table.Texts, Texts: t.Names()},
		{Name: "count", Kind: table.Ints, Ints: counts}, {Name: "missing", Kind: table.Ints, Ints: missing}}}
	for k, name := range []string{"mean", "std", "min", "25%", "50%", "75%", "max"} {
		// A statistic of texts is NaN, but does not count as a missing value: Missing stays 0.
		out.Columns = append(out.Columns, table.Column{Name: name, Kind: table.Floats, Floats: values[k]})
	}
	return &Table{t.lib, out}
}

// floatColumn returns a column of floats whose NaNs are missing values.
func floatColumn(name string, values []float64) table.Column {
	c := table.Column{Name: name, Kind: table.Floats, Floats: values}
	for _, v := range values {
		if math.IsNaN(v) {
			c.Missing++
		}
	}
	return c
}

// A GroupedTable holds the rows of a table with equal values in some columns. Its methods return a
// table with a row for each group, in the order of first appearance. Bools count as the numbers 0 and 1.
type GroupedTable struct {
	table *Table
	by    []string // the names of the columns
	rows  [][]int  // the rows of each group
}

// GroupBy returns the groups of rows with equal values in the named columns:
// t.GroupBy("species").Mean("length").
func (t *Table) GroupBy(names ...string) *GroupedTable {
	return &GroupedTable{t, names, t.data.Groups(t.columns("GroupBy", names))}
}

// Count returns the number of rows of each group, in the column count.
func (g *GroupedTable) Count() *Table {
	out := g.keys()
	c := table.Column{Name: "count", Kind: table.Ints}
	for _, rows := range g.rows {
		c.Ints = append(c.Ints, int64(len(rows)))
	}
	out.Columns = append(out.Columns, c)
	return &Table{g.table.lib, out}
}

// Mean returns the means of the named columns, or of all other columns of numbers. Missing
// values are left out.
func (g *GroupedTable) Mean(names ...string) *Table { return g.each("Mean", mean, names) }

// Sum returns the sums of the named columns, or of all other columns of numbers. Missing
// values are left out.
func (g *GroupedTable) Sum(names ...string) *Table { return g.each("Sum", sum, names) }

// Std returns the sample standard deviations (divided by n-1) of the named columns, or of
// all other columns of numbers. Missing values are left out.
func (g *GroupedTable) Std(names ...string) *Table { return g.each("Std", deviation, names) }

// Min returns the least values of the named columns, or of all other columns of numbers.
// Missing values are left out.
func (g *GroupedTable) Min(names ...string) *Table { return g.each("Min", quantile(0), names) }

// Median returns the medians of the named columns, or of all other columns of numbers.
// Missing values are left out.
func (g *GroupedTable) Median(names ...string) *Table { return g.each("Median", quantile(0.5), names) }

// Max returns the greatest values of the named columns, or of all other columns of numbers.
// Missing values are left out.
func (g *GroupedTable) Max(names ...string) *Table { return g.each("Max", quantile(1), names) }

// keys returns the values of the grouping columns, a row for each group.
func (g *GroupedTable) keys() *table.Table {
	first := make([]int, len(g.rows))
	for i, rows := range g.rows {
		first[i] = rows[0]
	}
	return g.table.Select(g.by...).data.Take(first)
}

// each returns the statistic s of the named columns, or of all other columns of numbers, for each group.
func (g *GroupedTable) each(op string, s statistic, names []string) *Table {
	if len(names) == 0 {
		for _, c := range g.table.data.Columns {
			if c.Kind != table.Texts && c.Shape == nil && !slices.Contains(g.by, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	out := g.keys()
	for _, c := range g.table.columns(op, names) {
		values := make([]float64, len(g.rows))
		for i, rows := range g.rows {
			part := c.Take(rows)
			values[i] = s((&Column{g.table.lib, &part}).numbers(op))
		}
		out.Columns = append(out.Columns, floatColumn(c.Name, values))
	}
	return &Table{g.table.lib, out}
}

// A statistic returns a number that describes values, or NaN if there are too few of them.
type statistic func(xs []float64) float64

func sum(xs []float64) (total float64) {
	for _, x := range xs {
		total += x
	}
	return total
}

func mean(xs []float64) float64 { return sum(xs) / float64(len(xs)) }

// deviation returns the sample standard deviation.
func deviation(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	m, squares := mean(xs), 0.0
	for _, x := range xs {
		squares += (x - m) * (x - m)
	}
	return math.Sqrt(squares / float64(len(xs)-1))
}

// quantile returns the statistic that computes the q-quantile, interpolated linearly between the two nearest values as
// by nv.Quantile.
func quantile(q float64) statistic {
	return func(xs []float64) float64 {
		if len(xs) == 0 {
			return math.NaN()
		}
		sorted := slices.Sorted(slices.Values(xs))
		at := q * float64(len(sorted)-1)
		below := int(at)
		above := min(below+1, len(sorted)-1)
		if part := at - float64(below); part > 0 {
			return sorted[below] + part*(sorted[above]-sorted[below])
		}
		return sorted[below]
	}
}

// numbers returns the values that are not missing. It panics with an *Error of op if they are texts.
func (c *Column) numbers(op string) []float64 {
	xs, ok := c.data.Numbers()
	if !ok {
		panic(&Error{Op: op, Operands: fmt.Sprintf("%q", c.data.Name), Reason: "the column has texts",
			Hint: fmt.Sprintf("t.GroupBy(%q).Count() counts them", c.data.Name)})
	}
	return xs
}

// Sum returns the sum of the values that are not missing.
func (c *Column) Sum() float64 { return sum(c.numbers("Sum")) }

// Mean returns the mean of the values that are not missing.
func (c *Column) Mean() float64 { return mean(c.numbers("Mean")) }

// Std returns the sample standard deviation (divided by n-1) of the values that are not
// missing.
func (c *Column) Std() float64 { return deviation(c.numbers("Std")) }

// Min returns the least value that is not missing.
func (c *Column) Min() float64 { return quantile(0)(c.numbers("Min")) }

// Median returns the median of the values that are not missing.
func (c *Column) Median() float64 { return quantile(0.5)(c.numbers("Median")) }

// Max returns the greatest value that is not missing.
func (c *Column) Max() float64 { return quantile(1)(c.numbers("Max")) }
