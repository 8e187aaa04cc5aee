package main

import (
	"context"
	"reflect"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	backends "github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/display/chart"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// observedFor is how long a run is observed, operation by operation.
const observedFor = 3 * time.Second

// runDTypes runs the code once at each dtype, and shows the curves that it returns in one
// chart, and what overflowed or vanished in a table. Each run starts with the variables of
// earlier cells as they were; declarations and assignments of the last run are kept. What
// is lost is found in a run of its own, whose output is not shown.
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
	curves, names := []any{}, []string{}
	for _, run := range runs {
		if run.Curve != nil {
			curves, names = append(curves, run.Curve), append(names, run.DType.String())
		}
	}
	if len(curves) > 0 {
		b, err := r.show([]any{chart.Line(append(curves, chart.Legend(names...))...)})
		if err != nil {
			return failure(r.interp.Shown(interp.Result{}, err))
		}
		out.Display(displayData("", b))
	}
	out.Result(displayData("", runs.Display()))
	return wire.OK
}

// runDType runs the code twice at d, once observed.
func (r *cellRun) runDType(ctx context.Context, n int, d nv.DType, out messaging.Output, restore func()) (run display.DTypeRun, failed *interp.Error) {
	defer r.ctx.Settings().SetDefault(backends.Float, d)()
	r.ctx.SetLayerDType(d)
	defer r.ctx.SetLayerDType(0)
	run.DType = d
	restore()
	run.Lost, run.Part = r.observe(ctx, n, out)
	restore()
	result := r.interp.RunParsed(ctx, r.next(n, false))
	switch {
	case ctx.Err() != nil:
		return run, interrupted(n)
	case result.Err != nil && (result.Err.Name == "SyntaxError" || result.Err.Name == "TypeError"):
		return run, result.Err
	case result.Err != nil:
		run.Err = "error: " + result.Err.Message
	case len(result.Values) > 0:
		last := result.Values[len(result.Values)-1]
		if err := nv.Try(func() { run.Curve = curveOf(last) }); err != nil {
			run.Err = "error: " + err.Error()
		} else if run.Curve == nil {
			o := display.OutcomeOf(d.String(), last)
			run.Value = o.Value + o.Err
		}
	}
	return run, nil
}

// observe runs the code without output for a while, operation by operation.
func (r *cellRun) observe(ctx context.Context, n int, out messaging.Output) (lost nv.Observation, part bool) {
	limited, cancel := context.WithTimeout(ctx, observedFor)
	defer cancel()
	leave := r.console.enter(limited, &hidden{Output: out})
	waits, over := interruptOf(limited)
	r.ctx.SetInterrupt(waits)
	end := r.ctx.Observe()
	r.interp.RunParsed(limited, r.next(n, false))
	lost = end()
	over()
	leave()
	r.console.enter(ctx, out)
	waits, _ = interruptOf(ctx)
	r.ctx.SetInterrupt(waits)
	return lost, limited.Err() != nil
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
