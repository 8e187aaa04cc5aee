package promote

import "github.com/goanvil/notebook/anvil/dtype"

// A Table holds the common dtypes of all pairs of a system's dtypes. Either all row dtypes
// are known or all are ambiguous, and likewise all column dtypes.
type Table struct {
	System                       *System
	RowsAmbiguous, ColsAmbiguous bool // whether the row dtypes, and the column dtypes, are ambiguous
	Rows, Cols                   []dtype.DType
	Cells                        [][]Cell // by row, then column
	Title                        string   // the caption; if empty, Caption makes one
}

// A Cell is the common dtype of its row and column and the rule that gave it, or the
// error if there is none.
type Cell struct {
	Result dtype.Typed
	Rule   Rule
	Err    error
}

// Table returns the common dtype of every pair of the system's dtypes. The arguments
// say whether the rows and the columns are ambiguous; both default to false.
func (s *System) Table(ambiguous ...bool) Table { return s.TableOf(s.dtypes, ambiguous...) }

// TableOf is Table for the dtypes ds. For example, promote.Anvil.TableOf(dtype.All())
// also shows the dtypes beyond R anvil's eleven.
func (s *System) TableOf(ds []dtype.DType, ambiguous ...bool) Table {
	ds = append([]dtype.DType(nil), ds...)
	t := Table{System: s, Rows: ds, Cols: ds}
	if len(ambiguous) > 0 {
		t.RowsAmbiguous = ambiguous[0]
	}
	if len(ambiguous) > 1 {
		t.ColsAmbiguous = ambiguous[1]
	}
	t.Cells = make([][]Cell, len(t.Rows))
	for i, r := range t.Rows {
		t.Cells[i] = make([]Cell, len(t.Cols))
		for j, c := range t.Cols {
			row := dtype.Typed{DType: r, Ambiguous: t.RowsAmbiguous}
			t.Cells[i][j] = s.cell(row, dtype.Typed{DType: c, Ambiguous: t.ColsAmbiguous})
		}
	}
	return t
}

// cell returns the cell of a row and a column.
func (s *System) cell(row, col dtype.Typed) Cell {
	t, rule, err := s.rules.Join(Operand{Typed: row, Rank: 1}, Operand{Typed: col, Rank: 1})
	return Cell{t, rule, err}
}

// Caption returns the table's caption.
func (t Table) Caption() string {
	if t.Title != "" {
		return t.Title
	}
	words := map[bool]string{false: "known", true: "ambiguous"}
	if t.RowsAmbiguous == t.ColsAmbiguous {
		return t.System.Name() + ": common dtype of row and column, both " + words[t.RowsAmbiguous]
	}
	return t.System.Name() + ": common dtype of row (" + words[t.RowsAmbiguous] + ") and column (" +
		words[t.ColsAmbiguous] + ")"
}
