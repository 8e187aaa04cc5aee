package interp_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestRepeatedFrames checks how a traceback shows a position at which several functions in a row have ended: twice if
// a function has called itself once, with the number of the others if more often, and once for a statement of the cell
// that is lowered to a call.
func TestRepeatedFrames(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "import \"errors\"\nfunc down(n int) {\n\tif n == 0 {\n\t\tpanic(\"end\")\n\t}\n\tdown(n - 1)\n}\n"+
		"func two() (int, error) { return 0, errors.New(\"wrong\") }")
	for code, want := range map[string]string{
		"down(0)":             "cell[1]:4:3: end|cell[2]:1:1",
		"down(1)":             "cell[1]:4:3: end|cell[1]:6:2 in down|cell[2]:1:1",
		"down(2)":             "cell[1]:4:3: end|cell[1]:6:2 in down|cell[1]:6:2 in down|cell[2]:1:1",
		"down(3)":             "cell[1]:4:3: end|cell[1]:6:2 in down|... 2 more calls|cell[2]:1:1",
		"x := nv.Must(two())": "cell[2]:1:6: Must(): wrong",
	} {
		res := nb.Run(t.Context(), code, 2)
		if res.Err == nil {
			t.Errorf("%s: no error", code)
			continue
		}
		var lines []string
		for _, line := range res.Err.Traceback {
			if !strings.HasPrefix(line, " ") {
				lines = append(lines, line)
			}
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

// TestNumberOfTypeErrors checks how many errors of a cell are shown.
func TestNumberOfTypeErrors(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	for n, more := range map[int]string{1: "", 5: "", 6: "and 1 more", 8: "and 3 more"} {
		res := nb.Run(t.Context(), strings.Repeat("_ = missing\n", n), n)
		if res.Err == nil || strings.Count(res.Err.Text(), "undefined: missing") != min(n, 5) {
			t.Errorf("%d errors: %v", n, res.Err)
			continue
		}
		if last := res.Err.Traceback[len(res.Err.Traceback)-1]; strings.HasPrefix(last, "and ") != (more != "") || more != "" && last != more {
			t.Errorf("%d errors end with %q", n, last)
		}
	}
}

// TestRemarkIsANote checks that a comment that may be meant as a division gives a note with its position.
func TestRemarkIsANote(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	res := nb.Run(t.Context(), "x := 3\ny := x // 2\ny", 1)
	if res.Err != nil || len(res.Notes) != 1 || res.Notes[0] != "cell[1]:2:8: // begins a comment; "+
		"write / 2 to divide whole numbers, which drops the remainder, or nv.FloorDiv(x, 2) to round down" {
		t.Errorf("notes %q, %v", res.Notes, res.Err)
	}
}

// TestInterruptedText checks that an interrupt ends a cell whose error or panic value computes its text endlessly.
func TestInterruptedText(t *testing.T) {
	for _, code := range []string{"fail()", "panic(slow{})"} {
		nb, out := interptest.New(t, interp.Options{}), signal{make(chan string, 1000)}
		nb.MustRun(t, 1, "type slow struct{}\nfunc (slow) Error() string {\n\tfmt.Println(\"started\")\n\tfor {\n\t}\n}\nfunc fail() error { return slow{} }")
		nb.SetStdout(out)
		if res := interrupted(t, nb, out, code, 2); res.Err == nil || res.Err.Name != "Interrupt" || res.Show {
			t.Errorf("%s: %+v", code, res)
		}
		nb.SetStdout(&nb.Stdout)
		if got := nb.MustRun(t, 3, "1 + 1"); got != "2" {
			t.Errorf("%s: the next cell shows %s", code, got)
		}
	}
}

// TestAssignedStreams checks that package fmt reads and writes the files that a cell assigns to os.Stdin and os.Stdout,
// and the streams of the session again when the cell has restored them.
func TestAssignedStreams(t *testing.T) {
	nb := interptest.New(t, interp.Options{Stdin: strings.NewReader("7")})
	nb.MustRun(t, 1, "import (\n\"io\"\n\"os\"\n)\nin, out := os.Stdin, os.Stdout\nr, w, err := os.Pipe()\nvar a, b int")
	got := nb.MustRun(t, 2, "os.Stdout = w\nfmt.Println(5)\nos.Stdout = out\nos.Stdin = r\nfmt.Scan(&a)\nos.Stdin = in\nfmt.Scan(&b)\nfmt.Print(\"own\")\n"+
		"w.Close()\nrest, _ := io.ReadAll(r)\nr.Close()\nfmt.Sprint(a, b, len(rest), err)")
	if got != "5 7 0 <nil>" || nb.Stdout.String() != "own" {
		t.Errorf("got %s and printed %q", got, nb.Stdout.String())
	}
}
