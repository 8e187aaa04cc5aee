package interp_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/compile/progen"
	"github.com/goanvil/notebook/interp/universe"
)

var (
	generated = flag.Int("generated", 0, "how many generated programs to compare with go run")
	firstSeed = flag.Uint64("seed", 1, "the seed of the first generated program")
)

// A generatedProgram is a program and what go run prints for it.
type generatedProgram struct {
	seed uint64
	code string
	want string
}

func (p *generatedProgram) prefix() string { return fmt.Sprint("p", p.seed) }

// TestGeneratedAgainstGo compares generated programs with go run, 200 at a
// time.
func TestGeneratedAgainstGo(t *testing.T) {
	if *generated == 0 {
		t.Skip("run with -generated=1000")
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	total, different, discarded := 0, 0, 0
	seed := *firstSeed
	for total < *generated {
		var batch []*generatedProgram
		for len(batch) < min(200, *generated-total) {
			p := &generatedProgram{seed: seed}
			p.code = progen.Program(seed, p.prefix())
			seed++
			if err := typeCheck(fset, imports, p.code); err != nil {
				discarded++
				if testing.Verbose() && discarded < 20 {
					t.Log(p.seed, err)
				}
				continue
			}
			batch = append(batch, p)
		}
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
	t.Logf("%d programs, %d differ, %d were not valid, next seed %d", total, different, discarded, seed)
}

func typeCheck(fset *token.FileSet, imports types.Importer, code string) error {
	f, err := parser.ParseFile(fset, "p.go", "package main\n"+progen.Imports(code)+code, 0)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: imports, GoVersion: "go1.26"}
	_, err = conf.Check("main", fset, []*ast.File{f}, nil)
	return err
}

// answers sets what go run prints, and returns the programs that end.
func answers(t *testing.T, batch []*generatedProgram) []*generatedProgram {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module generated\n\ngo 1.26\n")
	var main strings.Builder
	main.WriteString("package main\n\nimport \"fmt\"\n\nfunc main() {\n")
	for i, p := range batch {
		write(fmt.Sprintf("p%d.go", p.seed), "package main\n\n"+progen.Imports(p.code)+"\n"+p.code)
		fmt.Fprintf(&main, "\tfmt.Print(\"%s\")\n\t%srun()\n", mark(i), p.prefix())
	}
	write("main.go", main.String()+"}\n")
	build := exec.Command("go", "build", "-o", "programs", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var out, stderr bytes.Buffer
	run := exec.CommandContext(ctx, filepath.Join(dir, "programs"))
	run.Stdout, run.Stderr = &out, &stderr
	err := run.Run()
	parts := split(out.String())
	for i, p := range batch {
		if i < len(parts) {
			p.want = parts[i]
		}
	}
	if err != nil {
		last := len(parts) - 1
		t.Logf("seed %d: %v %.300s", batch[last].seed, err, stderr.String())
		return append(batch[:last:last], answers(t, batch[last+1:])...)
	}
	return batch
}

func mark(i int) string { return fmt.Sprintf("=== program %d\\n", i) }

var marks = regexp.MustCompile(`=== program \d+\n`)

// split returns what programs print, without the marks before them.
func split(out string) []string { return marks.Split(out, -1)[1:] }

// runGenerated runs programs as cells of one session and returns what they
// print.
func runGenerated(t *testing.T, batch []*generatedProgram) []string {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		read <- string(data)
	}()
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	u := universe.New(ctx, nil, universe.Stdio{In: strings.NewReader(""), Out: w, Err: io.Discard})
	s, err := interp.New(u, interp.Options{Stdout: w})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range batch {
		fmt.Fprint(w, strings.ReplaceAll(mark(i), `\n`, "\n"))
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		res := s.Run(ctx, progen.Imports(p.code)+p.code+"\n"+p.prefix()+"run()", i+1)
		cancel()
		if res.Err != nil {
			fmt.Fprintln(w, "FAILED", res.Err.Text())
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
