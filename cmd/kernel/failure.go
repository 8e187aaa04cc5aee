package main

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/messaging/wire"
)

// Colours by number, which front ends give the hues of their themes.
const (
	red   = "\x1b[31m"
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

// failure returns a cell's error as front ends show it, coloured: what is
// wrong, and the caret that points to it, stand out.
func failure(e *interp.Error) wire.Outcome {
	var traceback []string
	for i, line := range strings.Split(e.Text(), "\n") {
		traceback = append(traceback, colour(i, line))
	}
	return wire.Failed(e.Name, e.Message, traceback...)
}

// interrupted returns the error of cell n where an interrupt ended it.
func interrupted(n int) *interp.Error {
	return &interp.Error{Name: "Interrupt", Message: "interrupted", Traceback: []string{cell.Name(n) + ": interrupted"}}
}

// kind returns the name of an error's type: "anvil.Error".
func kind(err error) string { return strings.TrimPrefix(fmt.Sprintf("%T", err), "*") }

func colour(i int, line string) string {
	switch {
	case strings.Trim(line, " \t^~|") == "" && strings.Contains(line, "^"):
		return red + line + reset
	case i == 0:
		return red + bold + line + reset
	}
	return line
}
