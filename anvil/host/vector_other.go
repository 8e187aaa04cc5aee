//go:build !amd64

package host

import "github.com/goanvil/notebook/anvil/ir"

// vectors32 and vectors64 are empty: the loops in Go are used.
var (
	vectors32 map[ir.Code]func(out, x, y *float32, n int)
	vectors64 map[ir.Code]func(out, x, y *float64, n int)
)
