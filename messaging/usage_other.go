//go:build !linux

package messaging

import "runtime"

// memory returns the number of bytes that the Go runtime has obtained from the
// system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// machineMemory returns nil: the memory of the machine is unknown.
func machineMemory() *hostMemory { return nil }

// cpuTimes returns false: the CPU times are unknown.
func cpuTimes() (cpuTime, bool) { return cpuTime{}, false }
