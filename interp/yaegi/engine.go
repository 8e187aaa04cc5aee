// Package yaegi runs compiled cells in a yaegi interpreter: the interpreter executes one statement, a call of the
// compiled function of the cell.
package yaegi

import (
	"io"
	"reflect"

	"github.com/traefik/yaegi/interp"
)

// An Engine is an interpreter that calls the compiled functions of cells, one after the other.
type Engine struct {
	in   *interp.Interpreter
	call *interp.Program // the statement that calls cell
	cell func()          // the function of the current cell
}

// NewEngine returns an engine.
func NewEngine() (*Engine, error) {
	e := &Engine{in: interp.New(interp.Options{Stdout: io.Discard, Stderr: io.Discard})}
	if err := e.in.Use(interp.Exports{"cell/cell": {"Run": reflect.ValueOf(func() { e.cell() })}}); err != nil {
		return nil, err
	}
	if _, err := e.in.Eval(`import "cell"`); err != nil {
		return nil, err
	}
	call, err := e.in.Compile("cell.Run()")
	e.call = call
	return e, err
}

// Run calls f in the calling goroutine. If f panics, Run returns a *Panic.
func (e *Engine) Run(f func()) error {
	var panicked *Panic
	e.cell = func() {
		defer func() {
			if v := recover(); v != nil { // otherwise yaegi would print v, which calls methods of v
				panicked = &Panic{Value: v}
			}
		}()
		f()
	}
	if _, err := e.in.Execute(e.call); err != nil {
		return err
	}
	if panicked != nil {
		return panicked
	}
	return nil
}

// A Panic is a panic that left a cell.
type Panic struct{ Value any }

func (p *Panic) Error() string { return "panic" }
