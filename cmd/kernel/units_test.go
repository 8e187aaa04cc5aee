package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/messaging/wire"
)

// TestFailure checks what of an error is emphasized, and that long errors are cut.
func TestFailure(t *testing.T) {
	e := &interp.Error{Name: "TypeError", Message: "m", Traceback: []string{"cell[1]:1:2: m", "    a^b", "     ^~~"}}
	text := strings.Split(e.Text(), "\n")
	got := failure(e)
	if got.Ename != "TypeError" || got.Evalue != "m" || len(got.Traceback) != len(text) {
		t.Fatalf("%+v", got)
	}
	for i, line := range got.Traceback {
		want := text[i]
		if i == 0 || strings.TrimSpace(want) == "^~~" {
			want = "\x1b[1m" + want + "\x1b[0m"
		}
		if line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
	}
	for _, c := range []struct {
		n    int
		want string
	}{
		{maxMessage, strings.Repeat("x", maxMessage)},
		{maxMessage + 1, strings.Repeat("x", maxMessage) + "... 1 more bytes"},
	} {
		if got := short(strings.Repeat("x", c.n)); got != c.want {
			t.Errorf("%d bytes are cut to %d: …%s", c.n, len(got), got[len(got)-20:])
		}
	}
	most := strings.Repeat("x", maxMessage-1)
	if got := short(most + "é"); got != most+"... 1 more bytes" {
		t.Errorf("a character is cut: …%s", got[len(got)-20:])
	}
	for name, want := range map[string]bool{"SyntaxError": true, "TypeError": true, "panic": false} {
		if got := isCompileError(&interp.Error{Name: name}); got != want {
			t.Errorf("%s is an error of compilation: %v", name, got)
		}
	}
	if isCompileError(nil) {
		t.Error("no error is an error of compilation")
	}
	e = interrupted(7)
	if e.Name != "Interrupt" || e.Message != "interrupted" || e.Traceback[0] != "cell[7]: interrupted" {
		t.Errorf("%+v", e)
	}
	for want, err := range map[string]error{"fs.PathError": &os.PathError{}, "errors.errorString": errors.New("e")} {
		if got := errorType(err); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestRound checks that times have four digits at most.
func TestRound(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 9999: "9.999µs", 10_004: "10µs", 12_346: "12.35µs", 1_234_567: "1.235ms",
		98_765_432: "98.77ms", 1234567 * time.Microsecond: "1.235s", 99 * time.Second: "1m39s",
	} {
		if got := round(d).String(); got != want {
			t.Errorf("%d ns is %s, want %s", d, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		words string
		want  string
	}{
		{"", ""}, {"abc", "abc"}, {"abc def", "abc def"}, {"abc defg", "abc\ndefg"},
		{"a b c d e", "a b c d\ne"}, {"longer-than-a-line a", "longer-than-a-line\na"},
	} {
		if got := wrap(strings.Fields(c.words), 7); got != c.want {
			t.Errorf("%q is wrapped as %q, want %q", c.words, got, c.want)
		}
	}
	if got := indent("a\nb\n\n"); got != "\ta\n\tb\n" {
		t.Errorf("%q", got)
	}
}

// TestKnownTexts checks for which arguments texts are completed.
func TestKnownTexts(t *testing.T) {
	for call, want := range map[string]string{
		"nv.Precision": "highest", "backend.Set": "numpy", "backend.With": "torch", "promote.ByName": "numpy",
	} {
		if got := knownTexts(call, 0); !slices.Contains(got, want) {
			t.Errorf("%s takes %q, and %s is missing", call, got, want)
		}
		if got := knownTexts(call, 1); got != nil {
			t.Errorf("the second argument of %s is %q", call, got)
		}
	}
	if got := knownTexts("nv.New", 0); got != nil {
		t.Errorf("nv.New takes %q", got)
	}
	for _, c := range []struct {
		method string
		n      int
		want   bool
	}{
		{"Col", 0, true}, {"Col", 1, false}, {"Select", 0, true}, {"Select", 3, true}, {"GroupBy", 0, true},
		{"Head", 0, false}, {"None", 0, false}, {"Join", 0, false}, {"Join", 1, true}, {"Mean", 0, true},
	} {
		if got := takesColumns(c.method, c.n); got != c.want {
			t.Errorf("argument %d of %s is a column: %v", c.n, c.method, got)
		}
	}
}

func TestFilesIn(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := filesIn(dir); !slices.Equal(got, []string{"a.csv", "sub/"}) {
		t.Errorf("%q", got)
	}
	t.Chdir(dir)
	if got := filesIn(""); !slices.Equal(got, []string{"a.csv", "sub/"}) {
		t.Errorf("the current folder has %q", got)
	}
	if got := filesIn(filepath.Join(dir, "none")); len(got) != 0 {
		t.Errorf("a folder that is not there has %q", got)
	}
	for i := range maxFiles {
		if err := os.WriteFile(filepath.Join(dir, "sub", fmt.Sprint(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", "z"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := filesIn(filepath.Join(dir, "sub")); len(got) != 1000 || slices.Contains(got, "z") {
		t.Errorf("%d files are completed", len(got))
	}
}

// TestPreloader checks that the plugin is loaded once, in a pause, and not after the end.
func TestPreloader(t *testing.T) {
	loads := 0
	p := &preloader{load: func() { loads++ }}
	end := p.beginCell()
	if p.fire(); loads != 0 {
		t.Error("loaded while a cell runs")
	}
	if p.beginPause(); p.timer != nil {
		t.Error("a pause begins while a cell runs")
	}
	second := p.beginCell()
	end()
	if p.fire(); loads != 0 {
		t.Error("loaded while the second cell runs")
	}
	second()
	if p.timer == nil {
		t.Error("no pause begins after the cells")
	}
	p.fire()
	if p.fire(); loads != 1 {
		t.Errorf("loaded %d times", loads)
	}
	p = &preloader{load: func() { loads++ }}
	p.close()
	p.beginPause()
	if p.fire(); loads != 1 || p.timer != nil {
		t.Error("loaded after the end")
	}
}

// TestBundlesOfHeldOutput checks what of a held output is shown: texts of a stream are joined, updates replace what
// they update, and a clear removes what came before.
func TestBundlesOfHeldOutput(t *testing.T) {
	value := func(id, text string) wire.DisplayData {
		return wire.DisplayData{Data: wire.Bundle{"text/plain": text}, Transient: wire.Transient{DisplayID: id}}
	}
	write := func(h *heldOutput, texts ...string) {
		for i, text := range texts {
			w := h.Stdout()
			if i%2 == 1 {
				w = h.Stderr()
			}
			fmt.Fprint(w, text)
		}
	}
	for _, c := range []struct {
		name    string
		do      func(h *heldOutput)
		want    string
		printed string
	}{
		{"nothing", func(*heldOutput) {}, "", ""},
		{"streams", func(h *heldOutput) { write(h, "a", "b"); write(h, "c"); write(h, "d") }, "a|b|cd", "acd"},
		{"values", func(h *heldOutput) { write(h, "a"); h.Display(value("", "v")); write(h, "b"); h.Result(value("", "r")) },
			"a|v|b|r", "ab"},
		{"updates", func(h *heldOutput) {
			h.Display(value("1", "v"))
			h.Display(value("2", "w"))
			h.Update(value("1", "new"))
			h.Update(value("3", "unknown"))
		}, "new|w", ""},
		{"values without an id", func(h *heldOutput) { h.Display(value("", "v")); h.Update(value("", "new")) }, "v", ""},
		{"a clear", func(h *heldOutput) {
			write(h, "a")
			h.Display(value("1", "v"))
			h.Clear(false)
			write(h, "b")
			h.Update(value("1", "new"))
		}, "b", "ab"},
	} {
		h := &heldOutput{}
		c.do(h)
		var texts []string
		for _, b := range h.bundles() {
			texts = append(texts, b.Text())
		}
		if got := strings.Join(texts, "|"); got != c.want || h.printed() != c.printed {
			t.Errorf("%s: %s, printed %q, want %s, printed %q", c.name, got, h.printed(), c.want, c.printed)
		}
	}
}

// TestDisplayData checks that a message has a copy of the bundle, and no null.
func TestDisplayData(t *testing.T) {
	b := display.TextBundle("a")
	d := displayData("7", b)
	if d.Transient.DisplayID != "7" || d.Data["text/plain"] != "a" || d.Metadata == nil {
		t.Errorf("%+v", d)
	}
	if d.Data["text/plain"] = "b"; b.Text() != "a" {
		t.Error("the bundle has changed")
	}
}

// TestPlain checks the text of values that have none.
func TestPlain(t *testing.T) {
	for want, data := range map[string]wire.Bundle{
		"a": {"text/plain": "a", "text/html": "b"}, "(image/png, text/html)": {"text/html": "b", "image/png": "c"}, "()": nil,
	} {
		if got := plain(data); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestFlagTypes checks how XLA's list of flags is read, and which values are of a type.
func TestFlagTypes(t *testing.T) {
	types := flagTypes("Usage:\n\t--xla_a=true\tbool\tdoes a\n\t--xla_n=3\t int32 \tdoes n\n\t--no_type=1\n" +
		"\txla_b=1\tbool\t\n")
	if len(types) != 2 || types["xla_a"] != "bool" || types["xla_n"] != "int32" {
		t.Errorf("%q", types)
	}
	for _, c := range []struct {
		typ, value  string
		given, want bool
	}{
		{"bool", "", false, true}, {"bool", "true", true, true}, {"bool", "false", true, true}, {"bool", "0", true, true},
		{"bool", "1", true, true}, {"bool", "2", true, false}, {"bool", "", true, false}, {"bool", "yes", true, false},
		{"int32", "-3", true, true}, {"int64", "x", true, false}, {"int32", "", false, false}, {"int32", "1.5", true, false},
		{"float", "1.5", true, true}, {"double", "1e3", true, true}, {"float", "x", true, false},
		{"string", "x", true, true}, {"", "x", true, true},
	} {
		if got := isValue(c.typ, c.value, c.given); got != c.want {
			t.Errorf("%q is a %s: %v, want %v", c.value, c.typ, got, c.want)
		}
	}
}
