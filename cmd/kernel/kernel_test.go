package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/messagingtest"
	"github.com/goanvil/notebook/messaging/wire"
)

// A front is a front end of a kernel under test.
type front struct {
	*testing.T
	client *client.Client
	input  []string // answers to what cells ask
}

// newFront serves a kernel that computes with the given backend.
func newFront(t *testing.T, backendName string) *front {
	t.Helper()
	t.Setenv("GOANVIL_CACHE", t.TempDir())
	s, err := newSession(backend{name: backendName})
	if err != nil {
		t.Fatal(err)
	}
	return &front{T: t, client: messagingtest.NewServer(t, s, messaging.Options{}).Client()}
}

// An answer is the reply to a cell and its outputs.
type answer struct {
	wire.ExecuteReply
	result         map[string]any
	stdout, stderr string
	outputs        []client.Output
}

// execution returns an execution of code whose outputs are stored in a.
func (f *front) execution(code string, a *answer) client.Execution {
	return client.Execution{Code: code, Output: func(o client.Output) {
		a.outputs = append(a.outputs, o)
		switch c := o.Content.(type) {
		case wire.Stream:
			if c.Name == wire.Stdout {
				a.stdout += c.Text
			} else {
				a.stderr += c.Text
			}
		case wire.ExecuteResult:
			a.result = c.Data
		}
	}, Input: f.answerInput}
}

func (f *front) answerInput(wire.InputRequest) (string, error) {
	if len(f.input) == 0 {
		return "", errors.New("nobody is there")
	}
	line := f.input[0]
	f.input = f.input[1:]
	return line, nil
}

// run runs a cell, which may fail.
func (f *front) run(code string) (a answer) {
	f.Helper()
	reply, err := f.client.Execute(f.Context(), f.execution(code, &a))
	if err != nil {
		f.Fatalf("%s: %v", code, err)
	}
	a.ExecuteReply = reply
	return a
}

// text runs a cell that must succeed, and returns the text of its value.
func (f *front) text(code string) string {
	f.Helper()
	a := f.run(code)
	if a.Status != wire.StatusOK {
		f.Fatalf("%s: %s: %s", code, a.Ename, strings.Join(a.Traceback, "\n"))
	}
	text, _ := a.result["text/plain"].(string)
	return text
}

// want runs a cell that must succeed, and compares the text of its value.
func (f *front) want(code, text string) {
	f.Helper()
	if got := f.text(code); got != text {
		f.Errorf("%s\nshows %q\nwant  %q", code, got, text)
	}
}

// fails runs a cell that must fail, and returns its traceback without colours.
func (f *front) fails(code string) string {
	f.Helper()
	a := f.run(code)
	if a.Status != wire.StatusError {
		f.Fatalf("%s: %s", code, a.Status)
	}
	return ansi().ReplaceAllString(strings.Join(a.Traceback, "\n"), "")
}

// refused runs a cell that must fail with the message want.
func (f *front) refused(code, want string) {
	f.Helper()
	if a := f.run(code); a.Status != wire.StatusError || a.Evalue != want {
		f.Errorf("%s: %s %q, want %q", code, a.Status, a.Evalue, want)
	}
}

// contains fails the test unless text contains all parts. what names the text.
func (f *front) contains(what, text string, parts ...string) {
	f.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			f.Errorf("%s: %q is missing in\n%s", what, part, text)
		}
	}
}

func TestCells(t *testing.T) {
	f := newFront(t, "reference")
	f.want("1 + 1", "2")
	f.want("x := nv.New([][]float64{{1, 2}, {3, 4}})\n2*x", "AnvilTensor\n 2 4\n 6 8\n[ REFERENCEf32{2,2} ]")
	f.want("x.Sum(nv.Axis(0))", "AnvilTensor\n 4\n 6\n[ REFERENCEf32{2} ]")
	f.want("x;", "")
	f.want("fmt.Println()", "")
	f.want(`strings := "a variable"; strings`, `"a variable"`)
	a := f.run("x")
	if html, _ := a.result["text/html"].(string); !strings.Contains(html, "f32") {
		t.Errorf("text/html is %q", html)
	}
	if a.ExecutionCount != 7 {
		t.Errorf("execution count %d", a.ExecutionCount)
	}
}

func TestWhyNamesTheCell(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x := nv.Scalar(1)")
	f.text("y := x + 2.5")
	f.contains("why", f.text("nv.Why(y)"), "In[2]", "f32?")
}

func TestCellsPrint(t *testing.T) {
	f := newFront(t, "reference")
	a := f.run("import \"os\"\nfmt.Print(\"out\")\nfmt.Fprintln(os.Stderr, \"err\")")
	if a.stdout != "out" || a.stderr != "err\n" {
		t.Errorf("stdout %q, stderr %q", a.stdout, a.stderr)
	}
	f.contains("log", f.run("import \"log\"\nlog.SetFlags(0)\nlog.Print(\"logged\")\nlog.Default().Print(\"again\")").stderr, "logged\nagain\n")
	f.refused("log.Fatal(\"fatal\")", "fatal")
	f.contains("slog", f.run("import \"log/slog\"\nslog.Info(\"structured\", \"n\", 1)").stderr, "INFO structured n=1")
	f.contains("a copy of os.Stdout", f.run("w := os.Stdout\nfmt.Fprint(w, \"copied \")\nfunc f(w *os.File) { w.WriteString(\"passed\") }\nf(os.Stdout)").stdout, "copied passed")
	f.contains("io.Copy", f.run("import (\n\"io\"\n\"strings\"\n)\nio.Copy(os.Stdout, strings.NewReader(\"text\"))").stdout, "text")
	f.contains("goroutine", f.run("done := make(chan bool)\ngo func() { fmt.Println(\"from afar\"); done <- true }()\n<-done;").stdout, "from afar\n")
}

// TestPrintedInOrder writes to one stream in two ways, more than a pipe holds.
func TestPrintedInOrder(t *testing.T) {
	f := newFront(t, "reference")
	began := time.Now()
	a := f.run("import \"os\"\nfor i := 0; i < 20000; i++ {\nfmt.Fprintln(os.Stdout, \"file\", i)\nfmt.Println(\"print\", i)\n}")
	var want strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&want, "file %d\nprint %d\n", i, i)
	}
	if a.stdout != want.String() {
		t.Errorf("%d bytes came out of %d, or in another order", len(a.stdout), want.Len())
	}
	if n, most := len(a.outputs), 50+int(time.Since(began)/(50*time.Millisecond)); n > most {
		t.Errorf("in %d messages, want at most %d", n, most)
	}
}

func TestErrorsPointAtTheCell(t *testing.T) {
	f := newFront(t, "reference")
	f.text("kept := 1")
	f.contains("type error", f.fails("kept = 2\ny := nosuch + 1"), "cell[2]:2:6", "nosuch", "    y := nosuch + 1\n         ^")
	f.want("kept", "1") // nothing of a cell that does not type-check has run
	f.contains("syntax error", f.fails("x := )"), "cell[4]:1:6")
	f.contains("panic", f.fails("kept = 3\npanic(\"on purpose\")"), "cell[5]:2:1", "on purpose")
	f.want("kept", "3")
	f.contains("shape error", f.fails("nv.Ones(nv.Shape{2}) + nv.Ones(nv.Shape{3})"), "cell[7]", "f32{2}", "f32{3}")
	a := f.run("nosuch")
	if a.Ename != "TypeError" || a.Evalue != "undefined: nosuch" {
		t.Errorf("ename %q, evalue %q", a.Ename, a.Evalue)
	}
}

func TestMethodsThatPanicWhenShown(t *testing.T) {
	f := newFront(t, "reference")
	f.text("type bad struct{}\nfunc (bad) String() string { panic(\"in String\") }\ntype worse struct{}\nfunc (worse) HTML() string { var p *int; return fmt.Sprint(*p) }")
	f.run("bad{}") // fmt says it in the text, or it is the cell's error
	f.contains("HTML", f.fails("worse{}"), "cell[3]")
	f.want("1 + 1", "2")
}

// Methods that show a value are ended by an interrupt, as cells are.
func TestMethodsThatDoNotReturnWhenShown(t *testing.T) {
	f := newFront(t, "reference")
	f.run("import \"runtime\"\nkept := 7")
	for _, test := range []struct{ code, want string }{
		{"type R struct{}\nfunc (r R) String() string { return fmt.Sprint(\"<\", r, \">\") }\nR{}", "functions call each other without end"},
		{"type G struct{}\nfunc (G) String() string { runtime.Goexit(); return \"\" }\nG{}", "the cell has ended its goroutine with runtime.Goexit"},
		{"type H struct{}\nfunc (H) HTML() string { panic(\"no page\") }\nH{}", "showing the value panicked: no page"},
	} {
		f.refused(test.code, test.want)
		f.want("kept", "7")
	}
	for _, code := range []string{
		"type L struct{}\nfunc (L) String() string { for { } }\nL{}",
		"type S struct{}\nfunc (S) HTML() string { select { } }\nS{}",
	} {
		if a := f.interrupted(begun + code); a.Ename != "Interrupt" {
			t.Errorf("%s: %s %+v", code, a.Status, a.Failure)
		}
		f.want("kept", "7")
	}
}

func TestCompletionOverTheWire(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x := nv.New([]float64{1, 2})\ntype pair struct{ left, right int }\nfunc double(n int) int { return 2 * n }")
	for _, c := range []struct{ code, want, kind string }{
		{"dou", "double", "function"},
		{"(x*2).Su", "Sum", "function"},
		{"x[0].AsTy", "AsType", "function"},
		{"nv.Logist", "Logistic", "function"},
		{"fmt.Sprintl", "Sprintln", "function"},
		{"p := pair{le", "left", "property"},
		{`import "anvil/dt`, "anvil/dtype", "path"},
		{"%ti", "%time", "magic"},
		{"chart.Li", "Line", "function"},
		{"strconv.Ito", "Itoa", "function"},
		{`nv.ReadCSV("testdata/scr`, "testdata/script/", "path"},
		{"✓ := 1; nv.Logist", "Logistic", "function"},
	} {
		r, err := f.client.Complete(t.Context(), c.code, len([]rune(c.code)))
		if err != nil {
			t.Fatal(err)
		}
		at := -1
		for i, m := range r.Matches {
			if m == c.want {
				at = i
			}
		}
		if at < 0 {
			t.Errorf("%s: %s is missing in %v", c.code, c.want, r.Matches)
			continue
		}
		kinds := r.Metadata[wire.CompletionTypesKey].([]any)
		if kind := kinds[at].(map[string]any)["type"]; kind != c.kind {
			t.Errorf("%s: of type %v; want %s", c.code, kind, c.kind)
		}
		if got := string([]rune(c.code)[:r.CursorStart]) + c.want; !strings.HasPrefix(got, c.code) {
			t.Errorf("%s: becomes %s", c.code, got)
		}
	}
}

func TestInspectionOverTheWire(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x := nv.New([]float64{1, 2})\n// twice\nfunc double(n int) int { return 2 * n }")
	for _, c := range []struct {
		code   string
		detail int
		want   []string
	}{
		{"nv.Scalar", 0, []string{"func nv.Scalar(", "Scalar returns"}},
		{"x", 0, []string{"var x nv.Tensor", "f32{2}"}},
		{"x.Sum", 0, []string{"Sum("}},
		{"double", 1, []string{"func double(n int) int", "return 2 * n"}},
	} {
		r, err := f.client.Inspect(t.Context(), c.code, len(c.code), c.detail)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := r.Data["text/plain"].(string)
		f.contains(c.code, text, c.want...)
	}
	if r, err := f.client.Inspect(t.Context(), "nosuch", 3, 0); err != nil || r.Found || r.Status != wire.StatusOK {
		t.Errorf("nosuch: %+v, %v", r, err)
	}
}

func TestQuestionsOpenAPage(t *testing.T) {
	f := newFront(t, "reference")
	f.text("func double(n int) int { return 2 * n }")
	for code, want := range map[string]string{
		"nv.Scalar?": "func nv.Scalar(",
		"?fmt.Print": "func fmt.Print(",
		"double??":   "return 2 * n",
		"%help":      "%time",

		"nv.Relu??":         "func (l *Lib) Relu(x any) Tensor {",
		"nv.Prod?":          "\nnv.KeepDims  keeps reduced axes, with length 1\n",
		"nv.Sum??":          "Supported dtypes on Ivy's backends:",
		"strings.ToUpper??": "func ToUpper(s string) string {",
		"nv.Sum?":           "example:\nnv.Sum(",
		"chart.Line?":       "example:\nchart.Line(",
		"display.Progress?": "example:\nfor i := range display.Progress(",
	} {
		a := f.run(code)
		if len(a.Payload) != 1 || a.Payload[0].Source != "page" {
			t.Errorf("%s: %s, payload %+v", code, a.Status, a.Payload)
			continue
		}
		page, _ := a.Payload[0].Data["text/plain"].(string)
		f.contains(code, page, want)
	}
	f.refused("nosuch?", "nosuch?: undefined")
}

func TestIsComplete(t *testing.T) {
	f := newFront(t, "reference")
	for code, want := range map[string]wire.Completeness{
		"1 + 1":            wire.CodeComplete,
		"func f() int {":   wire.CodeIncomplete,
		"x := )":           wire.CodeInvalid,
		"nv.Scalar?":       wire.CodeComplete,
		"%time 1":          wire.CodeComplete,
		"x := []int{1,\n2": wire.CodeIncomplete,
	} {
		r, err := f.client.IsComplete(t.Context(), code)
		if err != nil || r.Status != want {
			t.Errorf("%q: %+v, %v; want %s", code, r, err, want)
		}
	}
	f.run("%config shell on")
	if r, err := f.client.IsComplete(t.Context(), "!ls /"); err != nil || r.Status != wire.CodeComplete {
		t.Errorf("a shell command: %+v, %v", r, err)
	}
}

func TestMagics(t *testing.T) {
	f := newFront(t, "reference")
	a := f.run("%time n := 20 + 1\nn")
	if text, _ := a.result["text/plain"].(string); text != "21" || !strings.HasSuffix(a.stdout, "s\n") {
		t.Errorf("%%time: %q, %q, %+v", text, a.stdout, a.Failure)
	}
	for _, code := range []string{"%bench n + 1", "%%bench\nm := n + 1\nk, m := m, 2", "%%bench\nfunc() {}()"} {
		if a := f.run(code); !strings.Contains(fmt.Sprint(a.result["text/plain"]), " a call (") {
			t.Errorf("%s: %+v", code, a)
		}
	}
	f.run("x := nv.Arange(3) + nv.Ones(nv.Shape{3})")
	for _, code := range []string{"%bench nv.Cumsum(x)", "%bench nv.Cummax(x)", "%%bench\nnv.Cumsum(x)", "%%bench\ny := nv.Cumsum(x)", "%%bench\ny := 1\nx = nv.Cumsum(x)\n_ = y"} {
		if a := f.run(code); !strings.Contains(fmt.Sprint(a.result["text/plain"]), ", 1 launch\n") {
			t.Errorf("%s waits for nothing: %+v", code, a)
		}
	}
	if a := f.run("%time n = no"); a.stdout != "" || a.Status == "ok" {
		t.Errorf("%%time of what never ran: %q, %s", a.stdout, a.Status)
	}
	if a := f.run("%%time\nn + 1"); a.result["text/plain"] != "22" || a.stdout == "" {
		t.Errorf("%%%%time: %+v", a)
	}
	f.contains("%who", f.run("%who").stdout, "n  int  21")
	f.contains("behind the code", f.run("m := 1.5\n%who").stdout, "m  float64  1.5")
	f.contains("%promotion", f.run("%promotion").stdout, "anvil")
	f.text("%promotion anvil")
	for code, want := range map[string]string{
		"%promotion nosuch": noSystem,
		"%nosuch": "%nosuch: no such command; the commands are %%bash, %bench, %%compare, %config, " +
			"%%dtypes, %help, %%nan, %%predict, %promotion, %reset, %time, %who",
		"%timeit 1 + 1": "%timeit: no such command; %bench measures an expression, %%bench a cell",
		"%%who\nn":      "%%who is not a cell command; write %who on a line",
	} {
		f.refused(code, want)
	}
	f.want("%%bash\necho one two | wc -w; echo err >&2", "")
	if a := f.run("%config shell on\nx := nv.Arange(2)"); a.Status != wire.StatusOK {
		t.Errorf("%%config: %+v", a)
	}
	if a := f.run("!echo $((1 + 2))\nn"); a.stdout != "3\n" || a.result["text/plain"] != "21" {
		t.Errorf("a command of the shell: %+v", a)
	}
	f.refused("%%bash\nexit 3", "bash: exit status 3")
	if a := f.run("%reset\nn := 5\nn"); a.result["text/plain"] != "5" {
		t.Errorf("code below %%reset: %+v", a)
	}
	f.text("%reset")
	f.refused("n", "undefined: n")
	if a := f.run("!echo still"); a.stdout != "still\n" {
		t.Errorf("a command of the shell after %%reset: %+v", a)
	}
	f.contains("%who of nothing", f.run("%who").stdout, "no names yet")
	f.want("1 + 1", "2")
	f.want("x := 7 %\n4\nx", "3") // an operator at a line's end is no command
}

func TestInput(t *testing.T) {
	f := newFront(t, "reference")
	f.input = []string{"41 years", "second"}
	a := f.run("var n int\nvar word string\nfmt.Scanln(&n, &word)\nn + 1")
	if text, _ := a.result["text/plain"].(string); text != "42" {
		t.Errorf("read %q: %+v", text, a)
	}
	f.want("import (\n\"bufio\"\n\"os\"\n)\nline, _ := bufio.NewReader(os.Stdin).ReadString('\\n')\nline", "second\n")
	f.contains("nobody answers", f.text("_, err := fmt.Scan(&word)\nerr.Error()"), "input")
}

// A cell that ignores the error of Scan prints once that nobody can answer.
func TestNoStdin(t *testing.T) {
	f := newFront(t, "reference")
	for range 2 {
		var a answer
		e := f.execution("var n int\nfor range 3 {\n\tfmt.Scan(&n)\n}", &a)
		e.Input = nil
		if _, err := f.client.Execute(f.Context(), e); err != nil {
			t.Fatal(err)
		}
		if a.stderr != messaging.ErrNoStdin.Error()+"\n" {
			t.Errorf("printed %q", a.stderr)
		}
	}
}

// exit and quit end a console, unless the notebook has declared the name.
func TestExit(t *testing.T) {
	f := newFront(t, "reference")
	for _, code := range []string{"exit", "quit()\n"} {
		if a := f.run(code); a.Status != wire.StatusOK || len(a.Payload) != 1 || a.Payload[0].Source != "ask_exit" {
			t.Errorf("%s: %+v", code, a.ExecuteReply)
		}
	}
	f.text("exit, quit := 7, 8")
	f.want("exit", "7")
	f.want("quit", "8")
}

// A byte order mark, which editors on Windows write, is ignored.
func TestByteOrderMark(t *testing.T) {
	f := newFront(t, "reference")
	f.want("\uFEFF1 + 1", "2")
	f.contains("a command", f.run("\uFEFF%promotion").stdout, "anvil")
}

func TestDisplay(t *testing.T) {
	f := newFront(t, "reference")
	a := f.run("h := display.Show(1)\nh.Update(2)\ndisplay.Clear(true)")
	var got []string
	for _, o := range a.outputs[1:] {
		switch c := o.Content.(type) {
		case wire.DisplayData:
			got = append(got, fmt.Sprint(o.Type, " ", c.Data["text/plain"], " ", c.Transient.DisplayID != ""))
		case wire.ClearOutput:
			got = append(got, fmt.Sprint(o.Type, " ", c.Wait))
		}
	}
	if want := "display_data 1 true; update_display_data 2 true; clear_output true"; strings.Join(got, "; ") != want {
		t.Errorf("shown %q; want %q", got, want)
	}
}

func TestUserExpressions(t *testing.T) {
	f := newFront(t, "reference")
	reply, err := f.client.Execute(t.Context(), client.Execution{
		Code: "n := 2\nxs := nv.New([]int32{1, 2, 3})", UserExpressions: map[string]string{
			"a": "n * 21", "b": "nosuch", "c": "x := 1", "d": "xs[::2].Sum().Int()", "e": "n; n", "f": "%who", "g": "",
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got := reply.UserExpressions["a"].Data["text/plain"]; got != "42" {
		t.Errorf("a is %v", got)
	}
	if got := reply.UserExpressions["d"].Data["text/plain"]; got != "4" {
		t.Errorf("d is %v", got)
	}
	for name, want := range map[string]string{
		"b": "undefined: nosuch",
		"c": `"x := 1" is not an expression; give one, such as n + 1`,
		"e": `"n; n" is not an expression; give one, such as n + 1`,
		"f": `"%who" is not an expression; give one, such as n + 1`,
		"g": `"" is not an expression; give one, such as n + 1`,
	} {
		if e := reply.UserExpressions[name]; e.Failure == nil || e.Evalue != want {
			t.Errorf("%s: %+v, want %s", name, e, want)
		}
	}
}

func TestKernelInfo(t *testing.T) {
	f := newFront(t, "reference")
	info, err := f.client.KernelInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l := info.LanguageInfo; l.Name != "go" || l.FileExtension != ".go" || l.MIMEType != "text/x-go" || l.CodeMirrorMode != "go" || info.Implementation != "goanvil" {
		t.Errorf("%+v", info)
	}
	const banner = "Go (anvil): Go cells with tensors.\n" +
		"2*nv.New([]float64{1, 2}) + 1 is a tensor; name? shows the documentation of name; %help explains more."
	const links = "[{The Go language https://go.dev/ref/spec} {Go's standard library https://pkg.go.dev/std} " +
		"{StableHLO https://openxla.org/stablehlo/spec} {gonum plot https://pkg.go.dev/gonum.org/v1/plot}]"
	if got := fmt.Sprint(info.HelpLinks); info.Banner != banner || got != links {
		t.Errorf("%s\n%s", info.Banner, got)
	}
}

func TestSessionsDoNotShare(t *testing.T) {
	one, two := newFront(t, "reference"), newFront(t, "reference")
	one.text("n := 1\ndisplay.MaxRows(1)")
	two.refused("n", "undefined: n")
	const long = "nv.Arange(3)"
	if a, b := one.text(long), two.text(long); a == b {
		t.Errorf("both show %q", a)
	}
}

// interrupted begins a cell, interrupts it once it runs, and returns how it ended.
func (f *front) interrupted(code string) (a answer) {
	f.Helper()
	running, begun := make(chan struct{}), sync.Once{}
	e := f.execution(code, &a)
	show := e.Output
	e.Output = func(o client.Output) {
		show(o)
		if s, ok := o.Content.(wire.Stream); ok && strings.Contains(s.Text, "go") {
			begun.Do(func() { close(running) })
		}
	}
	ended := make(chan error, 1)
	go func() {
		var err error
		a.ExecuteReply, err = f.client.Execute(context.WithoutCancel(f.Context()), e)
		ended <- err
	}()
	select {
	case <-running:
	case err := <-ended:
		f.Fatalf("%s ended by itself: %v, %+v", code, err, a)
	}
	if err := f.client.Interrupt(f.Context()); err != nil {
		f.Fatal(err)
	}
	if err := <-ended; err != nil {
		f.Fatal(err)
	}
	return a
}

// begun is a statement that prints a line, by which interrupted knows that the cell runs.
const begun = "fmt.Println(\"go\")\n"

func TestInterrupt(t *testing.T) {
	f := newFront(t, "reference")
	f.text("kept := 41\nx := nv.Scalar(20)")
	for _, code := range []string{
		"for {\n}",
		"n := 0\nfor {\n\tn++\n}",
		"select {}",
		"import \"time\"\ntime.Sleep(time.Hour)",
		"for {\n\tx = x + 1\n}",
		"%%bash\necho go; sleep 1000 & wait",
	} {
		if !strings.HasPrefix(code, "%") {
			code = begun + code
		}
		a := f.interrupted(code)
		if a.Status != wire.StatusError || a.Ename != "Interrupt" {
			t.Errorf("%s: %s %+v", code, a.Status, a.Failure)
		}
		f.want("1 + 1", "2")
		f.want("kept + 1", "42")
	}
	f.want("nv.Scalar(1) + 1", "AnvilTensor\n 2\n[ REFERENCEi32?{} ]")
}
