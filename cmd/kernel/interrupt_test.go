package main

import (
	"context"
	"testing"
)

// TestInterruptOf finds that what waits in a goroutine is interrupted with its
// cell, and waits on when the cell is over.
func TestInterruptOf(t *testing.T) {
	cell, interrupt := context.WithCancel(context.Background())
	waits, _ := interruptOf(cell)
	if waits.Err() != nil {
		t.Fatal("it is interrupted from the start")
	}
	interrupt()
	<-waits.Done()

	cell, end := context.WithCancel(context.Background())
	waits, over := interruptOf(cell)
	over()
	end()
	if waits.Err() != nil {
		t.Error("the end of a cell interrupts")
	}
}
