package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/promote"
)

// promoteResult returns v as text and as HTML if v is a result of package promote: findings, differences, a puzzler,
// a question of a quiz, or the mark of an answer. It reports whether v is such a result.
func promoteResult(v any) (Bundle, bool) {
	s, ok := v.(fmt.Stringer)
	if !ok {
		return Bundle{}, false
	}
	var page string
	switch v := v.(type) {
	case promote.Findings:
		page = findingsHTML(v)
	case promote.Differences:
		page = differencesHTML(v)
	case promote.Puzzler:
		page = puzzlerHTML(v, true)
	case promote.Prompt:
		question := fmt.Sprintf(questionFormat, bold(v.System.Name()), bold(v.Question.String()))
		page = fmt.Sprintf(`<div>question %d (of 0 to %d): %s<br>%s</div>`, v.Number, v.Of-1, question, escape(v.How()))
	case promote.Mark:
		page = markHTML(v)
	default:
		return Bundle{}, false
	}
	return TextBundle(s.String()).with(MIMEHTML, page), true
}

// puzzlersBundle returns puzzlers one below the other, with their answers collapsed.
func puzzlersBundle(ps []promote.Puzzler) Bundle {
	if len(ps) == 0 {
		return TextBundle("no puzzlers: no question has different answers")
	}
	var rich strings.Builder
	text := make([]string, len(ps))
	rich.WriteString(`<div>`)
	for i, p := range ps {
		text[i] = p.Title() + "\n   " + p.Summary()
		rich.WriteString(puzzlerHTML(p, false))
	}
	rich.WriteString(`</div>`)
	return TextBundle(strings.Join(text, "\n")).with(MIMEHTML, rich.String())
}

// puzzlerHTML returns the title of a puzzler, with the answers below it. The answers are collapsed unless open is set.
func puzzlerHTML(p promote.Puzzler, open bool) string {
	var b strings.Builder
	state := ""
	if open {
		state = " open"
	}
	fmt.Fprintf(&b, `<details%s><summary>%s</summary>`, state, escape(p.Title()))
	grid := [][]string{{"system", "answer", "reason"}}
	for _, e := range p.Answers {
		grid = append(grid, []string{e.System.Name(), e.Answer(), e.Reason()})
	}
	b.WriteString(gridHTML(p.Question.String(), grid))
	bulletList(&b, p.Why)
	b.WriteString(`</details>`)
	return b.String()
}

func findingsHTML(f promote.Findings) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div>%s`, bold(f.Title()))
	for _, s := range f.Sections() {
		examples := s.Examples
		if s.More > 0 {
			examples = append(slices.Clip(examples), fmt.Sprintf("and %d more", s.More))
		}
		fmt.Fprintf(&b, `<div>%s</div>`, escape(s.Line))
		bulletList(&b, examples)
	}
	b.WriteString(`</div>`)
	return b.String()
}

func differencesHTML(d promote.Differences) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div>%s`, bold(d.Title()))
	for _, note := range d.Notes() {
		fmt.Fprintf(&b, `<div>%s</div>`, escape(note))
	}
	grid := [][]string{{"operands", d.A.Name(), d.B.Name(), d.A.Name() + ": why", d.B.Name() + ": why"}}
	for _, x := range d.Found {
		grid = append(grid, []string{x.Question.Operands(), x.A.Answer(), x.B.Answer(), x.A.Reason(), x.B.Reason()})
	}
	if len(d.Found) > 0 {
		b.WriteString(gridHTML("differences", grid))
	}
	b.WriteString(`</div>`)
	return b.String()
}

func markHTML(m promote.Mark) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div><b>%s</b>%s`, m.Verdict, escape(strings.TrimPrefix(m.Line(), m.Verdict.String())))
	orderedList(&b, m.Steps())
	b.WriteString(`</div>`)
	return b.String()
}
