package complete_test

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
)

// newSession returns a session with time.Time as the tensor type, a variable t of that type,
// a struct type point, a variable p of that type, and a function twice.
func newSession(t *testing.T) *complete.Session {
	t.Helper()
	u := universe.WithReceivers(nil)
	env := check.NewEnv(u)
	for name, path := range map[string]string{"fmt": "fmt", "strings": "strings", "http": "net/http", "str": "bytes"} {
		env.AddImport(name, path)
	}
	clock, err := u.Import("time")
	if err != nil {
		t.Fatal(err)
	}
	main := types.NewPackage("main", "main")
	tensor := clock.Scope().Lookup("Time").Type()
	point := types.NewTypeName(token.NoPos, main, "point", nil)
	named := types.NewNamed(point, types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, main, "x", types.Typ[types.Int], false),
		types.NewField(token.NoPos, main, "When", tensor, false),
	}, nil), nil)
	add := func(cell int, o types.Object) {
		env.Add(&check.Object{Object: o, Engine: env.Unique(o.Name()), Cell: cell})
	}
	add(1, point)
	add(1, types.NewVar(token.NoPos, main, "p", named))
	add(2, types.NewVar(token.NoPos, main, "t", tensor))
	param := types.NewTuple(types.NewParam(token.NoPos, main, "n", types.Typ[types.Int]))
	add(3, types.NewFunc(token.NoPos, main, "twice", types.NewSignatureType(nil, nil, nil, param, param, false)))
	return &complete.Session{
		Env: env, TensorPath: "time", TensorName: "Time",
		Doc: func(path, symbol string) complete.Doc {
			d := universe.DocOf(path, symbol)
			return complete.Doc{Text: d.Text, Decl: d.Decl}
		},
		Paths:  universe.Paths,
		Magics: func() map[string]string { return map[string]string{"%time": "how long a cell takes", "%who": "names"} },
		Arguments: func(magic string) []string {
			if magic != "%who" {
				return nil
			}
			return []string{"anvil", "ivy-fast", "ivy-precise"}
		},
		Texts: func(call string, n int) []string { return []string{fmt.Sprint("text ", n, " of ", call)} },
		Files: func(dir string) []string {
			return map[string][]string{"": {".data", "data/", "dates.csv"}, "data/": {".hidden", "iris.csv", "quo\"te"}}[dir]
		},
		Source: func(cell int) string {
			return []string{"", "type point struct{ x int }", "t := 1", "func twice(n int) int { return 2 * n }"}[cell]
		},
		Value: func(name string) string { return "value of " + name },
	}
}

// cursor removes the | from code and returns its position in code points.
func cursor(t *testing.T, code string) (string, int) {
	t.Helper()
	before, after, ok := strings.Cut(code, "|")
	if !ok {
		t.Fatalf("no | in %q", code)
	}
	return before + after, len([]rune(before))
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want, not  []string
	}{
		{"session names", "tw|", []string{"twice"}, []string{"t"}},
		{"packages", "st|", []string{"strings", "string", "struct"}, nil},
		{"members of a package", "strings.Cu|", []string{"Cut", "CutPrefix", "CutSuffix"}, []string{"Count"}},
		{"methods of a variable", "t.Unix|", []string{"Unix", "UnixNano"}, nil},
		{"fields, unexported too", "p.|", []string{"x", "When"}, nil},
		{"field of a field", "p.When.Unix|", []string{"Unix"}, nil},
		{"an operator on a tensor", "(t*2).Unix|", []string{"Unix"}, nil},
		{"a chain", "(t*2).Add(1).Unix|", []string{"Unix"}, nil},
		{"an index of a tensor", "t[0].Unix|", []string{"Unix"}, nil},
		{"an index of several places", "t[:, 0].Unix|", []string{"Unix"}, nil},
		{"one in a line before", "y := t[1:3, 2]\ny.Unix|", []string{"Unix"}, nil},
		{"a slice from a length", "s := []point{p}\ny := s[len(s[1:]):]\ny[0].W|", []string{"When"}, nil},
		{"within such an index", "t[:, tw|", []string{"twice"}, nil},
		{"a variable of this cell", "y := t*2 + 1\nz := -y\nz.Unix|", []string{"Unix"}, nil},
		{"a variable of this cell from a function of it", "y := t*2 + 1\nfunc f() int64 { return y.Unix|", []string{"Unix"}, nil},
		{"a parameter", "func f(a *strings.Builder, b int) {\n\ta.Wri|", []string{"WriteByte", "WriteRune", "WriteString"}, nil},
		{"a local of an open block", "for i := 0; i < 3; i++ {\n\tlocal := i\n\tloc|", []string{"local"}, nil},
		{"a type of this cell", "type pair struct{ left, right int }\nq := pair{}\nq.l|", []string{"left"}, []string{"right"}},
		{"keys of a literal", "q := point{x: 1, W|", []string{"When"}, []string{"x"}},
		{"keys without prefix", "q := point{|", []string{"x", "When", "twice"}, nil},
		{"a key that has a value", "q := point{W|: t}", []string{"When"}, nil},
		{"a key of a literal that a pointer points to", "q := &point{x: 1, W|: t}", []string{"When"}, []string{"x"}},
		{"a value that is a key elsewhere", "q := map[string]int{tw|: 1}", []string{"twice"}, []string{"When"}},
		{"values of a literal", "q := point{x: tw|", []string{"twice"}, []string{"When"}},
		{"a literal of another package", "http.Client{Tim|", []string{"Timeout"}, nil},
		{"import paths", `import "math/r|`, []string{"math/rand", "math/rand/v2"}, []string{"math"}},
		{"import paths in a group", "import (\n\t\"fmt\"\n\tm \"math/r|", []string{"math/rand"}, nil},
		{"a package imported by this cell", "import \"math/bits\"\nbits.Leading|", []string{"LeadingZeros"}, nil},
		{"magics", "%ti|", []string{"%time"}, []string{"%who"}},
		{"an argument of a magic", "%who |", []string{"anvil", "ivy-fast"}, []string{"%who", "Cut"}},
		{"a later argument", "  %who anvil ivy-|", []string{"ivy-fast", "ivy-precise"}, []string{"anvil"}},
		{"magics below code", "x := 7 // the answer\n%ti|", []string{"%time"}, []string{"%who"}},
		{"magics below a comment", "// the answer\n%ti|", []string{"%time"}, []string{"%who"}},
		{"an argument of a magic below code", "x := 7\n%who |", []string{"ivy-fast"}, []string{"%who"}},
		{"no magic in an expression", "x := (7\n%ti|", nil, []string{"%time"}},
		{"no magic in a comment", "/*\n%ti|", nil, []string{"%time"}},
		{"no argument of a magic in an expression", "x := (7\n%who |", nil, []string{"ivy-fast"}},
		{"no magic in a script", "%%bash\n%ti|", nil, []string{"%time"}},
		{"behind a magic", "%time strings.Cu|", []string{"Cut"}, nil},
		{"other letter case", "strings.cu|", []string{"Cut"}, nil},
		{"packages that are not imported", "strco|", []string{"strconv"}, []string{"plot"}},
		{"their members", "strconv.Ito|", []string{"Itoa"}, nil},
		{"members of such a package elsewhere", "json.Marsh|", []string{"Marshal", "MarshalIndent"}, nil},
		{"files", `x := "da|`, []string{"data/", "dates.csv"}, []string{".data"}},
		{"files of a folder", `x := "data/i|ris"`, []string{"data/iris.csv"}, []string{"data/.hidden", "iris.csv"}},
		{"hidden files", "x := `.|", []string{".data"}, []string{"data/"}},
		{"texts before files", `p.Set("|`, []string{"text 0 of p.Set"}, []string{"data/"}},
		{"keywords", "retu|", []string{"return"}, nil},
		{"builtins", "appe|", []string{"append"}, nil},
		{"a text", `p.Set("te|`, []string{"text 0 of p.Set"}, nil},
		{"a later text", `p.Set("a", "b", "te|`, []string{"text 2 of p.Set"}, nil},
		{"a text of a chain", `p.Group(f(1), (2)).Mean("|`, []string{"text 0 of p.Group.Mean"}, nil},
		{"no text of a call of a call", `f(1)(2).Mean("|`, nil, []string{"text 0 of f.Mean", "text 0 of Mean"}},
		{"a key", `x := m["|`, []string{"text 0 of m["}, nil},
		{"no key of a member", `x.m["|`, nil, []string{"text 0 of m["}},
		{"no text behind other arguments", `p.Set(1, "te|`, nil, []string{"text 0 of p.Set", "text 1 of p.Set"}},
		{"nothing in a string", `x := "str|`, nil, []string{"strings"}},
		{"nothing in a comment", "// str|", nil, []string{"strings"}},
		{"nothing in a number", "x := 1e|", nil, []string{"else"}},
		{"after a broken line", "x := )\nstrings.Cu|", []string{"Cut"}, nil},
		{"in a condition", "if t.Unix|", []string{"Unix"}, nil},
		{"in an argument", "fmt.Println(t.Unix|", []string{"Unix"}, nil},
		{"a method on a type of an earlier cell", "func (q point) sum() int {\n\treturn q.|", []string{"x", "When"}, nil},
		{"code behind the cursor", "strings.Cu|\nfmt.Println(1)", []string{"Cut"}, nil},
		{"names of Go, but not the kernel's own", "|", []string{"twice", "fmt"}, []string{"ꓸcell", "ꓸtensor", "_"}},
		{"a name that is sorted after the kernel's own", "var 한글 int\n한|", []string{"한글"}, nil},
		{"fields of embedded structs", "type in struct{ point; extra int }\nvar q in\nq.|", []string{"point", "extra", "x", "When"}, nil},
		{"fields of an embedded pointer", "type in struct{ *point }\nvar q *in\nq.W|", []string{"When"}, []string{"x"}},
		{"keys of a literal with a key of a key", "q := map[string]point{\"a\": {W|", []string{"When"}, nil},
		{"a slice of a tensor", "t[1:2].Unix|", []string{"Unix"}, nil},
		{"a slice of three", "t[1:2:3].Unix|", []string{"Unix"}, nil},
		{"a comparison with a tensor", "(1 < t).Unix|", []string{"Unix"}, nil},
		{"a negated tensor", "(-t).Unix|", []string{"Unix"}, nil},
		{"no tensor behind an address", "(&t).Unix|", []string{"Unix"}, nil},
		{"two variables of this cell from a function of it", "y, z := strings.NewReader(\"a\"), t\nfunc f() int64 { return z.Unix|", []string{"Unix"}, nil},
		{"a text behind nested arguments", `p.Group(f(1, g(2)), (3)).Mean("|`, []string{"text 0 of p.Group.Mean"}, nil},
		{"no file in an import", `import "da|`, nil, []string{"data/", "dates.csv"}},
		{"no name behind dots", "f(x...|", nil, []string{"Cut"}},
		{"text before of more than one byte", "s := \"héllo ✓\"; strings.Cu|", []string{"Cut"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, at := cursor(t, c.code)
			matches, start, end := newSession(t).Complete(code, at)
			var got []string
			for _, m := range matches {
				got = append(got, m.Text)
			}
			for _, want := range c.want {
				if !slices.Contains(got, want) {
					t.Errorf("%q is missing in %.20v", want, got)
				}
			}
			for _, not := range c.not {
				if slices.Contains(got, not) {
					t.Errorf("%q should not be offered", not)
				}
			}
			if runes := []rune(code); start > end || end != at || strings.ContainsAny(string(runes[start:end]), " .\n(") && !strings.Contains(c.name, "import") && !strings.Contains(c.name, "files") {
				t.Errorf("replaces %q, [%d:%d], cursor at %d", string(runes[start:end]), start, end, at)
			}
		})
	}
}

func TestMatchesTellKindAndSignature(t *testing.T) {
	s := newSession(t)
	for text, want := range map[string]complete.Match{
		"twi":                         {Text: "twice", Kind: complete.Function, Signature: "(n int) (n int)"},
		"poin":                        {Text: "point", Kind: complete.Type},
		"fm":                          {Text: "fmt", Kind: complete.Package},
		"p.Whe":                       {Text: "When", Kind: complete.Field},
		"strings.Cont":                {Text: "Contains", Kind: complete.Function, Signature: "(s string, substr string) bool"},
		"http.StatusOK":               {Text: "StatusOK", Kind: complete.Constant},
		"import \"anvil\"\nanvil.Adj": {Text: "AdjointA", Kind: complete.Variable},
		"contin":                      {Text: "continue", Kind: complete.Keyword},
	} {
		matches, _, _ := s.Complete(text, len(text))
		if len(matches) == 0 || matches[0] != want {
			t.Errorf("%s: %+v; want %+v", text, matches, want)
		}
	}
}

func TestInspect(t *testing.T) {
	for _, c := range []struct {
		name, code string
		detail     int
		want       []string
	}{
		{"a function", "strings.Cu|t", 0, []string{"func strings.Cut(s string, sep string)", "Cut slices s around the first instance of sep"}},
		{"the function of a call", `strings.Cut(s, |`, 0, []string{"func strings.Cut("}},
		{"the function of an outer call", `strings.Cut(f(1), []int{2}[0]|`, 0, []string{"func strings.Cut("}},
		{"a method", "t.Unix|", 0, []string{"Unix() int64", "returns t as a Unix time"}},
		{"a method of an expression", "(t*2).Unix|()", 0, []string{"returns t as a Unix time"}},
		{"a function of a package that is not imported", "strconv.Ito|a", 0, []string{"func strconv.Itoa(i int) string"}},
		{"a field", "http.Client{Timeou|t: 1}", 0, []string{"Timeout"}},
		{"a selected field", "var c http.Client\nc.Timeout|", 0, []string{"field Client.Timeout time.Duration", "specifies a time limit"}},
		{"a package", "string|s", 0, []string{"package strings", "Package strings implements"}},
		{"a type", "strings.Builder|", 0, []string{"type Builder struct", "efficiently build a string", "WriteString(s string) (int, error)"}},
		{"a constant", "http.StatusTeapot|", 0, []string{"= 418"}},
		{"a variable", "t|", 0, []string{"var t time.Time", "value of t", "A Time represents an instant"}},
		{"a function of a cell", "twice|", 0, []string{"func twice(n int) (n int)"}},
		{"its source", "twice|", 1, []string{"return 2 * n"}},
		{"a builtin", "append|", 0, []string{"append", "appends elements to the end of a slice"}},
		{"a package under another name", "str.Buffer|", 0, []string{"type Buffer struct"}},
		{"its names", "str.NewReader|", 0, []string{"func str.NewReader(b []byte) *str.Reader"}},
		{"a magic", "%tim|e", 0, []string{"how long a cell takes"}},
		{"a magic below code", "x := 7\n%tim|e", 0, []string{"how long a cell takes"}},
		{"behind a question mark", "?strings.Cut|", 0, []string{"func strings.Cut("}},
		{"another name of a type", "import \"anvil\"\nanvil.CSV|", 0, []string{"type CSV = table.CSV", "NoHeader bool"}},
		{"code in documentation", "import \"anvil\"\nanvil.Table|", 0, []string{"\n\tx := t.Matrix("}},
		{"options", "import \"anvil\"\nanvil.Var|", 0, []string{
			"\nanvil.Correction(n)  makes Var, Std and Cov divide by the count minus n: 0 gives\n    the variance of the elements, 1 an unbiased estimate",
			"\ntype anvil.Axis  the position of an axis; "}},
		{"a promoted field", "type in struct{ *http.Client }\nvar q in\nq.Timeout|", 0, []string{"field Client.Timeout time.Duration"}},
		{"a promoted method", "type in struct{ *strings.Builder }\nvar q in\nq.WriteString|", 0, []string{"WriteString(s string) (int, error)", "appends the contents of s"}},
		{"a local", "x := strings.NewReader(\"a\")\nx|", 0, []string{"var x *strings.Reader"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, at := cursor(t, c.code)
			page, ok := newSession(t).Inspect(code, at, c.detail)
			if !ok {
				t.Fatal("nothing found")
			}
			for _, want := range c.want {
				if !strings.Contains(page.Text, want) {
					t.Errorf("%q is missing in\n%s", want, page.Text)
				}
			}
			if !strings.HasPrefix(page.Markdown, "```go\n") || !strings.HasPrefix(page.HTML, "<pre>") {
				t.Errorf("markdown %q, html %q", page.Markdown, page.HTML)
			}
		})
	}
}

// TestInspectOtherVariables checks that a field or a local variable with the name of a variable of the session is not
// shown with the value, the comment and the source of that variable.
func TestInspectOtherVariables(t *testing.T) {
	s := newSession(t)
	s.Source = func(int) string { return "// It is a time.\nvar t = time.Now()" }
	for _, code := range []string{"type q struct{ t int }\nvar v q\nv.t|", "f := func(t int) int { return t| }"} {
		code, at := cursor(t, code)
		page, ok := s.Inspect(code, at, 1)
		if !ok || !strings.Contains(page.Text, "int") {
			t.Errorf("%q: %q", code, page.Text)
		}
		for _, not := range []string{"value of t", "It is a time"} {
			if strings.Contains(page.Text, not) {
				t.Errorf("%q: the page contains %q:\n%s", code, not, page.Text)
			}
		}
	}
}

// TestInspectOrder checks that a page has the first sentence, the example and the rest in this order, and with
// detail 1 the tables and the source at the end. The documentation of a name of a cell is the comment above it.
func TestInspectOrder(t *testing.T) {
	s := newSession(t)
	cells := []string{"", "// A point is\n// somewhere.\ntype point struct{ x int }", "import \"time\"\n\n// It is later.\nvar later = t.Add(1)\n\n// It is now.\nvar t = time.Now()",
		"x := 1 // twice\n\n/* twice doubles. */\nfunc twice(n int) int { return 2 * n }"}
	s.Source = func(cell int) string { return cells[cell] }
	doc := s.Doc
	s.Doc = func(path, symbol string) complete.Doc {
		d := doc(path, symbol)
		if path == "strings" {
			d.Example, d.Tables = "strings.Cut(1)", "The tables."
		}
		return d
	}
	s.LibrarySource = func(path, symbol string) string { return "source of " + path + "." + symbol }
	for _, c := range []struct {
		code   string
		detail int
		want   []string
		not    string
	}{
		{"strings.Cut", 0, []string{"func strings.Cut(", "Cut slices s around the first instance of sep,", "example:\nstrings.Cut(1)", "The found result"}, "tables"},
		{"strings.Cut", 1, []string{"example:", "The found result", "The tables.", "source of strings.Cut"}, "nothing"},
		{"twice", 0, []string{"func twice(", "twice doubles."}, "return"},
		{"twice", 1, []string{"func twice(", "twice doubles.", "return 2 * n"}, "nothing"},
		{"t", 0, []string{"var t time.Time", "It is now."}, "import"},
		{"point", 0, []string{"type point", "A point is somewhere."}, "nothing"},
	} {
		page, _ := s.Inspect(c.code, len(c.code), c.detail)
		rest := page.Text
		for _, want := range c.want {
			_, after, found := strings.Cut(rest, want)
			if !found {
				t.Fatalf("%s: %q is missing or comes too early in\n%s", c.code, want, page.Text)
			}
			rest = after
		}
		if strings.Contains(page.Text, c.not) {
			t.Errorf("%s: %q in\n%s", c.code, c.not, page.Text)
		}
	}
}

func TestInspectKnowsNothing(t *testing.T) {
	for _, code := range []string{"nosuch|", "|", "strings.NoSuch|", "1|", "%nosuch|", "x := )|"} {
		code, at := cursor(t, code)
		if page, ok := newSession(t).Inspect(code, at, 0); ok {
			t.Errorf("%q: %s", code, page.Text)
		}
	}
}

// TestBareSession checks that a session without functions for magics, files, texts and paths offers none, and that one
// without a tensor type knows the others.
func TestBareSession(t *testing.T) {
	env := check.NewEnv(universe.WithReceivers(nil))
	env.AddImport("strings", "strings")
	s := &complete.Session{Env: env, Doc: func(string, string) complete.Doc { return complete.Doc{} }}
	for code, want := range map[string]int{
		"%ti": 0, "%time x": 0, `x := "da`: 0, `p.Set("`: 0, `import "ma`: 0, `m["`: 0, "strings.CutPre": 1, "x := 1\nx.": 0,
	} {
		if matches, _, _ := s.Complete(code, len(code)); len(matches) != want {
			t.Errorf("%q: %v", code, matches)
		}
	}
	for _, code := range []string{"%time", "nothing", "\"text\""} {
		if page, ok := s.Inspect(code, 2, 0); ok {
			t.Errorf("%q: %v", code, page)
		}
	}
}

func TestHTMLIsEscaped(t *testing.T) {
	s := newSession(t)
	s.Value = func(string) string { return "<script>" }
	page, _ := s.Inspect("t", 1, 0)
	if strings.Contains(page.HTML, "<script>") || !strings.Contains(page.Text, "<script>") {
		t.Errorf("html %q", page.HTML)
	}
}

func BenchmarkCompleteMember(b *testing.B) {
	s := newSession(&testing.T{})
	for b.Loop() {
		s.Complete("(t*2).Add(1).Un", 15)
	}
}
