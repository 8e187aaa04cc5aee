//go:build !linux

package array

func hugePages([]byte) {}
