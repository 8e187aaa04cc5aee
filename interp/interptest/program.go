package interptest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/universe"
)

// Programs runs the Go programs in the files that match pattern as cells. The function cell turns the text of a program
// into a cell. A comment "Output:" at the end of the program has the output of go run, which the cell must print too.
// If the cell prints something else, a comment "In a cell:" has that output. If the cell must fail, a comment
// "Refused:" has a part of its error.
func Programs(t *testing.T, pattern string, cell func(program string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no programs:", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) { program(t, file, cell) })
	}
}

// program runs the program in a file and checks its output; see Programs.
func program(t *testing.T, file string, cell func(string) string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	res, stdout := RunProgram(t, cell(text))
	refused, isRefused := comment(text, "Refused")
	switch {
	case isRefused:
		if res.Err == nil || !strings.Contains(res.Err.Message, strings.TrimSpace(refused)) {
			t.Errorf("not refused with %q: %+v\n%s", refused, res.Err, stdout)
		}
		return
	case res.Err != nil:
		t.Errorf("%s\n%s", res.Err.Text(), stdout)
		return
	}
	want, ok := comment(text, "In a cell")
	if !ok {
		want, _ = comment(text, "Output")
	}
	if got := trimmed(stdout); got != trimmed(want) {
		t.Errorf("got\n%s\nwant\n%s", got, trimmed(want))
	}
}

// Piped returns a session whose os.Stdout is the pipe w. When w is closed, the channel printed receives all that was
// written to w.
func Piped(t *testing.T) (s *interp.Session, w *os.File, printed <-chan string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan string, 1)
	go func() {
		data, _ := io.ReadAll(r)
		read <- string(data)
	}()
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	u := universe.New(ctx, nil, universe.Stdio{In: strings.NewReader(""), Out: w, Err: io.Discard})
	s, err = interp.New(u, interp.Options{Stdout: w})
	if err != nil {
		t.Fatal(err)
	}
	return s, w, read
}

// RunProgram runs a cell in a new session whose os.Stdout is a pipe, and returns its result and what it printed.
func RunProgram(t *testing.T, code string) (interp.Result, string) {
	t.Helper()
	s, w, read := Piped(t)
	res := s.Run(context.Background(), code, 1)
	w.Close()
	return res, <-read
}

// comment returns the text after key and a colon in the comment that begins with them. ok is false if there is none.
func comment(text, key string) (lines string, ok bool) {
	_, after, ok := strings.Cut(text, "\n// "+key+":")
	if !ok {
		return "", false
	}
	var b strings.Builder
	for i, line := range strings.Split(after, "\n") {
		if i > 0 && !strings.HasPrefix(line, "//") {
			break
		}
		line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		if i > 0 || line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String(), true
}

// trimmed returns s without blanks at the ends of lines, which gofmt removes from comments.
func trimmed(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n "), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
