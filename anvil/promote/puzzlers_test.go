package promote_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestPuzzlers checks the number, the order and the variety of the puzzlers, and
// each answer against the system.
func TestPuzzlers(t *testing.T) {
	ps := promote.Puzzlers()
	if len(ps) < 24 {
		t.Fatalf("%d puzzlers", len(ps))
	}
	var texts []string
	for i, p := range ps {
		if p.Rank != i+1 || i > 0 && p.Score > ps[i-1].Score {
			t.Errorf("%d. %s has rank %d, score %d", i+1, p.Question, p.Rank, p.Score)
		}
		answers := map[string]bool{}
		for _, e := range p.Answers {
			answers[e.Answer()] = true
			if again := p.Question.Ask(e.System); again.Answer() != e.Answer() || e.Reason() == "" {
				t.Errorf("%s: %s says %s, then %s (%s)", p.Question, e.System, e.Answer(), again.Answer(), e.Reason())
			}
		}
		if len(answers) < 2 || slices.Contains(texts, p.Question.String()) {
			t.Errorf("%s has one answer only, or occurs twice", p.Question)
		}
		texts = append(texts, p.Question.String())
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"common dtype of i8 with ui64", "literal 1.5", "zero-dimensional", "true division", "the mean of", "the sum of"} {
		if !strings.Contains(all, want) {
			t.Errorf("no question has %q:\n%s", want, all)
		}
	}
}

// TestPuzzlersOfTwo checks puzzlers of two systems; systems that agree have none.
func TestPuzzlersOfTwo(t *testing.T) {
	if ps := promote.Puzzlers(promote.NumPy, promote.NumPy); len(ps) != 0 {
		t.Errorf("numpy differs from itself: %s", ps[0])
	}
	for _, p := range promote.Puzzlers(promote.NumPy, promote.Torch) {
		if len(p.Answers) != 2 || p.Answers[0].Answer() == p.Answers[1].Answer() {
			t.Errorf("%s", p)
		}
	}
}

func TestQuestion(t *testing.T) {
	for _, c := range []struct {
		q    promote.Question
		s    *promote.System
		want string
	}{
		{promote.AskCommon(dtype.I32, dtype.F32), promote.NumPy, "f64"},
		{promote.AskCommon(dtype.I64, dtype.U64), promote.ArrayAPI, "error"},
		{promote.AskDivide(dtype.I32, dtype.I32), promote.Anvil, "i32"},
		{promote.AskDivide(dtype.I32, dtype.I32), promote.Torch, "f32"},
		{promote.AskDivide(dtype.I32, dtype.I32), promote.NumPy, "f64"},
		{promote.AskDivide(dtype.I32, dtype.I32), promote.ArrayAPI, "error"},
		{promote.AskReduce(promote.Mean, dtype.I32), promote.Torch, "error"},
		{promote.AskReduce(promote.Mean, dtype.I32), promote.Anvil, "f32?"},
		{promote.AskReduce(promote.Sum, dtype.U8), promote.NumPy, "ui64"},
		{promote.AskReduce(promote.Index, dtype.F32), promote.JAX, "i32"},
		{promote.AskReduce(promote.Extreme, dtype.I8), promote.NumPy, "i8"},
		{promote.AskReduce(promote.Logical, dtype.F32), promote.Torch, "i1"},
	} {
		if e := c.q.Ask(c.s); e.Answer() != c.want || strings.Contains(e.Reason(), "has no operation with this name") {
			t.Errorf("%s under %s: %s (%s), want %s", c.q, c.s, e.Answer(), e.Reason(), c.want)
		}
	}
	for _, s := range promote.Systems() { // every system has the operations under some name
		for _, q := range []promote.Question{promote.AskDivide(dtype.F32, dtype.F32), promote.AskReduce(promote.Sum, dtype.F32),
			promote.AskReduce(promote.Mean, dtype.F32), promote.AskReduce(promote.Index, dtype.F32)} {
			if e := q.Ask(s); q.Knows(s) && strings.Contains(e.Reason(), "has no operation with this name") {
				t.Errorf("%s under %s: %s", q, s, e.Reason())
			}
		}
	}
}

// TestQuiz checks that answers are marked by the system's own, and that the last one
// counts.
func TestQuiz(t *testing.T) {
	q := promote.NewQuiz(promote.Anvil, promote.AskCommon(dtype.I32, 0.5), promote.AskCommon(dtype.F32, dtype.F64), promote.AskCommon(dtype.F8E5M2, dtype.F8E4M3))
	for _, c := range []struct {
		i     int
		given string
		want  promote.Verdict
	}{
		{0, "f64", promote.Wrong}, {0, "F32", promote.NearlyRight}, {0, " float32? ", promote.Right},
		{1, "error", promote.Wrong}, {1, "double", promote.Right}, {1, "f63", promote.Unreadable},
		{2, "f32", promote.Wrong}, {2, "error", promote.Right},
	} {
		if m := q.Answer(c.i, c.given); m.Verdict != c.want {
			t.Errorf("%d %q: %s\n%s", c.i, c.given, m.Verdict, m)
		}
	}
	if s := q.Score(); s != (promote.Score{Right: 3, Answered: 3, Of: 3}) {
		t.Errorf("%s", s)
	}
	if q.Answer(0, "i8"); q.Score().Right != 2 {
		t.Errorf("%s", q.Score())
	}
	if ask := q.Ask(1).String(); !strings.Contains(ask, "f32 with f64") || strings.Contains(ask, "is f64") {
		t.Errorf("%s", ask)
	}
	defer func() {
		if _, ok := recover().(*dtype.Error); !ok {
			t.Error("no *dtype.Error for a question that is not there")
		}
	}()
	q.Ask(3)
}

// TestNilSystems checks that a system that is nil is named as such.
func TestNilSystems(t *testing.T) {
	for _, f := range []func(){func() { promote.NewQuiz(nil) }, func() { promote.Puzzlers(promote.Torch, nil) }} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, "the promotion system is nil") {
					t.Error(got)
				}
			}()
			f()
		}()
	}
}

// TestQuizOfItself checks that a quiz without given questions asks only questions that its
// system can answer.
func TestQuizOfItself(t *testing.T) {
	for _, s := range promote.Systems() {
		q := promote.NewQuiz(s)
		if q.Len() == 0 {
			t.Errorf("%s: no questions", s)
		}
		for i := range q.Len() {
			q.Answer(i, q.Ask(i).Question.Ask(s).Answer())
		}
		if got := q.Score(); got.Right != q.Len() {
			t.Errorf("%s: %s", s, got)
		}
	}
}
