package promote

import "slices"

// OnlyTable reports whether s says which dtypes meet in which and no more: it is
// there for tables to compare with, and the values of its operations are
// nobody's.
func OnlyTable(s *System) bool {
	return slices.Contains([]*System{Julia, MLX, Polars, PolarsSupertype, Arrow, ArrowUnify}, s)
}
