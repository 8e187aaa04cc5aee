package display

import (
	"errors"
	"strings"
)

// Asker is implemented by a Sink that can ask the user a question. Ask shows prompt and returns the answer. It fails
// with ErrNobody if there is no user.
type Asker interface {
	Ask(prompt string) (string, error)
}

// ErrNobody is returned if there is no user to ask.
var ErrNobody = errors.New("nobody can be asked here")

// ask shows prompt to the user and passes the answer to grade, which returns the mark to display. If grade does not
// understand the answer, it returns the reason in unclear, and ask shows the reason and asks again. An empty answer
// skips the question. ask returns ErrNobody if no user can be asked.
func (o *Outlet) ask(prompt string, grade func(given string) (unclear string, mark []Bundle)) error {
	sink, _ := o.state()
	asker, ok := sink.(Asker)
	if !ok {
		return ErrNobody
	}
	for complaint := ""; ; { // the reason why the last answer was not understood
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

// dtypeAnswers says how to answer a question about a dtype.
const dtypeAnswers = "(f32, or f32? if it is ambiguous, or error)"
