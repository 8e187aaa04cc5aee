package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A setup is a list of cells that change the settings of a session.
type setup []string

// questions are cells whose outputs depend on the settings.
var questions = []string{
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

var setups = []setup{
	{"%promotion torch\ni := nv.Ones(nv.Shape{1}, nv.I32)", "backend.Set(\"torch\");", "backend.SetDefault(backend.Int, nv.I16);", "backend.SetPrecise(false);"},
	{"%promotion numpy\ni := nv.Ones(nv.Shape{1}, nv.I16)", "backend.Set(\"numpy\");", "backend.SetDefault(backend.Float, nv.F64);"},
	{"i := nv.Ones(nv.Shape{1}, nv.I8)"},
}

// answers runs the cells of a setup and then the questions, several times, and returns all outputs.
func (f *front) answers(s setup, times int) (answers []string) {
	for _, code := range append(slices.Clone(s), slices.Repeat(questions, times)...) {
		a := f.run(code)
		text, _ := a.result["text/plain"].(string)
		traceback := ansi().ReplaceAllString(strings.Join(tracebackOf(a), "\n"), "")
		answers = append(answers, strings.TrimSpace(fmt.Sprint(text, a.stdout, traceback)))
	}
	return answers
}

func tracebackOf(a answer) []string {
	if a.Failure == nil {
		return nil
	}
	return a.Traceback
}

// TestSessionsAtOnce tests that sessions with different promotion systems, backends, modes and
// default dtypes give the same answers at the same time in one process as each does alone.
func TestSessionsAtOnce(t *testing.T) {
	const times = 3
	alone := make([][]string, len(setups))
	for i, s := range setups {
		alone[i] = newFront(t, "reference").answers(s, times)
	}
	for n := range questions { // each must have different answers
		answers := []string{}
		for i, s := range setups {
			answers = append(answers, alone[i][len(s)+n])
		}
		if slices.Sort(answers); len(slices.Compact(answers)) == 1 {
			t.Errorf("%s: every session answers %s", questions[n], answers[0])
		}
	}
	fronts := make([]*front, len(setups))
	for i := range fronts {
		fronts[i] = newFront(t, "reference")
	}
	together := make([][]string, len(setups))
	var all sync.WaitGroup
	for i, s := range setups {
		all.Go(func() { together[i] = fronts[i].answers(s, times) })
	}
	all.Wait()
	for i := range setups {
		if !slices.Equal(together[i], alone[i]) {
			t.Errorf("session %d answers\n%q\nand alone\n%q", i, together[i], alone[i])
		}
	}
}
