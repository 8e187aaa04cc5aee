//go:build ignore

// Package rand has sources of the generic functions of the standard package math/rand/v2. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package rand

import "math/rand/v2"

func N[Int interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(rand.Uint64N(uint64(n)))
}
