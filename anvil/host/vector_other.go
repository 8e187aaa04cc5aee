//go:build !amd64

package host

import "github.com/goanvil/notebook/anvil/ir"

// vectors32 and vectors64 are empty: the loops in Go are used.
var (
	vectors32 map[ir.Code]vectorLoop[float32]
	vectors64 map[ir.Code]vectorLoop[float64]
)
