package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// ask runs a cell, answers its prompts in order, and returns the lines that it shows: a
// prompt as "? ...", text of streams, and the text of displayed values. With nil answers,
// the cell cannot ask.
func (f *front) ask(code string, answers ...string) (lines []string, reply wire.ExecuteReply) {
	f.Helper()
	e := client.Execution{Code: code, Output: func(o client.Output) {
		switch c := o.Content.(type) {
		case wire.Stream:
			lines = append(lines, strings.Split(strings.TrimSuffix(c.Text, "\n"), "\n")...)
		case wire.DisplayData:
			lines = append(lines, strings.Split(fmt.Sprint(c.Data["text/plain"]), "\n")...)
		case wire.ExecuteResult:
			lines = append(lines, strings.Split(fmt.Sprint(c.Data["text/plain"]), "\n")...)
		}
	}}
	if answers != nil {
		e.Input = func(r wire.InputRequest) (string, error) {
			lines = append(lines, "? "+r.Prompt)
			if len(answers) == 0 {
				return "", errors.New("nobody is there")
			}
			answer := answers[0]
			answers = answers[1:]
			return answer, nil
		}
	}
	reply, err := f.client.Execute(f.Context(), e)
	if err != nil {
		f.Fatalf("%s: %v", code, err)
	}
	return lines, reply
}

const whichDType = "? Which dtype will the value of this cell have? (f32, or f32? if it is ambiguous, f32{2,3} with its shape, or error) "

// TestPredictAsks gives right and wrong answers, and tests that nothing is shown before them.
func TestPredictAsks(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x := nv.Scalar(2, nv.I16)\ny := nv.Ones(nv.Shape{3})\nz := nv.Ones(nv.Shape{2})")
	sum := "AnvilTensor\n 3\n[ REFERENCEi16{} ]\nwhy i16: "
	for _, c := range []struct {
		code    string
		answers []string
		want    string
	}{
		{"%%predict\nfmt.Println(\"printed\")\nx + 1", []string{"i16"}, whichDType + "\nright: it is i16{}\nprinted\n" + sum},
		{"%%predict\nx + 1", []string{"int16"}, whichDType + "\nright: it is i16{}\n" + sum},
		{"%%predict\nx + 1", []string{"[ CPUi16{} ]"}, whichDType + "\nright: it is i16{}\n" + sum},
		{"%%predict\nx + 1", []string{"3 as i16"}, whichDType + "\nright: it is i16{}\n" + sum},
		{"%%predict\nx + 1", []string{"4 as i16"}, whichDType + "\nnot so: you said 4 as i16, and it is i16{}: the value is 3, not 4\n" + sum},
		{"%%predict\nx + 1", []string{"3"}, whichDType + "\nnearly: you said 3, and it is i16{}: say the dtype too\n" + sum},
		{"%%predict\nx + 1", []string{"i16?"}, whichDType + "\nnearly: you said i16?, and it is i16{}: it is not ambiguous\n" + sum},
		{"%%predict\nx + 1", []string{"i32"}, whichDType + "\nnot so: you said i32, and it is i16{}: the dtype is i16, not i32\n" + sum},
		{"%%predict\nx + 1", []string{"error"}, whichDType + "\nnot so: you said error, and it is i16{}\n" + sum},
		{"%%predict\nx + 1", []string{"i16{2}"}, whichDType + "\nnot so: you said i16{2}, and it is i16{}: the shape is {}, not {2}\n" + sum},
		{"%%predict\nx + 1", []string{""}, whichDType + "\nyou gave no answer; it is i16{}\n" + sum},
		{"%%predict\nx + 1", []string{"an i17", "i16"}, whichDType + "\n? not understood: no dtype is called \"an i17\". " + whichDType[2:] + "\nright: it is i16{}\n" + sum},
		{"%%predict\ny + z", []string{"error"}, whichDType + "\nright: it is an error\nerror: cell[14]:2:3: Add(f32{3}, f32{2}): shapes"},
		{"%%predict\ny + z", []string{"f32"}, whichDType + "\nnot so: you said f32, and it is an error\nerror: cell["},
		{"%%predict\ndtype.Common(dtype.I8, dtype.U8)", []string{"i16"}, whichDType + "\nright: it is i16\n"},
		{"%%predict\n6 * 7", []string{"42"}, "? What will this cell show? \nright: it is 42\n42"},
		{"%%predict\n6 * 7", []string{"41"}, "? What will this cell show? \nnot so: you said 41, and it is 42\n42"},
		{"%%predict\nfmt.Println(\"hello\")", []string{"hello"}, "? What will this cell show? \nright: it is hello\nhello"},
		{"%%predict Which dtype has x + 1, and why?\nx + 1", []string{"i16"}, "? Which dtype has x + 1, and why? \nright: it is i16{}\n" + sum},
		{"%%predict Which dtype has x + 1, and why?\nx + 1", []string{"i32"}, "? Which dtype has x + 1, and why? \nnot so: you said i32, and it is i16{}: the dtype is i16, not i32\n" + sum},
		{"%%predict How many dimensions has it?\nx + 1", []string{"none"}, "? How many dimensions has it? \nyou said none\n" + sum},
		{"%%predict How many dimensions has it?\nx + 1", []string{"0"}, "? How many dimensions has it? \nyou said 0\n" + sum},
		{"%%predict How many?\n6 * 7", []string{"41"}, "? How many? \nnot so: you said 41, and it is 42\n42"},
		{"%%predict Is it less?\n1 < 0", []string{"True"}, "? Is it less? \nnot so: you said True, and it is false\nfalse"},
		{"%%predict Is it less?\n1 < 0", []string{"no"}, "? Is it less? \nyou said no\nfalse"},
		{"%%predict\nw := 1", []string{}, ""},
	} {
		lines, reply := f.ask(c.code, c.answers...)
		if got := strings.Join(lines, "\n"); reply.Status != wire.StatusOK || !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s answered %q: %s\n%s\nwant\n%s", c.code, c.answers, reply.Status, got, c.want)
		}
	}
	f.want("w", "1")
}

// TestAnswersAreFolded tests that the page of an answered question shows the verdict, and
// the answer only after it has been unfolded.
func TestAnswersAreFolded(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x := nv.Scalar(2, nv.I16)")
	for given, verdict := range map[string]string{"i16": "<b>right</b>", "i32": "<b>not so</b>", "i16?": "<b>nearly</b>", "": "answered"} {
		var a answer
		e := f.execution("%%predict\nx + 1", &a)
		e.Input = func(wire.InputRequest) (string, error) { return given, nil }
		if _, err := f.client.Execute(t.Context(), e); err != nil || len(a.outputs) != 2 { // the first is execute_input
			t.Fatalf("%v, %d outputs", err, len(a.outputs))
		}
		page := fmt.Sprint(a.outputs[1].Content.(wire.DisplayData).Data["text/html"])
		visible, folded, _ := strings.Cut(page, "<details><summary>show the answer</summary>")
		if visible != "<div>"+verdict+"</div>" {
			t.Errorf("%q: %s", given, visible)
		}
		f.contains("folded", folded, "it is i16{}", "shape {}", "<b>why i16:</b>", "</details>")
	}
}

// TestPredictFolds tests that the output is folded in below the question if nobody can be asked.
func TestPredictFolds(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x := nv.Scalar(2, nv.I16)")
	const code = "%%predict\nh := display.Show(1)\nfmt.Println(\"a\")\nfmt.Println(\"b\")\nh.Update(\"one\")\nx + 1"
	const text = "question: Which dtype will the value of this cell have? (f32, or f32? if it is ambiguous, f32{2,3} with its shape, or error)\n(answer it before you read on)\n\n" +
		"answer: i16{}\n\"one\"\na\nb\nAnvilTensor\n 3\n[ REFERENCEi16{} ]\nwhy i16: Add(i16, i32? literal) -> i16 under anvil, at In[2]\n 1. "
	for _, answers := range [][]string{nil, {}} { // stdin is not allowed, or refused
		var a answer
		e := f.execution(code, &a)
		if e.Input = nil; answers != nil {
			e.Input = func(wire.InputRequest) (string, error) { return "", errors.New("nobody is there") }
		}
		reply, err := f.client.Execute(t.Context(), e)
		if err != nil || reply.Status != wire.StatusOK || len(a.outputs) != 2 { // the first is execute_input
			t.Fatalf("%+v, %v, %d outputs", reply, err, len(a.outputs))
		}
		shown := a.outputs[1].Content.(wire.DisplayData).Data
		if got := strings.Replace(shown["text/plain"].(string), "In[3]", "In[2]", 1); !strings.HasPrefix(got, text) {
			t.Errorf("shows\n%s\nwant\n%s", got, text)
		}
		page := shown["text/html"].(string)
		question, folded, ok := strings.Cut(page, "<details><summary>show the answer</summary>")
		if !ok || strings.Contains(question, "i16") || strings.Contains(page, "<script") || !strings.HasSuffix(page, "</details>") {
			t.Errorf("the page is\n%s", page)
		}
		f.contains("folded", folded, "i16", "<pre", "a\nb", "literal")
	}
	lines, reply := f.ask("%%predict What comes of it?\nx + nv.Ones(nv.Shape{2})[5]")
	f.contains("an error", strings.Join(lines, "\n"), "question: What comes of it?\n", "answer: an error\nerror: ")
	if reply.Status != wire.StatusOK {
		t.Errorf("%+v", reply)
	}
}

// TestPredictOfWhatDoesNotRun tests that a cell that does not compile fails and is not asked about.
func TestPredictOfWhatDoesNotRun(t *testing.T) {
	f := newFront(t, "reference")
	f.contains("type error", f.fails("%%predict\nnosuch + 1"), "cell[1]:2:1", "undefined: nosuch")
	f.contains("syntax error", f.fails("%%predict\nx := )"), "cell[2]:2:6")
	f.refused("%predict\n1", "%predict is not a line command; write %%predict on the first line of a cell")
	f.refused("%promotion nosuch\n%%predict\n1", noSystem)
}

// TestInterruptOfAPrediction interrupts the question: the output is never shown, and
// the effects of the cell stay.
func TestInterruptOfAPrediction(t *testing.T) {
	f := newFront(t, "reference")
	asked := make(chan struct{})
	go func() {
		<-asked
		_ = f.client.Interrupt(t.Context())
	}()
	var a answer
	e := f.execution("%%predict\nx := nv.Scalar(2, nv.I16)\nfmt.Println(\"printed\")\nx + 1", &a)
	ended := make(chan struct{})
	e.Input = func(wire.InputRequest) (string, error) {
		close(asked)
		<-ended // no answer while the cell runs
		return "late", nil
	}
	call, err := f.client.Begin(e)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(ended)
		for { // the kernel answers others again once the cell has ended
			if reply, err := f.client.IsComplete(t.Context(), "1"); err != nil || reply.Status == wire.CodeComplete {
				return
			}
		}
	}()
	reply, err := call.Wait(t.Context())
	if err != nil || reply.Failure == nil || reply.Ename != "Interrupt" || a.stdout != "" || len(a.result) > 0 {
		t.Errorf("%+v, %v: shown %q, %v", reply, err, a.stdout, a.result)
	}
	f.want("x", "AnvilTensor\n 2\n[ REFERENCEi16{} ]")
	f.contains("later output", f.run("fmt.Println(\"heard\")").stdout, "heard")
}

func TestPredictIsKnown(t *testing.T) {
	f := newFront(t, "reference")
	r, err := f.client.Complete(t.Context(), "%%pre", 5)
	if err != nil || len(r.Matches) == 0 || !strings.Contains(strings.Join(r.Matches, " "), "%%predict") {
		t.Errorf("%+v, %v", r, err)
	}
	page, _ := f.run("%help").Payload[0].Data["text/plain"].(string)
	f.contains("%help", page, "%%predict [QUESTION]")
}

const twoQuestions = "q := promote.NewQuiz(promote.Torch, promote.AskCommon(dtype.I32, dtype.F32), promote.AskCommon(dtype.U8, dtype.I8))\n"

// TestQuizIsTaken takes a quiz through the front end. Questions and marks arrive on
// different sockets, so their order is not tested.
func TestQuizIsTaken(t *testing.T) {
	f := newFront(t, "reference")
	lines, _ := f.ask(twoQuestions+"display.Take(q)", "f33", "f32", "i8")
	got := questionsFirst(lines)
	f.contains("quiz", got, "? 1 of 2: what, under torch, is the common dtype of i32 with f32? (f32, or f32? if it is ambiguous, or error) \n"+
		"? not understood: no dtype is called \"f33\". 1 of 2: ", "\nright: you said f32", "\n? 2 of 2: what, under torch, is the common dtype of ui8 with i8?",
		"\nnot so: you said i8, and under torch the common dtype of ui8 with i8 is i16", "1 right of 2 answered; 0 to go")
	lines, _ = f.ask(twoQuestions+"display.Take(q)", "", "i16")
	f.contains("one passed over", strings.Join(lines, "\n"), "1 right of 1 answered; 1 to go")
	lines, _ = f.ask(twoQuestions + "display.Take(q)")
	f.contains("nobody is there", strings.Join(lines, "\n"), "1. what, under torch, is the common dtype of i32 with f32?\n2. what, under torch, is the common dtype of ui8 with i8?\n\nanswers\n1. f32: ",
		"\n2. i16: ", "none answered yet; 2 to go")
}

const fiveQuestions = `display.Check(
	"Which dtype has an i64 plus an f32?", nv.Scalar(7, nv.I64) + nv.Scalar(0.5, nv.F32),
	"And an f32 plus the number 1.5?", nv.Ones(nv.Shape{2}) + 1.5,
	"How many axes has a scalar?", 0,
	"Does i8 hold every ui8?", false,
	"And {2} plus {3}?", nv.Try(func() { nv.Add(nv.Ones(nv.Shape{2}), nv.Ones(nv.Shape{3})) }))`

// questionsFirst joins the lines that ask has returned, with the questions before the marks: a question
// may arrive before the mark of the previous one.
func questionsFirst(lines []string) string {
	var questions, marks []string
	for _, line := range lines {
		if strings.HasPrefix(line, "? ") {
			questions = append(questions, line)
		} else {
			marks = append(marks, line)
		}
	}
	return strings.Join(append(questions, marks...), "\n")
}

// TestCheck answers questions of every kind, and tests that no answer is shown before.
func TestCheck(t *testing.T) {
	f := newFront(t, "reference")
	lines, _ := f.ask(fiveQuestions, "f32", "f64{2}", "none", "0", "true", "error")
	got := questionsFirst(lines)
	f.contains("five questions", got,
		"? 1 of 5: Which dtype has an i64 plus an f32? (f32, or f32? if it is ambiguous, or error) \n", "\nright: it is f32{}\nwhy f32: Add(i64, f32)",
		"\nnot so: you said f64{2}, and it is f32{2}: the dtype is f32, not f64\nwhy f32: Add(",
		"? 3 of 5: How many axes has a scalar? (a number) \n", "\n? not understood: \"none\". 3 of 5: How many", "\nright: it is 0\n",
		"? 4 of 5: Does i8 hold every ui8? (true or false) \n", "\nnot so: you said true, and it is false\n",
		"\nright: it is an error\nAdd(f32{2}, f32{3}): ", "\n3 right of 5 answered; 0 to go")
	for name, answers := range map[string][]string{"nobody is there": nil, "nobody answers": {"", "", "", "", ""}} {
		lines, reply := f.ask(fiveQuestions, answers...)
		got := strings.Join(lines, "\n")
		if !strings.HasSuffix(got, "none answered yet; 5 to go") || strings.Contains(got, "right: ") || strings.Contains(got, "why") || reply.Status != wire.StatusOK {
			t.Errorf("%s: %s\n%s", name, reply.Status, got)
		}
	}
	f.refused(`display.Check("How many?")`, `display.Check(1 value): a question has no answer; write display.Check("How many axes does a scalar have?", 0)`)
	f.refused(`display.Check(1, 2)`, `display.Check(2 values): value 0 has type int and is not the text of a question; write display.Check("How many axes does a scalar have?", 0)`)
}

// TestNewcomer marks the answers in testdata/newcomer.txt, which somebody gave who had read only the first
// four notebooks. Nine of ten must be right; the questions are not in these notebooks.
func TestNewcomer(t *testing.T) {
	data, err := os.ReadFile("testdata/newcomer.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := newFront(t, "reference")
	asked, right := 0, 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSpace(line), " | ")
		system, code, answer := columns[0], strings.ReplaceAll(columns[1], "; ", "\n"), columns[2]
		f.run("%promotion " + system)
		shown, reply := f.ask("%%predict\n"+code, answer)
		if len(shown) < 2 || reply.Status != wire.StatusOK {
			t.Fatalf("%s: %q, %+v", code, shown, reply)
		}
		asked++
		if strings.HasPrefix(shown[1], "right: ") {
			right++
		} else {
			t.Logf("under %s, %s: %s", system, code, shown[1])
		}
	}
	if asked != 24 || 10*right < 9*asked {
		t.Errorf("%d of %d are right", right, asked)
	}
}

// TestClaims tests that the statements of the first four notebooks hold, and that the questions of their
// last cells are not answered in them.
func TestClaims(t *testing.T) {
	claims, err := txtar.ParseFile("testdata/claims.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range claims.Files {
		paths, err := filepath.Glob(filepath.Join("..", "..", "examples", "notebooks", claim.Name+"-*.ipynb"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %q, %v", claim.Name, paths, err)
		}
		data, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		nb := parse(t, string(data))
		f := newFront(t, "reference")
		var shown []string
		for _, c := range nb.cells {
			if c.raw["cell_type"] == "code" {
				shown, _ = f.ask(c.source())
			}
		}
		if got := strings.Join(shown, "\n"); !strings.HasSuffix(got, "\nnone answered yet; 5 to go") || strings.Contains(got, "right: ") {
			t.Errorf("%s ends with\n%s", claim.Name, got)
		}
		shown, _ = f.ask(string(claim.Data))
		f.contains(claim.Name, strings.Join(shown, "\n"), "ok 11/11")
	}
}

// A queued is the Output of a cell after which others are waiting, or none.
type queued struct {
	messaging.Output
	waiting bool
	shown   []string
}

func (q *queued) Stdout() io.Writer { return writerFunc(q.write) }
func (q *queued) Display(d wire.DisplayData) {
	q.shown = append(q.shown, fmt.Sprint(d.Data["text/plain"]))
}
func (q *queued) Result(d wire.DisplayData) { q.Display(d) }
func (q *queued) write(b []byte) (int, error) {
	q.shown = append(q.shown, string(b))
	return len(b), nil
}
func (q *queued) Ask(context.Context, string) (string, error) {
	if q.waiting {
		return "", messaging.ErrNotAlone
	}
	return "42", nil
}

// TestPredictOfAWholeNotebook tests that a cell does not ask its question while other
// cells are waiting, but folds in the answer.
func TestPredictOfAWholeNotebook(t *testing.T) {
	for waiting, want := range map[bool]string{
		true:  "question: What will this cell show?\n(answer it before you read on)\n\nanswer: 42\n42|to be asked the question, run this cell by itself\n",
		false: "right: it is 42\n42",
	} {
		q := &queued{waiting: waiting}
		h := &heldOutput{Output: q}
		h.Result(displayData("", display.TextBundle("42")))
		r := &cellRun{}
		if outcome := r.askPrediction(t.Context(), 1, display.Prediction{Value: 42}, h); outcome.Status != wire.OK.Status {
			t.Errorf("waiting %v: %+v", waiting, outcome)
		}
		if got := strings.Join(q.shown, "|"); got != want {
			t.Errorf("waiting %v: shown is %q\nwant %q", waiting, got, want)
		}
	}
}
