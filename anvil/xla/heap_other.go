//go:build !linux || !amd64 || nopjrt

package xla

// TunedEnvironment returns nil: TuneMemory does not restart the program.
func TunedEnvironment() map[string]string { return nil }

// restartTuned does nothing: only glibc has tunables.
func restartTuned() {}
