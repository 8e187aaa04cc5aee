package main

import (
	"context"
	"math"
	"reflect"
	"slices"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	backends "github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/display/chart"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
	"gonum.org/v1/plot"
)

// observeLimit is the longest time of an observed run; see Context.Observe. Observation makes each operation slower.
const observeLimit = 2 * time.Second

// runDTypes runs cell n once for each dtype that its commands list, as the default dtype of floats and layers. It shows
// the curves that the code returns, if any, in one chart, and a table with a row for each dtype: the result
// and the losses, such as overflows and numbers rounded to 0. Losses are observed in a separate run, whose
// output is not shown. Before each run, the variables of earlier cells are reset to their values before the
// cell. The declarations and assignments of the last run are kept.
func (r *cellRun) runDTypes(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	restore := r.interp.Snapshot()
	var runs display.DTypeRuns
	for _, d := range r.commands.DTypes {
		run, failed := r.runDType(ctx, n, d, out, restore)
		if failed != nil {
			return failure(failed)
		}
		runs = append(runs, run)
	}
	if slices.ContainsFunc(runs, func(run display.DTypeRun) bool { return run.Curve != nil }) {
		b, err := r.show(ctx, []any{chartOf(runs)})
		switch {
		case err != nil && ctx.Err() != nil:
			return failure(interrupted(n))
		case err != nil:
			return failure(r.interp.DisplayError(interp.Result{}, err))
		}
		out.Display(displayData("", b))
	}
	out.Result(displayData("", runs.Display()))
	return wire.OK
}

// chartOf returns a line chart of the runs' curves, in which x is the index of a number in its curve.
func chartOf(runs display.DTypeRuns) *plot.Plot {
	longest := 0
	for _, run := range runs {
		longest = max(longest, len(run.Curve))
	}
	steps := make([]float64, longest)
	for i := range steps {
		steps[i] = float64(i)
	}
	args, names := []any{steps}, []string{}
	for _, run := range runs {
		curve := make([]float64, longest)
		for i := range curve {
			curve[i] = math.NaN()
		}
		copy(curve, run.Curve)
		args, names = append(args, curve), append(names, run.DType.String())
	}
	return chart.Line(append(args, chart.Legend(names...))...)
}

// runDType runs the code twice with d as the default dtype of floats and layers: first to observe losses,
// and then to show the output. restore resets the variables of earlier cells. An error of the code is part
// of run. failed is not nil if the code does not compile, is interrupted, or returns a value that cannot be
// shown.
func (r *cellRun) runDType(
	ctx context.Context, n int, d nv.DType, out messaging.Output, restore func(),
) (run display.DTypeRun, failed *interp.Error) {
	defer r.ctx.Settings().SetDefault(backends.Float, d)()
	r.ctx.SetLayerDType(d)
	defer r.ctx.SetLayerDType(0)
	run.DType = d
	restore()
	run.Lost = r.observe(ctx, n, out)
	if ctx.Err() != nil {
		return run, interrupted(n)
	}
	restore()
	result := r.interp.RunParsed(ctx, r.parse(ctx, n, false))
	switch {
	case ctx.Err() != nil:
		return run, interrupted(n)
	case isCompileError(result.Err):
		return run, result.Err
	case result.Err != nil:
		run.Err = "error: " + result.Err.Message
	case len(result.Values) > 0:
		last := result.Values[len(result.Values)-1]
		return inCell(ctx, r, n, result, func() display.DTypeRun {
			finished := run // a copy: this call may outlive runDType
			if err := nv.Try(func() { finished.Curve = curveOf(last) }); err != nil {
				finished.Err = "error: " + err.Error()
			} else if finished.Curve == nil {
				o := display.OutcomeOf(d.String(), last)
				finished.Value = o.Value + o.Err
			}
			return finished
		})
	}
	return run, nil
}

// observe runs the code, discards its output and errors, and returns what Context.Observe observed.
func (r *cellRun) observe(ctx context.Context, n int, out messaging.Output) nv.Observation {
	detach := r.console.attach(ctx, &heldOutput{Output: out})
	end := r.ctx.Observe(observeLimit)
	r.interp.RunParsed(ctx, r.parse(ctx, n, false))
	observed := end()
	detach()
	r.console.attach(ctx, out) // Execute detaches it at the end of the cell
	return observed
}

// curveOf returns the elements of v if it is a slice of numbers, a slice of scalar tensors, or a
// tensor of rank 1. For other values it returns nil.
func curveOf(v any) (curve []float64) {
	switch v := v.(type) {
	case nv.Tensor:
		if v.Valid() && v.Rank() == 1 {
			return nv.Values[float64](v.AsType(nv.F64))
		}
		return nil
	case []nv.Tensor:
		for _, x := range v {
			if !x.Valid() || x.Rank() > 0 {
				return nil
			}
			curve = append(curve, x.AsType(nv.F64).Float())
		}
		return curve
	}
	s, float64Type := reflect.ValueOf(v), reflect.TypeFor[float64]()
	if s.Kind() != reflect.Slice || !s.Type().Elem().ConvertibleTo(float64Type) {
		return nil
	}
	for i := range s.Len() {
		curve = append(curve, s.Index(i).Convert(float64Type).Float())
	}
	return curve
}
