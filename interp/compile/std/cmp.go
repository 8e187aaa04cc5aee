//go:build ignore

// Package cmp has sources of the generic functions of the standard package cmp. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package cmp

import "cmp"

func Less[T cmp.Ordered](x, y T) bool { return (x != x && y == y) || x < y }

func Compare[T cmp.Ordered](x, y T) int {
	if Less(x, y) {
		return -1
	}
	if Less(y, x) {
		return 1
	}
	return 0
}

func Or[T comparable](vals ...T) T {
	var zero T
	for _, v := range vals {
		if v != zero {
			return v
		}
	}
	return zero
}
