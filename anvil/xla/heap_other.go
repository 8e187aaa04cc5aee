//go:build !linux || !amd64 || nopjrt

package xla

// RestartTuned does nothing: it is glibc that can be tuned.
func RestartTuned() {}
