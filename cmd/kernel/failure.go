package main

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/messaging/wire"
)

// Emphasis is by weight: JupyterLab has one red for all its themes, which is hard to read on
// the background of errors in the dark theme.
const (
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

// failure returns a cell's error as front ends show it. The message, and the caret below
// the source, are emphasized.
func failure(e *interp.Error) wire.Outcome {
	var traceback []string
	for i, line := range strings.Split(e.Text(), "\n") {
		traceback = append(traceback, weighted(i, line))
	}
	return wire.Failed(e.Name, e.Message, traceback...)
}

// interrupted returns the error of cell n, which an interrupt ended.
func interrupted(n int) *interp.Error {
	return &interp.Error{Name: "Interrupt", Message: "interrupted", Traceback: []string{cell.Name(n) + ": interrupted"}}
}

// kind returns the name of an error's type: "anvil.Error".
func kind(err error) string { return strings.TrimPrefix(fmt.Sprintf("%T", err), "*") }

func weighted(i int, line string) string {
	caret := strings.Trim(line, " \t^~|") == "" && strings.Contains(line, "^")
	if i == 0 || caret {
		return bold + line + reset
	}
	return line
}
