package interp_test

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

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// A notebook is a session with its output.
type notebook struct {
	*interp.Session
	stdout, stderr bytes.Buffer
	out            io.Writer // receives what cells print
}

// Write makes a notebook the standard output of its session.
func (nb *notebook) Write(b []byte) (int, error) { return nb.out.Write(b) }

func (nb *notebook) setStdout(w io.Writer) { nb.out = w }

// run runs a cell that must not fail and returns what it shows.
func (nb *notebook) run(t testing.TB, n int, code string) string {
	t.Helper()
	res := nb.Run(context.Background(), code, n)
	if res.Err != nil {
		t.Fatalf("%s\n%s", code, res.Err.Text())
	}
	return shown(res.Values)
}

// newNotebook returns a session over the reference evaluator.
func newNotebook(t testing.TB, opts interp.Options) *notebook {
	t.Helper()
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	ctx.SetReads(compile.Reads)
	nb := &notebook{}
	nb.out = &nb.stdout
	opts.Stdout = nb
	if opts.Stderr == nil {
		opts.Stderr = &nb.stderr
	}
	u := universe.WithReceivers(map[string]any{universe.Module + "/anvil": ctx, universe.Module + "/anvil/random": random.In(ctx),
		universe.Module + "/anvil/data": data.In(ctx)})
	s, err := interp.New(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	nb.Session = s
	return nb
}

// TestTranscripts runs the notebooks in testdata. A section In N is a cell, and the sections Stdout N, Out N, Note N
// and Err N are its results, left out if empty.
func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { transcript(t, file) })
	}
}

func transcript(t *testing.T, file string) {
	old, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nb := newNotebook(t, interp.Options{})
	got := &txtar.Archive{Comment: old.Comment}
	for _, f := range old.Files {
		if kind, number, _ := strings.Cut(f.Name, " "); kind == "In" {
			n, _ := strconv.Atoi(number)
			got.Files = append(got.Files, f)
			nb.record(got, string(f.Data), n)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(old)), string(txtar.Format(got))); diff != "" {
		t.Errorf("go test -run %s -update rewrites it (-want +got):\n%s", t.Name(), diff)
	}
}

// record runs a cell and adds its results to an archive.
func (nb *notebook) record(to *txtar.Archive, code string, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // a cell that hangs is an Interrupt
	defer cancel()
	res := nb.Run(ctx, strings.TrimSuffix(code, "\n"), n)
	add := func(kind, text string) {
		if text != "" {
			to.Files = append(to.Files, txtar.File{Name: fmt.Sprintf("%s %d", kind, n), Data: []byte(strings.TrimSuffix(text, "\n") + "\n")})
		}
	}
	add("Stdout", nb.stdout.String())
	add("Stderr", nb.stderr.String())
	nb.stdout.Reset()
	nb.stderr.Reset()
	add("Note", strings.Join(res.Notes, "\n"))
	if res.Err != nil {
		add("Err", res.Err.Name+"\n"+res.Err.Text())
		return
	}
	if res.Show {
		add("Out", shown(res.Values))
	}
}

func shown(values []any) string {
	lines := make([]string, len(values))
	for i, v := range values {
		lines[i] = fmt.Sprint(v)
		if reflect.ValueOf(v).Kind() == reflect.Func {
			lines[i] = strings.ReplaceAll(fmt.Sprintf("%T", v), "anvil.", "nv.") // %v is its address
		}
	}
	return strings.Join(lines, "\n")
}
