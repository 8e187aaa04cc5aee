package display

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/promote"
)

// An Asker is a Sink that can ask the user a question. Ask fails with ErrNobody if
// there is no user.
type Asker interface {
	Ask(prompt string) (string, error)
}

// ErrNobody is the error of a question that no user can be asked.
var ErrNobody = errors.New("nobody can be asked here")

// Take asks the questions of a quiz one after the other, marks each answer with the reason, and returns the
// score. If no user can be asked, it shows the questions with the answers folded.
func Take(q *promote.Quiz) promote.Score { return Default.Take(q) }

// Take asks the questions of a quiz one after the other, marks each answer with the reason, and returns the
// score. If no user can be asked, it shows the questions with the answers folded.
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

// askQuestion asks question i of a quiz as ask does.
func (o *Outlet) askQuestion(q *promote.Quiz, i int) error {
	p := q.Ask(i)
	prompt := fmt.Sprintf("%d of %d: what, under %s, is %s? (f32, or f32? if it is ambiguous, or error) ",
		i+1, p.Of, p.System, p.Question)
	return o.ask(prompt, func(given string) (unclear string, mark []Bundle) {
		m := q.Answer(i, given)
		if m.Verdict == promote.Unreadable {
			return fmt.Sprintf("%s: no dtype is called %q", m.Verdict, given), nil
		}
		return "", []Bundle{Render(m)}
	})
}

// ask asks until the answer is understood, and shows its mark. An empty answer skips the question. grade returns
// the mark to show or, if the answer is not understood, the reason in unclear.
func (o *Outlet) ask(prompt string, grade func(given string) (unclear string, mark []Bundle)) error {
	sink, _ := o.state()
	asker, ok := sink.(Asker)
	if !ok {
		return ErrNobody
	}
	for complaint := ""; ; {
		given, err := asker.Ask(complaint + prompt)
		if err != nil || strings.TrimSpace(given) == "" {
			return err
		}
		unclear, mark := grade(given)
		if unclear == "" {
			for _, b := range mark {
				sink.Display("", b)
			}
			return nil
		}
		complaint = unclear + ". "
	}
}

// foldedQuiz returns the questions from index first on, with their answers collapsed. As text, the answers follow
// all questions.
func foldedQuiz(q *promote.Quiz, first int) Bundle {
	var rich strings.Builder
	var asked, answers []string
	for i := first; i < q.Len(); i++ {
		p := q.Ask(i)
		e := p.Question.Ask(p.System)
		question := fmt.Sprintf("%d. what, under %s, is %s?", i+1, p.System, p.Question)
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
	return textBundle(text).with(MIMEHTML, "<div>"+rich.String()+"</div>")
}
