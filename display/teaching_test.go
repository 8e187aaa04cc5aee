package display

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A learner is a Sink that answers questions. Once its answers are used up, Ask fails with err, or returns an empty
// answer if err is nil.
type learner struct {
	recorder
	answers []string
	err     error
}

func (l *learner) Ask(prompt string) (string, error) {
	l.calls = append(l.calls, "ask "+prompt)
	if len(l.answers) == 0 {
		return "", l.err
	}
	given := l.answers[0]
	l.answers = l.answers[1:]
	return given, nil
}

// checkList are questions for Check, with their answers.
var checkList = []any{
	"Which dtype?", nv.Scalar(7, nv.I64).Add(nv.Scalar(true)),
	"How many axes?", 0,
	"Is it empty?", true,
	"What is its name?", "max",
	"Does it work?", errors.New("it fails"),
}

func TestCheckAsks(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		want    promote.Score
		calls   []string
	}{
		{"right", []string{"i64", "0", "TRUE", "max", "error"}, promote.Score{Right: 5, Answered: 5, Of: 5}, []string{
			"ask 1 of 5: Which dtype? (f32, or f32? if it is ambiguous, or error) ",
			"display  right: it is i64{}",
			"display  why i64: Add(i64, i1) -> i64 under anvil",
			"ask 2 of 5: How many axes? (a number) ",
			"display  right: it is 0",
			"ask 3 of 5: Is it empty? (true or false) ",
			"display  right: it is true",
			"ask 4 of 5: What is its name? ",
			`display  right: it is "max"`,
			"ask 5 of 5: Does it work? (f32, or f32? if it is ambiguous, or error) ",
			"display  right: it is an error",
			"display  it fails",
		}},
		{"wrong", []string{"f32", "1", "false", "min", "i8"}, promote.Score{Answered: 5, Of: 5}, []string{
			"ask 1 of 5: Which dtype? (f32, or f32? if it is ambiguous, or error) ",
			"display  not so: you said f32, and it is i64{}: the dtype is i64, not f32",
			"display  why i64: Add(i64, i1) -> i64 under anvil",
			"ask 2 of 5: How many axes? (a number) ",
			"display  not so: you said 1, and it is 0",
			"ask 3 of 5: Is it empty? (true or false) ",
			"display  not so: you said false, and it is true",
			"ask 4 of 5: What is its name? ",
			`display  not so: you said min, and it is "max"`,
			"ask 5 of 5: Does it work? (f32, or f32? if it is ambiguous, or error) ",
			"display  not so: you said i8, and it is an error",
			"display  it fails",
		}},
		{"not of the kind", []string{"many", "i64", "i64 or i8", "", " "},
			promote.Score{Right: 1, Answered: 1, Of: 5}, []string{
				"ask 1 of 5: Which dtype? (f32, or f32? if it is ambiguous, or error) ",
				`ask not understood: "many". 1 of 5: Which dtype? (f32, or f32? if it is ambiguous, or error) `,
				"display  right: it is i64{}",
				"display  why i64: Add(i64, i1) -> i64 under anvil",
				"ask 2 of 5: How many axes? (a number) ",
				`ask not understood: "i64 or i8". 2 of 5: How many axes? (a number) `,
				"ask 3 of 5: Is it empty? (true or false) ",
				"ask 4 of 5: What is its name? ",
			}},
	} {
		l := &learner{answers: c.answers, err: errors.New("interrupted")}
		score := NewOutlet(l).Check(checkList...)
		if score != c.want {
			t.Errorf("%s: score %+v, want %+v", c.name, score, c.want)
		}
		for i := range l.calls {
			l.calls[i], _, _ = strings.Cut(l.calls[i], "\n")
		}
		if !slices.Equal(l.calls, c.calls) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(l.calls, "\n"), strings.Join(c.calls, "\n"))
		}
	}
}

// TestQuestionsToNobody checks that a question that nobody can answer is shown, with those after it.
func TestQuestionsToNobody(t *testing.T) {
	g := openGolden(t, "testdata/teaching.txtar")
	quiz := func() *promote.Quiz {
		return promote.NewQuiz(promote.ArrayAPI, promote.AskCommon(dtype.I32, dtype.I64),
			promote.AskCommon(dtype.I8, dtype.F32))
	}
	var b Bundle
	if ErrNobody.Error() != "nobody can be asked here" {
		t.Error(ErrNobody)
	}
	for name, s := range map[string]struct {
		sink  Sink
		first string
	}{
		"sink":    {&keeper{last: &b}, "1. "},
		"nobody":  {&silent{keeper{last: &b}, learner{err: ErrNobody}}, "1. "},
		"leaving": {&silent{keeper{last: &b}, learner{answers: []string{"i64"}, err: ErrNobody}}, "2. "},
	} {
		b = Bundle{}
		score := NewOutlet(s.sink).Take(quiz())
		if right := s.first == "2. "; !strings.HasPrefix(b.Text(), s.first) || score.Of != 2 || score.Right == 1 != right {
			t.Errorf("%s: %+v, %s", name, score, b.Text())
		}
		b = Bundle{}
		if NewOutlet(s.sink).Check("a", 1, "b", "<c>"); !strings.HasPrefix(b.Text(), "1. a\n2. b\n") {
			t.Errorf("%s: %s", name, b.Text())
		}
	}
	l := &learner{answers: []string{"i65", "i64", "i8", "f32", "error"}, err: errors.New("interrupted")}
	score := NewOutlet(l).Take(quiz())
	if want := (promote.Score{Right: 1, Answered: 2, Of: 2}); score != want {
		t.Errorf("score %+v, want %+v", score, want)
	}
	g.compare("quiz", strings.Join(l.calls, "\n")+"\n")
	l = &learner{err: errors.New("interrupted")}
	if NewOutlet(l).Take(quiz()); len(l.calls) != 1 {
		t.Errorf("after an interrupt: %q", l.calls)
	}
	for name, b := range map[string]Bundle{
		"folded quiz":    foldedQuiz(quiz(), 0),
		"open questions": openQuestions([]Prediction{{Question: "a <b>?"}, {Question: "c?"}}),
	} {
		if name == "folded quiz" {
			g.compareForms(name, b)
		} else if want := "1. a <b>?\n2. c?\n" +
			"Run this cell by itself: it asks these questions and grades your answers."; b.Text() != want ||
			b.Data[MIMEHTML].(string) != "<div><ol><li>a &lt;b&gt;?</li><li>c?</li></ol>Run this cell by itself: it asks these questions and grades your answers.</div>" {
			t.Errorf("%s: %v", name, b.Data)
		}
	}
}

// A keeper is a Sink that keeps the Bundle that it displays last.
type keeper struct{ last *Bundle }

func (k *keeper) Display(_ string, b Bundle) { *k.last = b }
func (k *keeper) Update(string, Bundle)      {}
func (k *keeper) Clear(bool)                 {}

// A silent sink answers some questions as its learner does.
type silent struct {
	keeper
	learner learner
}

func (s *silent) Ask(prompt string) (string, error) { return s.learner.Ask(prompt) }

func TestCheckErrors(t *testing.T) {
	const write = `write display.Check("How many axes does a scalar have?", 0)`
	for want, questions := range map[string][]any{
		"display.Check(1 value): a question has no answer; " + write:                                 {"a"},
		"display.Check(2 values): value 0 has type int and is not the text of a question; " + write:  {1, "a"},
		"display.Check(4 values): value 2 has type bool and is not the text of a question; " + write: {"a", 1, true, 1},
	} {
		err := nv.Try(func() { NewOutlet(&recorder{}).Check(questions...) })
		if err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", questions, err, want)
		}
	}
}

// TestLostInRuns checks the cells of runs at several dtypes: the first and the last number of the curve and its first
// number that is not finite, and the shares of the products and sums that are lost.
func TestLostInRuns(t *testing.T) {
	runs := DTypeRuns{
		{DType: nv.F32, Curve: []float64{2.5, 1, 0.123456}},
		{DType: nv.F16, Curve: []float64{2.5, math.Inf(1), math.NaN()}, Lost: nv.Observation{Overflow: "Mul", NaN: "Sub",
			Products: 1000, Underflows: 1, Underflow: "Exp", Sums: 10, Absorptions: 1, Absorbed: "Add", Partial: true}},
		{DType: nv.BF16, Value: "a < b", Lost: nv.Observation{Products: 3, Underflows: 2, Underflow: "Exp", Sums: 11,
			Absorptions: 1, Absorbed: "Add"}},
		{DType: nv.I8, Curve: []float64{1}, Err: "no Grad of i8"},
		{DType: nv.F64, Curve: []float64{math.NaN()}},
	}
	for i, want := range []string{
		"f32|2.5|0.1235|no|no|no|no",
		"f16|2.5|NaN, first +Inf at 1|Mul|Sub|0.1 %, first Exp|10 %, first Add",
		"bf16||a < b|no|no|66 %, first Exp|9.1 %, first Add",
		"i8||no Grad of i8|no|no|no|no",
		"f64|NaN|NaN, first NaN at 0|no|no|no|no",
	} {
		if got := strings.Join(runs[i].cells(), "|"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	g := openGolden(t, "testdata/runs.txtar")
	g.compareForms("runs", runs.Display())
	if b := runs[:1].Display(); strings.Contains(b.Text()+b.Data[MIMEHTML].(string), "only the beginning") {
		t.Errorf("a whole run: %s", b.Text())
	}
	x, y := nv.Scalar(true).Add(1), nv.New([]int16{1, 2})
	old := nv.NewContext(nv.ContextOptions{Backend: "reference", System: promote.Torch})
	g.compareForms("outcomes", Outcomes{
		OutcomeOf("anvil", x.Add(y)),
		OutcomeOf("anvil", old.Scalar(2, nv.I8).Neg()),
		OutcomeOf("torch", old.Scalar(2, nv.I8).Neg()),
		OutcomeOf("anvil", nv.Grad(nv.Tensor.Exp)(nv.Scalar(0, nv.F32))), // no step leads to its dtype
		OutcomeOf("anvil", nv.Tensor{}),
		OutcomeOf("anvil", []string{"<a>", ""}),
		OutcomeOf("anvil", panicking{errors.New("no text")}),
		OutcomeOf("anvil", panicking{"no text"}),
		ErrorOutcome("anvil", fmt.Errorf("cell 1: %w", &nv.Error{Op: "Add", Operands: "i8, f8e5m2",
			Reason: "no common dtype"}), "all"),
		ErrorOutcome("numpy", errors.New("short"), "long\ntext"),
	}.Display())
}

// A panicking value panics when it is shown.
type panicking struct{ with any }

func (p panicking) Display() Bundle { panic(p.with) }

// TestWhereOutcomesPart checks which operation is named as the first whose result differs between systems.
func TestWhereOutcomesPart(t *testing.T) {
	outcomes := func(code func(one, two, ones nv.Tensor) nv.Tensor, systems ...*promote.System) (os Outcomes) {
		for _, s := range systems {
			c := nv.NewContext(nv.ContextOptions{Backend: "reference", System: s})
			one, two, ones := c.Scalar(1, nv.I32), c.Scalar(2, nv.I32), c.Ones(nv.Shape{2}, nv.F32)
			c.SetLine("In[1]")
			os = append(os, OutcomeOf(s.Name(), code(one, two, ones)))
		}
		return os
	}
	sum := func(one, two, ones nv.Tensor) nv.Tensor { return one.Add(two).Add(ones) }
	product := func(one, two, ones nv.Tensor) nv.Tensor { return one.Add(two).Mul(ones) }
	once := func(one, two, ones nv.Tensor) nv.Tensor { return one.Add(ones) }
	for _, c := range []struct {
		name string
		os   Outcomes
		want string
	}{
		{"differ", outcomes(sum, promote.Torch, promote.NumPy),
			"the results first differ at operation 2, Add: torch f32, numpy f64"},
		{"agree", outcomes(sum, promote.Torch, promote.Torch), ""},
		{"one", outcomes(sum, promote.Torch), ""},
		{"one operation", outcomes(once, promote.Torch, promote.NumPy), ""},
		{"other operation", append(outcomes(sum, promote.Torch), outcomes(product, promote.NumPy)...), ""},
		{"other length", append(outcomes(sum, promote.Torch), outcomes(once, promote.NumPy)...), ""},
		{"error", append(outcomes(sum, promote.Torch), Outcome{System: "numpy", Err: "e"}), ""},
	} {
		if got := c.os.divergence(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		b := c.os.Display()
		if shown := strings.Contains(b.Data[MIMEHTML].(string), "<div>the results first differ"); shown != (c.want != "") ||
			!strings.HasSuffix(b.Text(), c.want) {
			t.Errorf("%s: %s", c.name, b.Text())
		}
	}
}

// TestPredictions checks the questions, the answers and the marks of cells of each kind.
func TestPredictions(t *testing.T) {
	const dtypes = "Which dtype will the value of this cell have? " +
		"(f32, or f32? if it is ambiguous, f32{2,3} with its shape, or error)"
	const shows = "What will this cell show?"
	long := strings.Repeat("0123456789", 7)
	gradient := nv.Grad(nv.Tensor.Sin)(nv.Scalar(1, nv.F32)) // no rule of promotion gives its dtype
	for _, c := range []struct {
		p                  Prediction
		ask, answer        string
		given, line, bold  string
		explained, matches bool
	}{
		{Prediction{Value: nv.Scalar(true).Add(1)}, dtypes, "i32?{}", "i32",
			"nearly: you said i32, and it is i32?{}: it is ambiguous: write ?", "nearly", true, true},
		{Prediction{Value: nv.Scalar(1, nv.I8)}, dtypes, "i8{}", "i8 {}", "right: it is i8{}", "right", true, true},
		{Prediction{Value: dtype.Typed{DType: dtype.F32, Ambiguous: true}}, dtypes, "f32?", "f33",
			`not understood: no dtype is called "f33"`, "not understood", false, false},
		{Prediction{Value: dtype.F32}, dtypes, "f32", "panic", "not so: you said panic, and it is f32", "not so",
			false, true},
		{Prediction{Value: nv.Tensor{}}, shows, "Tensor(nil)", "Tensor(nil)", "right: it is Tensor(nil)", "right",
			false, false},
		{Prediction{Err: "e", Value: 1}, dtypes, "an error", "It fails.", "right: it is an error", "right", false, true},
		{Prediction{Err: "e"}, dtypes, "an error", "f32", "not so: you said f32, and it is an error", "not so", false, true},
		{Prediction{None: true}, "", "", "1", "not so: you said 1, and it is ", "not so", false, false},
		{Prediction{None: true, Printed: " a\n b\n"}, shows, "a b", "A b", "right: it is a b", "right", false, false},
		{Prediction{Value: long}, shows, `"` + long[:59] + "...", long, `right: it is "` + long[:59] + "...",
			"right", false, false},
		{Prediction{Question: "q?", Value: 3}, "q?", "3", "4", "not so: you said 4, and it is 3", "not so", false, true},
		{Prediction{Question: "q?", Value: 3}, "q?", "3", "three < 4", "you said three < 4", "", false, false},
		{Prediction{Question: "q?", Value: dtype.I8}, "q?", "i8", "a short one", "you said a short one", "", false, false},
		{Prediction{Question: "q?", Value: dtype.I8}, "q?", "i8", "{2}", "you said {2}", "", false, false},
		{Prediction{Question: "q?", Value: dtype.I8}, "q?", "i8", "maybe f32", "you said maybe f32", "", false, false},
		{Prediction{Question: "q?", Value: dtype.I8}, "q?", "i8", "f32 {2}",
			"not so: you said f32 {2}, and it is i8: the dtype is i8, not f32; a dtype has no shape",
			"not so", false, true},
		{Prediction{Question: "q?", Value: dtype.I8}, "q?", "i8", "error", "not so: you said error, and it is i8",
			"not so", false, true},
		{Prediction{Value: gradient}, dtypes, "f32{}", "f32", "right: it is f32{}", "right", false, true},
		{Prediction{Question: "q?", Value: true}, "q?", "true", "False ", "not so: you said False, and it is true",
			"not so", false, true},
		{Prediction{Question: "q?", Value: "<x>"}, "q?", `"<x>"`, " ", `you gave no answer; it is "<x>"`, "", false, false},
	} {
		if got := c.p.Ask(); got != c.ask {
			t.Errorf("%+v asks %q, want %q", c.p, got, c.ask)
		}
		if got := c.p.Answer(); got != c.answer {
			t.Errorf("%+v is %q, want %q", c.p, got, c.answer)
		}
		m := c.p.Mark(c.given)
		page := "<div>" + escape(c.line) + "</div>"
		if c.bold != "" {
			page = "<div><b>" + c.bold + "</b>" + escape(strings.TrimPrefix(c.line, c.bold)) + "</div>"
		}
		if m.Line != c.line || m.Judged != (c.bold != "") || m.Display().Data[MIMEHTML] != page ||
			m.Display().Text() != c.line {
			t.Errorf("%+v answered %q: %+v, want %s\n%s", c.p, c.given, m, c.line, m.Display().Data[MIMEHTML])
		}
		if got := c.p.matchesKind(c.given); got != c.matches {
			t.Errorf("%+v: %q is of its kind: %t", c.p, c.given, got)
		}
		head := "answered"
		if c.bold != "" {
			head = "<b>" + c.bold + "</b>"
		}
		shown := []Bundle{TextBundle("a<\n"), TextBundle("drawing").with(MIMESVG, "<svg/>"),
			TextBundle("picture").withPNG([]byte("png")),
			HTML("<i>page</i>").Display()}
		lines := "\na<\ndrawing\npicture\n<i>page</i>"
		details := "</div><details><summary>show the answer</summary><div>%s</div>" +
			`<pre style="margin:0">a&lt;` + "\n</pre>" +
			`<img alt="drawing" src="data:image/svg+xml;base64,PHN2Zy8+">` +
			`<img alt="picture" src="data:image/png;base64,cG5n"><i>page</i>`
		why := c.p.Explanation()
		if why.Empty() == c.explained {
			t.Errorf("%+v: explanation %v", c.p, why)
		}
		if c.explained {
			lines += "\n" + why.Text()
			details += strings.ReplaceAll(why.Data[MIMEHTML].(string), "%", "%%")
		}
		details += "</details>"
		answered := AnsweredPrediction(c.p, m, shown)
		if got, want := answered.Data[MIMEHTML], "<div>"+head+fmt.Sprintf(details, escape(c.line)); got != want ||
			answered.Text() != c.line+lines {
			t.Errorf("answered: got %s\nwant %s\n%s", got, want, answered.Text())
		}
		folded := FoldedPrediction(c.p, shown)
		if got, want := folded.Data[MIMEHTML], "<div><b>question:</b> "+escape(c.ask)+
			fmt.Sprintf(details, "<b>answer:</b> <code>"+escape(c.answer)+"</code>"); got != want {
			t.Errorf("folded: got %s\nwant %s", got, want)
		}
		if want := "question: " + c.ask + "\n(answer it before you read on)\n\nanswer: " + c.answer +
			lines; folded.Text() != want {
			t.Errorf("folded: got %s\nwant %s", folded.Text(), want)
		}
	}
	g := openGolden(t, "testdata/why.txtar")
	g.compareForms("why", Prediction{Value: nv.Scalar(true).Add(1)}.Explanation())
}

// TestClaims checks how answers are read, and the numbers that count as equal.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		value any
		given string
		want  promote.Verdict
	}{
		{nv.New([]uint64{math.MaxUint64}), "ui64{1} 18446744073709551615", promote.Right},
		{nv.New([]uint64{math.MaxUint64}), "ui64 18446744073709551614", promote.Wrong},
		{nv.New([]int8{-3}), "'i8' {1,}: -3", promote.Right},
		{nv.New([]int8{-3}), "the dtype is int8, and the value is -3.0.", promote.Right},
		{nv.Scalar(int64(9007199254740993)), "i64 +9007199254740993", promote.Right},
		{nv.New([]float64{math.Inf(1), math.NaN(), -1}, nv.F64), "f64 +Inf NaN -1", promote.Right},
		{nv.New([]float64{math.Inf(1)}, nv.F64), "f64 NaN", promote.Wrong},
		{nv.New([]float64{1000.5}, nv.F64), "f64 1001.5", promote.Right},
		{nv.New([]float64{1000.5}, nv.F64), "f64 1001.6", promote.Wrong},
		{nv.New([]float64{-1000.5}, nv.F64), "f64 -1001.5", promote.Right},
		{nv.New([]float64{-1000.5}, nv.F64), "f64 -999", promote.Wrong},
		{nv.New([]bool{true}), "bool True", promote.Right},
		{nv.New([]bool{true}), "bool 0", promote.Wrong},
		{nv.New([]bool{false}), "bool 0", promote.Right},
		{nv.Scalar(1.5i, nv.C64), "c64 1+1.5i", promote.Wrong},
		{nv.Zeros(nv.Shape{1000}, nv.I8), "i8 " + strings.Repeat("0 ", 1000), promote.Right},
		{nv.Zeros(nv.Shape{1001}, nv.I8), "i8 " + strings.Repeat("0 ", 1001), promote.Wrong},
		{dtype.I8, "i8{} {}", promote.Unreadable},
		{dtype.I8, "", promote.Wrong},
		{dtype.I8, "is it", promote.Unreadable},
		{dtype.I8, "fails", promote.Wrong},
		{"a b", "[A, 'B']", promote.Right},
		{"", `""`, promote.Right},
		{[]int{1, 2}, "1 2", promote.Right},
		{[][2]int{{1, 2}, {3, 4}}, "{{1,2},{3,4}}", promote.Right},
		{[]int{1, 2}, "1 2 3", promote.Wrong},
		{[]int{}, "{}", promote.Wrong},
	} {
		if m := (Prediction{Value: c.value}).Mark(c.given); m.Verdict != c.want {
			t.Errorf("%v answered %.80q: %s, want %s", c.value, c.given, m.Line, c.want)
		}
	}
	for text, want := range map[string]string{"True": "bool", " false": "bool", "1e3": "number", "-2": "number",
		"1+2i": "number", "x": "", "": ""} {
		if got := kindOf(text); got != want {
			t.Errorf("%q is a %q, want %q", text, got, want)
		}
	}
}
