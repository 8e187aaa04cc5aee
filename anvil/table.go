package anvil

import (
	"fmt"
	"os"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/table"
)

// A Table is a list of named columns of equal length, as ReadCSV returns it:
//
//	t := nv.Must(nv.ReadCSV("iris.csv"))
//	x := t.Matrix("length", "width")    // f64{150,2}
//	labels := t.Col("species").Texts()
type Table struct {
	lib  *Lib
	data *table.Table
}

// A Column is one column of a Table.
type Column struct {
	lib  *Lib
	data *table.Column
}

// CSV is the option of ReadCSV and WriteCSV: the field separator, whether there is a
// header, and the texts of missing values.
type CSV = table.CSV

// ReadCSV returns the table in a file of comma separated values. The first line names the
// columns, unless nv.CSV{NoHeader: true} is given. The kind of a column is the first of
// bools (true, false), integers, floats and texts that fits all its values. Empty fields,
// NA, NaN and null are missing values. A column of integers or bools with missing values
// becomes floats, with nan in their place.
func (l *Lib) ReadCSV(path string, opts ...CSV) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError("ReadCSV", path, err)
	}
	defer f.Close()
	t, err := table.ReadCSV(f, csvOption(opts))
	if err != nil {
		return nil, fileError("ReadCSV", path, err)
	}
	return &Table{l, t}, nil
}

// csvOption returns the last of opts, or the zero CSV if there is none.
func csvOption(opts []CSV) CSV {
	if len(opts) == 0 {
		return CSV{}
	}
	return opts[len(opts)-1]
}

// WriteCSV writes a table to a file of comma separated values. t may be a tensor of rank
// 1 or 2, whose columns are named col1, col2, ... An existing file is replaced after
// everything is written.
func (l *Lib) WriteCSV(path string, t any, opts ...CSV) error {
	named, ok := t.(*Table)
	if !ok {
		err := Try(func() { named = l.NewTable(nil, t) })
		if err != nil {
			return err
		}
	}
	return named.WriteCSV(path, opts...)
}

// NewTable returns a table of columns of equal length. A slice of numbers or strings or a
// tensor of rank 1 gives one column, a tensor of rank 2 several. Columns without a name
// are named col1, col2, ...
func (l *Lib) NewTable(names []string, columns ...any) *Table {
	c := l.call("NewTable")
	t := &table.Table{}
	for _, x := range columns {
		if texts, ok := x.([]string); ok {
			t.Columns = append(t.Columns, table.Column{Kind: table.Texts, Texts: texts})
			continue
		}
		var opts []Option
		switch x.(type) {
		case []float64, [][]float64: // New would convert these to f32
			opts = []Option{F64}
		}
		t.Columns = append(t.Columns, c.columnsOf(l.New(x, opts...))...)
	}
	for i := range t.Columns {
		col := &t.Columns[i]
		col.Name = "col" + itoa(i+1)
		if i < len(names) {
			col.Name = names[i]
		}
		if i == 0 {
			t.Rows = col.Len()
		}
		if col.Len() != t.Rows {
			c.fail(fmt.Sprintf("column %q has %s, %q has %d",
				col.Name, plural(col.Len(), "value", "values"), t.Columns[0].Name, t.Rows),
				"give all columns the same length")
		}
	}
	if len(names) > len(t.Columns) {
		c.fail(plural(len(names), "name", "names")+" cannot be given to "+plural(len(t.Columns), "column", "columns"),
			"give at most one name per column")
	}
	return &Table{l, t}
}

// columnsOf returns the columns of a tensor of rank 1 or 2.
func (c *call) columnsOf(x Tensor) []table.Column {
	s := x.Shape()
	if len(s) == 0 || len(s) > 2 {
		c.fail("a tensor of rank "+itoa(len(s))+" has no columns", "give tensors of rank 1 or 2")
	}
	n := 1
	if len(s) == 2 {
		n = s[1]
	}
	cols := make([]table.Column, n)
	for k := range cols {
		at := func(i int) int { return i*n + k }
		cols[k] = c.hostColumn(x, s[0], at)
	}
	return cols
}

// hostColumn returns n elements of x, element i from index at(i), as a column of Go
// values.
func (c *call) hostColumn(x Tensor, n int, at func(i int) int) (column table.Column) {
	d, data := x.DType(), x.host(c.op)
	column.DType = d
	element := func(i int) []byte { return data[at(i)*d.Size():] }
	switch {
	case d == dtype.I1:
		column.Kind, column.Bools = table.Bools, make([]bool, n)
		for i := range n {
			column.Bools[i] = element(i)[0] != 0
		}
	case d.Is(dtype.Signed) || d.Is(dtype.Unsigned):
		column.Kind, column.Ints = table.Ints, make([]int64, n)
		for i := range n {
			column.Ints[i] = integerAt(element(i), d)
		}
	case d.Is(dtype.Complex):
		panic(&Error{Op: c.op, Operands: describe(x), Reason: "tables do not support complex numbers",
			Hint: "give nv.Real(x) and nv.Imag(x)"})
	default:
		column.Kind, column.Floats = table.Floats, make([]float64, n)
		for i := range n {
			column.Floats[i] = dtype.GetFloat(element(i), d)
			if column.Floats[i] != column.Floats[i] {
				column.Missing++
			}
		}
	}
	return column
}

// integerAt returns the first element of data, of integer dtype d. A ui64 beyond the range of int64 wraps.
func integerAt(data []byte, d dtype.DType) int64 {
	if d.Is(dtype.Unsigned) {
		return int64(dtype.GetUint(data, d))
	}
	return dtype.GetInt(data, d)
}

// String returns the number of rows and the names of the columns.
func (t *Table) String() string {
	return "table of " + plural(t.data.Rows, "row", "rows") + ": " + strings.Join(t.Names(), ", ")
}

// Names returns the names of the columns, in their order.
func (t *Table) Names() []string { return t.data.Names() }

// Rows returns the number of rows.
func (t *Table) Rows() int { return t.data.Rows }

// Shape returns the number of rows and the number of columns.
func (t *Table) Shape() Shape { return Shape{t.data.Rows, len(t.data.Columns)} }

// Col returns the column with the given name. It panics with an *Error if there is none.
func (t *Table) Col(name string) *Column {
	c := t.data.Column(name)
	if c == nil {
		panic(&Error{Op: "Col", Operands: fmt.Sprintf("%q", name), Reason: "there is no such column",
			Hint: t.columnsHint()})
	}
	return &Column{t.lib, c}
}

// columnsHint returns a hint that lists the columns. If there is only one and its name
// contains another separator, the hint says how to split it.
func (t *Table) columnsHint() string {
	names := t.Names()
	if len(names) == 1 {
		for _, sign := range ";\t|" {
			if strings.ContainsRune(names[0], sign) {
				return fmt.Sprintf("the only column is %q; to split it write nv.ReadCSV(path, nv.CSV{Comma: %q})",
					names[0], sign)
			}
		}
	}
	return "the columns are " + quoted(names)
}

// quoted returns names as a list of Go strings.
func quoted(names []string) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(words, ", ")
}

// Matrix returns columns side by side at their common dtype: result[i, j] is value i of
// column j. Without names it uses all columns but texts. A column with several values
// per row becomes as many columns of the result.
func (t *Table) Matrix(names ...string) Tensor {
	if len(names) == 0 {
		for _, c := range t.data.Columns {
			if c.Kind != table.Texts {
				names = append(names, c.Name)
			}
		}
	}
	if len(names) == 0 {
		panic(&Error{Op: "Matrix", Reason: "no column has numbers",
			Hint: "t.Col(name).Codes() encodes texts as integers"})
	}
	columns := make([]any, len(names))
	for i, name := range names {
		columns[i] = t.Col(name).Tensor()
		if n := len(t.Col(name).data.Shape); n > 1 {
			panic(&Error{Op: "Matrix", Operands: fmt.Sprintf("%q", name),
				Reason: "the column is a tensor of rank " + itoa(n+1), Hint: "write t.Col(name).Tensor()"})
		}
	}
	c := t.lib.call("Matrix", columns...)
	common := c.common(columns...)
	parts := make([]expr.Value, len(columns))
	for i, x := range columns {
		parts[i] = c.at(x, common.DType)
		if parts[i].Shape().Rank() == 1 {
			parts[i] = c.expand(parts[i], 1)
		}
	}
	return c.result(c.Concatenate(1, parts...), false)
}

// String returns the name, the number of values, and their dtype or kind (see Holds): "age: 150 f64".
func (c *Column) String() string { return fmt.Sprintf("%s: %d %s", c.Name(), c.Len(), c.Holds()) }

// Name returns the column's name.
func (c *Column) Name() string { return c.data.Name }

// Missing returns the number of missing values.
func (c *Column) Missing() int { return c.data.Missing }

// Len returns the number of values, missing ones included.
func (c *Column) Len() int { return c.data.Len() }

// Tensor returns the values as a tensor of rank 1, or of a higher rank if rows have
// several values. Its dtype is that of the option; else that of the tensor or Arrow file
// that the column came from; else i1 for bools, the system's default integer for integers
// (i64 if one does not fit i32), and f64 for floats. It panics with an *Error if the values
// are texts; Codes encodes texts.
func (c *Column) Tensor(opts ...Option) Tensor {
	x := c.values(opts)
	if c.data.Shape == nil {
		return x
	}
	return c.lib.Reshape(x, append(Shape{c.data.Len()}, c.data.Shape...))
}

// values returns the values as a tensor of rank 1. If rows have several values, they are in row-major order.
func (c *Column) values(opts []Option) Tensor {
	asked := apply("Tensor", opts).DType != dtype.Invalid
	if d := c.data.DType; d != dtype.Invalid && !asked {
		opts, asked = append(opts, d), true
	}
	switch c.data.Kind {
	case table.Texts:
		reason := "the column has texts, not numbers"
		hint := "the method Texts returns them, and Codes encodes them as integers"
		if c.data.Origin != "" {
			reason += ": the texts were made from values of type " + c.data.Origin
		}
		if text := c.data.NotNumber; text.Line > 0 {
			reason += fmt.Sprintf(": %q at line %d, byte %d", text.Text, text.Line, text.Column)
			hint += fmt.Sprintf("; if %q means that a value is missing, give nv.CSV{Missing: []string{\"\", %[1]q}}",
				text.Text)
		}
		panic(&Error{Op: "Tensor", Operands: fmt.Sprintf("%q", c.data.Name), Reason: reason, Hint: hint})
	case table.Bools:
		return c.lib.New(c.data.Bools, opts...)
	case table.Ints:
		if c.data.DType == U64 {
			return c.lib.New(unsigned(c.data.Ints), opts...)
		}
		if ints := narrowInts(c.data.Ints); ints != nil && !asked {
			return c.lib.New(ints, opts...)
		}
		return c.lib.New(c.data.Ints, opts...)
	}
	if !asked {
		opts = append(opts, F64)
	}
	return c.lib.New(c.data.Floats, opts...)
}

// unsigned reinterprets xs as unsigned numbers.
func unsigned(xs []int64) []uint64 {
	ys := make([]uint64, len(xs))
	for i, x := range xs {
		ys[i] = uint64(x)
	}
	return ys
}

// narrowInts returns xs as ints, or nil if one does not fit i32.
func narrowInts(xs []int64) []int {
	ys := make([]int, len(xs))
	for i, x := range xs {
		if x != int64(int32(x)) {
			return nil
		}
		ys[i] = int(x)
	}
	return ys
}

// Texts returns the values as texts, "" for missing values.
func (c *Column) Texts() []string {
	texts := make([]string, c.data.Len())
	for i := range texts {
		texts[i] = c.data.Text(i)
	}
	return texts
}

// Head returns the first n values as texts, "-" for missing values.
func (c *Column) Head(n int) []string {
	if n < 0 {
		panic(&Error{Op: "Head", Operands: fmt.Sprint(n), Reason: "the number of values is negative", Hint: "give 0 or more"})
	}
	texts := make([]string, min(n, c.data.Len()))
	for i := range texts {
		texts[i] = c.data.Text(i)
		if texts[i] == "" {
			texts[i] = "-"
		}
	}
	return texts
}

// Codes encodes texts as integers. levels are the distinct texts in the order of first
// appearance, and codes are the indices of the texts in levels, of dtype i32. The code of a
// missing value is -1.
func (c *Column) Codes() (codes Tensor, levels []string) {
	all, codeOf := make([]int, c.data.Len()), map[string]int{}
	for i := range all {
		text := c.data.Text(i)
		code, seen := codeOf[text]
		switch {
		case text == "":
			code = -1
		case !seen:
			code = len(levels)
			codeOf[text] = code
			levels = append(levels, text)
		}
		all[i] = code
	}
	return c.lib.New(all, I32), levels
}

// Kind returns the kind of the values: "bools", "ints", "floats" or "texts".
func (c *Column) Kind() string { return c.data.Kind.String() }

// Holds describes the values of a row: the dtype, or the kind if the dtype is not known,
// and the shape if a row has several values: "f32{3}".
func (c *Column) Holds() string {
	s := c.Kind()
	if c.data.DType != dtype.Invalid {
		s = c.data.DType.String()
	}
	if c.data.Shape != nil {
		s += Shape(c.data.Shape).String()
	}
	return s
}
