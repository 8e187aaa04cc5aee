package display

import (
	"errors"
	"fmt"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/typename"
)

// Check asks questions one after the other, grades each answer, explains it, and returns the score. Each
// question is followed by the value that answers it, or by an error if the answer is that the code fails:
//
//	display.Check(
//		"Which dtype does an i64 plus an f32 have?", nv.Scalar(7, nv.I64)+nv.Scalar(0.5, nv.F32),
//		"How many axes does a scalar have?", 0)
//
// An empty answer skips the question. If no user can be asked, or if the cell was run together with others,
// Check shows the questions without their answers.
func Check(questions ...any) promote.Score { return Default.Check(questions...) }

// Check asks questions one after the other, grades each answer, explains it, and returns the score. Each
// question is followed by the value that answers it; see the function Check.
func (o *Outlet) Check(questions ...any) promote.Score {
	asked := checkQuestions(questions)
	score := promote.Score{Of: len(asked)}
	for i, p := range asked {
		prompt := fmt.Sprintf("%d of %d: %s%s ", i+1, len(asked), p.Question, p.choice())
		err := o.ask(prompt, func(given string) (unclear string, mark []Bundle) {
			m, understood := p.grade(given)
			if !understood {
				return fmt.Sprintf("%s: %q", promote.Unreadable, given), nil
			}
			score.Answered++
			if m.Verdict == promote.Right {
				score.Right++
			}
			if p.Err != "" {
				return "", []Bundle{m.Display(), TextBundle(p.Err)}
			}
			if why := p.Explanation(); !why.Empty() {
				return "", []Bundle{m.Display(), why}
			}
			return "", []Bundle{m.Display()}
		})
		if err != nil {
			if errors.Is(err, ErrNobody) {
				sink, _ := o.state()
				sink.Display("", openQuestions(asked[i:]))
			}
			break
		}
	}
	return score
}

// checkQuestions returns the questions of Check with the values or errors that answer them.
func checkQuestions(questions []any) (asked []Prediction) {
	fail := func(reason string) {
		panic(&nv.Error{Op: "display.Check", Operands: plural(len(questions), "value"), Reason: reason,
			Hint: `write display.Check("How many axes does a scalar have?", 0)`})
	}
	if len(questions)%2 != 0 {
		fail("a question has no answer")
	}
	for i := 0; i < len(questions); i += 2 {
		q, ok := questions[i].(string)
		if !ok {
			fail(fmt.Sprintf("value %d has type %s and is not the text of a question", i, typename.Of(questions[i])))
		}
		p := Prediction{Question: q, Value: questions[i+1]}
		if err, failed := p.Value.(error); failed {
			p.Err = err.Error()
		}
		asked = append(asked, p)
	}
	return asked
}

// grade marks an answer to the question. understood is false if the answer is not of the expected kind.
func (p Prediction) grade(given string) (m PredictionMark, understood bool) {
	if p.choice() != "" && !p.matchesKind(given) {
		return m, false
	}
	p.Question = "" // with a question, Mark would leave some answers without a verdict
	m = p.Mark(given)
	return m, m.Verdict != promote.Unreadable
}

// choice returns a note on which answers the question takes, such as " (a number)", or "" if the answer is a text.
func (p Prediction) choice() string {
	if _, tagged := tagOf(p.Value); tagged || p.Err != "" {
		return " " + dtypeAnswers
	}
	switch kindOf(p.text()) {
	case "bool":
		return " (true or false)"
	case "number":
		return " (a number)"
	}
	return ""
}

// openQuestions returns the questions without their answers.
func openQuestions(asked []Prediction) Bundle {
	const hint = "Run this cell by itself: it asks these questions and grades your answers."
	questions := make([]string, len(asked))
	text := ""
	for i, p := range asked {
		questions[i] = p.Question
		text += fmt.Sprintf("%d. %s\n", i+1, p.Question)
	}
	var page strings.Builder
	orderedList(&page, questions)
	return TextBundle(text+hint).with(MIMEHTML, "<div>"+page.String()+hint+"</div>")
}
