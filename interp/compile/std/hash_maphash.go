//go:build ignore

// Package maphash stands for the generic functions of the standard package hash/maphash. Their instances are
// compiled like functions of cells.
package maphash

import "hash/maphash"

// The compiler sets these from stdFunctions.
var (
	hashAny      func(seed maphash.Seed, v any) uint64
	writeHashAny func(h *maphash.Hash, v any)
)

func Comparable[T comparable](seed maphash.Seed, v T) uint64 { return hashAny(seed, v) }

func WriteComparable[T comparable](h *maphash.Hash, x T) { writeHashAny(h, x) }
