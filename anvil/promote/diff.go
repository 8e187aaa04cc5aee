package promote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// Differences are the questions that two systems answer differently.
type Differences struct {
	A, B         *System
	DTypes       []dtype.DType // the dtypes of both systems, which are compared
	OnlyA, OnlyB []dtype.DType // the dtypes of only A, and of only B
	Questions    int           // the number of questions that both systems were asked
	Found        []Difference
}

// A Difference is a question with the two systems' answers.
type Difference struct {
	Question Question
	A, B     Explanation
}

// String returns "i32 with f32: numpy f64, torch f32".
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s %s, %s %s", d.Question.Operands(), d.A.System, d.A.Answer(), d.B.System, d.B.Answer())
}

// diffLiterals are the numbers in the questions.
var diffLiterals = []any{true, 1, 1.5, 1i}

// Diff asks two systems for the common dtypes of all pairs of the dtypes that both
// have, and of each dtype with a bool, an int, a float and a complex literal, and
// returns the answers that differ.
func Diff(a, b *System) Differences {
	checkGiven("promote.Diff", a, b)
	d := Differences{A: a, B: b, DTypes: Shared(a, b)}
	d.OnlyA, d.OnlyB = without(a.dtypes, d.DTypes), without(b.dtypes, d.DTypes)
	for _, q := range pairQuestions(d.DTypes) {
		if !q.Knows(a) || !q.Knows(b) { // a system that is only a table has no answers about literals
			continue
		}
		d.Questions++
		x, y := q.Ask(a), q.Ask(b)
		if x.Answer() != y.Answer() {
			d.Found = append(d.Found, Difference{q, x, y})
		}
	}
	return d
}

// Shared returns the dtypes that all systems have, in the order of the first one.
func Shared(systems ...*System) (ds []dtype.DType) {
	if len(systems) == 0 {
		return nil
	}
	for _, d := range systems[0].dtypes {
		if !slices.ContainsFunc(systems, func(s *System) bool { return !slices.Contains(s.dtypes, d) }) {
			ds = append(ds, d)
		}
	}
	return ds
}

// without returns the dtypes of ds that are not in minus.
func without(ds, minus []dtype.DType) []dtype.DType {
	return slices.DeleteFunc(slices.Clone(ds), func(d dtype.DType) bool { return slices.Contains(minus, d) })
}

// pairQuestions returns the questions of Diff.
func pairQuestions(ds []dtype.DType) (qs []Question) {
	for i, a := range ds {
		for _, b := range ds[i+1:] {
			qs = append(qs, AskCommon(a, b))
		}
		for _, v := range diffLiterals {
			qs = append(qs, AskCommon(a, v))
		}
	}
	return qs
}

// Title returns a line with the number of answers that differ.
func (d Differences) Title() string {
	return fmt.Sprintf("%s and %s differ in %d of %d answers", d.A, d.B, len(d.Found), d.Questions)
}

// Notes returns, for each system, a line with the dtypes that only this system has.
func (d Differences) Notes() (notes []string) {
	for _, only := range []struct {
		s  *System
		ds []dtype.DType
	}{{d.A, d.OnlyA}, {d.B, d.OnlyB}} {
		if len(only.ds) > 0 {
			notes = append(notes, "not compared, only in "+only.s.name+": "+joinTexts(only.ds, " "))
		}
	}
	return notes
}

// String returns the title, the notes, and each difference on a line.
func (d Differences) String() string {
	lines := append([]string{d.Title()}, d.Notes()...)
	for _, x := range d.Found {
		lines = append(lines, "  "+x.String())
	}
	return strings.Join(lines, "\n")
}
