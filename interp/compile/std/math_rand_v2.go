//go:build ignore

// Package rand stands for the generic functions of the standard package math/rand/v2. Their instances are
// compiled like functions of cells.
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
