//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/goanvil/notebook/messaging/client"
)

// faultTime is how long a case may take.
const faultTime = 2 * time.Minute

// Limits of the address space of kernels, in kB. The cases of memory*.txt run with the scarce one,
// and use all of it.
const (
	memory = "12000000"
	scarce = "4000000"
)

// TestFaults runs each case of testdata/faults in a kernel of its own, whose address space
// is limited, and then tests that the kernel still has a value of an earlier cell. A case is a
// section with its cells, separated by lines "----", and a section "want" with lines that must
// appear in the outputs and errors of the cells, in this order. While a case whose name starts
// with "interrupt" runs, interrupts are sent until it ends.
func TestFaults(t *testing.T) {
	files, err := filepath.Glob("testdata/faults/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no faults: ", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 2 {
			if i+1 == len(archive.Files) || archive.Files[i+1].Name != "want" {
				t.Fatalf("%s: %q is not followed by a section \"want\"", file, archive.Files[i].Name)
			}
			name, cells, want := archive.Files[i].Name, archive.Files[i].Data, archive.Files[i+1].Data
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+name, func(t *testing.T) {
				limit := memory
				if strings.HasPrefix(filepath.Base(file), "memory") {
					limit = scarce
				} else {
					t.Parallel()
				}
				runFault(t, limit, strings.HasPrefix(name, "interrupt"), strings.Split(strings.TrimSuffix(string(cells), "\n"), "\n----\n"), string(want))
			})
		}
	}
}

// runFault runs the cells of a case and looks for the wanted lines in their outputs.
func runFault(t *testing.T, limit string, interrupt bool, cells []string, want string) {
	ctx, cancel := context.WithTimeout(t.Context(), faultTime)
	defer cancel()
	c := startLimited(ctx, t, limit)
	run := func(code string) string {
		var a answer
		e := (&front{T: t, client: c}).execution(code, &a)
		var err error
		if a.ExecuteReply, err = c.Execute(ctx, e); err != nil {
			t.Fatalf("%s: %v\n%s", code, err, printed(a))
		}
		return printed(a)
	}
	run("kept := 41")
	stop := func() {}
	if interrupt {
		stop = interruptAlways(ctx, c)
	}
	var got strings.Builder
	for _, code := range cells {
		got.WriteString(run(code))
	}
	rest := got.String()
	for line := range strings.Lines(want) {
		line = strings.TrimSuffix(line, "\n")
		_, after, found := strings.Cut(rest, line)
		if !found {
			t.Errorf("%q is missing in\n%s", line, got.String())
		}
		rest = after
	}
	stop()
	kept := run("kept + 1")
	for interrupt && strings.Contains(kept, "interrupted") { // the last interrupt was still in transit
		kept = run("kept + 1")
	}
	if strings.TrimSpace(kept) != "42" {
		t.Errorf("kept + 1 is %s", kept)
	}
}

// printed returns what a cell printed, showed and reported, without colours.
func printed(a answer) string {
	value, _ := a.result["text/plain"].(string)
	failure := ""
	if a.Failure != nil {
		failure = strings.Join(a.Traceback, "\n")
	}
	return ansi().ReplaceAllString(strings.Join([]string{a.stdout, a.stderr, value, failure, ""}, "\n"), "")
}

// startLimited starts a kernel whose address space is limited, in kB. It ends with the test.
func startLimited(ctx context.Context, t *testing.T, limit string) *client.Client {
	binary, err := exec.LookPath("goanvil") // see TestMain
	if err != nil {
		t.Fatal(err)
	}
	info, path := connection(t)
	cmd := exec.Command("sh", "-c", `ulimit -v "$2"; exec "$0" kernel -f "$1" --backend=reference`, binary, path, limit)
	cmd.Env = append(os.Environ(), "GOANVIL_DATA="+t.TempDir(), fmt.Sprint("JPY_PARENT_PID=", os.Getpid()))
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dead, die := context.WithCancel(ctx)
	go func() {
		_ = cmd.Wait()
		die()
	}()
	c, err := client.Dial(dead, info)
	t.Cleanup(func() {
		if c != nil {
			c.Close()
		}
		_ = cmd.Process.Kill()
		<-dead.Done()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	context.AfterFunc(dead, c.Close) // ends the calls that wait for an answer
	return c
}

// interruptAlways sends an interrupt each tenth of a second until stop is called, since the first
// may arrive before the cell runs.
func interruptAlways(ctx context.Context, c *client.Client) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_ = c.Interrupt(ctx)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	return func() { cancel(); <-done }
}
