package display

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	nv "github.com/goanvil/notebook/anvil"
)

func TestProgressYieldsPositions(t *testing.T) {
	for _, over := range []any{3, int8(3), uint(3), []string{"a", "b", "c"}, [3]bool{}, newContext().Zeros(nv.Shape{3, 2})} {
		r := &recorder{}
		got := slices.Collect(NewOutlet(r).Progress(over))
		if !slices.Equal(got, []int{0, 1, 2}) {
			t.Errorf("%T: %v", over, got)
		}
		if last := r.calls[len(r.calls)-1]; !strings.HasPrefix(last, "update") || !strings.Contains(last, "3 of 3 (100%)") {
			t.Errorf("%T: the last call is %s", over, last)
		}
	}
}

// TestProgressIsSeldomShown checks that a fast loop is shown at its start and its end, and a slower one four times
// a second.
func TestProgressIsSeldomShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			steps int
			step  time.Duration
			calls int
		}{
			{100_000, 0, 2},
			{20, 30 * time.Millisecond, 4}, // at 0, 270, 540 and 600 ms
		} {
			r := &recorder{}
			for range NewOutlet(r).Progress(c.steps) {
				time.Sleep(c.step)
			}
			if len(r.calls) != c.calls {
				t.Errorf("%d steps of %v: shown %d times, want %d", c.steps, c.step, len(r.calls), c.calls)
			}
		}
	})
}

// A terminal is a Sink that can rewrite its last line.
type terminal struct {
	recorder
	text strings.Builder
}

func (t *terminal) Line() io.Writer { return &t.text }

// TestProgressInATerminal checks that the states replace each other on one line, and that nothing is displayed.
func TestProgressInATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := &terminal{}
		var loss float64
		for i := range NewOutlet(term).Progress(10, &loss) {
			time.Sleep(100 * time.Millisecond)
			loss = float64(10 - i)
		}
		lines := strings.Split(term.text.String(), "\r")
		last := lines[len(lines)-1]
		if len(lines) < 4 || strings.TrimSpace(lines[1]) != "0 of 10 (0%)" || strings.TrimSpace(last) != "10 of 10 (100%)  10/s  in 1.0 s  loss 1 █▅▂▁" ||
			strings.Count(term.text.String(), "\n") != 1 || !strings.HasSuffix(last, "\n") || len(term.calls) > 0 {
			t.Errorf("%q, %q", lines, term.calls)
		}
	})
}

func TestProgressEnds(t *testing.T) {
	r := &recorder{}
	for i := range NewOutlet(r).Progress(10) {
		if i == 3 {
			break
		}
	}
	if last := r.calls[len(r.calls)-1]; !strings.Contains(last, "3 of 10 (30%)") || !strings.Contains(last, "stopped after") {
		t.Errorf("after break: %s", last)
	}
	func() {
		defer func() { _ = recover() }()
		for range NewOutlet(r).Progress(7) {
			panic("wrong")
		}
	}()
	if last := r.calls[len(r.calls)-1]; !strings.Contains(last, "0 of 7 (0%)") {
		t.Errorf("after a panic: %s", last)
	}
	for range NewOutlet(r).Progress(0) {
		t.Error("no steps have one")
	}
}

// TestProgressReadsTheLoss checks that the values after the last step are shown, also those of tensors.
func TestProgressReadsTheLoss(t *testing.T) {
	r, c := &recorder{}, newContext()
	var loss nv.Tensor
	var rate float64
	for i := range NewOutlet(r).Progress(3, &loss, "rate", &rate) {
		loss, rate = c.Scalar(float64(10-i)), 0.5
	}
	if last := r.calls[len(r.calls)-1]; !strings.HasSuffix(last, "loss 8  rate 0.5") {
		t.Error(last)
	}
}

func TestProgressOver(t *testing.T) {
	r := &recorder{}
	o := NewOutlet(r)
	seq := o.ProgressOverAny(slices.Values([]string{"a", "b"}), 2).(iter.Seq[string])
	if got := slices.Collect(seq); !slices.Equal(got, []string{"a", "b"}) {
		t.Error(got)
	}
	if last := r.calls[len(r.calls)-1]; !strings.Contains(last, "2 of 2 (100%)") {
		t.Error(last)
	}
	for i, s := range o.ProgressOverAny(slices.All([]string{"a", "b"})).(iter.Seq2[int, string]) {
		if i == 1 || s == "b" {
			break
		}
	}
	if last := r.calls[len(r.calls)-1]; !strings.Contains(last, " 1  ") {
		t.Error(last)
	}
}

func TestProgressErrors(t *testing.T) {
	o := NewOutlet(&recorder{})
	var loss float64
	for want, f := range map[string]func(){
		"Progress(float64): not a number of steps; give an integer, a slice or a Tensor":       func() { o.Progress(1.5) },
		"Progress(func()): not a number of steps; write display.ProgressOver for an iterator":  func() { o.Progress(func() {}) },
		"Progress(<nil>): not a number of steps; give an integer, a slice or a Tensor":         func() { o.Progress(nil) },
		`Progress(int): not a pointer to a Tensor or a float; write "loss", &loss`:             func() { o.Progress(3, 4) },
		"ProgressOver(int): not an iterator; write display.Progress for an integer or a slice": func() { o.ProgressOverAny(3) },
		`Progress(string): no pointer follows the name "acc"; write "loss", &loss`:             func() { o.Progress(3, &loss, "acc") },
		`Progress(string): no pointer follows the name "a"; write "loss", &loss`:               func() { o.Progress(3, "a", "b", &loss) },
		`ProgressOver(bool): not a pointer to a Tensor or a float; write "loss", &loss`:        func() { o.ProgressOverAny(slices.Values([]int{1}), true) },
	} {
		if err := nv.Try(f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestProgressText(t *testing.T) {
	losses := []curve{{"loss", []point{{1, 4, true}, {2, 2, true}, {3, math.NaN(), true}, {4, 0, true}}}}
	tests := []struct {
		state progressState
		want  string
	}{
		{progressState{total: 10}, "0 of 10 (0%)"},
		{progressState{done: 3, total: 10, rate: 2}, "3 of 10 (30%)  2/s  3.5 s left"},
		{progressState{done: 3, total: 1000, rate: 0.1}, "3 of 1000 (0%)  10 s each  2 h 46 min left"},
		{progressState{done: 3, total: -1, rate: 1234.5}, "3  1234/s"},
		{progressState{done: 1, total: 1, elapsed: time.Microsecond, ended: true}, "1 of 1 (100%)  1000000/s  in under 1 ms"},
		{progressState{done: 10, total: 10, rate: 7, elapsed: 200 * time.Second, ended: true}, "10 of 10 (100%)  20 s each  in 3 min 20 s"},
		{progressState{done: 3, total: 10, elapsed: time.Second, ended: true}, "3 of 10 (30%)  3/s  stopped after 1.0 s"},
		{progressState{done: 4, total: 4, elapsed: time.Second, ended: true, curves: losses}, "4 of 4 (100%)  4/s  in 1.0 s  loss 0 █▅!▁"},
	}
	for _, test := range tests {
		if got := test.state.Display().Text(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// TestProgressRate checks that the rate is that of the steps since the last update at first, and a moving average later.
func TestProgressRate(t *testing.T) {
	start := time.Unix(0, 0)
	b := &bar{shown: start, done: 20}
	for i, want := range []float64{10, 10 + 0.3*(50-10), 22 - 0.3*22} {
		b.measure(start.Add(time.Duration(2*i+2) * time.Second))
		if math.Abs(b.rate-want) > 1e-9 {
			t.Errorf("update %d: %g steps per second, want %g", i, b.rate, want)
		}
		if i == 0 {
			b.done += 100
		}
	}
}

// TestProgressDoesNotWait checks that steps are counted and shown while a value is being computed.
func TestProgressDoesNotWait(t *testing.T) {
	r := &recorder{}
	var loss float64
	b := NewOutlet(r).startBar(10, watches("Progress", []any{&loss}))
	waiting := make(chan []point, 1)
	b.readings = waiting
	for range 3 {
		b.shown = time.Now().Add(-updateEvery)
		b.step()
	}
	if last := r.calls[len(r.calls)-1]; len(r.calls) != 4 || strings.Contains(last, "loss") {
		t.Errorf("%d calls, the last is %s", len(r.calls), last)
	}
	waiting <- []point{{step: 1, value: 5, ok: true}}
	b.shown = time.Now().Add(-updateEvery)
	b.step()
	if last := r.calls[len(r.calls)-1]; !strings.Contains(last, "4 of 10") || !strings.HasSuffix(last, "loss 5") {
		t.Error(last)
	}
}

func TestCurvesAreBounded(t *testing.T) {
	var c curve
	for i := range 10 * maxPoints {
		c.add(point{step: i})
	}
	last := c.points[len(c.points)-1].step
	if len(c.points) > maxPoints || c.points[0].step != 0 || last != 10*maxPoints-1 ||
		!slices.IsSortedFunc(c.points, func(a, b point) int { return a.step - b.step }) {
		t.Errorf("%d points, from %d to %d", len(c.points), c.points[0].step, last)
	}
}

// TestCurvesOfLargeValues checks curves whose bounds are further apart than a float64 can say, or hardly apart.
func TestCurvesOfLargeValues(t *testing.T) {
	for _, v := range []float64{1e308, 5e-324} {
		c := curve{name: "loss", points: []point{{step: 0, value: -v}, {step: 1, value: v}}}
		if got, want := c.text(), fmt.Sprintf("loss %.4g ▁█", v); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := c.html(); !strings.Contains(got, `points="0.0,80.0 320.0,0.0"`) {
			t.Error(got)
		}
	}
}

// TestProgressCosts checks that a step that shows nothing allocates nothing.
func TestProgressCosts(t *testing.T) {
	b := NewOutlet(&recorder{}).startBar(1<<40, nil)
	b.shown = time.Now().Add(time.Hour)
	if n := testing.AllocsPerRun(1000, b.step); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkProgress(b *testing.B) {
	n := 0
	for range NewOutlet(&recorder{}).Progress(b.N) {
		n++
	}
}
