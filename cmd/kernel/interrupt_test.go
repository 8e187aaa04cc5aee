package main

import (
	"context"
	"testing"
)

// TestInterruptOf tests that the context is cancelled with that of its cell, but not after the
// cell has ended.
func TestInterruptOf(t *testing.T) {
	cell, interrupt := context.WithCancel(context.Background())
	ctx, _ := interruptOf(cell)
	if ctx.Err() != nil {
		t.Fatal("the context is cancelled from the start")
	}
	interrupt()
	<-ctx.Done()

	cell, end := context.WithCancel(context.Background())
	ctx, detach := interruptOf(cell)
	detach()
	end()
	if ctx.Err() != nil {
		t.Error("the end of a cell cancels the context")
	}
}
