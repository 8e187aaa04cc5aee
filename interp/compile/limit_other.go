//go:build !unix

package compile

// leftInAddresses returns unknown: only Unix limits a process's addresses.
func leftInAddresses() uint64 { return unknown }
