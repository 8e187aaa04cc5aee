//go:build !linux || !amd64 || nopjrt

package capi

// KeepHostMemory does nothing: no plugin is loaded.
func KeepHostMemory() {}

// GiveBackHostMemory reports that libc keeps nothing.
func GiveBackHostMemory() (kept bool) { return false }
