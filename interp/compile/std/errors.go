//go:build ignore

// Package errors has sources of the generic functions of the standard package errors. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package errors

import "errors"

func AsType[E error](err error) (E, bool) {
	var e, zero E
	if errors.As(err, &e) {
		return e, true
	}
	return zero, false
}
