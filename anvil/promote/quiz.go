package promote

import (
	"fmt"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Quiz asks a learner for dtypes under one system, and keeps the score.
type Quiz struct {
	system    *System
	questions []Question

	mu     sync.Mutex
	marked map[int]bool // for each answered question, whether the last answer was right
}

// quizLength is the number of questions that NewQuiz chooses if none are given.
const quizLength = 10

// NewQuiz returns a quiz on a system, with the given questions, or else the most
// surprising ones (see Puzzlers) that the system can be asked.
func NewQuiz(s *System, qs ...Question) *Quiz {
	checkGiven("promote.NewQuiz", s)
	if len(qs) == 0 {
		for _, p := range Puzzlers() {
			if p.Question.Knows(s) && len(qs) < quizLength {
				qs = append(qs, p.Question)
			}
		}
	}
	return &Quiz{system: s, questions: append([]Question(nil), qs...), marked: map[int]bool{}}
}

// Len returns the number of questions.
func (q *Quiz) Len() int { return len(q.questions) }

// A Prompt is a question of a quiz, with its number.
type Prompt struct {
	System   *System
	Number   int // counted from 0
	Of       int // the number of questions of the quiz
	Question Question
}

// Ask returns question i, counted from 0. It panics with a *dtype.Error if there is no
// such question.
func (q *Quiz) Ask(i int) Prompt {
	if i < 0 || i >= len(q.questions) {
		panic(&dtype.Error{Op: "Quiz.Ask", Operands: fmt.Sprint(i), Reason: "there is no such question",
			Hint: fmt.Sprintf("there are %d, counted from 0", len(q.questions))})
	}
	return Prompt{q.system, i, len(q.questions), q.questions[i]}
}

// String returns the question and how to answer it.
func (p Prompt) String() string {
	return fmt.Sprintf("question %d (of 0 to %d): what, under %s, is %s?\n%s", p.Number, p.Of-1, p.System,
		p.Question, p.How())
}

// How returns how to answer the question.
func (p Prompt) How() string {
	return fmt.Sprintf(`answer with Answer(%d, "f32"), with "f32?" where it is ambiguous, or with "error"`, p.Number)
}

// A Mark is the result of an answer.
type Mark struct {
	Prompt
	Given       string
	Verdict     Verdict
	Explanation Explanation // the system's own answer
}

// A Verdict says whether an answer is right.
type Verdict uint8

// The verdicts.
const (
	Wrong       Verdict = iota
	Unreadable          // not the name of a dtype; the answer does not count
	NearlyRight         // the dtype is right, but not whether it is ambiguous
	Right
)

var verdictWords = [...]string{Wrong: "not so", Unreadable: "not understood", NearlyRight: "nearly", Right: "right"}

// String returns the verdict as text.
func (v Verdict) String() string { return verdictWords[min(int(v), len(verdictWords)-1)] }

// Answer marks an answer to question i: a dtype in any spelling, with "?" where
// it is ambiguous, or "error". The last answer to each question counts.
func (q *Quiz) Answer(i int, given string) Mark {
	p := q.Ask(i)
	m := Mark{Prompt: p, Given: given, Explanation: p.Question.Ask(q.system)}
	m.Verdict = verdict(given, m.Explanation)
	if m.Verdict != Unreadable {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.marked[i] = m.Verdict == Right
	}
	return m
}

// verdict compares the answer given with the system's own.
func verdict(given string, e Explanation) Verdict {
	given = strings.TrimSpace(strings.ToLower(given))
	rightIf := map[bool]Verdict{true: Right, false: Wrong}
	if given == failed {
		return rightIf[e.Err != nil]
	}
	bare, ambiguous := strings.CutSuffix(given, "?")
	d, ok := Named(bare)
	if !ok {
		var err error
		if d, err = dtype.Parse(bare); err != nil {
			return Unreadable
		}
	}
	if e.Err == nil && d == e.Result.DType && ambiguous != e.Result.Ambiguous {
		return NearlyRight
	}
	return rightIf[e.Err == nil && d == e.Result.DType]
}

// Line returns the verdict and the right answer, or how to answer if the answer was not
// understood.
func (m Mark) Line() string {
	if m.Verdict == Unreadable {
		return fmt.Sprintf("%s: no dtype is called %q; %s", m.Verdict, m.Given, m.How())
	}
	return fmt.Sprintf("%s: you said %s, and under %s %s is %s", m.Verdict, m.Given, m.System, m.Question,
		m.Explanation.Answer())
}

// Steps returns the steps to the right answer, or the reason for an error.
func (m Mark) Steps() []string {
	switch {
	case m.Verdict == Unreadable:
		return nil
	case m.Explanation.Err != nil:
		return []string{m.Explanation.Reason()}
	}
	steps := make([]string, len(m.Explanation.Steps))
	for i, s := range m.Explanation.Steps {
		steps[i] = s.String()
	}
	return steps
}

// String returns the verdict and the explanation.
func (m Mark) String() string {
	lines := []string{m.Line()}
	for i, s := range m.Steps() {
		lines = append(lines, fmt.Sprintf("%2d. %s", i+1, s))
	}
	return strings.Join(lines, "\n")
}

// A Score counts the right answers, the answered questions, and all questions of a quiz.
type Score struct{ Right, Answered, Of int }

// Score returns the score so far.
func (q *Quiz) Score() Score {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := Score{Answered: len(q.marked), Of: len(q.questions)}
	for _, right := range q.marked {
		if right {
			s.Right++
		}
	}
	return s
}

// String returns "3 right of 4 answered; 6 to go", or "none answered yet; 10 to go".
func (s Score) String() string {
	if s.Answered == 0 {
		return fmt.Sprintf("none answered yet; %d to go", s.Of)
	}
	return fmt.Sprintf("%d right of %d answered; %d to go", s.Right, s.Answered, s.Of-s.Answered)
}

// String returns the questions and the score.
func (q *Quiz) String() string {
	lines := []string{fmt.Sprintf("quiz on %s: %s", q.system, q.Score())}
	for i := range q.questions {
		lines = append(lines, fmt.Sprintf("%2d  %s", i, q.questions[i]))
	}
	return strings.Join(lines, "\n")
}
