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
		s, err := systemNamed(name)
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
// of it. Each begins with the variables of earlier cells as they were before the
// cell; what the last one declares and assigns stays. Code that does not compile,
// or is interrupted, is the cell's error; an error under one system is its outcome.
func (r *cellRun) runUnder(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	before := r.system
	outcomes := make(display.Outcomes, 0, len(r.under))
	restore := r.interp.Snapshot()
	for i, sys := range r.under {
		if i > 0 {
			restore()
		}
		came, failed := r.outcomes(ctx, n, sys)
		if err := r.writeUnder(before); err != nil {
			return wire.Failed("CommandError", err.Error())
		}
		if failed != nil {
			return failure(failed)
		}
		outcomes = append(outcomes, came...)
	}
	out.Result(displayData("", outcomes.Display()))
	return wire.OK
}

// outcomes runs the code under sys and returns what each of its last values is.
func (r *cellRun) outcomes(ctx context.Context, n int, sys *promote.System) (display.Outcomes, *interp.Error) {
	if err := r.writeUnder(sys); err != nil {
		return nil, &interp.Error{Name: "CommandError", Message: err.Error(), Traceback: []string{err.Error()}}
	}
	result := r.interp.Run(ctx, r.code, n)
	switch {
	case ctx.Err() != nil:
		return nil, interrupted(n)
	case result.Err != nil && (result.Err.Name == "SyntaxError" || result.Err.Name == "TypeError"):
		return nil, result.Err
	case result.Err != nil:
		return display.Outcomes{refused(sys, result.Err, result.Err.Message)}, nil
	case len(result.Values) == 0:
		return display.Outcomes{{System: sys.Name()}}, nil
	}
	came := make(display.Outcomes, len(result.Values))
	for i, v := range result.Values {
		came[i] = shown(sys, v)
		if len(came) > 1 {
			came[i].System += fmt.Sprintf(" [[%d]]", i+1)
		}
	}
	return came, nil
}

// shown returns what the value v is under sys; computing it may fail.
func shown(sys *promote.System, v any) (o display.Outcome) {
	defer func() {
		if v := recover(); v != nil {
			err, ok := v.(error)
			if !ok {
				err = fmt.Errorf("showing the value panicked: %v", v)
			}
			o = refused(sys, err, err.Error())
		}
	}()
	return display.OutcomeOf(sys.Name(), v)
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
