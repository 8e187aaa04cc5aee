package main

import (
	"fmt"
	"time"

	"github.com/goanvil/notebook/display"
)

// compilingInterval is the time after which a line below the cell says that a program is being
// compiled, and the interval at which the line is updated. Tests change it.
var compilingInterval = time.Second

// A notice is a plain text to display.
type notice string

// Display returns the text.
func (n notice) Display() display.Bundle { return display.TextBundle(string(n)) }

// compiling is called when the compilation of a program starts, and done when it ends. In between, a
// line below the cell shows how long the compilation has taken; it appears after compilingInterval.
// operations is the number of operations in the program.
func (s *session) compiling(operations int) (done func()) {
	begin := time.Now()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(compilingInterval)
		defer tick.Stop()
		var line *display.Handle
		say := func(what string) {
			elapsed := time.Since(begin).Round(100 * time.Millisecond)
			text := fmt.Sprintf("%s a program of %s: %s", what, counted(operations, "operation"), elapsed)
			if line == nil {
				line = s.outlet.Show(notice(text))
				return
			}
			line.Update(notice(text))
		}
		for {
			select {
			case <-tick.C:
				say("compiling")
			case <-stop:
				if line != nil {
					say("compiled")
				}
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}
