//go:build !unix

package memory

import "math"

// leftInAddresses returns the largest number: only Unix limits a process's address space.
func leftInAddresses() int64 { return math.MaxInt64 }
