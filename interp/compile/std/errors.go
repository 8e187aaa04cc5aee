//go:build ignore

// Package errors is std's, for instances in cells.
package errors

import "errors"

func AsType[E error](err error) (E, bool) {
	var e, zero E
	if errors.As(err, &e) {
		return e, true
	}
	return zero, false
}
