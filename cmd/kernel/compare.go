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

// runUnder runs cell n under each promotion system of its commands and shows the outcomes in a table.
// Before each run, the variables of earlier cells are reset to their values before the cell. The
// declarations and assignments of the last run are kept. If the code does not compile or is
// interrupted, the cell fails; any other error is the outcome under its system.
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
		values, failed := r.outcomes(ctx, n, sys.Name())
		if err := r.SetSystem(before); err != nil {
			return wire.Failed("CommandError", err.Error())
		}
		if failed != nil {
			return failure(failed)
		}
		outcomes = append(outcomes, values...)
	}
	out.Result(displayData("", outcomes.Display()))
	return wire.OK
}

// runGradients runs cell n under each convention of derivatives, as runUnder does under each system.
// For each outcome it says whether the outcome equals that under anvil's convention, or under the
// first convention if anvil's is not among them.
func (r *cellRun) runGradients(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	runs := make([]display.Outcomes, 0, len(r.commands.Gradients))
	restore := r.interp.Snapshot()
	referenceRun := 0
	for i, conv := range r.commands.Gradients {
		if i > 0 {
			restore()
		}
		end := r.ctx.WithConventions(conv)
		run, failed := r.outcomes(ctx, n, conv.Name)
		end()
		if failed != nil {
			return failure(failed)
		}
		if conv == nv.AnvilGradients {
			referenceRun = i
		}
		runs = append(runs, run)
	}
	want, name := runs[referenceRun], r.commands.Gradients[referenceRun].Name
	for _, run := range runs {
		for i := range run {
			run[i].Reason = "as " + name
			if len(run) != len(want) || run[i].Value != want[i].Value || run[i].Err != want[i].Err {
				run[i].Reason = "≠ " + name
			}
		}
	}
	out.Result(displayData("", slices.Concat(runs...).Display()))
	return wire.OK
}

// outcomes runs cell n and returns an outcome for each of its final values. name is that of the system
// or convention, which the caller has selected. An error of the code is an outcome. failed is not nil
// if the code does not compile or is interrupted.
func (r *cellRun) outcomes(ctx context.Context, n int, name string) (_ display.Outcomes, failed *interp.Error) {
	result := r.interp.RunParsed(ctx, r.parse(ctx, n, false))
	switch {
	case ctx.Err() != nil:
		return nil, interrupted(n)
	case isCompileError(result.Err):
		return nil, result.Err
	case result.Err != nil:
		return display.Outcomes{display.ErrorOutcome(name, result.Err, result.Err.Message)}, nil
	case len(result.Values) == 0:
		return display.Outcomes{{System: name}}, nil
	}
	return inCell(ctx, r, n, result, func() display.Outcomes {
		outcomes := make(display.Outcomes, len(result.Values))
		for i, v := range result.Values {
			outcomes[i] = display.OutcomeOf(name, v)
			if len(outcomes) > 1 {
				outcomes[i].System += fmt.Sprintf(", value %d", i+1)
			}
		}
		return outcomes
	})
}

// inCell returns the result of f, which reads the values that cell n has returned in result. failed is not nil if the
// call of f is interrupted or panics. After an interrupt, f may still run.
func inCell[T any](
	ctx context.Context, r *cellRun, n int, result interp.Result, f func() T,
) (v T, failed *interp.Error) {
	done := make(chan T, 1)
	err := r.interp.Call(ctx, func() { done <- f() })
	switch {
	case ctx.Err() != nil:
		return v, interrupted(n)
	case err != nil:
		return v, r.interp.DisplayError(result, err)
	}
	return <-done, nil
}
