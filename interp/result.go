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
	Types  []types.Type // the static types of Values
	Show   bool         // whether Values are to be displayed
	Notes  []string     // remarks for the author, such as that functions of earlier cells keep an old variable
	Err    *Error       // nil if the cell ran to its end

	at token.Pos // the position of the final expression
}

// An Error says why a cell did not run to its end.
type Error struct {
	Name    string // "SyntaxError", "TypeError", "panic", "Interrupt", or the Go type of the error in Value
	Message string // one line or more, without the position
	Pos     string // such as "cell[3]:2:9"; "" if it is unknown

	// Traceback holds the lines that are shown: the position with the message, the source line, and a caret; after
	// a panic, the same for each call in progress.
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

// Unwrap returns the error with which the cell panicked, or that its final call returned. It returns nil if there is
// none.
func (e *Error) Unwrap() error {
	if !e.Value.IsValid() || !e.Value.CanInterface() {
		return nil
	}
	err, _ := e.Value.Interface().(error)
	return err
}

// Text returns the lines of the traceback as one string.
func (e *Error) Text() string { return strings.Join(e.Traceback, "\n") }
