package anvil

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/goanvil/notebook/anvil/engine"
)

// A Compilation is a program that was compiled or loaded from disk.
type Compilation = engine.Compilation

// WhyCompiled returns the program that was compiled or loaded last, with the reason: "input 2
// changed from f32{3} to f32{4}"; or the zero Compilation if there is none.
func WhyCompiled() Compilation { return Default().WhyCompiled() }

// WhyCompiled is the function WhyCompiled for programs of c.
func (c *Context) WhyCompiled() (last Compilation) {
	if all := c.Compilations(0); len(all) > 0 {
		last = all[len(all)-1]
	}
	return last
}

// Compilations returns the programs of c that were compiled or loaded from disk later than
// program number after, but at most the last 64.
func (c *Context) Compilations(after int64) []Compilation {
	return c.session.Compilations(after)
}

// timeTrace measures time as trace time until the returned function is called. Inside another trace it measures
// nothing, so that no time counts twice.
func (c *Context) timeTrace() func() {
	if c.tracing.Load() > 1 { // c.tracing counts the trace to be measured too
		return func() {}
	}
	begin := time.Now()
	return func() { c.session.AddTraceTime(time.Since(begin)) }
}

// A Timing is the run time of a function: of its first call, and of later calls in rounds.
type Timing struct {
	Median, Min, Max time.Duration // over the rounds, of the mean time of a call
	Rounds           int
	Calls            int     // in each round
	Launches         float64 // programs run by a call

	First          time.Duration // the first call, which traces and compiles
	Trace, Compile time.Duration // parts of the first call
	Programs       int64         // made by the first call: compiled, loaded from disk, or prepared for the Go evaluator
}

// String returns the timing as text.
func (t Timing) String() string {
	return fmt.Sprintf("%v a call (%v to %v in %d rounds of %d), %s\n",
		short(t.Median), short(t.Min), short(t.Max), t.Rounds, t.Calls, launches(t.Launches)) +
		fmt.Sprintf("the first took %v: %v tracing, %v compiling %s, %v all else", short(t.First), short(t.Trace),
			short(t.Compile), programs(t.Programs), short(max(0, t.First-t.Trace-t.Compile)))
}

// launches returns n launches as text. n is a fraction if it is a mean over calls.
func launches(n float64) string {
	switch {
	case n == 1:
		return "1 launch"
	case n == math.Trunc(n):
		return fmt.Sprintf("%.0f launches", n)
	}
	return fmt.Sprintf("%.3g launches", n)
}

// programs returns n programs as text.
func programs(n int64) string {
	if n == 1 {
		return "1 program"
	}
	return fmt.Sprintf("%d programs", n)
}

// short returns d rounded to at most three significant digits.
func short(d time.Duration) time.Duration {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// Bench measures f: it calls f once, then repeatedly for about half a second, each time
// waiting for the tensors in its result.
func Bench(f func() any) Timing { return Default().Bench(f) }

// Bench is the function Bench for tensors of c.
func (c *Context) Bench(f func() any) Timing {
	if f == nil {
		panic(&Error{Op: "Bench", Operands: "nil", Reason: "the function is nil", Hint: "give a func() any"})
	}
	once := func() {
		for _, x := range TreeLeaves(f()) {
			if err := x.Wait(); err != nil {
				panic(err)
			}
		}
	}
	var t Timing
	before, begin := c.Stats(), time.Now()
	once()
	t.First = time.Since(begin)
	after := c.Stats()
	t.Trace, t.Compile = after.TraceTime-before.TraceTime, after.CompileTime-before.CompileTime
	t.Programs = after.Programs - before.Programs
	t.measureRounds(once)
	calls := t.Rounds*t.Calls + 1 // measureRounds makes one more call to choose t.Calls
	t.Launches = float64(c.Stats().Launches-after.Launches) / float64(calls)
	return t
}

const (
	benchTime     = 500 * time.Millisecond // for all rounds
	benchRounds   = 7                      // odd, so that the median is the time of a round
	maxBenchCalls = 100_000                // in a round
)

// measureRounds measures rounds of calls of once. A call before the rounds determines the
// number of calls in a round.
func (t *Timing) measureRounds(once func()) {
	begin := time.Now()
	once()
	t.Rounds = benchRounds
	t.Calls = max(1, min(maxBenchCalls, int(benchTime/benchRounds/max(time.Since(begin), 1))))
	var times []time.Duration
	for range t.Rounds {
		begin := time.Now()
		for range t.Calls {
			once()
		}
		times = append(times, time.Since(begin)/time.Duration(t.Calls))
	}
	slices.Sort(times)
	t.Min, t.Median, t.Max = times[0], times[len(times)/2], times[len(times)-1]
}

// Spent describes how a time span of length total was spent: tracing, compiling (with
// reasons) and the rest. before has the counters at the start of the span, and compiled is
// the number of the last compilation before the start.
func (c *Context) Spent(total time.Duration, before Counters, compiled int64) string {
	now := c.Stats()
	trace, compile := now.TraceTime-before.TraceTime, now.CompileTime-before.CompileTime
	var b strings.Builder
	fmt.Fprint(&b, short(total))
	if now.Launches > before.Launches || trace+compile > 0 {
		fmt.Fprintf(&b, ": %v tracing, %v compiling, %v all else; %s", short(trace), short(compile),
			short(max(0, total-trace-compile)), launches(float64(now.Launches-before.Launches)))
	}
	for _, p := range c.Compilations(compiled) {
		b.WriteString("\n" + p.String())
	}
	return b.String()
}
