package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// compare has the cell run under each system that names lists.
func (r *cellRun) compare(names string) error {
	for _, name := range strings.Fields(names) {
		s, err := promote.ByName(name)
		if err != nil {
			return err
		}
		r.under = append(r.under, s)
	}
	if len(r.under) == 0 {
		return errors.New("%%compare: name the systems: %%compare torch jax numpy anvil")
	}
	return nil
}

// runUnder runs the code under one system after the other and shows what came
// of it. What it declares is the last one's. Code that does not compile, or is
// interrupted, is the cell's error; an error under one system is its outcome.
func (r *cellRun) runUnder(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	before := r.system
	outcomes := make(display.Outcomes, 0, len(r.under))
	for _, sys := range r.under {
		o, failed := r.outcome(ctx, n, sys)
		if err := r.writeUnder(before); err != nil {
			return wire.Failed("CommandError", err.Error())
		}
		if failed != nil {
			return failure(failed)
		}
		outcomes = append(outcomes, o)
	}
	out.Result(displayData("", outcomes.Display()))
	return wire.OK
}

// outcome runs the code under sys.
func (r *cellRun) outcome(ctx context.Context, n int, sys *promote.System) (display.Outcome, *interp.Error) {
	if err := r.writeUnder(sys); err != nil {
		return display.Outcome{}, &interp.Error{Name: "CommandError", Message: err.Error(), Traceback: []string{err.Error()}}
	}
	result := r.interp.Run(ctx, r.code, n)
	switch {
	case ctx.Err() != nil:
		return display.Outcome{}, interrupted(n)
	case result.Err == nil:
		return r.shown(sys, result.Values)
	case result.Err.Name == "SyntaxError" || result.Err.Name == "TypeError":
		return display.Outcome{}, result.Err
	}
	return refused(sys, result.Err, result.Err.Message), nil
}

// shown returns what the value of the code is under sys; computing it may fail.
func (r *cellRun) shown(sys *promote.System, values []any) (o display.Outcome, _ *interp.Error) {
	defer func() {
		if v := recover(); v != nil {
			err, ok := v.(error)
			if !ok {
				err = fmt.Errorf("showing the value panicked: %v", v)
			}
			o = refused(sys, err, err.Error())
		}
	}()
	o.System = sys.Name()
	if len(values) > 0 {
		o = display.OutcomeOf(sys.Name(), values[len(values)-1])
	}
	return o, nil
}

// refused returns the outcome of an error: of one of an operation on tensors,
// the operation and the reason apart.
func refused(sys *promote.System, err error, text string) display.Outcome {
	var e *anvil.Error
	if errors.As(err, &e) {
		return display.Outcome{System: sys.Name(), Err: e.Op + "(" + e.Operands + ")", Reason: e.Reason}
	}
	return display.Outcome{System: sys.Name(), Err: text}
}
