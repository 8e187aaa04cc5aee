package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
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

// unasked is shown for a system that lacks a dtype of the question.
const unasked = "-"

// answersTo returns each system's answer to q.
func (g AnswerGrid) answersTo(q promote.Question) []string {
	answers := make([]string, len(g.Systems))
	for i, s := range g.Systems {
		answers[i] = unasked
		if q.Knows(s) {
			answers[i] = q.Ask(s).Answer()
		}
	}
	return answers
}

// distinct returns the answers without repetitions.
func distinct(answers []string) []string {
	var found []string
	for _, a := range answers {
		if a != unasked && !slices.Contains(found, a) {
			found = append(found, a)
		}
	}
	return found
}

// grid returns the rows as text, under a row of headings. The last column is the number of distinct answers.
func (g AnswerGrid) grid() [][]string {
	heads := []string{"operands"}
	for _, s := range g.Systems {
		heads = append(heads, s.Name())
	}
	rows := [][]string{append(heads, "answers")}
	for _, q := range g.Questions {
		answers := g.answersTo(q)
		most := mostGiven(answers)
		row := []string{strings.TrimPrefix(q.String(), "the common dtype of ")}
		for _, a := range answers {
			if most != "" && a != most && a != unasked {
				a += disagreementMark
			}
			row = append(row, a)
		}
		rows = append(rows, append(row, fmt.Sprint(len(distinct(answers)))))
	}
	return rows
}

// mostGiven returns the most frequent answer, or "" if two are equally frequent.
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
	var b strings.Builder
	gridHTML(&b, markNote, g.grid())
	return textBundle(g.String()).with(MIMEHTML, b.String())
}

// A HeatMap counts, for each pair of dtypes, the different common dtypes that several systems give.
type HeatMap struct {
	Systems []*promote.System
	DTypes  []dtype.DType
	Counts  [][]int // 0 where fewer than two systems have both dtypes
}

// Heat returns the HeatMap of systems, or of all systems if none are given, over the dtypes that at least two
// of them have.
func Heat(systems ...*promote.System) HeatMap {
	if len(systems) == 0 {
		systems = promote.Systems()
	}
	h := HeatMap{Systems: systems}
	for _, d := range dtype.All() {
		support := 0 // the number of systems that have d
		for _, s := range systems {
			if slices.Contains(s.DTypes(), d) {
				support++
			}
		}
		if support > 1 && !narrow(d) {
			h.DTypes = append(h.DTypes, d)
		}
	}
	for _, a := range h.DTypes {
		row := make([]int, len(h.DTypes))
		for j, b := range h.DTypes {
			row[j] = h.count(a, b)
		}
		h.Counts = append(h.Counts, row)
	}
	return h
}

// narrow reports whether d has fewer than 8 bits or is a float of 8 bits. Only
// accelerators have such dtypes.
func narrow(d dtype.DType) bool {
	return d != dtype.I1 && (d.Bits() < 8 || d.Bits() == 8 && d.Is(dtype.Inexact))
}

// count returns the number of different common dtypes of a and b, or 0 if fewer than two systems have both.
func (h HeatMap) count(a, b dtype.DType) int {
	answers := Answers(h.Systems).answersTo(promote.AskCommon(a, b))
	asked := 0
	for _, answer := range answers {
		if answer != unasked {
			asked++
		}
	}
	if asked < 2 {
		return 0
	}
	return len(distinct(answers))
}

// Disagreements returns the number of unordered pairs with more than one answer, and
// the number of pairs that at least two systems have.
func (h HeatMap) Disagreements() (n, pairs int) {
	for i, row := range h.Counts {
		for _, count := range row[:i+1] {
			if count > 0 {
				pairs++
			}
			if count > 1 {
				n++
			}
		}
	}
	return n, pairs
}

func (h HeatMap) title() string {
	n, pairs := h.Disagreements()
	return fmt.Sprintf("%s: number of different answers; %d of %d pairs have more than one",
		systemNames(h.Systems), n, pairs)
}

// countText returns the text of a count; a dot stands for agreement.
func countText(count int) string {
	switch count {
	case 0:
		return ""
	case 1:
		return "."
	}
	return fmt.Sprint(count)
}

func (h HeatMap) grid() [][]string {
	rows := [][]string{{""}}
	for i, d := range h.DTypes {
		rows[0] = append(rows[0], d.String())
		row := []string{d.String()}
		for _, count := range h.Counts[i] {
			row = append(row, countText(count))
		}
		rows = append(rows, row)
	}
	return rows
}

// String returns the counts as text.
func (h HeatMap) String() string { return h.title() + "\n" + align(h.grid()) }

// Display returns the counts as text and as HTML, darker for more answers.
func (h HeatMap) Display() Bundle {
	var b strings.Builder
	b.WriteString(`<table style="color:inherit;border-collapse:separate;border-spacing:1px;font-family:monospace">`)
	fmt.Fprintf(&b, `<caption style="text-align:left">%s</caption><thead><tr><th></th>`, escape(h.title()))
	for _, d := range h.DTypes {
		fmt.Fprintf(&b, `<th style="padding:1px 5px;text-align:center">%s</th>`, d)
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i, d := range h.DTypes {
		fmt.Fprintf(&b, `<tr><th style="padding:1px 5px">%s</th>`, d)
		for _, count := range h.Counts[i] {
			opacity := min(.18*float64(max(count-1, 0)), .75)
			fmt.Fprintf(&b, `<td style="padding:1px 5px;text-align:center;background:rgba(234,67,53,%.2f)">%s</td>`,
				opacity, countText(count))
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table>`)
	return textBundle(h.String()).with(MIMEHTML, b.String())
}
