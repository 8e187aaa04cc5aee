//go:build !linux || !amd64 || nopjrt

package capi

import (
	"context"
	"time"
)

// A Waiter is not used, since this build loads no plugin.
type Waiter struct{}

// NewWaiter returns nil.
func (t *Table) NewWaiter(*Event) (*Waiter, error) { return nil, nil }

// Briefly returns true.
func (w *Waiter) Briefly() bool { return true }

// Until returns true.
func (w *Waiter) Until(context.Context) bool { return true }

// Within returns true.
func (w *Waiter) Within(time.Duration) bool { return true }

// Release does nothing.
func (w *Waiter) Release() {}
