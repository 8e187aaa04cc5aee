//go:build !linux

package messaging

import "runtime"

// memory returns the bytes that the Go runtime has from the system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}
