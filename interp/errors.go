package interp

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"runtime"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile/misuse"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/yaegi"
)

// syntaxError returns the *Error for err, which occurred when the latest cell was parsed.
func (s *Session) syntaxError(err error) *Error {
	var wrong *cell.Error
	if !errors.As(err, &wrong) {
		return &Error{Name: "SyntaxError", Message: err.Error(), Traceback: []string{err.Error()}}
	}
	e := &Error{Name: "SyntaxError", Message: wrong.Msg, Pos: wrong.Pos.String()}
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.texts.cells[len(s.texts.cells)-1].lines
	e.Traceback = []string{e.Error()}
	if wrong.Pos.Line >= 1 && wrong.Pos.Line <= len(lines) {
		e.Traceback = append(e.Traceback, withCaret(lines[wrong.Pos.Line-1], wrong.Pos.Column)...)
	}
	return e
}

// maxErrors is the greatest number of type errors of one cell that are shown.
const maxErrors = 5

// typeErrors returns the *Error of a cell for the errors that its check found.
func (s *Session) typeErrors(errs []*explain.Error) *Error {
	e := &Error{Name: "TypeError", Message: errs[0].Msg}
	for i, wrong := range errs {
		where, source := s.sourceAt(wrong.Pos)
		if i == 0 {
			e.Pos = where
		}
		if i == maxErrors {
			e.Traceback = append(e.Traceback, fmt.Sprintf("and %d more", len(errs)-i))
			break
		}
		e.Traceback = append(e.Traceback, where+": "+wrong.Msg)
		e.Traceback = append(e.Traceback, source...)
	}
	return e
}

// runError returns the *Error for err, which ended the run of c.
func (s *Session) runError(ctx context.Context, err error, c *lower.Cell) *Error {
	if v, frames, ok := s.panicOf(err); ok {
		return s.panicked(ctx, v, frames, "")
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return s.stopped(cell.Name(c.N))
	case err == errOverflow:
		return s.withTraceback(&Error{Name: "stack overflow", Message: err.Error(), Pos: cell.Name(c.N)}, s.unwinding.take())
	}
	return s.failure(err, cell.Name(c.N))
}

// panicOf returns the value of the panic that err reports, and the frames that the panic unwound. err is the error of a
// run. ok is false if err does not report a panic.
func (s *Session) panicOf(err error) (value any, frames []frame, ok bool) {
	switch p := err.(type) {
	case *outsideError:
		// The frames of the panic if there are any, else those that the cell unwound, else the calls in progress.
		frames = s.unwinding.take()
		switch {
		case p.frames != nil:
			frames = p.frames
		case frames == nil:
			frames = p.around
		}
		return p.value, frames, true
	case *yaegi.Panic:
		return p.Value, s.unwinding.take(), true
	}
	return nil, nil, false
}

// stopped returns the error of the cell called name, which an interrupt has ended.
func (s *Session) stopped(name string) *Error {
	return s.withTraceback(&Error{Name: "Interrupt", Message: "interrupted", Pos: name}, s.unwinding.take())
}

// panicked returns the error for a panic with the given value and frames. Unless value is an error, the message
// begins with prefix. If ctx ends while the methods of value compute its text, the error is that of an interrupt.
func (s *Session) panicked(ctx context.Context, value any, frames []frame, prefix string) *Error {
	e := &Error{Name: "panic", Value: reflect.ValueOf(value)}
	if err, ok := value.(error); ok {
		e.Name, prefix = nameOf(err), ""
	}
	if e.Message = prefix + s.textOf(ctx, value); ctx.Err() != nil {
		e = &Error{Name: "Interrupt", Message: "interrupted"}
	}
	return s.withTraceback(e, frames)
}

// textOf returns the text of value, an error or the value of a panic. It runs the methods of value as it runs a cell:
// they can be interrupted, and they may panic.
func (s *Session) textOf(ctx context.Context, value any) string {
	var text string
	err := s.start(ctx, newRunning(), func() { text = s.message(value) })
	if err == nil {
		return text
	}
	v, _, hasPanicked := s.panicOf(err)
	reason, isString := v.(string)
	switch e, isError := v.(error); {
	case !hasPanicked:
		reason = err.Error()
	case isError && nameOf(e) == "runtime error": // and not of a type of a cell, whose Error method may panic too
		reason = message(e)
	case !isString:
		reason = fmt.Sprintf("panic: %T", v)
	}
	s.unwinding.take()
	return fmt.Sprintf("a value of type %T whose text cannot be computed: %s", value, reason)
}

// returned returns the *Error for err, which the final call of a cell has returned.
func (s *Session) returned(ctx context.Context, err error, l *lower.Lowered) *Error {
	text := s.textOf(ctx, err)
	if ctx.Err() != nil {
		return s.stopped("")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &Error{Name: nameOf(err), Message: text, Value: reflect.ValueOf(err)}
	where, source := s.sourceAt(l.FinalPos)
	e.Pos = where
	e.Traceback = append([]string{where + ": " + e.Message}, source...)
	return e
}

// failure returns the *Error for err at the position where, without a source line.
func (s *Session) failure(err error, where string) *Error {
	e := &Error{Name: nameOf(err), Message: err.Error(), Pos: where, Value: reflect.ValueOf(err)}
	e.Traceback = []string{e.Error()}
	return e
}

// nameOf returns the name for Error.Name: the type of err without stars. It returns "error" for types of packages
// errors and fmt, and "runtime error" for types of packages runtime and reflect and for the run-time errors of compiled
// cells.
func nameOf(err error) string {
	name := strings.TrimLeft(fmt.Sprintf("%T", err), "*")
	_, isRuntime := err.(runtime.Error)
	isCompiled := strings.HasPrefix(name, "compile.") || strings.HasPrefix(name, "misuse.")
	switch {
	case strings.HasPrefix(name, "errors.") || strings.HasPrefix(name, "fmt."):
		return "error"
	case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "reflect."), isRuntime && isCompiled:
		return "runtime error"
	}
	return name
}

// message returns the text of value, an error or the value of a panic.
func (s *Session) message(value any) (text string) {
	if err := s.WithMaps([]any{value}, func() { text = message(value) }); err != nil {
		return fmt.Sprintf("a value of type %T, which cannot be shown while a package changes the maps in it", value)
	}
	return text
}

// message is Session.message for a value whose maps no other goroutine changes.
func message(value any) string {
	msg := fmt.Sprint(misuse.Printable([]any{value})...)
	if err, ok := value.(error); ok {
		msg = err.Error()
	}
	msg = strings.TrimPrefix(msg, "runtime error: ")
	for _, w := range reflectMessages {
		if strings.HasPrefix(msg, w.prefix) {
			return w.message
		}
	}
	if strings.HasPrefix(msg, "reflect: call of ") && strings.HasSuffix(msg, "on zero Value") {
		return nilDereference
	}
	return msg
}

const nilDereference = "invalid memory address or nil pointer dereference"

// reflectMessages maps prefixes of package reflect's panic messages to the messages that package runtime has instead.
var reflectMessages = []struct{ prefix, message string }{
	{"reflect: slice index out of range", "index out of range"},
	{"reflect: array index out of range", "index out of range"},
	{"reflect: string index out of range", "index out of range"},
	{"reflect.Value.Slice: slice index out of bounds", "slice bounds out of range"},
	{"reflect.Value.Slice: string slice index out of bounds", "slice bounds out of range"},
	{"reflect.Value.Slice3: slice index out of bounds", "slice bounds out of range"},
	{"reflect: Call using zero Value argument", nilDereference},
	{"reflect: Method on nil interface value", nilDereference + " (the interface holds nothing)"},
	{"reflect.Value.Call: call of nil function", nilDereference + " (the function is nil)"},
}

// tensorFailure returns the *Error for err, which occurred when the tensors of a cell were computed after its run.
// names has the name of the variable of each tensor. The position of the error is the last assignment to the variable
// whose tensor could not be computed.
func (s *Session) tensorFailure(err error, syntax *cell.Cell, names []string) *Error {
	var indexed interface{ Failed() int } // returns the index of the tensor that failed
	if !errors.As(err, &indexed) || indexed.Failed() >= len(names) {
		return s.failure(err, syntax.Name)
	}
	return s.failureAt(errors.Unwrap(err), syntax.Name, lastAssigned(syntax, names[indexed.Failed()]))
}

// DisplayError returns the *Error of a cell for err, which occurred when the values of res were displayed.
func (s *Session) DisplayError(res Result, err error) *Error {
	e, ok := err.(*Error)
	if !ok {
		return s.failureAt(err, "", res.at)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	where, source := s.sourceAt(res.at)
	if e.Pos == "" && where != "" {
		e.Pos, e.Traceback = where, []string{where + ": " + e.Message}
	} else if where != "" {
		e.Traceback = append(e.Traceback, where)
	}
	e.Traceback = append(e.Traceback, source...)
	return e
}

// failureAt returns the *Error for err at pos, with the source line and a caret. If pos is not known, the position is
// the cell called name, without a source line.
func (s *Session) failureAt(err error, name string, pos token.Pos) *Error {
	s.mu.Lock()
	where, source := s.sourceAt(pos)
	s.mu.Unlock()
	if where == "" {
		return s.failure(err, name)
	}
	e := s.failure(err, where)
	e.Traceback = append(e.Traceback, source...)
	return e
}

// lastAssigned returns the position of the expression in the last assignment to the variable called name in a cell.
func lastAssigned(syntax *cell.Cell, name string) (pos token.Pos) {
	isName := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && check.AuthorName(id.Name) == name
	}
	for _, s := range syntax.Stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if isName(lhs) {
						pos = n.Rhs[min(i, len(n.Rhs)-1)].Pos()
					}
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if isName(id) && len(n.Values) > 0 {
						pos = n.Values[min(i, len(n.Values)-1)].Pos()
					}
				}
			}
			return true
		})
	}
	return pos
}

// lastValue returns the position of a cell's final expression, or of the first of several, as in a, b. It returns
// token.NoPos if the cell does not end with an expression.
func lastValue(syntax *cell.Cell) token.Pos {
	if len(syntax.Stmts) == 0 {
		return token.NoPos
	}
	last := syntax.Stmts[len(syntax.Stmts)-1]
	if syntax.Values != nil && len(syntax.Values.Args) > 0 {
		return syntax.Values.Args[0].Pos()
	}
	if e, ok := last.(*ast.ExprStmt); ok {
		return e.X.Pos()
	}
	return token.NoPos
}
