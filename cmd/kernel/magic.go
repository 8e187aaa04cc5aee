package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/messaging/wire"
)

// A magic is one of the kernel's own commands: a line that begins with "%".
type magic struct {
	usage, doc string
	code       bool // its arguments are Go, and stay in the cell
	cell       bool // it is for a whole cell
	run        func(*cellRun, string) error
}

// magics are all commands by name. Commands on lines before the cell's code run
// before it, those behind it after it.
var magics map[string]magic

func init() { // help reads the table
	magics = map[string]magic{
		"time":      {usage: "%time CODE, %%time", doc: "prints how long the code, or with two percent signs the cell, takes, computing included: tracing, compiling and why, and all else", code: true, run: (*cellRun).time},
		"bench":     {usage: "%bench EXPRESSION, %%bench", doc: "runs the expression, or with two percent signs the statements of the cell, many times, and shows how long it takes, computing included", code: true, run: (*cellRun).bench},
		"promotion": {usage: "%promotion [SYSTEM]", doc: "chooses the promotion system of this cell and those that follow, or tells which it is", run: (*cellRun).promotion},
		"compare":   {usage: "%%compare SYSTEM...", doc: "runs the cell under each of the promotion systems, from the same variables, and tells what came of it; what the last one assigns stays", cell: true, run: (*cellRun).compare},
		"predict":   {usage: "%%predict [QUESTION]", doc: "keeps the cell's output back until the reader has said what it will be: its dtype, or what the question asks", cell: true, run: (*cellRun).predict},
		"who":       {usage: "%who", doc: "lists the names of the session with their types", run: (*cellRun).who},
		"reset":     {usage: "%reset", doc: "forgets all names and imports", run: (*cellRun).reset},
		"help":      {usage: "%help", doc: "shows how to use the kernel", run: (*cellRun).help},
	}
}

// docs returns the magics' names, as completion writes them, and what each does.
func magicDocs() map[string]string {
	docs := map[string]string{}
	for name, m := range magics {
		if !m.cell {
			docs["%"+name] = m.usage + " " + m.doc
		}
		if m.cell || m.code {
			docs["%%"+name] = m.usage + " " + m.doc
		}
	}
	return docs
}

// A cellRun is one cell on its way: what its magics have asked for.
type cellRun struct {
	*session
	code   string
	parsed *interp.Parsed // code, where it is the whole cell
	out    io.Writer
	pages  []wire.Payload
	before []cell.Magic // on lines before any code
	after  []cell.Magic
	atEnd  []func()          // to be done when the code has run
	under  []*promote.System // to run the code under, one after the other; none: the session's, once

	asked   string // the question of %%predict
	benched bool   // %%bench
	// The code of %%bench for a last expression without a value.
	valueless string
}

// plan parts a cell's magics from its code. The code keeps its lines.
func (r *cellRun) plan(found []cell.Magic) error {
	lines := strings.SplitAfter(r.code, "\n")
	begun := false
	for i, next := 0, 0; i < len(lines); i++ {
		if next < len(found) && found[next].Line == i+1 {
			m := found[next]
			next++
			if err := r.place(m, &lines[i], begun); err != nil {
				return err
			}
		}
		begun = begun || strings.TrimSpace(lines[i]) != ""
	}
	r.code = strings.Join(lines, "")
	if r.benched {
		r.code, r.valueless = benched(r.code, true)
	}
	return nil
}

// place files one magic and takes it out of its line, but for the code in it.
func (r *cellRun) place(m cell.Magic, line *string, begun bool) error {
	known, ok := magics[m.Name]
	if !ok && m.Name != "?" {
		return unknownMagic(m.Name)
	}
	if known.cell && !m.Cell {
		return fmt.Errorf("%%%s: there is only %%%%%s, on the first line of a cell", m.Name, m.Name)
	}
	if m.Cell && begun {
		return fmt.Errorf("%%%%%s: it is for a whole cell, and stands on its first line", m.Name)
	}
	if m.Cell && !known.code && !known.cell {
		return fmt.Errorf("%%%%%s: there is only %%%s, for a line", m.Name, m.Name)
	}
	if m.Name == "?" {
		m.Args += strings.Repeat("?", strings.Count(*line, "?"))
	}
	if known.code {
		head := strings.Index(*line, m.Name) + len(m.Name)
		*line = strings.Repeat(" ", head) + (*line)[head:]
		if m.Name == "bench" && !m.Cell {
			*line, _ = benched(*line, false)
		}
		r.benched = r.benched || m.Name == "bench" && m.Cell
	} else {
		*line = strings.Repeat(" ", len(strings.TrimRight(*line, "\n"))) + "\n"
	}
	if begun && !known.code {
		r.after = append(r.after, m)
	} else {
		r.before = append(r.before, m)
	}
	return nil
}

// elsewhere are commands of IPython's, and what serves here.
var elsewhere = map[string]string{
	"timeit":     "%bench measures an expression, %%bench a cell",
	"prun":       "%time tells tracing, compiling and running apart",
	"whos":       "%who lists names, types and values",
	"who_ls":     "%who lists names, types and values",
	"matplotlib": "a plot of gonum.org/v1/plot is shown where a cell ends with it",
	"pylab":      "a plot of gonum.org/v1/plot is shown where a cell ends with it",
	"load_ext":   "import a package",
	"autoreload": "functions that later cells declare anew are used at once",
	"pip":        "packages are compiled into the kernel; completion after import \" lists them",
	"conda":      "packages are compiled into the kernel; completion after import \" lists them",
	"cd":         "write os.Chdir(folder)",
	"pwd":        "write os.Getwd()",
	"ls":         "write os.ReadDir(folder)",
	"env":        "write os.Getenv(name) or os.Setenv(name, value)",
	"set_env":    "write os.Setenv(name, value)",
	"bash":       "write exec.Command(name, arguments...).CombinedOutput(), of os/exec",
	"sh":         "write exec.Command(name, arguments...).CombinedOutput(), of os/exec",
	"writefile":  "write os.WriteFile(name, data, 0o644)",
	"capture":    "assign what is to be kept",
	"pinfo":      "write name? or ?name",
	"lsmagic":    "%help lists the commands",
	"magic":      "%help lists the commands",
	"quickref":   "%help lists the commands",
}

func unknownMagic(name string) error {
	if instead, known := elsewhere[name]; known {
		return fmt.Errorf("%%%s: no such command; %s", name, instead)
	}
	var usages []string
	for _, known := range slices.Sorted(maps.Keys(magics)) {
		usages = append(usages, "%"+known)
	}
	return fmt.Errorf("%%%s: no such command; there are %s", name, strings.Join(usages, ", "))
}

// do runs magics in their order.
func (r *cellRun) do(list []cell.Magic) error {
	for _, m := range list {
		run := magics[m.Name].run
		if m.Name == "?" {
			run = (*cellRun).question
		}
		if err := run(r, m.Args); err != nil {
			return err
		}
	}
	return nil
}

// time makes the cell's time known once its value is there to be shown, and the
// tensors that its names hold are computed.
func (r *cellRun) time(string) error {
	r.await = true
	begin, before, compiled := time.Now(), r.ctx.Stats(), r.ctx.WhyCompiled().Number
	r.atEnd = append(r.atEnd, func() { fmt.Fprintln(r.out, r.ctx.Spent(time.Since(begin), before, compiled)) })
	return nil
}

// bench leaves the work to the library: place has put the code into a function.
func (r *cellRun) bench(string) error { return nil }

// benched returns code as a call that measures it: an expression, or the
// statements of a cell. What these are at last, and what they declare or assign,
// is waited for. The second form, without the former, is for a last expression
// that has no value, which only its type tells.
func benched(code string, whole bool) (measured, valueless string) {
	const head = "nv.Bench(func() any { returned := func(values ...any) any { return values }; "
	if !whole {
		body := strings.TrimRight(code, "\n")
		measured, _ = benched(strings.TrimSpace(body), true)
		return strings.TrimRight(measured, "\n") + code[len(body):], ""
	}
	const before = "package p; func _() {"
	file, err := parser.ParseFile(token.NewFileSet(), "", before+code+"\n}", 0)
	if err != nil {
		return head + code + "\nreturn returned() })", "" // the cell's own error
	}
	body := file.Decls[0].(*ast.FuncDecl).Body.List
	names := "returned(" + strings.Join(given(body), ", ") + ")"
	valueless = head + code + "\nreturn " + names + " })"
	if len(body) == 0 {
		return valueless, ""
	}
	last, ok := body[len(body)-1].(*ast.ExprStmt)
	if !ok {
		return valueless, ""
	}
	from, to := int(last.Pos())-1-len(before), int(last.End())-1-len(before)
	return head + code[:from] + "return returned(returned(" + code[from:to] + "), " + names + ")" + code[to:] + "\n})", valueless
}

// given returns the variables that statements declare or assign. A function must
// use what it declares, and a cell need not.
func given(body []ast.Stmt) (names []string) {
	for _, s := range body {
		a, ok := s.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, x := range a.Lhs {
			if id, ok := x.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

func (r *cellRun) who(string) error {
	names := r.names()
	if len(names) == 0 {
		names = []string{"no names yet"}
	}
	for _, line := range names {
		fmt.Fprintln(r.out, line)
	}
	return nil
}

func (r *cellRun) reset(string) error { return r.start() }

func (r *cellRun) help(string) error {
	var b strings.Builder
	b.WriteString(helpText)
	for _, name := range slices.Sorted(maps.Keys(magics)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", magics[name].usage, magics[name].doc)
	}
	r.pages = append(r.pages, wire.Page(wire.Bundle{"text/plain": b.String(), "text/markdown": b.String()}))
	return nil
}

const helpText = `# Go (anvil)

Cells are Go: declarations and statements in any order, and the value of a
final expression is shown. Tensors are made by the package nv and take
operators: ` + "`2*nv.New([]float64{1, 2}) + 1`" + `, ` + "`x[:, 0]`" + `. What is declared stays for
later cells and can be declared anew.

| | |
|---|---|
| ` + "`name?`, `?name`" + ` | documentation; with two question marks the source too |
`

// question shows what there is to say about a name.
func (r *cellRun) question(args string) error {
	name := strings.Trim(args, "? ")
	detail := 0
	if strings.Count(args, "?") > 1 {
		detail = 1
	}
	page, ok := r.completion.Inspect(name, len([]rune(name)), detail)
	if !ok {
		return fmt.Errorf("%s?: nothing is known by that name", name)
	}
	r.pages = append(r.pages, wire.Page(pageBundle(page)))
	return nil
}
