package main

import (
	"fmt"
	"time"

	"github.com/goanvil/notebook/display"
)

// compilingShown is how long a program compiles before a line below the cell says so.
var compilingShown = time.Second

// A notice is text that is shown as it is.
type notice string

// Display returns the text.
func (n notice) Display() display.Bundle { return display.TextBundle(string(n)) }

// compiling shows how long a program has been compiling, if that takes long. The caller calls done
// when it is compiled.
func (s *session) compiling(operations int) (done func()) {
	begin := time.Now()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(compilingShown)
		defer tick.Stop()
		var line *display.Handle
		say := func(what string) {
			text := fmt.Sprintf("%s a program of %s: %s", what, counted(operations, "operation"), time.Since(begin).Round(100*time.Millisecond))
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
