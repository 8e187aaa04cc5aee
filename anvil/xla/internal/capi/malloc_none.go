//go:build !linux || !amd64 || nopjrt

package capi

// KeepHostMemory does nothing, since this build loads no plugin.
func KeepHostMemory() {}

// GiveBackHostMemory does nothing.
func GiveBackHostMemory() {}
