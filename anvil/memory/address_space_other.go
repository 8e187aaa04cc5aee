//go:build !unix || openbsd

package memory

import "math"

// addressSpaceLeft returns the largest int64: this system has no limit of the address space of a process.
func addressSpaceLeft() int64 { return math.MaxInt64 }
