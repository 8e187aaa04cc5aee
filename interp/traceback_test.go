package interp

import (
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goanvil/notebook/interp/lower"
)

// TestMoreCalls checks the line that stands for omitted frames.
func TestMoreCalls(t *testing.T) {
	for n, want := range map[int]string{
		1: "... 1 more call", 2: "... 2 more calls", 10: "... 10 more calls", 999: "... 999 more calls",
		1000: "... 1,000 more calls", 12345: "... 12,345 more calls", 1234567: "... 1,234,567 more calls",
	} {
		if got := moreCalls(n); got != want {
			t.Errorf("moreCalls(%d) = %q, want %q", n, got, want)
		}
	}
}

// TestWithCaret checks that the caret stands below the column, also after tabs and in columns that the line does not
// have.
func TestWithCaret(t *testing.T) {
	for _, c := range []struct {
		line   string
		column int
		want   string
	}{
		{"x + y", 1, "    x + y\n    ^"},
		{"x + y", 3, "    x + y\n      ^"},
		{"x + y", 6, "    x + y\n         ^"},
		{"x + y", 60, "    x + y\n         ^"},
		{"x + y", 0, "    x + y\n    ^"},
		{"\tx\ty", 4, "    \tx\ty\n    \t \t^"},
		{"é + y", 6, "    é + y\n        ^"},
		{" \t", 1, ""},
		{"", 1, ""},
	} {
		if got := strings.Join(withCaret(c.line, c.column), "\n"); got != c.want {
			t.Errorf("withCaret(%q, %d) =\n%s\nwant\n%s", c.line, c.column, got, c.want)
		}
	}
}

// TestAddFrame checks that equal positions in a row share a frame, and that the frames between the first and the last
// ones of a long list are merged.
func TestAddFrame(t *testing.T) {
	for _, c := range []struct{ calls, want string }{
		{"1", "1"},
		{"1 1 1 2 1", "1x3 2 1"},
		{"1 2 3 4 5 6 7 8 9 10 11 12", "1 2 3 4 5 6 7 8 9 10 11 12"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13", "1 2 3 4 5 6 7 8 - 10 11 12 13"},
		{"1 2 3 4 5 6 7 8 9 9 10 11 12 12 13", "1 2 3 4 5 6 7 8 -x2 10 11 12x2 13"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13 14", "1 2 3 4 5 6 7 8 -x2 11 12 13 14"},
		{"1 2 3 4 5 6 7 8 9 10 10 10 11 12 13 14 15 15", "1 2 3 4 5 6 7 8 -x5 12 13 14 15x2"},
	} {
		var u unwinding
		for _, call := range strings.Fields(c.calls) {
			var pos token.Pos
			fmt.Sscan(call, &pos)
			u.passed(pos)
			u.passed(token.NoPos) // it changes nothing
		}
		for range 2 {
			if u.recovered(nil) != nil {
				t.Error("recovered(nil) is not nil")
			}
		}
		var got []string
		for _, f := range u.take() {
			text := fmt.Sprint(f.pos)
			if f.pos == token.NoPos {
				text = "-"
			}
			if f.times > 1 {
				text += fmt.Sprint("x", f.times)
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.calls, diff)
		}
		if left := u.take(); left != nil {
			t.Errorf("%s: take leaves %v", c.calls, left)
		}
	}
}

// TestRecoveredFrames checks that a recovered panic leaves no frames.
func TestRecoveredFrames(t *testing.T) {
	var u unwinding
	u.passed(3)
	if got := u.recovered("value"); got != "value" {
		t.Errorf("recovered returns %v", got)
	}
	if left := u.take(); left != nil {
		t.Errorf("frames %v are left", left)
	}
}

// TestCellTexts checks which cell, line and function a position belongs to.
func TestCellTexts(t *testing.T) {
	var texts cellTexts
	texts.add(1, 10, "cell[1]", "a\nbc")
	texts.add(10, 20, "cell[2]", "d")
	texts.add(30, 40, "cell[3]", "e\nf\ng")
	texts.addFunctions([]lower.Func{{Name: "outer", From: 2, To: 9}, {Name: "inner", From: 4, To: 6}})
	texts.addFunctions([]lower.Func{{Name: "twin", From: 12, To: 15}, {Name: "later", From: 12, To: 15}})
	for pos, want := range map[token.Pos]string{
		0: "-1  ", 1: "0  ", 2: "0  outer", 3: "0  outer", 4: "0  inner", 5: "0  inner", 6: "0  outer", 8: "0  outer",
		9: "0  ", 10: "1  ", 12: "1  twin", 14: "1  twin", 15: "1  ", 19: "1  ", 20: "-1  ", 29: "-1  ", 30: "2  ",
		39: "2  ", 40: "-1  ", 99: "-1  ",
	} {
		if got := fmt.Sprintf("%d  %s", texts.cell(pos), texts.function(pos)); got != want {
			t.Errorf("position %d: %q, want %q", pos, got, want)
		}
	}
	for _, c := range []struct {
		pos  token.Pos
		line int
		want string
	}{{5, 0, ""}, {5, 1, "a"}, {5, 2, "bc"}, {5, 3, ""}, {15, 1, "d"}, {15, 2, ""}, {25, 1, ""}, {31, 3, "g"}} {
		if got := texts.line(c.pos, c.line); got != c.want {
			t.Errorf("line %d at %d is %q, want %q", c.line, c.pos, got, c.want)
		}
	}
}
