//go:build !unix

package memory

import "math"

// addressSpaceLeft returns the largest int64: only Unix limits a process's address space.
func addressSpaceLeft() int64 { return math.MaxInt64 }
