//go:build ignore

// Package iter has sources of the generic functions of the standard package iter. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package iter

import "iter"

// Package compile sets pull to the method Session.pull.
var pull func(seq func(yield func() bool)) (next func() bool, stop func())

func Pull[V any](seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	var value, zero V
	more, stop := pull(func(yield func() bool) {
		seq(func(v V) bool {
			value = v
			return yield()
		})
	})
	return func() (V, bool) {
		if !more() {
			return zero, false
		}
		return value, true
	}, stop
}

func Pull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	var key, noKey K
	var value, noValue V
	more, stop := pull(func(yield func() bool) {
		seq(func(k K, v V) bool {
			key, value = k, v
			return yield()
		})
	})
	return func() (K, V, bool) {
		if !more() {
			return noKey, noValue, false
		}
		return key, value, true
	}, stop
}
