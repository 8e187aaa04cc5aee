package compile_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/interptest"
)

var (
	generated = flag.Int("generated", 0, "how many generated programs to compare with go run")
	firstSeed = flag.Uint64("seed", 1, "the seed of the first generated program")
)

// A generatedProgram is a program and the output of go run for it.
type generatedProgram struct {
	seed  uint64
	decls []string
	want  string
}

func (p *generatedProgram) code() string { return strings.Join(p.decls, "\n") + "\n" }

func (p *generatedProgram) prefix() string { return fmt.Sprint("p", p.seed) }

// TestGeneratedAgainstGo compares generated programs with go run, 400 at a
// time.
func TestGeneratedAgainstGo(t *testing.T) {
	if *generated == 0 {
		t.Skip("run with -generated=1000")
	}
	total, different := 0, 0
	seed := *firstSeed
	for total < *generated {
		var batch []*generatedProgram
		batch, seed = validPrograms(seed, min(400, *generated-total))
		batch = answers(t, batch)
		total += len(batch)
		got := runGenerated(t, batch)
		for i, p := range batch {
			if got[i] != p.want {
				different++
				t.Errorf("seed %d: %s", p.seed, firstDifference(got[i], p.want))
			}
		}
	}
	t.Logf("%d programs, %d differ, next seed %d", total, different, seed)
}

// helpers are the declarations that generated programs share, with their imports.
var helpers = importsFor(helperDeclarations()) + "\n" + helperDeclarations()

// validPrograms returns the first n programs that type-check, beginning with the given seed, and the seed after
// them.
func validPrograms(seed uint64, n int) (batch []*generatedProgram, next uint64) {
	for len(batch) < n {
		fset := token.NewFileSet()
		parse := func(name, code string) *ast.File {
			f, err := parser.ParseFile(fset, name, "package main\n"+importsFor(code)+code, 0)
			if err != nil {
				return nil
			}
			return f
		}
		files := []*ast.File{parse("helpers", helperDeclarations())}
		var programs []*generatedProgram
		for range n - len(batch) {
			p := &generatedProgram{seed: seed}
			p.decls = generateProgram(seed, p.prefix())
			seed++
			if f := parse(p.prefix(), p.code()); f != nil {
				programs, files = append(programs, p), append(files, f)
			}
		}
		failed := map[string]bool{}
		conf := types.Config{Importer: sources, GoVersion: check.GoVersion, Error: func(err error) {
			e := err.(types.Error)
			failed[e.Fset.File(e.Pos).Name()] = true
		}}
		conf.Check("main", fset, files, nil)
		for _, p := range programs {
			if !failed[p.prefix()] {
				batch = append(batch, p)
			}
		}
	}
	return batch, seed
}

// sources imports packages for validPrograms.
var sources = importer.ForCompiler(token.NewFileSet(), "source", nil)

// TestGeneratedSample runs programs and compares the hashes of their output with those of the output of go run,
// which go test -run TestGeneratedSample -update computes anew.
func TestGeneratedSample(t *testing.T) {
	const sample = "testdata/generated.txt"
	if *interptest.Update {
		programs, _ := validPrograms(1, 200)
		var lines strings.Builder
		for _, p := range answers(t, programs) {
			fmt.Fprintln(&lines, p.seed, hashOf(p.want))
		}
		if err := os.WriteFile(sample, []byte(lines.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	var programs []*generatedProgram
	for line := range strings.Lines(string(data)) {
		p := &generatedProgram{}
		if _, err := fmt.Sscan(line, &p.seed, &p.want); err != nil {
			t.Fatal(err)
		}
		p.decls = generateProgram(p.seed, p.prefix())
		programs = append(programs, p)
	}
	for i, got := range runGenerated(t, programs) {
		if p := programs[i]; hashOf(got) != p.want {
			t.Errorf("differs from go run: -run TestGeneratedAgainstGo -generated=1 -seed=%d", p.seed)
		}
	}
}

func hashOf(output string) string { return fmt.Sprintf("%.6x", sha256.Sum256([]byte(output))) }

// answers sets the outputs of go run, and returns the programs that end.
func answers(t *testing.T, batch []*generatedProgram) []*generatedProgram {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module generated\n\ngo 1.26\n")
	write("helpers.go", "package main\n\n"+helpers)
	var runs strings.Builder
	for i, p := range batch {
		write(fmt.Sprintf("p%d.go", p.seed), "package main\n\n"+importsFor(p.code())+"\n"+p.code())
		fmt.Fprintf(&runs, "\tif first <= %d {\n\t\tfmt.Print(\"%s\")\n\t\t%srun()\n\t}\n", i, mark(i), p.prefix())
	}
	write("main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tvar first int\n\tfmt.Sscan(os.Args[1], &first)\n"+runs.String()+"}\n")
	// Without optimization, the build takes half the time.
	build := exec.Command("go", "build", "-gcflags=-N -l -dwarf=false", "-ldflags=-s -w", "-o", "programs", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	var ended []*generatedProgram
	for first := 0; first < len(batch); first++ {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		var out, stderr bytes.Buffer
		run := exec.CommandContext(ctx, filepath.Join(dir, "programs"), strconv.Itoa(first))
		run.Stdout, run.Stderr = &out, &stderr
		err := run.Run()
		cancel()
		parts := split(out.String())
		for i, part := range parts {
			batch[first+i].want = part
		}
		if err == nil {
			return append(ended, batch[first:]...)
		}
		last := first + len(parts) - 1
		t.Logf("seed %d: %v %.300s", batch[last].seed, err, stderr.String())
		ended = append(ended, batch[first:last]...)
		first = last
	}
	return ended
}

func mark(i int) string { return fmt.Sprintf("=== program %d\\n", i) }

var marks = regexp.MustCompile(`=== program \d+\n`)

// capacities matches the capacity of a slice in an error. The specification leaves open how append grows a slice.
var capacities = regexp.MustCompile(`with capacity \d+`)

// split returns the outputs of programs, without the marks before them and without capacities.
func split(out string) []string {
	return marks.Split(capacities.ReplaceAllString(out, "with capacity"), -1)[1:]
}

// runGenerated runs programs in one session and returns their outputs. A program with an even seed is one cell; of
// the other programs, each declaration is a cell.
func runGenerated(t *testing.T, batch []*generatedProgram) []string {
	s, w, read := interptest.Piped(t)
	n := 0
	run := func(code string) bool {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		n++
		res := s.Run(ctx, importsFor(code)+code, n)
		if res.Err != nil {
			fmt.Fprintln(w, "FAILED", res.Err.Text())
		}
		return res.Err == nil
	}
	if !run(helperDeclarations()) {
		t.Fatal("the helpers failed")
	}
	for i, p := range batch {
		fmt.Fprint(w, strings.ReplaceAll(mark(i), `\n`, "\n"))
		call := p.prefix() + "run()"
		if p.seed%2 == 0 {
			run(p.code() + call)
			continue
		}
		for _, code := range append(slices.Clip(p.decls), call) {
			if !run(code) {
				break
			}
		}
	}
	w.Close()
	return split(<-read)
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range w {
		if i >= len(g) || g[i] != w[i] {
			return "line " + strconv.Itoa(i+1) + ":\ngot  " + strings.Join(g[min(i, len(g)):min(i+3, len(g))], "\n     ") + "\nwant " + w[i]
		}
	}
	return "more lines:\n" + strings.Join(g[len(w)-1:], "\n")
}
