package interptest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
)

// TestNotebook checks that the streams of a notebook receive what its cells print.
func TestNotebook(t *testing.T) {
	nb := New(t, interp.Options{})
	if got := nb.MustRun(t, 1, "x := 2; x, x+1"); got != "2\n3" {
		t.Errorf("values %q", got)
	}
	if got := nb.MustRun(t, 2, `fmt.Print("here"); println("a warning")`); got != "" {
		t.Errorf("values %q", got)
	}
	if nb.Stdout.String() != "here" || nb.Stderr.String() != "a warning\n" {
		t.Errorf("printed %q, %q", nb.Stdout.String(), nb.Stderr.String())
	}
	var elsewhere, errs bytes.Buffer
	nb.SetStdout(&elsewhere)
	nb.MustRun(t, 3, `fmt.Print("there")`)
	if nb.Stdout.String() != "here" || elsewhere.String() != "there" {
		t.Errorf("printed %q, and elsewhere %q", nb.Stdout.String(), elsewhere.String())
	}
	if got := nb.MustRun(t, 4, "nv.Arange(2)"); got != "i32{2} [0 1]" {
		t.Errorf("a tensor is %q", got)
	}
	own := New(t, interp.Options{Stderr: &errs})
	own.MustRun(t, 1, `println("own")`)
	if errs.String() != "own\n" || own.Stderr.Len() > 0 {
		t.Errorf("printed %q, %q", errs.String(), own.Stderr.String())
	}
}

// TestPiped checks what a session on a pipe prints.
func TestPiped(t *testing.T) {
	s, w, printed := Piped(t)
	for n, code := range []string{`import "os"; fmt.Println("cell")`, `fmt.Fprintln(os.Stdout, "os")`, `println("not this")`} {
		if res := s.Run(t.Context(), code, n+1); res.Err != nil {
			t.Fatal(res.Err.Text())
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-printed; got != "cell\nos\n" {
		t.Errorf("printed %q", got)
	}
	res, out := RunProgram(t, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1); panic(2) }\n")
	if res.Err == nil || out != "1\n" {
		t.Errorf("%+v, printed %q", res.Err, out)
	}
}

// TestComments checks the comments at the end of a program.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		text, want string
		found      bool
	}{
		{"code\n// Output:\n// 1\n//  2\n//\n// 3\ncode\n// 4\n", "1\n 2\n\n3\n", true},
		{"code\n// Output: 1\n// 2", "1\n2\n", true},
		{"code\n// Output:\n//\n// 3\n", "\n3\n", true},
		{"code\n// Output:", "", true},
		{"code\n// Output:\n", "", true},
		{"code\n// Other:\n// 1\n", "", false},
		{"code // Output:\n// 1\n", "", false},
		{"code\n// Output:\n//1\n", "1\n", true},
	} {
		if got, found := comment(c.text, "Output"); got != c.want || found != c.found {
			t.Errorf("%q: %q, %t, want %q, %t", c.text, got, found, c.want, c.found)
		}
	}
	for s, want := range map[string]string{
		"a  \n b\n\n": "a\n b", "a\n \n": "a", "": "", "\na": "\na", "a \n\n b ": "a\n\n b", "a\t\n": "a\t",
	} {
		if got := trimmed(s); got != want {
			t.Errorf("%q is trimmed to %q, want %q", s, got, want)
		}
	}
}

// TestText checks how values are shown.
func TestText(t *testing.T) {
	if got := Text([]any{1, "a", nil, New, strings.ToUpper}); got !=
		"1\na\n<nil>\nfunc(testing.TB, interp.Options) *interptest.Notebook\nfunc(string) string" {
		t.Errorf("%s", got)
	}
	if got := Text(nil); got != "" {
		t.Errorf("no values are %q", got)
	}
}

// failing has checks that fail, by name, and words of what they print.
var failing = map[string]struct {
	check func(t *testing.T)
	words string
}{
	"no transcripts": {func(t *testing.T) {
		t.Chdir(t.TempDir())
		Transcripts(t)
	}, "no transcripts"},
	"no programs":     {func(t *testing.T) { Programs(t, "testdata/none/*.go", func(s string) string { return s }) }, "no programs"},
	"a wrong pattern": {func(t *testing.T) { Programs(t, "[", func(s string) string { return s }) }, "no programs"},
	"a cell that fails": {func(t *testing.T) {
		New(t, interp.Options{}).MustRun(t, 1, `panic("it ends here")`)
	}, "it ends here"},
	"no archive": {func(t *testing.T) { transcript(t, "testdata/none.txt") }, "none.txt"},
	"no program": {func(t *testing.T) { program(t, "testdata/none.go", func(s string) string { return s }) }, "none.go"},
}

// TestFailing makes a check of failing where TestFailuresAreSeen runs it.
func TestFailing(t *testing.T) {
	if f, ok := failing[os.Getenv("GOANVIL_TEST_FAILING")]; ok {
		f.check(t)
		t.Log("it goes on")
	}
}

// TestFailuresAreSeen checks that the checks in failing fail at once.
func TestFailuresAreSeen(t *testing.T) {
	for name, f := range failing {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFailing$")
		cmd.Env = append(os.Environ(), "GOANVIL_TEST_FAILING="+name)
		out, err := cmd.CombinedOutput()
		text := string(out)
		if err == nil || strings.Contains(text, "it goes on") || !strings.Contains(text, f.words) || strings.Contains(text, "panic: runtime") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// TestUpdate checks that -update rewrites the outputs of a transcript and nothing else.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "testdata", "a.txt")
	const old = "A comment.\n-- In 3 --\nfmt.Println(1)\n2\n-- Out 3 --\n4\n-- Err 3 --\nold\n-- In 4 --\n_ = 1\n"
	const updated = "A comment.\n-- In 3 --\nfmt.Println(1)\n2\n-- Stdout 3 --\n1\n-- Out 3 --\n2\n-- In 4 --\n_ = 1\n"
	if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	defer func(was bool) { *Update = was }(*Update)
	*Update = true
	transcript(t, file)
	if got, err := os.ReadFile(file); err != nil || string(got) != updated {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestReadsOfTensors checks that a notebook's context knows which tensors cells read, as that of the kernel does, and
// that its random numbers and files are of that context.
func TestReadsOfTensors(t *testing.T) {
	nb := New(t, interp.Options{})
	nb.MustRun(t, 1, "x := nv.Ones(nv.Shape{2})\ny := x.Add(1)")
	if got := nb.MustRun(t, 2, "y"); got != "f32{2} [2 2]" {
		t.Errorf("%q", got)
	}
	if got := nb.MustRun(t, 3, "random.Uniform(random.Key(1), nv.Shape{2}).Add(y).Shape()"); got != "{2}" {
		t.Errorf("%q", got)
	}
}
