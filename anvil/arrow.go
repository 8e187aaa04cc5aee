package anvil

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/table"
	"github.com/goanvil/notebook/anvil/table/ipc"
)

// ReadArrow returns the table in an Arrow IPC file or stream (.arrow, .arrows, .feather),
// compressed or not. Columns keep their dtypes. A column of lists of equal length becomes
// a tensor of higher rank: for a column "emb" of lists of 3 floats, t.Col("emb").Tensor()
// is f32{rows,3}. Null values are missing values: nan in floats, "" in texts. A column of
// integers or bools with null values becomes f64. Values of types that Table does not
// have, such as dates and structs, become texts.
func (l *Lib) ReadArrow(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError("ReadArrow", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fileError("ReadArrow", path, err)
	}
	t, err := ipc.Read(f, info.Size())
	if err != nil {
		return nil, fileError("ReadArrow", path, err)
	}
	return &Table{l, t}, nil
}

// WriteArrow writes a table, a tensor, or named tensors of equal length to an Arrow IPC
// file, or to a stream if the path ends in .arrows. Tensors keep their dtypes. Each named
// tensor is one column, with lists as rows if its rank is 2 or more. Missing values are
// written as null. An existing file is replaced only after everything has been written.
func (l *Lib) WriteArrow(path string, t any) error {
	var data *table.Table
	err := Try(func() { data = l.tableOf("WriteArrow", t) })
	if err != nil {
		return err
	}
	stream := strings.EqualFold(filepath.Ext(path), ".arrows")
	return replaceFile("WriteArrow", path, func(w io.Writer) error { return ipc.Write(w, data, stream) })
}

// tableOf returns t, the argument of op, as a table.
func (l *Lib) tableOf(op string, t any) *table.Table {
	switch t := t.(type) {
	case *Table:
		return t.data
	case map[string]Tensor:
		return l.call(op).tableOfTensors(t)
	}
	return l.NewTable(nil, t).data
}

// tableOfTensors returns a table with a column for each tensor, in the order of names.
func (c *call) tableOfTensors(tensors map[string]Tensor) *table.Table {
	t := &table.Table{}
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		x := tensors[name]
		s := x.Shape()
		if len(s) == 0 {
			c.fail(fmt.Sprintf("%q is a scalar and has no rows", name),
				"to write it as one row, give x.Reshape(nv.Shape{1}) for the scalar x")
		}
		if slices.Contains(s[1:], 0) {
			c.fail(fmt.Sprintf("%q is %s, whose rows are empty", name, describe(x)), "leave it out")
		}
		column := c.hostColumn(x, s.Size(), func(i int) int { return i })
		column.Name = name
		if len(s) > 1 {
			column.Shape = s[1:]
		}
		if len(t.Columns) > 0 && s[0] != t.Rows {
			c.fail(fmt.Sprintf("%q has %d rows, %q has %d", name, s[0], t.Columns[0].Name, t.Rows),
				"give all columns the same length")
		}
		t.Rows, t.Columns = s[0], append(t.Columns, column)
	}
	return t
}
