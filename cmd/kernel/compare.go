package main

import (
	"context"
	"fmt"
	"slices"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// runUnder runs the code under each system in turn and shows the outcomes side by side. Each
// run starts with the variables of earlier cells as they were; declarations and assignments
// of the last run are kept. Code that does not compile or is interrupted is the cell's
// error; any other error is the outcome under its system.
func (r *cellRun) runUnder(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	before := r.system
	outcomes := make(display.Outcomes, 0, len(r.commands.Under))
	restore := r.interp.Snapshot()
	for i, sys := range r.commands.Under {
		if i > 0 {
			restore()
		}
		if err := r.SetSystem(sys); err != nil {
			return wire.Failed("CommandError", err.Error())
		}
		came, failed := r.outcomes(ctx, n, sys.Name())
		if err := r.SetSystem(before); err != nil {
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

// runGradients runs the code under each convention of derivatives in turn, as runUnder does, and
// marks outcomes that differ from anvil's, or from the first convention's if anvil's was not run.
func (r *cellRun) runGradients(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	runs := make([]display.Outcomes, 0, len(r.commands.Gradients))
	restore := r.interp.Snapshot()
	reference := 0
	for i, conv := range r.commands.Gradients {
		if i > 0 {
			restore()
		}
		end := r.ctx.WithConventions(conv)
		came, failed := r.outcomes(ctx, n, conv.Name)
		end()
		if failed != nil {
			return failure(failed)
		}
		if conv == nv.AnvilGradients {
			reference = i
		}
		runs = append(runs, came)
	}
	of, name := runs[reference], r.commands.Gradients[reference].Name
	for _, came := range runs {
		for i := range came {
			came[i].Reason = "as " + name
			if len(came) != len(of) || came[i].Value != of[i].Value || came[i].Err != of[i].Err {
				came[i].Reason = "≠ " + name
			}
		}
	}
	out.Result(displayData("", slices.Concat(runs...).Display()))
	return wire.OK
}

// outcomes runs the code under the system or convention called name and returns its final
// values.
func (r *cellRun) outcomes(ctx context.Context, n int, name string) (display.Outcomes, *interp.Error) {
	result := r.interp.RunParsed(ctx, r.next(ctx, n, false))
	switch {
	case ctx.Err() != nil:
		return nil, interrupted(n)
	case result.Err != nil && (result.Err.Name == "SyntaxError" || result.Err.Name == "TypeError"):
		return nil, result.Err
	case result.Err != nil:
		return display.Outcomes{display.ErrorOutcome(name, result.Err, result.Err.Message)}, nil
	case len(result.Values) == 0:
		return display.Outcomes{{System: name}}, nil
	}
	done := make(chan display.Outcomes, 1)
	err := r.interp.Call(ctx, func() {
		came := make(display.Outcomes, len(result.Values))
		for i, v := range result.Values {
			came[i] = display.OutcomeOf(name, v)
			if len(came) > 1 {
				came[i].System += fmt.Sprintf(", value %d", i+1)
			}
		}
		done <- came
	})
	switch {
	case ctx.Err() != nil:
		return nil, interrupted(n)
	case err != nil:
		return nil, r.interp.Shown(result, err)
	}
	return <-done, nil
}
