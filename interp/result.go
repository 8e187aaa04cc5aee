package interp

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// A Result is the outcome of running a cell.
type Result struct {
	Values []any        // of the final expression
	Types  []types.Type // of Values, as the cell's author sees them
	Show   bool         // whether Values are to be displayed
	Notes  []string     // remarks for the author, such as earlier functions that keep an old variable
	Err    *Error       // nil if the cell ran to its end

	at token.Pos // the position of the final expression
}

// An Error says why a cell did not run to its end.
type Error struct {
	Name    string // "SyntaxError", "TypeError", "panic", "Interrupt", or the Go type of an error
	Message string // one line or more, without position
	Pos     string // "cell[3]:2:9"

	// Traceback holds lines for people: position and message, source line, caret; after a panic, the same for
	// each call that led there.
	Traceback []string

	Value reflect.Value // the value of the panic or the returned error, if any
}

// Error returns the position and the message.
func (e *Error) Error() string {
	if e.Pos == "" {
		return e.Message
	}
	return e.Pos + ": " + e.Message
}

// Unwrap returns the error that the cell panicked with or returned.
func (e *Error) Unwrap() error {
	if !e.Value.IsValid() || !e.Value.CanInterface() {
		return nil
	}
	err, _ := e.Value.Interface().(error)
	return err
}

// Text returns the traceback as one text.
func (e *Error) Text() string { return strings.Join(e.Traceback, "\n") }
