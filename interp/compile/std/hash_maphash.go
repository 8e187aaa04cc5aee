//go:build ignore

// Package maphash has sources of the generic functions of the standard package hash/maphash. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package maphash

import "hash/maphash"

// Package compile sets these variables; see stdFunctions.
var (
	hashAny      func(seed maphash.Seed, v any) uint64
	writeHashAny func(h *maphash.Hash, v any)
)

func Comparable[T comparable](seed maphash.Seed, v T) uint64 { return hashAny(seed, v) }

func WriteComparable[T comparable](h *maphash.Hash, x T) { writeHashAny(h, x) }
