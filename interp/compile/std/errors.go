//go:build ignore

// Package errors has generic functions of the standard package. Their instances are compiled like functions of
// cells.
package errors

import "errors"

func AsType[E error](err error) (E, bool) {
	var e, zero E
	if errors.As(err, &e) {
		return e, true
	}
	return zero, false
}
