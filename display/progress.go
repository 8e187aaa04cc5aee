package display

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"reflect"
	"time"
	"unicode/utf8"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/typename"
)

// Progress returns an iterator over the integers from 0 to n-1. While a loop runs over it, one line shows how many
// steps are done, the rate and the time left. over is n, or a slice, an array or a Tensor with n elements or rows.
//
//	for i := range display.Progress(1000, "loss", &loss) {
//		model, state, loss = step(model, state, x, y)
//	}
//
// The other arguments are pointers to variables that the loop assigns: Tensors of one element, or floats. A string
// before a pointer names the variable; without it the name is "loss". The values of the variables are shown on the
// line, and their curves below it.
//
// Values are read at most four times a second, and the loop does not wait for them: a Tensor that is still being
// computed is shown later. In a terminal, line and curves are one line of text. Where output cannot be replaced, only
// the last state is shown.
func Progress(over any, watch ...any) iter.Seq[int] { return Default.Progress(over, watch...) }

// Progress shows the progress of a loop at o, as the function Progress does.
func (o *Outlet) Progress(over any, watch ...any) iter.Seq[int] {
	n := countOf(over)
	watched := watches("Progress", watch)
	return func(yield func(int) bool) {
		b := o.startBar(n, watched)
		defer b.end()
		for i := range n {
			if !yield(i) {
				return
			}
			b.step()
		}
	}
}

// ProgressOver returns an iterator over the values of seq, which has type iter.Seq or iter.Seq2. The iterator shows its
// progress as that of Progress does. An int among the other arguments is the number of values; without it the time left
// is not shown.
//
//	for b := range display.ProgressOver(train.Batches(64), train.Steps(64), &loss) {
func ProgressOver[S any](seq S, watch ...any) S { return Default.ProgressOverAny(seq, watch...).(S) }

// ProgressOverAny is ProgressOver for callers that cannot instantiate a generic function.
func ProgressOverAny(seq any, watch ...any) any { return Default.ProgressOverAny(seq, watch...) }

// ProgressOverAny shows the progress of an iterator at o, as the function ProgressOver
// does.
func (o *Outlet) ProgressOverAny(seq any, watch ...any) any {
	v := reflect.ValueOf(seq)
	if !v.IsValid() || !v.Type().CanSeq() && !v.Type().CanSeq2() || v.Kind() != reflect.Func {
		panic(&nv.Error{Op: "ProgressOver", Operands: typename.Of(seq), Reason: "not an iterator",
			Hint: "write display.Progress for an integer or a slice"})
	}
	total := -1
	var variables []any
	for _, w := range watch {
		if n, ok := w.(int); ok {
			total = n
			continue
		}
		variables = append(variables, w)
	}
	watched := watches("ProgressOver", variables)
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		b := o.startBar(total, watched)
		defer b.end()
		yield := reflect.MakeFunc(args[0].Type(), func(values []reflect.Value) []reflect.Value {
			more := args[0].Call(values)
			if more[0].Bool() {
				b.step()
			}
			return more
		})
		v.Call([]reflect.Value{yield})
		return nil
	}).Interface()
}

// countOf returns the number of integers that Progress(over) yields.
func countOf(over any) int {
	if x, ok := over.(nv.Tensor); ok {
		return x.Len()
	}
	v := reflect.ValueOf(over)
	switch {
	case !v.IsValid():
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(v.Uint())
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		return v.Len()
	}
	hint := "give an integer, a slice or a Tensor"
	if v.Kind() == reflect.Func {
		hint = "write display.ProgressOver for an iterator"
	}
	panic(&nv.Error{Op: "Progress", Operands: typename.Of(over), Reason: "not a number of steps", Hint: hint})
}

// A watch is a variable of the loop whose values are shown.
type watch struct {
	name    string
	pointer any // *nv.Tensor, *float64 or *float32
}

// watches returns the variables that args names and points to. op names the operation in errors.
func watches(op string, args []any) []watch {
	var all []watch
	name := ""
	fail := func(operand any, reason string) {
		panic(&nv.Error{Op: op, Operands: typename.Of(operand), Reason: reason, Hint: `write "loss", &loss`})
	}
	requireNoName := func() {
		if name != "" {
			fail(name, fmt.Sprintf("no pointer follows the name %q", name))
		}
	}
	for _, a := range args {
		switch a := a.(type) {
		case string:
			requireNoName()
			name = a
		case *nv.Tensor, *float64, *float32:
			all = append(all, watch{cmp.Or(name, "loss"), a})
			name = ""
		default:
			fail(a, "not a pointer to a Tensor or a float")
		}
	}
	requireNoName()
	return all
}

// updateEvery is the least time between two updates of a progress line.
const updateEvery = 250 * time.Millisecond

// A bar is a progress line while its loop runs.
type bar struct {
	outlet *Outlet
	handle *Handle   // nil until something is shown
	line   io.Writer // for a terminal, used instead of handle; otherwise nil
	width  int       // the length of the longest text on the line so far
	total  int       // -1 if unknown
	start  time.Time
	done   int

	shown     time.Time // the time of the last update
	shownDone int       // done at the last update
	rate      float64   // steps per second, smoothed; 0 if not known yet

	watched  []watch
	curves   []curve
	readings chan []point // receives a point for each watched variable; nil if no reading is in progress
}

// A curve holds the values read from a watched variable.
type curve struct {
	name   string
	points []point
}

// A point is a value after a number of steps. ok is false if it could not be read.
type point struct {
	step  int
	value float64
	ok    bool
}

// startBar returns the bar of a loop that starts now. It shows the bar unless the sink cannot replace what it shows.
func (o *Outlet) startBar(total int, watched []watch) *bar {
	b := &bar{outlet: o, total: total, start: time.Now(), watched: watched}
	b.shown = b.start
	for _, w := range watched {
		b.curves = append(b.curves, curve{name: w.name})
	}
	sink, _ := o.state()
	if t, ok := sink.(Terminal); ok {
		b.line = t.Line()
	}
	switch {
	case b.line != nil:
		b.rewrite(b.state(false))
	case !appendsOnly(sink):
		b.handle = o.Show(b.state(false))
	}
	return b
}

// Terminal is implemented by a Sink whose output may be a terminal, where displayed values cannot be replaced.
type Terminal interface {
	// Line returns a writer on which a carriage return restarts the last line, or nil if displayed values can be
	// replaced.
	Line() io.Writer
}

// rewrite replaces the text on the terminal's line by the text of s, padded to cover all earlier texts.
func (b *bar) rewrite(s progressState) {
	text := s.Display().Text()
	b.width = max(b.width, utf8.RuneCountInString(text))
	fmt.Fprintf(b.line, "\r%-*s", b.width, text)
}

// appendsOnly reports whether a sink cannot replace what it has shown.
func appendsOnly(s Sink) bool {
	_, ok := s.(*writerSink)
	return ok
}

// step counts a step. It updates the bar if updateEvery has passed since the last update.
func (b *bar) step() {
	b.done++
	now := time.Now()
	if now.Sub(b.shown) < updateEvery {
		return
	}
	b.collect(false)
	b.read()
	b.measure(now)
	switch {
	case b.line != nil:
		b.rewrite(b.state(false))
	case b.handle != nil:
		b.handle.Update(b.state(false))
	}
}

// measure updates the rate. Recent steps weigh more, since the first steps include compilation.
func (b *bar) measure(now time.Time) {
	const weight = 0.3 // the weight of the steps since the last update in the moving average
	recent := float64(b.done-b.shownDone) / now.Sub(b.shown).Seconds()
	if b.rate == 0 {
		b.rate = recent
	} else {
		b.rate += weight * (recent - b.rate)
	}
	b.shown, b.shownDone = now, b.done
}

// read starts to read the watched variables, unless the last reading is still in progress.
func (b *bar) read() {
	if b.readings != nil || len(b.watched) == 0 {
		return
	}
	var values []func() (float64, error)
	for _, w := range b.watched {
		values = append(values, w.snapshot())
	}
	step, readings := b.done, make(chan []point, 1)
	b.readings = readings
	go func() {
		points := make([]point, len(values))
		for i, value := range values {
			v, err := value()
			points[i] = point{step, v, err == nil}
		}
		readings <- points
	}()
}

// snapshot returns a function that returns the present value of the variable, even if the variable is assigned before
// the call. If the value is a Tensor, the function waits until the Tensor is computed.
func (w watch) snapshot() func() (float64, error) {
	var v float64
	switch p := w.pointer.(type) {
	case *float64:
		v = *p
	case *float32:
		v = float64(*p)
	case *nv.Tensor:
		x := *p
		if x.Valid() {
			nv.Cut(&x) // starts the computation
		}
		return func() (v float64, err error) {
			err = nv.Try(func() { v = x.Float() })
			return v, err
		}
	}
	return func() (float64, error) { return v, nil }
}

// collect adds the last reading to the curves if the reading is finished. With wait, collect waits for it.
func (b *bar) collect(wait bool) {
	if b.readings == nil {
		return
	}
	var points []point
	if wait {
		points = <-b.readings
	} else {
		select {
		case points = <-b.readings:
		default:
			return
		}
	}
	b.readings = nil
	for i, p := range points {
		if p.ok {
			b.curves[i].add(p)
		}
	}
}

// maxPoints limits the number of points of a curve, for loops that run for days.
const maxPoints = 4096

// add appends a point. If the curve has too many, it drops every second one.
func (c *curve) add(p point) {
	if len(c.points) == maxPoints {
		for i := range maxPoints / 2 {
			c.points[i] = c.points[2*i]
		}
		c.points = c.points[:maxPoints/2]
	}
	c.points = append(c.points, p)
}

// end shows the final state, with the values after the last step.
func (b *bar) end() {
	b.collect(true)
	if b.done > 0 { // otherwise the loop has not set the variables
		b.read()
		b.collect(true)
	}
	state := b.state(true)
	switch {
	case b.line != nil:
		b.rewrite(state)
		fmt.Fprintln(b.line)
	case b.handle != nil:
		b.handle.Update(state)
	default:
		b.outlet.Show(state)
	}
}

// state returns the present state of the bar.
func (b *bar) state(ended bool) progressState {
	return progressState{done: b.done, total: b.total, elapsed: time.Since(b.start), rate: b.rate, ended: ended,
		curves: b.curves}
}
