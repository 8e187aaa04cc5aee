//go:build ignore

// Package errors has generic functions of the standard package, whose instances are compiled
// into cells.
package errors

import "errors"

func AsType[E error](err error) (E, bool) {
	var e, zero E
	if errors.As(err, &e) {
		return e, true
	}
	return zero, false
}
