//go:build !linux || !amd64 || nopjrt

package capi

import (
	"context"
	"time"
)

// A Waiter is not used: no plugin is loaded.
type Waiter struct{}

// NewWaiter returns nil.
func (t *Table) NewWaiter(*Event) (*Waiter, error) { return nil, nil }

// Briefly reports true.
func (w *Waiter) Briefly() bool { return true }

// Until reports true.
func (w *Waiter) Until(context.Context) bool { return true }

// Within reports true.
func (w *Waiter) Within(time.Duration) bool { return true }

// Release does nothing.
func (w *Waiter) Release() {}
