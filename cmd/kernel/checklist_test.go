package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

var (
	updateChecklist = flag.Bool("update", false, "rewrite the outputs in testdata/checklist")
	checklistGlob   = flag.String("checklist", "*.txt", "which `files` of testdata/checklist to run")
)

// TestChecklist runs the cells of testdata/checklist/*.txt and compares their
// outputs. Each file is one session of a kernel, with a front end of its own;
// its cells run in order, and see the declarations of those before them. The
// files are txtar archives:
//
//	-- setup --          a cell that belongs to no row (any word that is not an id)
//	%promotion torch
//	i := nv.Ones(nv.Shape{1}, nv.I32)
//	-- T2 --             a cell of row T2
//	i + 5
//	-- T2 out --         its output
//	AnvilTensor
//	 6
//	[ CPUi32{1} ]
//	-- T3 T4 --          a cell of two rows
//	-- T24.1 --          several cells of one row have numbers
//	-- T24.2 --
//
// Other words at the end of a section's name say what else to do with it:
//
//	-- A21 html --       a cell whose text/html is shown; also svg and markdown
//	-- A21.2 forms --    a cell whose MIME types are listed, with their elements
//	-- I12 complete --   code to complete, instead of a cell; ▮ is the cursor,
//	                     which is at the end by default
//	-- T65 input --      after a cell: the lines that the user types into it
//
// An output is the text of results, of displayed and printed values, of pages
// and of errors with their caret, in the order of their arrival; lines on
// stderr come last and begin with "stderr: ". The number of a cell is replaced
// by the name of its section: cell[T2]:1:5, In[setup]. A setup has an output
// only if it shows something.
//
// A comment before the first section may say "backend: reference". Otherwise
// cells compute on XLA, or if no plugin is found on the reference evaluator,
// whose name in tags is then replaced by XLA's.
//
// The subtest TestChecklist/T2 compares the outputs of all cells of row T2.
// go test ./cmd/kernel -run TestChecklist -update rewrites the outputs;
// with -checklist 'torch*.txt' only those files are run.
func TestChecklist(t *testing.T) {
	rows := map[string][]transcript{}
	for _, file := range checklistFiles(t) {
		for _, cell := range runChecklist(t, file) {
			for _, id := range cell.ids {
				rows[id] = append(rows[id], cell)
			}
		}
	}
	ran := map[string]bool{}
	for _, id := range slices.SortedFunc(maps.Keys(rows), compareIDs) {
		t.Run(id, func(t *testing.T) {
			ran[id] = true
			for _, cell := range rows[id] {
				if diff := gocmp.Diff(cell.want, cell.got); diff != "" && !*updateChecklist {
					t.Errorf("%s: %s\n%s\n(-want +got)\n%s", cell.file, cell.name, cell.code, diff)
				}
			}
		})
	}
	if *checklistGlob == "*.txt" && !strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		checkAllRan(t, ran)
	}
}

// A transcript is a section of a file with its output.
type transcript struct {
	file, name string
	ids        []string
	code       string
	want, got  string
}

func checklistFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata/checklist", *checklistGlob))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	return files
}

// runChecklist runs one file and returns its sections that have an id. With -update it
// rewrites the file.
func runChecklist(t *testing.T, file string) (rows []transcript) {
	t.Helper()
	sections, comment := readChecklist(t, file)
	f := newChecklistFront(t, comment)
	for i := range sections {
		s := &sections[i]
		got := f.run(t, s)
		if len(s.ids) > 0 {
			rows = append(rows, transcript{filepath.Base(file), s.name, s.ids, s.code, s.out, got})
		} else if s.out != got && !*updateChecklist {
			t.Errorf("%s: %s\n%s\n(-want +got)\n%s", file, s.name, s.code, gocmp.Diff(s.out, got))
		}
		s.out = got
	}
	if *updateChecklist {
		writeChecklist(t, file, comment, sections)
	}
	return rows
}

// A section is one cell, or one question, of a file.
type section struct {
	name  string   // "T24.1"
	ids   []string // "T24"; none in a setup
	kind  string   // "", "complete", "forms", or a key of mimes
	code  string
	input string // what is typed into the cell
	out   string
}

// mimes are the forms of values that the kinds of sections show.
var mimes = map[string]string{"": "text/plain", "html": "text/html", "svg": "image/svg+xml", "markdown": "text/markdown"}

// rowID matches the name of a row, and the number of one of its cells.
var rowID = regexp.MustCompile(`^([ACTIFK][0-9]+)(\.[0-9]+)?$`)

// readChecklist parses a file into its sections and the comment before them.
func readChecklist(t *testing.T, file string) (sections []section, comment string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, part := range archive.Files {
		name, kind := cutKind(part.Name)
		switch {
		case kind == "out" || kind == "input":
			if n := len(sections); n == 0 || sections[n-1].name != name {
				t.Fatalf("%s: %q is not behind %q", file, part.Name, name)
			}
			last := &sections[len(sections)-1]
			if kind == "out" {
				last.out = string(part.Data)
			} else {
				last.input = string(part.Data)
			}
			continue
		case seen[name] && len(idsOf(name)) > 0:
			t.Fatalf("%s: two sections %[2]q; number the cells of a row: %[2]s.1, %[2]s.2", file, name)
		}
		seen[name] = true
		sections = append(sections, section{name: name, ids: idsOf(name), kind: kind, code: string(part.Data)})
	}
	return sections, string(archive.Comment)
}

// cutKind splits a section's name at its last word if that is a kind.
func cutKind(name string) (rest, kind string) {
	for _, kind := range []string{"out", "input", "complete", "forms", "html", "svg", "markdown"} {
		if rest, ok := strings.CutSuffix(name, " "+kind); ok {
			return rest, kind
		}
	}
	return name, ""
}

// idsOf returns the rows that a section's name lists.
func idsOf(name string) (ids []string) {
	for _, word := range strings.Fields(name) {
		if m := rowID.FindStringSubmatch(word); m != nil {
			ids = append(ids, m[1])
		}
	}
	return ids
}

// compareIDs orders T2 before T10.
func compareIDs(a, b string) int {
	number := func(id string) int { n, _ := strconv.Atoi(id[1:]); return n }
	return cmp.Or(strings.Compare(a[:1], b[:1]), number(a)-number(b))
}

func writeChecklist(t *testing.T, file, comment string, sections []section) {
	t.Helper()
	archive := &txtar.Archive{Comment: []byte(comment)}
	add := func(name, data string) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(data)})
	}
	for _, s := range sections {
		add(strings.TrimSuffix(s.name+" "+s.kind, " "), s.code)
		if s.input != "" {
			add(s.name+" input", s.input)
		}
		if len(s.ids) > 0 || s.out != "" {
			add(s.name+" out", s.out)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A checklistFront runs the sections of one file in one kernel.
type checklistFront struct {
	front    *front
	cells    map[string]string // names of sections by the numbers of their cells
	standsIn bool              // the reference evaluator is used in place of XLA
}

func newChecklistFront(t *testing.T, comment string) *checklistFront {
	backendName, standsIn := "xla", false
	if strings.Contains(comment, "backend: reference") {
		backendName = "reference"
	} else if len(xla.Discover("")) == 0 {
		if os.Getenv("GOANVIL_BIN") != "" { // ./test has installed the plugin
			t.Fatal("no plugin is found")
		}
		t.Log("no plugin is found: the reference evaluator computes")
		backendName, standsIn = "reference", true
	}
	return &checklistFront{newFront(t, backendName), map[string]string{}, standsIn}
}

// run runs or completes a section, and returns its output.
func (f *checklistFront) run(t *testing.T, s *section) string {
	t.Helper()
	if s.kind == "complete" {
		return f.complete(t, strings.TrimSuffix(s.code, "\n"))
	}
	f.front.input = nil
	for line := range strings.Lines(s.input) {
		f.front.input = append(f.front.input, strings.TrimSuffix(line, "\n"))
	}
	a := f.front.run(strings.TrimSuffix(s.code, "\n"))
	f.cells[strconv.Itoa(a.ExecutionCount)] = s.name
	var b strings.Builder
	p := &printer{w: &b}
	for _, o := range a.outputs {
		f.print(p, o, mimes[s.kind])
	}
	for _, page := range a.Payload {
		p.page(page)
	}
	for line := range strings.Lines(a.stderr) { // last: streams do not wait for each other
		p.line("stderr: " + line)
	}
	return f.readable(b.String())
}

// print writes one output of a cell.
func (f *checklistFront) print(p *printer, o client.Output, mime string) {
	data := func(b wire.Bundle) {
		if mime == "" {
			p.line(forms(b))
		} else if text, ok := b[mime].(string); ok {
			p.line(text)
		} else {
			p.line(plain(b))
		}
	}
	switch content := o.Content.(type) {
	case wire.ExecuteInput:
	case wire.ExecuteResult:
		data(content.Data)
	case wire.DisplayData:
		data(content.Data)
	case wire.ClearOutput:
		p.line("(cleared)")
	case wire.Stream:
		if content.Name == wire.Stdout {
			p.print(o)
		}
	default:
		p.print(o)
	}
}

// element matches the beginning of an element of HTML or SVG.
var element = regexp.MustCompile(`<([a-zA-Z]+)`)

// forms lists the MIME types of a value, with the number of each element in HTML
// and SVG.
func forms(b wire.Bundle) string {
	var lines []string
	for _, mime := range slices.Sorted(maps.Keys(b)) {
		line, count := mime+":", map[string]int{}
		if text, ok := b[mime].(string); ok && (mime == "text/html" || mime == "image/svg+xml") {
			for _, m := range element.FindAllStringSubmatch(text, -1) {
				count[m[1]]++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(count)) {
			line += fmt.Sprintf(" %d %s", count[name], name)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// cellNumber matches where a text names a cell by its number.
var cellNumber = regexp.MustCompile(`\b(cell|In)\[([0-9]+)\]`)

// readable returns an output in the form of the files: cells are named by their sections, and
// the text ends in a newline.
func (f *checklistFront) readable(text string) string {
	text = cellNumber.ReplaceAllStringFunc(text, func(found string) string {
		m := cellNumber.FindStringSubmatch(found)
		if name, ok := f.cells[m[2]]; ok {
			return fmt.Sprintf("%s[%s]", m[1], name)
		}
		return found
	})
	if f.standsIn {
		text = strings.NewReplacer("[ REFERENCE", "[ CPU", "reference:0", "cpu:0").Replace(text)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// complete returns the completions of code at the cursor, one a line.
func (f *checklistFront) complete(t *testing.T, code string) string {
	t.Helper()
	before, after, _ := strings.Cut(code, "▮")
	reply, err := f.front.client.Complete(t.Context(), before+after, utf8.RuneCountInString(before))
	if err != nil {
		t.Fatal(err)
	}
	return f.readable(strings.Join(reply.Matches, "\n"))
}
