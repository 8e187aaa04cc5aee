package compile_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/universe"
)

// TestStreams tests that cells use os.Stdin, os.Stdout and os.Stderr as files, although the streams of the session are
// none.
func TestStreams(t *testing.T) {
	var out, errs bytes.Buffer
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	u := universe.New(ctx, nil, universe.Stdio{In: strings.NewReader("one\ntwo three\n4"), Out: &out, Err: &errs})
	s, err := interp.New(u, interp.Options{Stdout: &out, Stderr: &errs})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ code, out, errs string }{
		{`fmt.Fprint(os.Stdout, "a", 1)`, "a1", ""},
		{`n, err := os.Stdout.WriteString("bc"); fmt.Print(n, err)`, "bc2 <nil>", ""},
		{`n, err := os.Stderr.Write([]byte("def")); fmt.Print(n, err)`, "3 <nil>", "def"},
		{`write := os.Stdout.WriteString; write("g")`, "g", ""},
		{`func write(w io.Writer, text string) { io.WriteString(w, text) }; write(os.Stdout, "h"); write(os.Stderr, "i")`,
			"h", "i"},
		{`streams := []io.Writer{os.Stdout, os.Stderr}; for _, w := range streams { fmt.Fprint(w, "j") }`, "j", "j"},
		{`f := os.Stdout; fmt.Fprint(f, "k"); var w io.StringWriter = f; w.WriteString("l")`, "kl", ""},
		{`os.Stdout, os.Stderr = os.Stderr, os.Stdout; fmt.Fprint(os.Stdout, "m"); os.Stderr.WriteString("n")`, "n", "m"},
		{`fmt.Print("m2")`, "", "m2"},
		{`os.Stdout, os.Stderr = os.Stderr, os.Stdout`, "", ""},
		{`old := os.Stdout; r, w, _ := os.Pipe(); os.Stdout = w; fmt.Print("piped", 1); w.Close(); os.Stdout = old;
b, _ := io.ReadAll(r); fmt.Printf("%q", b)`, `"piped1"`, ""},
		{`in := os.Stdin; f, _ := os.CreateTemp("", ""); f.WriteString("7 up"); f.Seek(0, 0); os.Stdin = f;
var n int; fmt.Scan(&n); os.Stdin = in; os.Remove(f.Name()); fmt.Print(n)`, "7", ""},
		{`import "flag"; os.Args = []string{"p", "-n", "3", "rest"}; n := flag.Int("n", 1, ""); flag.Parse(); fmt.Print(*n, flag.Args())`,
			"3 [rest]", ""},
		{`lines := bufio.NewScanner(os.Stdin); lines.Scan(); fmt.Print(lines.Text())`, "one", ""},
		{`defer os.Stdout.WriteString("o"); fmt.Print("p")`, "po", ""},
		{`done := make(chan bool); go func() { defer close(done); os.Stdout.WriteString("q") }(); <-done`, "q", ""},
		{`println("r", 2, true, -1.5)`, "", "r 2 true -1.5\n"},
		{`print("s", 2, nil == any(nil))`, "", "s2true"},
	} {
		out.Reset()
		errs.Reset()
		if res := s.Run(context.Background(), c.code, i+1); res.Err != nil {
			t.Errorf("%s\n%s", c.code, res.Err.Text())
		}
		if out.String() != c.out || errs.String() != c.errs {
			t.Errorf("%s\nprints %q and %q, want %q and %q", c.code, out.String(), errs.String(), c.out, c.errs)
		}
	}
}
