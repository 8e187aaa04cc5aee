package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain runs main instead of the tests in the processes of programs and where runMain has set GOANVIL_TEST_MAIN.
func TestMain(m *testing.M) {
	if os.Getenv("GOANVIL_TEST_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// runMain runs main.
func runMain(args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GOANVIL_TEST_MAIN=1")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// suite writes files to a new folder and returns the folder.
func suite(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// runnable returns a program that go run can run, with a main function.
func runnable(imports, body string) string {
	if imports != "" {
		imports = "import (\n" + imports + "\n)\n"
	}
	return "// run\n\npackage main\n\n" + imports + "func main() {\n" + body + "\n}\n"
}

// TestJudge checks the classes of programs.
func TestJudge(t *testing.T) {
	t.Setenv("GOANVIL_TEST_MAIN", "1")
	root := suite(t, map[string]string{
		"right.go": runnable(`"fmt"`, `fmt.Println(1)`), "right.out": "1\n",
		"silent.go": runnable("", ""),
		"stderr.go": runnable(`"fmt"; "os"`, `fmt.Fprintln(os.Stderr, 2)`), "stderr.out": "2\n",
		"exits.go": runnable(`"fmt"; "os"`, `fmt.Println(1); os.Exit(0)`), "exits.out": "1\n",
		"fails.go": runnable(`"os"`, `os.Exit(1)`),
		"wrong.go": runnable(`"fmt"`, `fmt.Println(1); fmt.Println(2)`), "wrong.out": "1\n3\n",
		"panics.go":   runnable("", `panic("no")`),
		"refused.go":  runnable(`"syscall"`, `_ = syscall.Getpid()`),
		"killed.go":   runnable(`"os/exec"`, `exec.Command("sh", "-c", "kill -KILL $PPID").Run()`),
		"internal.go": runnable("", `var x int = "0x"; _ = x`),
		"medium.go":   runnable("", `x := make([]byte, 64<<20); _ = x`),
		"name.go":     runnable(`"fmt"; "runtime"`, `_, file, line, _ := runtime.Caller(0); fmt.Println(file, line)`), "name.out": "cell[1] 7\n",
		"args.go": runnable(`"fmt"; "os"`, `fmt.Println(len(os.Args))`), "args.out": "1\n",
	})
	for _, c := range []struct{ name, cells, class, why string }{
		{"right.go", "whole", right, ""}, {"right.go", "declarations", right, ""}, {"right.go", "statements", right, ""},
		{"silent.go", "whole", right, ""}, {"stderr.go", "whole", right, ""}, {"exits.go", "whole", right, ""}, {"args.go", "whole", right, ""},
		{"fails.go", "whole", wrong, "os.Exit(1)"}, {"wrong.go", "whole", wrong, `line 2: got "2", want "3"`}, {"panics.go", "whole", wrong, "no"},
		{"refused.go", "whole", refused, "syscall"}, {"killed.go", "whole", died, "signal: killed"}, {"internal.go", "whole", internal, "0x"}, {"medium.go", "whole", right, ""},
		{"none.go", "whole", died, "none.go"}, {"right.go", "lines", right, ""},
	} {
		class, why := judge(root, c.name, c.cells, 20*time.Second)
		if class != c.class || !strings.Contains(why, c.why) || (why == "") != (c.why == "") || strings.Contains(why, "\n") {
			t.Errorf("%s in %s: %s, %q; want %s, %q", c.name, c.cells, class, why, c.class, c.why)
		}
	}
}

// TestNoEnd checks the class of a program that uses more processor time than it may.
func TestNoEnd(t *testing.T) {
	t.Setenv("GOANVIL_TEST_MAIN", "1")
	root := suite(t, map[string]string{"loops.go": runnable("", `for {}`)})
	if class, why := judge(root, "loops.go", "whole", 2*time.Second); class != noEnd || why != "" {
		t.Errorf("%s, %q", class, why)
	}
}

// TestReport checks the report on a suite: it has a line for each program that does not behave as in Go.
func TestReport(t *testing.T) {
	name := runnable(`"fmt"; "os"; "path/filepath"`, `fmt.Println(filepath.Base(os.Args[0]))`)
	root := suite(t, map[string]string{
		"right.go": runnable("", ""), "chan/right.go": runnable("", ""), "fixedbugs/own.go": name, "fixedbugs/own.out": "own\n",
		"closure.go": name, "closure.out": "closure\n", "two.go": runnable("", `println(1)`), "two.out": "2\n",
		"compiles.go": "// compile\n\npackage main\n", "other/right.go": runnable("", ""),
	})
	file := filepath.Join(t.TempDir(), "report")
	out, errs, err := runMain("-root", root, "-o", file, "-p", "1")
	if err != nil || out != "" {
		t.Fatalf("%v\n%s\n%s", err, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	slices.Sort(lines)
	if len(lines) != 3 || lines[0] != "depends\tclosure.go\tcounts allocations" || !strings.HasPrefix(lines[1], "not in Go\ttwo.go\tline 1: ") ||
		!strings.HasPrefix(lines[2], "wrong\tfixedbugs/own.go\tline 1: ") {
		t.Errorf("the report is %q", lines)
	}
	if errs != "5 programs: map[depends:1 not in Go:1 right:2 wrong:1]\n" {
		t.Errorf("the summary is %s", errs)
	}
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte("two.go chan/right.go\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, errs, err = runMain("-root", root, "-list", list); err != nil || !strings.HasPrefix(out, "not in Go\ttwo.go\t") || strings.Count(out, "\n") != 1 ||
		!strings.HasPrefix(errs, "2 programs: ") {
		t.Errorf("%v\n%s\n%s", err, out, errs)
	}
	for _, args := range [][]string{
		{"-root", root, "-match", "("}, {"-root", root, "-match", "none"}, {"-root", root, "-list", list + "x"}, {"-root", root, "-o", root},
		{"-run", filepath.Join(root, "none.go")}, {"-run", filepath.Join(root, "compiles.go"), "-cells", "declarations"},
		{"-examples", "-root", filepath.Join(root, "two.go")},
	} {
		if out, errs, err := runMain(args...); err == nil || out != "" || errs == "" {
			t.Errorf("%v: %v\n%s%s", args, err, out, errs)
		}
	}
}

// TestPrograms checks which programs of a suite are chosen, and their order.
func TestPrograms(t *testing.T) {
	root := suite(t, map[string]string{
		"b.go": runnable("", ""), "a.go": runnable("", ""), "c.txt": runnable("", ""), "d.go": "// build\n\npackage main\n",
		"chan/a.go": runnable("", ""), "ken/a.go": runnable("", ""), "interface/a.go": runnable("", ""), "typeparam/a.go": runnable("", ""),
		"fixedbugs/a.go": runnable("", ""), "other/a.go": runnable("", ""), "chan/deep/a.go": runnable("", ""), "list": "b.go chan/a.go\nd.go",
		"empty": "",
	})
	list := filepath.Join(root, "list")
	for _, c := range []struct {
		match, list string
		want        string
	}{
		{"", "", "a.go b.go chan/a.go ken/a.go interface/a.go typeparam/a.go fixedbugs/a.go"}, {"^b", "", "b.go"}, {"/", list, "chan/a.go"},
		{"", list, "b.go chan/a.go"}, {"zzz", "", ""}, {"", filepath.Join(root, "none"), ""}, {"(", "", ""}, {"", filepath.Join(root, "empty"), ""},
	} {
		names, err := programs(root, c.match, c.list)
		if got := strings.Join(names, " "); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("match %q, list %q: %s, %v, want %s", c.match, c.list, got, err, c.want)
		}
	}
	if names, err := programs("[", "", ""); err == nil {
		t.Errorf("a wrong folder has %v", names)
	}
	if err := os.Mkdir(filepath.Join(root, "folder.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	if names, err := programs(root, "", ""); err == nil {
		t.Errorf("a folder is read: %v", names)
	}
}

// TestExamples checks the programs made of the examples of a small library, and that they run.
func TestExamples(t *testing.T) {
	const examples = `package deep_test

import "fmt"

func Example() {
	fmt.Println("whole")
	// Output: whole
}

func Example_silent() {
	// Output:
}

func Example_none() { fmt.Println("no output is expected") }

func Example_any() {
	fmt.Println(1)
	fmt.Println(2)
	// Unordered output:
	// 2
	// 1
}

func ExampleHelped() {
	helper()
	// Output: helped
}

func helper() { fmt.Println("helped") }
`
	skipped := strings.Replace(examples, "deep_test", "skipped", 1)
	src := suite(t, map[string]string{
		"a/deep/example_test.go": examples, "a/deep/example.go": skipped, "cmd/x/x_test.go": skipped, "a/internal/x_test.go": skipped,
		"vendor/x_test.go": skipped, "a/testdata/x_test.go": "nonsense\nfunc Example", "a/other_test.go": "nonsense",
	})
	folder := t.TempDir()
	if err := writeExamples(src, folder); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{
		"a_deep_Example.go", "a_deep_Example.output", "a_deep_ExampleHelped.go", "a_deep_ExampleHelped.output",
		"a_deep_Example_any.go", "a_deep_Example_any.unordered", "a_deep_Example_silent.go", "a_deep_Example_silent.output",
	}
	if !slices.Equal(names, want) {
		t.Errorf("written are %v", names)
	}
	for name, want := range map[string]string{
		"a_deep_Example.output": "whole\n", "a_deep_Example_any.unordered": "2\n1\n", "a_deep_Example_silent.output": "",
	} {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", name, got, err)
		}
	}
	program, err := os.ReadFile(filepath.Join(folder, "a_deep_Example.go"))
	if err != nil || !strings.HasPrefix(string(program), "// run\n\npackage main\n") || strings.Contains(string(program), "Output") ||
		strings.Contains(string(program), "helper") {
		t.Errorf("%v\n%s", err, program)
	}
	t.Setenv("GOANVIL_TEST_MAIN", "1")
	all, err := programs(folder, "", "")
	if err != nil || len(all) != 4 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, name := range all {
		if class, why := judge(folder, name, "whole", 20*time.Second); class != right {
			t.Errorf("%s: %s, %s", name, class, why)
		}
	}
}

// TestExamplesFail checks the errors of sources that cannot be read and of folders that cannot be written.
func TestExamplesFail(t *testing.T) {
	const text = "package x_test\n\nimport \"fmt\"\n\nfunc Example() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n"
	src := suite(t, map[string]string{"x_test.go": text})
	folder := suite(t, map[string]string{"_Example.output/a": ""}) // a folder in place of a file
	for _, c := range []struct{ src, folder string }{
		{filepath.Join(src, "none"), t.TempDir()}, {src, filepath.Join(src, "none")},
		{suite(t, map[string]string{"x_test.go": "nonsense\nfunc Example() {}"}), t.TempDir()},
	} {
		if err := writeExamples(c.src, c.folder); err == nil {
			t.Errorf("the examples of %s are in %s", c.src, c.folder)
		}
	}
	if err := os.Rename(filepath.Join(folder, "_Example.output"), filepath.Join(folder, "._Example.output")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "._Example.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, missing := range []string{"._Example.go", "._Example.output"} {
		if err := writeExamples(src, folder); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s is a folder: %v", missing, err)
		}
		if err := os.RemoveAll(filepath.Join(folder, missing)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "._Example.output")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestInternalErrors checks which errors have words of the implementation.
func TestInternalErrors(t *testing.T) {
	for text, want := range map[string]bool{
		"please report it": true, "reflect: call": true, "reflect.Value": true, "aꓸb": true, "go/ssa": true, "yaegi": true, "0x1f": true,
		"undefined: x": false, "": false,
	} {
		if got := isInternal(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestCells checks the exact cells of a program: each piece keeps its line and column.
func TestCells(t *testing.T) {
	const text = `package main

import "fmt"

type T struct{ n int }; func (t (*T)) M() int { return t.n + c }

type G[A, B any] struct{ a A }

func (g G[A, B]) N() int { return a + b }

var a, b = even(2), 1

const c = 3

func even(n int) int { if n > 0 { return odd(n - 1) }; return 0 }

func odd(n int) int { return even(n - 1) }

func init() { fmt.Print(0) }

func (s *S[X]) O() {}

type S[X any] struct{}

func main() { x := a; fmt.Println(x) }
`
	cells, err := split(text, "statements")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cells {
		trimmed := strings.TrimLeft(c, " \n")
		before := c[:len(c)-len(trimmed)]
		column := len(before) - strings.LastIndexByte(before, '\n')
		got = append(got, strings.Join([]string{string(rune('0' + strings.Count(before, "\n")/10)), string(rune('0' + strings.Count(before, "\n")%10)),
			" ", string(rune('0' + column/10)), string(rune('0' + column%10)), " ", strings.Join(strings.Fields(trimmed), " ")}, ""))
	}
	want := []string{
		`02 01 import "fmt"`,
		"14 01 func even(n int) int { if n > 0 { return odd(n - 1) }; return 0 } func odd(n int) int { return even(n - 1) }",
		"10 01 var a, b = even(2), 1",
		"12 01 const c = 3",
		"04 01 type T struct{ n int } func (t (*T)) M() int { return t.n + c }",
		"06 01 type G[A, B any] struct{ a A } func (g G[A, B]) N() int { return a + b }",
		"20 01 func (s *S[X]) O() {} type S[X any] struct{}",
		"18 01 func init() { fmt.Print(0) }",
		"24 15 x := a",
		"24 23 fmt.Println(x); _ = 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("cells\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOrderOfVariables checks that variables are initialized in Go's order: the first that is ready is next.
func TestOrderOfVariables(t *testing.T) {
	for decls, want := range map[string]string{
		"var a = b; var b = c; var c = 1":                                "c b a",
		"var a = f(); var b = 1; func f() int { return b }":              "b f a",
		"var a = 1; var b = 2":                                           "a b",
		"var a = c; var b = 2; var c = 3":                                "b c a",
		"func f() int { return a }; var a = 1; const k = 1":              "a f k",
		"var a = b; func g() { g() }; var b = func() int { return 1 }()": "b a g",
	} {
		text := "package main\n" + strings.ReplaceAll(decls, "; ", "\n") + "\nfunc main() {}\n"
		cells, err := split(text, "declarations")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range cells[:len(cells)-2] {
			got = append(got, strings.Trim(strings.Fields(strings.TrimSpace(c))[1], "()"))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", decls, s, want)
		}
	}
}
