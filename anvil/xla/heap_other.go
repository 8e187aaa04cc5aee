//go:build !linux || !amd64 || nopjrt

package xla

// restartTuned does nothing: only glibc has tunables.
func restartTuned() {}
