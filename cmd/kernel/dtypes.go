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

// observedFor is how long a run is observed, operation by operation.
const observedFor = 2 * time.Second

// runDTypes runs the code once at each dtype. It shows the curves that the code returns in one
// chart, and what overflowed or vanished in a table. Each run starts with the variables of earlier
// cells as they were; declarations and assignments of the last run are kept. What overflows or
// vanishes is observed in a separate run, whose output is not shown.
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
	if b, err := r.show(ctx, []any{chartOf(runs)}); err != nil {
		return failure(r.interp.Shown(interp.Result{}, err))
	} else if slices.ContainsFunc(runs, func(run display.DTypeRun) bool { return run.Curve != nil }) {
		out.Display(displayData("", b))
	}
	out.Result(displayData("", runs.Display()))
	return wire.OK
}

// chartOf returns a chart of the curves over the number of the step, from 0.
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

// runDType runs the code twice at d, once observed.
func (r *cellRun) runDType(ctx context.Context, n int, d nv.DType, out messaging.Output, restore func()) (run display.DTypeRun, failed *interp.Error) {
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
	result := r.interp.RunParsed(ctx, r.next(ctx, n, false))
	switch {
	case ctx.Err() != nil:
		return run, interrupted(n)
	case result.Err != nil && (result.Err.Name == "SyntaxError" || result.Err.Name == "TypeError"):
		return run, result.Err
	case result.Err != nil:
		run.Err = "error: " + result.Err.Message
	case len(result.Values) > 0:
		last := result.Values[len(result.Values)-1]
		done := make(chan display.DTypeRun, 1)
		err := r.interp.Call(ctx, func() {
			came := run
			if err := nv.Try(func() { came.Curve = curveOf(last) }); err != nil {
				came.Err = "error: " + err.Error()
			} else if came.Curve == nil {
				o := display.OutcomeOf(d.String(), last)
				came.Value = o.Value + o.Err
			}
			done <- came
		})
		switch {
		case ctx.Err() != nil:
			return run, interrupted(n)
		case err != nil:
			return run, r.interp.Shown(result, err)
		}
		return <-done, nil
	}
	return run, nil
}

// observe runs the code without output, at first operation by operation.
func (r *cellRun) observe(ctx context.Context, n int, out messaging.Output) nv.Observation {
	leave := r.console.enter(ctx, &heldOutput{Output: out})
	end := r.ctx.Observe(observedFor)
	r.interp.RunParsed(ctx, r.next(ctx, n, false))
	lost := end()
	leave()
	r.console.enter(ctx, out)
	return lost
}

// curveOf returns the numbers of v, a slice of numbers or of scalar tensors or a tensor of
// rank 1; nil for other values.
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
	s := reflect.ValueOf(v)
	if s.Kind() != reflect.Slice || !s.Type().Elem().ConvertibleTo(reflect.TypeFor[float64]()) || s.Type().Elem().Kind() == reflect.String {
		return nil
	}
	for i := range s.Len() {
		curve = append(curve, s.Index(i).Convert(reflect.TypeFor[float64]()).Float())
	}
	return curve
}
