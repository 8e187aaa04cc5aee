package promote

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
)

// OnlyTable reports whether s says which dtypes meet in which and no more: it is
// there for tables to compare with, and the values of its operations are
// nobody's.
func OnlyTable(s *System) bool {
	return slices.Contains([]*System{Julia, MLX, Polars, PolarsSupertype, Arrow, ArrowUnify}, s)
}

// Computes returns why nothing is computed under s, nil where it is more than a
// table.
func Computes(s *System) error {
	if !OnlyTable(s) {
		return nil
	}
	return &dtype.Error{Op: "promote", Operands: s.name, Reason: s.name + " is a table of dtypes to compare with, and nothing is computed under it",
		Hint: "display.Table and display.Compare show it"}
}
