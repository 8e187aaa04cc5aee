//go:build !linux || !amd64 || nopjrt

package xla

// restartTuned does nothing: it is glibc that can be tuned.
func restartTuned() {}
