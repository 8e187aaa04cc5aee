package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/promote"
)

// An AnswerGrid is a table of the answers of several systems to questions: a row for each question and a column
// for each system.
type AnswerGrid struct {
	Systems   []*promote.System
	Questions []promote.Question
}

// Answers returns the answers of systems to questions.
func Answers(systems []*promote.System, qs ...promote.Question) AnswerGrid {
	return AnswerGrid{systems, qs}
}

// notAsked is shown for a system that lacks a dtype of the question.
const notAsked = "-"

// answersTo returns each system's answer to q.
func (g AnswerGrid) answersTo(q promote.Question) []string {
	answers := make([]string, len(g.Systems))
	for i, s := range g.Systems {
		answers[i] = notAsked
		if q.Knows(s) {
			answers[i] = q.Ask(s).Answer()
		}
	}
	return answers
}

// distinct returns the different answers in order of first occurrence, without notAsked.
func distinct(answers []string) []string {
	var found []string
	for _, a := range answers {
		if a != notAsked && !slices.Contains(found, a) {
			found = append(found, a)
		}
	}
	return found
}

// grid returns the table as text, with headings. Answers other than the most frequent end in disagreementMark. The
// last column is the number of different answers.
func (g AnswerGrid) grid() [][]string {
	rows := [][]string{slices.Concat([]string{"operands"}, systemNames(g.Systems), []string{"answers"})}
	for _, q := range g.Questions {
		answers := g.answersTo(q)
		most := mostGiven(answers)
		row := []string{strings.TrimPrefix(q.String(), "the common dtype of ")}
		for _, a := range answers {
			if most != "" && a != most && a != notAsked {
				a += disagreementMark
			}
			row = append(row, a)
		}
		rows = append(rows, append(row, fmt.Sprint(len(distinct(answers)))))
	}
	return rows
}

// mostGiven returns the most frequent answer, or "" if there is a tie.
func mostGiven(answers []string) (most string) {
	best := 0
	for _, a := range distinct(answers) {
		n := 0
		for _, b := range answers {
			if a == b {
				n++
			}
		}
		switch {
		case n > best:
			best, most = n, a
		case n == best:
			most = ""
		}
	}
	return most
}

// markNote explains disagreementMark in an AnswerGrid.
const markNote = "answers other than the most frequent are marked with " + disagreementMark

// String returns the grid as text.
func (g AnswerGrid) String() string {
	return markNote + "\n" + align(g.grid())
}

// Display returns the grid as text and as HTML.
func (g AnswerGrid) Display() Bundle {
	return TextBundle(g.String()).with(MIMEHTML, gridHTML(markNote, g.grid()))
}
