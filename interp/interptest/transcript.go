// Package interptest runs transcripts and Go programs in tests. A transcript is a file of cells with their expected
// outputs. Each package keeps its transcripts and programs in its own testdata.
package interptest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/data"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/universe"
)

// Update is the flag -update of tests.
var Update = flag.Bool("update", false, "rewrite the expected outputs in testdata")

// A Notebook is a session that collects the output of its cells.
type Notebook struct {
	*interp.Session
	Stdout, Stderr bytes.Buffer
	out            io.Writer // the writer to which cells print: Stdout, or the argument of SetStdout
}

// Write writes b to the current standard output of cells. It makes nb the standard output of its session.
func (nb *Notebook) Write(b []byte) (int, error) { return nb.out.Write(b) }

// SetStdout makes cells print to w instead of nb.Stdout.
func (nb *Notebook) SetStdout(w io.Writer) { nb.out = w }

// MustRun runs a cell that must not fail. It returns the text of its values, whether or not a notebook would show them.
func (nb *Notebook) MustRun(t testing.TB, n int, code string) string {
	t.Helper()
	res := nb.Run(context.Background(), code, n)
	if res.Err != nil {
		t.Fatalf("%s\n%s", code, res.Err.Text())
	}
	return Text(res.Values)
}

// New returns a Notebook whose tensors are computed by the reference evaluator.
func New(t testing.TB, opts interp.Options) *Notebook {
	t.Helper()
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	ctx.SetReads(compile.Reads)
	nb := &Notebook{}
	nb.out = &nb.Stdout
	opts.Stdout = nb
	if opts.Stderr == nil {
		opts.Stderr = &nb.Stderr
	}
	u := universe.WithReceivers(map[string]any{
		universe.Module + "/anvil":        ctx,
		universe.Module + "/anvil/random": random.In(ctx),
		universe.Module + "/anvil/data":   data.In(ctx),
	})
	s, err := interp.New(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	nb.Session = s
	return nb
}

// Transcripts runs the transcripts testdata/*.txt, each in a session of its own. A transcript is a txtar archive. Its
// file In N is a cell. The files Stdout N, Stderr N, Note N, Out N and Err N after In N have the expected outputs;
// empty ones are left out.
func Transcripts(t *testing.T) {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { transcript(t, file) })
	}
}

// transcript runs the transcript in a file. It compares the outputs with those in the file, or rewrites the file if
// Update is set.
func transcript(t *testing.T, file string) {
	old, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nb := New(t, interp.Options{})
	got := &txtar.Archive{Comment: old.Comment}
	for _, f := range old.Files {
		if kind, number, _ := strings.Cut(f.Name, " "); kind == "In" {
			n, _ := strconv.Atoi(number)
			got.Files = append(got.Files, f)
			nb.record(got, string(f.Data), n)
		}
	}
	if *Update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(old)), string(txtar.Format(got))); diff != "" {
		t.Errorf("outputs differ; go test -run %s -update rewrites the transcript (-want +got):\n%s", t.Name(), diff)
	}
}

// record runs a cell and adds its outputs to the archive to.
func (nb *Notebook) record(to *txtar.Archive, code string, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // a cell that hangs gets the error Interrupt
	defer cancel()
	res := nb.Run(ctx, strings.TrimSuffix(code, "\n"), n)
	add := func(kind, text string) {
		if text != "" {
			data := []byte(strings.TrimSuffix(text, "\n") + "\n")
			to.Files = append(to.Files, txtar.File{Name: fmt.Sprintf("%s %d", kind, n), Data: data})
		}
	}
	add("Stdout", nb.Stdout.String())
	add("Stderr", nb.Stderr.String())
	nb.Stdout.Reset()
	nb.Stderr.Reset()
	add("Note", strings.Join(res.Notes, "\n"))
	if res.Err != nil {
		add("Err", res.Err.Name+"\n"+res.Err.Text())
		return
	}
	if res.Show {
		add("Out", Text(res.Values))
	}
}

// Text returns values as a notebook shows them, each on a new line.
func Text(values []any) string {
	lines := make([]string, len(values))
	for i, v := range values {
		lines[i] = fmt.Sprint(v)
		if reflect.ValueOf(v).Kind() == reflect.Func {
			lines[i] = strings.ReplaceAll(fmt.Sprintf("%T", v), "anvil.", "nv.") // %v would show the address of a function
		}
	}
	return strings.Join(lines, "\n")
}
