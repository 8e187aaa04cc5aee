package display

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/promote"
)

// Take asks the questions of a quiz one after the other, marks and explains each answer, and returns the score. If no
// user can be asked, it shows the questions with the answers collapsed.
func Take(q *promote.Quiz) promote.Score { return Default.Take(q) }

// Take asks the questions of a quiz one after the other, marks and explains each answer, and returns the score. If no
// user can be asked, it shows the questions with the answers collapsed.
func (o *Outlet) Take(q *promote.Quiz) promote.Score {
	for i := range q.Len() {
		if err := o.askQuestion(q, i); err != nil {
			if errors.Is(err, ErrNobody) {
				sink, _ := o.state()
				sink.Display("", foldedQuiz(q, i))
			}
			break
		}
	}
	return q.Score()
}

// questionFormat is the format of a question of a quiz. Its arguments are the system and the operation.
const questionFormat = "what, under %s, is %s?"

// askQuestion asks question i of a quiz until the answer is understood, and shows its mark.
func (o *Outlet) askQuestion(q *promote.Quiz, i int) error {
	p := q.Ask(i)
	prompt := fmt.Sprintf("%d of %d: "+questionFormat+" "+dtypeAnswers+" ", i+1, p.Of, p.System, p.Question)
	return o.ask(prompt, func(given string) (unclear string, mark []Bundle) {
		m := q.Answer(i, given)
		if m.Verdict == promote.Unreadable {
			return fmt.Sprintf("%s: no dtype is called %q", m.Verdict, given), nil
		}
		return "", []Bundle{Render(m)}
	})
}

// foldedQuiz returns the questions from index first on, with their answers collapsed. In text form the answers stand
// below all questions.
func foldedQuiz(q *promote.Quiz, first int) Bundle {
	var rich strings.Builder
	var asked, answers []string
	for i := first; i < q.Len(); i++ {
		p := q.Ask(i)
		e := p.Question.Ask(p.System)
		question := fmt.Sprintf("%d. "+questionFormat, i+1, p.System, p.Question)
		asked = append(asked, question)
		answers = append(answers, fmt.Sprintf("%d. %s: %s", i+1, e.Answer(), e.Reason()))
		fmt.Fprintf(&rich, `<div>%s</div><details><summary>answer %d</summary><div><code>%s</code></div>`,
			escape(question), i+1, escape(e.Answer()))
		if e.Err != nil {
			fmt.Fprintf(&rich, `<div>%s</div>`, escape(e.Reason()))
		} else {
			orderedList(&rich, stepTexts(e.Steps))
		}
		rich.WriteString(`</details>`)
	}
	text := strings.Join(asked, "\n") + "\n\nanswers\n" + strings.Join(answers, "\n")
	return TextBundle(text).with(MIMEHTML, "<div>"+rich.String()+"</div>")
}
