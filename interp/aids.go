package interp

import (
	"reflect"

	"github.com/goanvil/notebook/anvil/goroutine"
)

// sessionAids returns the functions of the session that lowered code calls, by name. They are called aids; see
// lower.Aid.
func (s *Session) sessionAids() map[string]any {
	return map[string]any{
		"Show":     s.show,
		"Done":     s.done,
		"Cut":      s.cut,
		"Keep":     s.keep,
		"Calls":    s.calls,
		"Untraced": mustBeUntraced,
		"IsTraced": isTraced,
	}
}

// show records the values of the cell's final expression. It ignores calls from goroutines other than the cell's own.
func (s *Session) show(values ...any) {
	key := goroutine.Key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != nil && s.run.key == key {
		s.run.values = values
	}
}

// done records that a step of the run with the given serial number is done: its variables are set. variables are pairs
// of the engine name and the address of a variable.
func (s *Session) done(serial, step int, variables ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil || s.run.serial != serial {
		return // an interrupt has abandoned the run
	}
	s.run.doneSteps[step] = true
	for i := 0; i < len(variables); i += 2 {
		s.vars[variables[i].(string)] = reflect.ValueOf(variables[i+1])
	}
}

// cut passes the tensors in variables, which a loop carries to its next iteration, to Options.Cut.
func (s *Session) cut(variables ...any) { s.callHook(s.opts.Cut, variables) }

// keep passes the tensors in variables, which a loop has just assigned, to Options.Keep.
func (s *Session) keep(variables ...any) { s.callHook(s.opts.Keep, variables) }

// callHook calls hook with the tensors in variables.
func (s *Session) callHook(hook func([]reflect.Value), variables []any) {
	if hook == nil {
		return
	}
	var tensors []reflect.Value
	for _, v := range variables {
		tensors = s.tensorsIn(reflect.ValueOf(v), tensors)
	}
	hook(tensors)
}
