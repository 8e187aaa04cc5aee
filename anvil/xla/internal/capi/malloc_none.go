//go:build !linux || !amd64 || nopjrt

package capi

// KeepHostMemory does nothing: no plugin is loaded.
func KeepHostMemory() {}

// GiveBackHostMemory does nothing.
func GiveBackHostMemory() {}
