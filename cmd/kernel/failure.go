package main

import (
	"fmt"
	"strings"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/messaging/wire"
)

// Escape sequences that begin and end emphasized text. They set the weight of the text, not its colour:
// JupyterLab has one red for all its themes, which is hard to read on the background of errors in the
// dark theme.
const (
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

// failure returns a cell's error in the form that front ends show. It emphasizes the first line, which has
// the message, and the lines with a caret below the source.
func failure(e *interp.Error) wire.Outcome {
	var traceback []string
	for i, line := range strings.Split(short(e.Text()), "\n") {
		isCaretLine := strings.Trim(line, " \t^~|") == "" && strings.Contains(line, "^")
		if i == 0 || isCaretLine {
			line = bold + line + reset
		}
		traceback = append(traceback, line)
	}
	return wire.Failed(e.Name, short(e.Message), traceback...)
}

// isCompileError reports whether e is an error found before the cell ran.
func isCompileError(e *interp.Error) bool {
	return e != nil && (e.Name == "SyntaxError" || e.Name == "TypeError")
}

// maxMessage is the greatest number of bytes of an error that are shown.
const maxMessage = 1 << 16

// short returns s. If s is longer than maxMessage, it returns the beginning and the number of omitted bytes.
func short(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	return fmt.Sprintf("%s... %d more bytes", strings.ToValidUTF8(s[:maxMessage], ""), len(s)-maxMessage)
}

// interrupted returns the error of cell n after an interrupt.
func interrupted(n int) *interp.Error {
	return &interp.Error{Name: "Interrupt", Message: "interrupted", Traceback: []string{cell.Name(n) + ": interrupted"}}
}

// errorType returns the name of an error's type without "*", such as "anvil.Error".
func errorType(err error) string { return strings.TrimPrefix(fmt.Sprintf("%T", err), "*") }
