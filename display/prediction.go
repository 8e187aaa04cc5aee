package display

import (
	"encoding/base64"
	"fmt"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Prediction is a cell whose output is shown after the learner has predicted it.
type Prediction struct {
	Question string // the question that the author of the cell wrote, or ""
	Value    any    // the value of the cell
	None     bool   // the cell has no value; false if its value is nil
	Printed  string // the text that the cell printed
	Err      string // the text of the error, if the cell failed
}

// Ask returns the question: that of the author, or else a question for the dtype of the value or for what the cell
// shows. The question does not reveal whether the cell fails. Ask returns "" if the cell shows nothing.
func (p Prediction) Ask() string {
	_, tagged := tagOf(p.Value)
	switch {
	case p.Question != "":
		return p.Question
	case p.Err != "" || tagged:
		return "Which dtype will the value of this cell have? " +
			"(f32, or f32? if it is ambiguous, f32{2,3} with its shape, or error)"
	case p.None && p.Printed == "":
		return ""
	}
	return "What will this cell show?"
}

// Answer returns the outcome of the cell in short form.
func (p Prediction) Answer() string {
	tag, tagged := tagOf(p.Value)
	switch {
	case p.Err != "":
		return "an error"
	case tagged:
		return tag.String()
	}
	return clip(strings.Join(strings.Fields(p.text()), " "))
}

// text returns the text of the cell's value, or what the cell printed if it has no value.
func (p Prediction) text() string {
	if p.None {
		return strings.TrimSpace(p.Printed)
	}
	return strings.TrimSpace(Render(p.Value).Text())
}

// clip returns the first 60 characters of s, followed by dots if s is longer.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// why returns the reason for the dtype of a tensor, and reports whether there is one.
func (p Prediction) why() (nv.Reason, bool) {
	t, ok := p.Value.(nv.Tensor)
	if !ok || !t.Valid() {
		return nv.Reason{}, false
	}
	why := nv.Why(t)
	return why, len(why.Steps) > 0
}

// Explanation returns why the value has its dtype, or an empty Bundle.
func (p Prediction) Explanation() Bundle {
	why, ok := p.why()
	if !ok {
		return Bundle{}
	}
	line, _, _ := strings.Cut(why.String(), "\n")
	var b strings.Builder
	fmt.Fprintf(&b, `<div><b>why %s:</b> <code>%s</code>`, escape(why.Result.String()), escape(line))
	orderedList(&b, reasonOf(why).steps)
	b.WriteString(`</div>`)
	return TextBundle("why "+why.Result.String()+": "+why.String()).with(MIMEHTML, b.String())
}

// A PredictionMark is an answer with its verdict.
type PredictionMark struct {
	Verdict promote.Verdict
	Judged  bool   // false if the answer cannot be judged; Verdict is then not set
	Line    string // the sentence that is shown
}

// Display returns the mark as text and as HTML.
func (m PredictionMark) Display() Bundle {
	page := escape(m.Line)
	if word := escape(m.Verdict.String()); m.Judged {
		page = "<b>" + word + "</b>" + strings.TrimPrefix(page, word)
	}
	return TextBundle(m.Line).with(MIMEHTML, "<div>"+page+"</div>")
}

// Mark judges an answer: the dtype, and the shape and the elements if the answer names them. An answer to a question of
// the author is judged only if it is right, or of the same kind as the outcome, such as a number.
func (p Prediction) Mark(given string) PredictionMark {
	given = strings.TrimSpace(given)
	if given == "" {
		return PredictionMark{Line: "you gave no answer; it is " + p.Answer()}
	}
	v, reasons := p.verdict(given)
	if p.Question != "" && v != promote.Right && !p.matchesKind(given) {
		return PredictionMark{Line: "you said " + given}
	}
	m := PredictionMark{Verdict: v, Judged: true, Line: fmt.Sprintf("%s: you said %s, and it is %s", v, given, p.Answer())}
	switch v {
	case promote.Right:
		m.Line = fmt.Sprintf("%s: it is %s", v, p.Answer())
	case promote.Unreadable:
		m.Line = fmt.Sprintf("%s: no dtype is called %q", v, given)
	}
	if len(reasons) > 0 {
		m.Line += ": " + strings.Join(reasons, "; ")
	}
	return m
}

// matchesKind reports whether given is an answer of the same kind as the outcome: a dtype, a number, or
// true or false.
func (p Prediction) matchesKind(given string) bool {
	if _, tagged := tagOf(p.Value); tagged || p.Err != "" {
		return parseClaim(given).tagged()
	}
	kind := kindOf(given)
	return kind != "" && kind == kindOf(p.text())
}

// verdict judges an answer, and returns the reasons if it is not right.
func (p Prediction) verdict(given string) (v promote.Verdict, reasons []string) {
	c := parseClaim(given)
	tag, tagged := tagOf(p.Value)
	switch {
	case p.Err != "":
		return verdictOf(c.fails), nil
	case tagged && !c.fails:
		return c.verdict(tag)
	case tagged:
		return promote.Wrong, nil
	}
	return verdictOf(sameText(given, p.text())), nil
}

func verdictOf(right bool) promote.Verdict {
	if right {
		return promote.Right
	}
	return promote.Wrong
}

// FoldedPrediction returns the question and, collapsed below it, the answer and the Bundles shown, which are the output
// of the cell. It is for readers who cannot be asked. In text form everything is visible.
func FoldedPrediction(p Prediction, shown []Bundle) Bundle {
	shown = p.withExplanation(shown)
	text := "question: " + p.Ask() + "\n(answer it before you read on)\n\nanswer: " + p.Answer()
	return folded(text, "<b>question:</b> "+escape(p.Ask()),
		"<b>answer:</b> <code>"+escape(p.Answer())+"</code>", shown)
}

// AnsweredPrediction returns the verdict of m, or "answered" if m was not judged, and, collapsed below it, the answer
// and the Bundles shown, which are the output of the cell. So readers of the saved notebook can answer the question
// themselves. In text form everything is visible.
func AnsweredPrediction(p Prediction, m PredictionMark, shown []Bundle) Bundle {
	shown = p.withExplanation(shown)
	head := "answered"
	if m.Judged {
		head = "<b>" + escape(m.Verdict.String()) + "</b>"
	}
	return folded(m.Line, head, escape(m.Line), shown)
}

// withExplanation returns shown, the output of the cell, followed by the explanation, if there is one.
func (p Prediction) withExplanation(shown []Bundle) []Bundle {
	if why := p.Explanation(); !why.Empty() {
		return append(shown[:len(shown):len(shown)], why)
	}
	return shown
}

// folded returns a Bundle. Its text form is text with shown below it. In its HTML form head is visible, and answer and
// shown are collapsed below it. head and answer are HTML.
func folded(text, head, answer string, shown []Bundle) Bundle {
	var rich strings.Builder
	lines := []string{text}
	rich.WriteString("<div>" + head + "</div><details><summary>show the answer</summary><div>" + answer + "</div>")
	for _, b := range shown {
		lines = append(lines, strings.TrimSuffix(b.Text(), "\n"))
		rich.WriteString(richest(b))
	}
	rich.WriteString(`</details>`)
	return TextBundle(strings.Join(lines, "\n")).with(MIMEHTML, rich.String())
}

// richest returns b as HTML, made from the richest form of b.
func richest(b Bundle) string {
	if s, ok := b.Data[MIMEHTML].(string); ok {
		return s
	}
	if s, ok := b.Data[MIMESVG].(string); ok {
		return imageHTML("svg+xml", base64.StdEncoding.EncodeToString([]byte(s)), b.alt())
	}
	if s, ok := b.Data[MIMEPNG].(string); ok {
		return imageHTML("png", s, b.alt())
	}
	return pre(b.Text())
}
