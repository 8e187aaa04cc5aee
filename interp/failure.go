package interp

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/compile/misuse"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/lower"
	"github.com/goanvil/notebook/interp/yaegi"
)

// texts has the sources of the cells, by position.
type texts struct {
	cells []text // in the order of their positions
	funcs []lower.Func
	sweep int // forgetTexts does nothing while there are fewer cells
}

// A text is the source of a cell.
type text struct {
	from, to int // its positions, to excluded
	name     string
	lines    []string
}

func (t *texts) add(from, to int, name, code string) {
	t.cells = append(t.cells, text{from, to, name, strings.Split(code, "\n")})
}

func (t *texts) addFunctions(f []lower.Func) { t.funcs = append(t.funcs, f...) }

// cell returns the index of the cell that pos is in, or -1.
func (t *texts) cell(pos token.Pos) int {
	i := sort.Search(len(t.cells), func(i int) bool { return t.cells[i].to > int(pos) })
	if i == len(t.cells) || int(pos) < t.cells[i].from {
		return -1
	}
	return i
}

// line returns the source line that pos is on. line is its number in the cell.
func (t *texts) line(pos token.Pos, line int) string {
	i := t.cell(pos)
	if i < 0 || line < 1 || line > len(t.cells[i].lines) {
		return ""
	}
	return t.cells[i].lines[line-1]
}

// recentTexts is the number of recent cells that are always kept.
const recentTexts = 64

// forgetTexts drops the texts and positions of cells whose functions, names and types are no longer in use.
// It looks for them only from time to time. The caller holds s.mu.
func (s *Session) forgetTexts() {
	t := &s.text
	if len(t.cells) < t.sweep {
		return
	}
	used := make([]bool, len(t.cells))
	for _, pos := range slices.Concat(s.compiler.Positions(), s.env.Positions()) {
		if i := t.cell(pos); i >= 0 {
			used[i] = true
		}
	}
	forgotten := func(i int) bool { return i >= 0 && !used[i] && i < len(t.cells)-recentTexts }
	t.funcs = slices.DeleteFunc(t.funcs, func(f lower.Func) bool { return forgotten(t.cell(f.From)) })
	kept := make([]text, 0, len(t.cells))
	for i, c := range t.cells {
		if !forgotten(i) {
			kept = append(kept, c)
			continue
		}
		for pos := c.from; pos < c.to; {
			file := s.fset.File(token.Pos(pos))
			if file == nil {
				break
			}
			s.fset.RemoveFile(file)
			pos = int(file.End()) + 1
		}
	}
	t.cells = kept
	t.sweep = 2*len(kept) + 2*recentTexts
}

// function returns the name of the innermost function around pos.
func (t *texts) function(pos token.Pos) string {
	name, size := "", token.Pos(-1)
	for _, f := range t.funcs {
		if f.From <= pos && pos < f.To && (size < 0 || f.To-f.From < size) {
			name, size = f.Name, f.To-f.From
		}
	}
	return name
}

// withCaret returns a source line, and below it a line with a caret at column, counted in bytes from 1.
func withCaret(line string, column int) []string {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	before := line[:min(max(column-1, 0), len(line))]
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return []string{"    " + line, "    " + indent + "^"}
}

// at returns pos as text, and its source line with a caret below it.
func (s *Session) at(pos token.Pos) (where string, source []string) {
	if !pos.IsValid() {
		return "", nil
	}
	p := cell.Position(s.fset, pos)
	return p.String(), withCaret(s.text.line(pos, p.Line), p.Column)
}

// syntaxError returns err, an error of parsing the latest cell, as the error of the cell.
func (s *Session) syntaxError(err error) *Error {
	var wrong *cell.Error
	if !errors.As(err, &wrong) {
		return &Error{Name: "SyntaxError", Message: err.Error(), Traceback: []string{err.Error()}}
	}
	e := &Error{Name: "SyntaxError", Message: wrong.Msg, Pos: wrong.Pos.String()}
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.text.cells[len(s.text.cells)-1].lines
	e.Traceback = []string{e.Error()}
	if wrong.Pos.Line >= 1 && wrong.Pos.Line <= len(lines) {
		e.Traceback = append(e.Traceback, withCaret(lines[wrong.Pos.Line-1], wrong.Pos.Column)...)
	}
	return e
}

// maxErrors bounds how many type errors of one cell are shown.
const maxErrors = 5

// typeErrors returns the error of a cell that does not type-check.
func (s *Session) typeErrors(errs []*explain.Error) *Error {
	e := &Error{Name: "TypeError", Message: errs[0].Msg}
	for i, wrong := range errs {
		where, source := s.at(wrong.Pos)
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

// runError returns the error that ended a running cell.
func (s *Session) runError(ctx context.Context, err error, c *lower.Cell) *Error {
	if v, frames, ok := s.panicOf(err); ok {
		return s.panicked(ctx, v, frames, "")
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return s.stopped(cell.Name(c.N))
	case err == errOverflow:
		return s.traced(&Error{Name: "stack overflow", Message: err.Error(), Pos: cell.Name(c.N)}, s.last.take())
	}
	return s.failure(err, cell.Name(c.N))
}

// panicOf returns the panic value in err, the error of a run, and the frames that the panic unwound. ok is false
// if err is not a panic.
func (s *Session) panicOf(err error) (value any, frames []frame, ok bool) {
	switch p := err.(type) {
	case *outsideError:
		frames = s.last.take()
		switch {
		case p.frames != nil:
			frames = p.frames
		case frames == nil:
			frames = p.around
		}
		return p.value, frames, true
	case *yaegi.Panic:
		return p.Value, s.last.take(), true
	}
	return nil, nil, false
}

// stopped returns the error of a cell that an interrupt has ended.
func (s *Session) stopped(name string) *Error {
	return s.traced(&Error{Name: "Interrupt", Message: "interrupted", Pos: name}, s.last.take())
}

// panicked returns the error for a panic with the given value and frames. Unless value is an error, the message
// begins with doing. If ctx ends before the value's methods return, the error is that of an interrupt.
func (s *Session) panicked(ctx context.Context, value any, frames []frame, doing string) *Error {
	e := &Error{Name: "panic", Value: reflect.ValueOf(value)}
	if err, ok := value.(error); ok {
		e.Name, doing = nameOf(err), ""
	}
	if e.Message = doing + s.textOf(ctx, value); ctx.Err() != nil {
		e = &Error{Name: "Interrupt", Message: "interrupted"}
	}
	return s.traced(e, frames)
}

// textOf returns the text of a panic's value or of an error. It calls the value's methods like a cell, so that
// they can be interrupted and may panic.
func (s *Session) textOf(ctx context.Context, value any) string {
	var text string
	err := s.start(ctx, newRunning(), func() { text = message(value) })
	if err == nil {
		return text
	}
	reason := ""
	if v, _, ok := s.panicOf(err); !ok {
		reason = err.Error()
	} else if reason, ok = v.(string); !ok {
		reason = fmt.Sprintf("panic: %T", v)
	}
	s.last.take()
	return fmt.Sprintf("a value of type %T whose text cannot be computed: %s", value, reason)
}

// traced sets the position and traceback of e from frames, the frames that were unwound, innermost first.
func (s *Session) traced(e *Error, frames []frame) *Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(frames) > 0 {
		e.Pos, _ = s.at(frames[0].pos)
		e.Traceback = s.trace(frames, e.Message)
	} else {
		e.Traceback = []string{e.Name + ": " + e.Message}
	}
	return e
}

// trace returns frames in readable form, innermost first. The innermost has the message.
func (s *Session) trace(frames []frame, msg string) (lines []string) {
	for i, f := range frames {
		if !f.pos.IsValid() {
			lines = append(lines, moreCalls(f.times))
			continue
		}
		where, source := s.at(f.pos)
		first := where + inFunction(s.text.function(f.pos))
		if i == 0 && msg != "" {
			first = where + ": " + msg
		}
		lines = append(append(lines, first), source...)
		switch {
		case f.times == 2 && s.text.function(f.pos) == "":
			// The author wrote one statement: the second frame is the call that it was lowered to, such as
			// nv.Must. It is shown once.
		case f.times == 2:
			lines = append(append(lines, where+inFunction(s.text.function(f.pos))), source...)
		case f.times > 2:
			lines = append(lines, moreCalls(f.times-1))
		}
	}
	return lines
}

// moreCalls returns the line for n frames that a traceback omits.
func moreCalls(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n == 1 {
		return "... 1 more call"
	}
	return "... " + digits + " more calls"
}

// inFunction returns " in " and the name, or "" if there is none.
func inFunction(function string) string {
	if function == "" {
		return ""
	}
	return " in " + function
}

// returned returns the error that the final call of a cell returned.
func (s *Session) returned(ctx context.Context, err error, l *lower.Lowered) *Error {
	text := s.textOf(ctx, err)
	if ctx.Err() != nil {
		return s.stopped("")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &Error{Name: nameOf(err), Message: text, Value: reflect.ValueOf(err)}
	where, source := s.at(l.Final)
	e.Pos = where
	e.Traceback = append([]string{where + ": " + e.Message}, source...)
	return e
}

// failure returns an error without a source line.
func (s *Session) failure(err error, where string) *Error {
	e := &Error{Name: nameOf(err), Message: err.Error(), Pos: where, Value: reflect.ValueOf(err)}
	e.Traceback = []string{e.Error()}
	return e
}

// nameOf returns the type of err without stars. It returns "error" for types of packages errors and fmt, and
// "runtime error" for types of packages runtime and reflect.
func nameOf(err error) string {
	name := strings.TrimLeft(fmt.Sprintf("%T", err), "*")
	switch {
	case strings.HasPrefix(name, "errors.") || strings.HasPrefix(name, "fmt."):
		return "error"
	case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "reflect."):
		return "runtime error"
	}
	return name
}

// message returns the text of a panic value.
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

// reflectMessages maps prefixes of package reflect's panic messages to the messages of Go's run time.
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
