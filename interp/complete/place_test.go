package complete

import (
	"strings"
	"testing"
)

// TestPlaceOf checks the kind of syntax at the cursor |, and where the text to complete starts: at ^, or at the cursor.
func TestPlaceOf(t *testing.T) {
	for _, c := range []struct {
		code string
		kind placeKind
		call string
		nth  int
	}{
		{"|", inCode, "", 0}, {"^ab|c", inCode, "", 0}, {"x := \"a\" + ^b|", inCode, "", 0}, {"x + |", inCode, "", 0},
		{"x.|", afterDot, "", 0}, {"x.^Su|m()", afterDot, "", 0}, {"x.\n\t^Su|", afterDot, "", 0},
		{"f(x)[0].|", afterDot, "", 0},
		{"x..|", inCode, "", 0}, {"x[...|", inCode, "", 0}, {"x[..., ^i|]", inCode, "", 0},
		{"import \"^str|", inImport, "", 0}, {"import s \"^str|", inImport, "", 0},
		{"import (\n\t\"a\"\n\t\"^b|", inImport, "", 0}, {"import \"a\"\na.F(\"^b|", inArgument, "a.F", 0},
		{"import \"a\"\n\"^b|", inString, "", 0},
		{"fmt.Println(\"^a|", inArgument, "fmt.Println", 0}, {"backend.Set(\"^|\")", inArgument, "backend.Set", 0},
		{"backend.Set(\"a\", \"^b|", inArgument, "backend.Set", 1}, {"a.B(\"x\", \"y\", \"^|", inArgument, "a.B", 2},
		{"t.GroupBy(\"a\").Mean(\"^|", inArgument, "t.GroupBy.Mean", 0}, {"a.b.C(\"^|", inArgument, "a.b.C", 0},
		{"a.F(g(1), h()).M(\"^|", inArgument, "a.F.M", 0}, {"m[\"^k|", inArgument, "m[", 0},
		{"a.m[\"^k|", inString, "", 0}, {"m[\"a\", \"^|", inString, "", 0}, {"f(\"^|", inString, "", 0},
		{"a.F(1, \"^|", inString, "", 0}, {"x := \"^|", inString, "", 0}, {"[]int{1}.F(\"^|", inString, "", 0},
		{"s := `^a|", inString, "", 0},
		{"1.|", inText, "", 0}, {"x + 1.5|", inText, "", 0}, {"'a|", inText, "", 0}, {"// co|", inText, "", 0},
		{"/* co|", inText, "", 0},
		{"1.5 + |", inCode, "", 0}, {"// a\n^b|", inCode, "", 0}, {"^%pro|", inMagic, "", 0},
	} {
		at := strings.Index(strings.Replace(c.code, "^", "", 1), "|")
		start := strings.Index(c.code, "^")
		if start < 0 {
			start = at
		}
		code := strings.NewReplacer("^", "", "|", "").Replace(c.code)
		want := place{c.kind, start, c.call, c.nth}
		if got := placeOf(code, at); got != want {
			t.Errorf("%s: %+v, want %+v", c.code, got, want)
		}
	}
}

// TestWrap checks that lines about options have 80 characters at most, if words allow.
func TestWrap(t *testing.T) {
	x40, x80, accents := strings.Repeat("x", 40), strings.Repeat("x", 80), strings.Repeat("é", 80)
	for _, c := range [][2]string{
		{"", ""}, {x80, x80}, {x80 + "y", x80 + "y"}, {x80 + " y", x80 + "\n    y"}, {accents + " y", accents + "\n    y"},
		{x40 + " " + x40, x40 + "\n    " + x40}, {x40 + " " + x40[1:], x40 + " " + x40[1:]},
		{x40 + " " + x40 + " " + x40, x40 + "\n    " + x40 + "\n    " + x40}, {"   " + x80, "   " + x80},
	} {
		if got := wrap(c[0]); got != c[1] {
			t.Errorf("%q is wrapped as %q, want %q", c[0], got, c[1])
		}
	}
}
