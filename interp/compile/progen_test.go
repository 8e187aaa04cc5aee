package compile_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// The files progen*_test.go write random Go programs that end, print as they go, and print
// the same at each run. Tests compare what they print as cells with what they print under
// go run.
//
// A program leaves nothing to the compiler that the specification leaves open:
// an expression either calls functions or has one operand that may panic, and
// the functions that an expression calls assign no variables of others.

// generateProgram returns the declarations of the program of a seed, without imports, each
// after those that it needs. Their names begin with prefix, and the function prefix+"run" runs
// the program. It calls what helperDeclarations declares.
func generateProgram(seed uint64, prefix string) []string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0))}
	g.program()
	for i, d := range g.decls {
		g.decls[i] = strings.ReplaceAll(d, "@", prefix)
	}
	return g.decls
}

// helperDeclarations returns the declarations that all programs share.
func helperDeclarations() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(helperTexts)) {
		b.WriteString(strings.ReplaceAll(helperTexts[name], "@", helperPrefix) + "\n\n")
	}
	return b.String()
}

// helperPrefix begins the names of helpers.
const helperPrefix = "h_"

var packageUse = regexp.MustCompile(`\b(atomic|cmp|context|errors|fmt|iter|json|maps|math|reflect|runtime|slices|sort|strconv|strings|sync|unicode|unsafe|utf8)\.[A-Z]`)

// importsFor returns the import declarations that code needs.
func importsFor(code string) string {
	var paths []string
	for _, m := range packageUse.FindAllStringSubmatch(code, -1) {
		path := m[1]
		switch path {
		case "atomic":
			path = "sync/atomic"
		case "json":
			path = "encoding/json"
		case "utf8":
			path = "unicode/utf8"
		}
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "import %q\n", path)
	}
	return b.String()
}

// A variable is a name in scope.
type variable struct {
	name     string
	typ      *typ
	readonly bool // the counter of a loop
}

// A function is a declared function or a method that programs call.
type function struct {
	name            string
	params, results []*typ
	variadic        bool
	alone           bool // may be called only as a statement of its own
	cost            int
}

type generator struct {
	r      *rand.Rand
	buf    strings.Builder
	decls  []string
	types  []*typ
	pool   []*typ // types of variables
	ifaces []*typ
	funcs  []*function
	scopes [][]*variable
	names  int

	calls    bool // the expression may call functions that print
	panics   int  // how many operands of the expression may panic
	mult     int  // how often the statement runs
	cost     int  // how many statements have run
	depth    int  // of nested statements
	written  int  // how many statements stand in the program
	results  []*typ
	inFunc   bool // return is possible
	loops    []*loop
	literals int // depth of function literals
	fields   int
	generics []generic
	isString bool // in a method String, which must not format its receiver
	small    bool // the program is to be small
}

// A loop is a statement that break or continue can leave or continue.
type loop struct {
	label    string
	used     bool
	isSwitch bool
}

func (g *generator) n(n int) int             { return g.r.IntN(n) }
func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *generator, list ...T) T { return list[g.n(len(list))] }

func (g *generator) name(stem string) string {
	g.names++
	return fmt.Sprintf("%s%d", stem, g.names)
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.buf, format+"\n", args...)
}

// capture returns what f writes.
func (g *generator) capture(f func()) string {
	outer := g.buf
	g.buf = strings.Builder{}
	f()
	s := g.buf.String()
	g.buf = outer
	return s
}

func (g *generator) scope(f func()) {
	g.scopes = append(g.scopes, nil)
	f()
	g.scopes = g.scopes[:len(g.scopes)-1]
}

func (g *generator) declare(v *variable) {
	top := len(g.scopes) - 1
	g.scopes[top] = append(g.scopes[top], v)
}

// visible returns the variables in scope that are not hidden by others.
func (g *generator) visible() []*variable {
	var vars []*variable
	hidden := map[string]bool{}
	for i := len(g.scopes) - 1; i >= 0; i-- {
		for j := len(g.scopes[i]) - 1; j >= 0; j-- {
			v := g.scopes[i][j]
			if !hidden[v.name] {
				vars = append(vars, v)
			}
			hidden[v.name] = true
		}
	}
	return vars
}

// function writes f as the body of a function: loops and results of others
// are out of reach.
func (g *generator) function(results []*typ, f func()) string {
	loops, outer, inFunc, mult := g.loops, g.results, g.inFunc, g.mult
	calls, panics := g.calls, g.panics
	g.loops, g.results, g.inFunc = nil, results, true
	g.literals++
	s := g.capture(func() { g.scope(f) })
	g.literals--
	g.loops, g.results, g.inFunc, g.mult = loops, outer, inFunc, mult
	g.calls, g.panics = calls, panics
	return s
}

// helperTexts are the functions that programs share.
var helperTexts = map[string]string{
	"tr":    "func @tr[T any](k int, v T) T {\n\tfmt.Print(\"<\", k, \">\")\n\treturn v\n}",
	"id":    "func @id[T any](v T) T { return v }",
	"ptr":   "func @ptr[T any](v T) *T { return &v }",
	"ch":    "func @ch[T any](vs ...T) chan T {\n\tc := make(chan T, len(vs))\n\tfor _, v := range vs {\n\t\tc <- v\n\t}\n\tclose(c)\n\treturn c\n}",
	"sel":   "func @sel[T any](c bool, a, b T) T {\n\tif c {\n\t\treturn a\n\t}\n\treturn b\n}",
	"max":   "func @max[T cmp.Ordered](a, b T) T {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}",
	"sum":   "func @sum[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~complex64 | ~complex128 | ~string](vs ...T) (s T) {\n\tfor _, v := range vs {\n\t\ts += v\n\t}\n\treturn\n}",
	"shr":   "func @shr[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](v T, n uint) T { return v>>n | v<<(n/2) }",
	"conv":  "func @conv[A, B ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](v A) B { return B(v) }",
	"box":   "type @box[T any] struct{ v T }\n\nfunc (b @box[T]) get() T { return b.v }\n\nfunc (b *@box[T]) set(v T) *@box[T] {\n\tb.v = v\n\treturn b\n}",
	"pair":  "type @pair[K comparable, V any] struct {\n\tkey K\n\tval V\n}\n\nfunc (p @pair[K, V]) is(k K) bool { return p.key == k }\n\nfunc (p @pair[K, V]) swap(k K) (V, K) { return p.val, k }",
	"list":  "type @list[T any] struct {\n\thead T\n\ttail *@list[T]\n}\n\nfunc (l *@list[T]) all() iter.Seq2[int, T] {\n\treturn func(yield func(int, T) bool) {\n\t\tfor i := 0; l != nil; i, l = i+1, l.tail {\n\t\t\tif !yield(i, l.head) {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}\n\nfunc @cons[T any](vs ...T) (l *@list[T]) {\n\tfor i := len(vs) - 1; i >= 0; i-- {\n\t\tl = &@list[T]{vs[i], l}\n\t}\n\treturn l\n}",
	"mapf":  "func @mapf[S ~[]A, A, B any](s S, f func(A) B) []B {\n\tvar out []B\n\tfor _, v := range s {\n\t\tout = append(out, f(v))\n\t}\n\treturn out\n}",
	"fold":  "func @fold[A, B any](s []A, b B, f func(B, A) B) B {\n\tfor _, v := range s {\n\t\tb = f(b, v)\n\t}\n\treturn b\n}",
	"keys":  "func @keys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {\n\treturn slices.Sorted(maps.Keys(m))\n}",
	"seq":   "func @seq(n int) iter.Seq[int] {\n\treturn func(yield func(int) bool) {\n\t\tdefer fmt.Print(\"(end of seq)\")\n\t\tfor i := range n {\n\t\t\tif !yield(i) {\n\t\t\t\tfmt.Print(\"(stopped)\")\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}",
	"seq2":  "func @seq2[T any](s []T) iter.Seq2[int, T] {\n\treturn func(yield func(int, T) bool) {\n\t\tfor i := len(s) - 1; i >= 0; i-- {\n\t\t\tif !yield(i, s[i]) {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}",
	"fl":    "func @fl(f float64) float64 {\n\tif f > -1e6 && f < 1e6 {\n\t\treturn f\n\t}\n\treturn 7\n}",
	"cut":   "func @cut[S ~string | ~[]byte](s S, i, n int) S {\n\ti = min(max(i, 0), len(s))\n\treturn s[i:min(i+n, len(s))]\n}",
	"kind":  "func @kind[T any](v T) string {\n\tswitch x := any(v).(type) {\n\tcase nil:\n\t\treturn \"nil\"\n\tcase int, int8:\n\t\treturn fmt.Sprintf(\"int:%v\", x)\n\tcase string:\n\t\treturn \"string:\" + x\n\tcase fmt.Stringer:\n\t\treturn \"Stringer:\" + x.String()\n\tcase error:\n\t\treturn \"error:\" + x.Error()\n\tcase []T:\n\t\treturn \"slice of itself\"\n\tcase func() T:\n\t\treturn \"func\"\n\t}\n\treturn fmt.Sprintf(\"%T\", v)\n}",
	"try":   "func @try(name string, f func()) {\n\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tif e, ok := r.(error); ok {\n\t\t\t\tfmt.Println(name, \"error:\", e.Error())\n\t\t\t\treturn\n\t\t\t}\n\t\t\tfmt.Println(name, \"panic:\", r)\n\t\t}\n\t}()\n\tf()\n}",
	"fail":  "type @fail struct{ code int }\n\nfunc (e *@fail) Error() string { return fmt.Sprint(\"fail \", e.code) }\n\nfunc (e *@fail) Is(target error) bool {\n\tf, ok := target.(*@fail)\n\treturn ok && f.code == e.code\n}",
	"count": "type @count struct{ n int }\n\nfunc (c *@count) add(k int) *@count {\n\tc.n += k\n\treturn c\n}\n\nfunc (c @count) show(s string) string { return fmt.Sprint(s, c.n) }",
}

// help returns the name of a helper.
func (g *generator) help(name string) string { return helperPrefix + name }

// program writes the declarations and the main function.
func (g *generator) program() {
	g.mult = 1
	g.small = g.chance(90)
	g.declareTypes()
	g.scopes = [][]*variable{nil}
	for range g.n(3) {
		t := g.typeWhere(func(t *typ) bool { return !t.shares() })
		v := &variable{name: g.name("@g"), typ: t, readonly: true}
		g.pureExpression(func() { g.decls = append(g.decls, fmt.Sprintf("var %s %s = %s\n", v.name, t, g.expr(t, 2).s)) })
		g.declare(v)
	}
	for range g.upTo(3, 2) {
		g.declareGeneric()
	}
	for range g.upTo(4, 2) {
		g.declareFunction()
	}
	body := g.function(nil, func() {
		for range 1 + g.upTo(4, 2) {
			g.variable()
		}
		for i := range 1 + g.upTo(5, 2) {
			g.line("%s(%q, func() {", g.help("try"), fmt.Sprint("part ", i))
			g.buf.WriteString(g.function(nil, func() { g.statements(2 + g.upTo(5, 2)) }))
			g.line("})")
		}
		g.printAll()
	})
	g.decls = append(g.decls, "func @main() {\n"+body+"}\n", "func @run() { "+g.help("try")+"(\"main\", @main) }\n")
}

// upTo returns a number less than large, or, in small programs, less than small.
func (g *generator) upTo(large, small int) int {
	if g.small {
		return g.n(small)
	}
	return g.n(large)
}

// pureExpression calls f in a mode in which expressions call no functions and do not panic.
func (g *generator) pureExpression(f func()) {
	calls, panics := g.calls, g.panics
	g.calls, g.panics = false, 0
	f()
	g.calls, g.panics = calls, panics
}

// printAll prints the variables in the innermost scope.
func (g *generator) printAll() {
	for _, v := range g.scopes[len(g.scopes)-1] {
		if v.typ.printable() {
			g.line("fmt.Println(%q, %s)", v.name, v.name)
		}
	}
}

// declareFunction declares a function, which later statements call.
func (g *generator) declareFunction() {
	f := &function{name: g.name("@f")}
	named := g.chance(50)
	for range g.n(4) {
		f.params = append(f.params, g.someType())
	}
	for range 1 + g.n(2) {
		f.results = append(f.results, g.someType())
	}
	for _, p := range f.params {
		f.alone = f.alone || p.shares()
	}
	f.variadic = len(f.params) > 0 && g.chance(20)
	var params, results []string
	cost := g.cost
	body := g.function(f.results, func() {
		for i, p := range f.params {
			v := &variable{name: g.name("a"), typ: p}
			text := p.String()
			if f.variadic && i == len(f.params)-1 {
				v.typ, text = sliceOf(p), "..."+text
				f.alone = true
			}
			params = append(params, v.name+" "+text)
			g.declare(v)
		}
		for _, p := range f.results {
			if !named {
				results = append(results, p.String())
				continue
			}
			v := &variable{name: g.name("r"), typ: p}
			results = append(results, v.name+" "+p.String())
			g.declare(v)
		}
		if named && g.chance(60) {
			g.deferResult()
		}
		g.statements(1 + g.n(4))
		if named && g.chance(40) {
			g.line("return")
		} else {
			g.returnStatement()
		}
	})
	f.cost = g.cost - cost + 1
	g.cost = cost
	g.decls = append(g.decls, fmt.Sprintf("func %s(%s) (%s) {\n%s}\n", f.name, strings.Join(params, ", "), strings.Join(results, ", "), body))
	g.funcs = append(g.funcs, f)
}

// deferResult defers a literal that changes a result.
func (g *generator) deferResult() {
	var results []*variable
	for _, v := range g.scopes[len(g.scopes)-1] {
		if strings.HasPrefix(v.name, "r") {
			results = append(results, v)
		}
	}
	v := results[g.n(len(results))]
	g.line("defer func() {")
	g.pureExpression(func() {
		if g.chance(50) {
			g.line("if e := recover(); e != nil {\nfmt.Println(\"recovered\", e)\n%s = %s\n}", v.name, g.expr(v.typ, 1).s)
		} else {
			g.line("%s = %s", v.name, g.expr(v.typ, 2).s)
		}
	})
	g.line("}()")
}
