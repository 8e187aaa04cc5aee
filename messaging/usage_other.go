//go:build !linux

package messaging

import "runtime"

// memory returns the bytes of memory that the Go runtime obtained from the
// system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// machineMemory returns nil: it is not known.
func machineMemory() *hostMemory { return nil }

// cpuTimes reports false: the times are not known.
func cpuTimes() (cpuTime, bool) { return cpuTime{}, false }
