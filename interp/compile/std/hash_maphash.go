//go:build ignore

// Package maphash is std's, for instances in cells.
package maphash

import "hash/maphash"

// Set from stdFunctions.
var (
	hashAny      func(seed maphash.Seed, v any) uint64
	writeHashAny func(h *maphash.Hash, v any)
)

func Comparable[T comparable](seed maphash.Seed, v T) uint64 { return hashAny(seed, v) }

func WriteComparable[T comparable](h *maphash.Hash, x T) { writeHashAny(h, x) }
