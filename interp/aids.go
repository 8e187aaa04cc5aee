package interp

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goanvil/notebook/anvil/goroutine"
	"github.com/goanvil/notebook/interp/compile"
)

// sessionAids are the functions through which lowered code calls its session.
func (s *Session) sessionAids() map[string]any {
	return map[string]any{
		"Show":     s.show,
		"Done":     s.done,
		"Cut":      s.cut,
		"Keep":     s.keep,
		"Calls":    s.calls,
		"Untraced": untraced,
		"IsTraced": isTraced,
	}
}

// show records the values of the final expression. Calls from other goroutines than the running cell's are ignored.
func (s *Session) show(values ...any) {
	key := goroutine.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != nil && s.run.key == key {
		s.run.values = values
	}
}

// done records that the variables of a step are set. variables are pairs of an engine name and the address of
// the variable.
func (s *Session) done(serial, step int, variables ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil || s.run.serial != serial {
		return // an interrupt has abandoned the run
	}
	s.run.done[step] = true
	for i := 0; i < len(variables); i += 2 {
		s.vars[variables[i].(string)] = reflect.ValueOf(variables[i+1])
	}
}

// cut passes the hook Cut the tensors that a loop carries.
func (s *Session) cut(variables ...any) { s.callHook(s.opts.Cut, variables) }

// keep passes the hook Keep the tensors that a loop has just assigned.
func (s *Session) keep(variables ...any) { s.callHook(s.opts.Keep, variables) }

// callHook calls hook with the tensors in variables.
func (s *Session) callHook(hook func([]reflect.Value), variables []any) {
	if hook == nil {
		return
	}
	var found []reflect.Value
	for _, v := range variables {
		found = s.tensorsIn(reflect.ValueOf(v), found)
	}
	hook(found)
}

// caught reports a panic that ended a goroutine. A panic that stands for os.Exit ends the running cell instead,
// if the cell has started the goroutine.
func (s *Session) caught(v any) {
	switch v.(type) {
	case nil:
	case compile.Exit:
		s.failed(v, false)
	default:
		s.report(v, s.last.take())
	}
}

// failed handles a panic with value v, or runtime.Goexit if v is nil. It ends the running cell if the cell has
// started the calling goroutine or always is set; otherwise it reports the panic.
func (s *Session) failed(v any, always bool) {
	if v == nil {
		v = errGone
	}
	frames := s.last.take()
	if !s.endCell(v, always, frames) {
		s.report(v, frames)
	}
}

// endCell ends the running cell like failed, and reports whether the cell has ended.
func (s *Session) endCell(v any, always bool, frames []frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.run != nil && s.run.failure != nil: // another failure has already ended it
	case s.run == nil || !always && !descendsFrom(s.run.id):
		return false
	default:
		s.run.failure = &outsideError{value: v, frames: frames}
		close(s.run.failing)
	}
	return true
}

// An outsideError ends a cell from another goroutine: because that panicked, or for lack of memory.
type outsideError struct {
	value  any
	frames []frame
	around []frame // where the cell was when it had to end, for a cell that does not unwind in time
}

func (e *outsideError) Error() string { return message(e.value) }

// report writes the panic of a goroutine to the cells' stderr.
func (s *Session) report(v any, frames []frame) {
	text := fmt.Sprintf("a value of type %T whose text cannot be computed", v)
	defer func() {
		_ = recover() // a method of v has panicked, or ended the goroutine
		s.mu.Lock()
		defer s.mu.Unlock()
		lines := append([]string{"panic in a goroutine: " + text}, s.trace(frames, "")...)
		fmt.Fprintln(s.opts.Stderr, strings.Join(lines, "\n"))
	}()
	text = message(v)
}
