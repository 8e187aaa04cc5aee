//go:build ignore

// Package errors stands for the generic functions of the standard package errors. Their instances are
// compiled like functions of cells.
package errors

import "errors"

func AsType[E error](err error) (E, bool) {
	var e, zero E
	if errors.As(err, &e) {
		return e, true
	}
	return zero, false
}
