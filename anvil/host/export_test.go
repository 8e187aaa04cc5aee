package host

import "github.com/goanvil/notebook/anvil/ir"

// Done reports whether package host runs the operation c for some dtypes and sizes.
func Done(c ir.Code) bool { return costs[c] > 0 }
