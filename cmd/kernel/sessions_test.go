package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A life is what somebody does in a session of their own: settings, and cells
// whose answers depend on them.
type life []string

// asked are cells that answer otherwise in each life.
var asked = []string{
	"(i / 2).Typed()",
	"(i + 2.5).Typed()",
	"nv.Arange(3).DType()",
	"nv.Zeros(nv.Shape{2}).DType()",
	"promote.Ivy.Result(nv.F32, nv.I32)",
	"backend.Invalid(dtype.Any)",
	"%promotion",
	"nv.Why(i / 2)",
	"func() (err error) { backend.WithDefault(backend.Float, nv.F16, func() { err = nv.Try(func() { nv.Zeros(nv.Shape{1}, nv.U16) }) }); return }()",
}

var lives = []life{
	{"%promotion torch\ni := nv.Ones(nv.Shape{1}, nv.I32)", "backend.Set(\"torch\");", "backend.SetDefault(backend.Int, nv.I16);", "backend.SetPrecise(false);"},
	{"%promotion numpy\ni := nv.Ones(nv.Shape{1}, nv.I16)", "backend.Set(\"numpy\");", "backend.SetDefault(backend.Float, nv.F64);"},
	{"i := nv.Ones(nv.Shape{1}, nv.I8)"},
}

// live returns the answers of a session to all cells, asked several times.
func (f *front) live(l life, times int) (answers []string) {
	for _, code := range append(slices.Clone(l), slices.Repeat(asked, times)...) {
		a := f.run(code)
		text, _ := a.result["text/plain"].(string)
		answers = append(answers, strings.TrimSpace(fmt.Sprint(text, a.stdout, ansi().ReplaceAllString(strings.Join(tracebackOf(a), "\n"), ""))))
	}
	return answers
}

func tracebackOf(a answer) []string {
	if a.Failure == nil {
		return nil
	}
	return a.Traceback
}

// TestSessionsAtOnce: sessions with other promotion systems, backends, modes and
// default dtypes, in one process at the same time, answer as each does alone.
func TestSessionsAtOnce(t *testing.T) {
	const times = 3
	alone := make([][]string, len(lives))
	for i, l := range lives {
		alone[i] = newFront(t, "reference").live(l, times)
	}
	for n := range asked {
		answers := []string{}
		for i, l := range lives {
			answers = append(answers, alone[i][len(l)+n])
		}
		if slices.Sort(answers); len(slices.Compact(answers)) == 1 {
			t.Errorf("%s: every session answers %s", asked[n], answers[0])
		}
	}
	fronts := make([]*front, len(lives))
	for i := range fronts {
		fronts[i] = newFront(t, "reference")
	}
	together := make([][]string, len(lives))
	var all sync.WaitGroup
	for i, l := range lives {
		all.Go(func() { together[i] = fronts[i].live(l, times) })
	}
	all.Wait()
	for i := range lives {
		if !slices.Equal(together[i], alone[i]) {
			t.Errorf("session %d answers\n%q\nand alone\n%q", i, together[i], alone[i])
		}
	}
}
