// Command goroot runs the programs of Go's own test suite as cells and counts how many behave as in Go. Each program
// runs in a process of its own with limits on time and memory. The expected output of a program is in the .out file
// beside it; without such a file, the program must print nothing.
//
//	go run ./interp/universe/goroot [-cells whole|declarations|statements] [-match regexp] [-o file]
//
// With -examples, it first writes the Example functions of the standard library that have output as programs to the
// folder given by -root, and then runs these programs instead.
//
// It prints one line for each program that does not behave as in Go: the class, the name, and the reason.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/build/constraint"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/universe"
)

// The classes of programs.
const (
	right       = "right"
	wrong       = "wrong"     // runs, but prints something else or panics
	refused     = "refused"   // does not run; the error explains why
	internal    = "internal"  // does not run; the error has words of the implementation
	died        = "died"      // ends the process
	noEnd       = "no end"    // exceeds the time limit
	notInGo     = "not in Go" // not compared: the program does not print the expected output under go run either
	notPortable = "depends"   // not compared: the program depends on Go's compiler or linker
)

// compilerPrograms has the programs that depend on Go's compiler or linker, with the reasons.
var compilerPrograms = map[string]string{
	"closure.go":             "counts allocations",
	"fixedbugs/issue4618.go": "counts allocations",
	"fixedbugs/issue7690.go": "looks for the name of its file in a traceback",
	"heapsampling.go":        "reads a memory profile",
	"nilptr.go":              "wants a variable at a low address",
}

// An answer is the message that the process of a program sends to judge.
type answer struct {
	Ran  bool   // the error occurred while the program ran, not while it was compiled
	Text string // the error, or ""
}

func main() {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	root := flag.String("root", "", "the folder of the suite (default: test below go env GOROOT)")
	cells := flag.String("cells", "whole", "how a program is cut into cells: whole, declarations or statements")
	match := flag.String("match", "", "run only the programs whose names match this regular expression")
	list := flag.String("list", "", "run only the programs that this file names")
	out := flag.String("o", "", "write the report to this file, not to the standard output")
	limit := flag.Duration("time", 20*time.Second, "processor time for each program")
	parallel := flag.Int("p", 2, "programs that run at the same time")
	examples := flag.Bool("examples", false, "write the examples of the standard library to the folder -root first")
	child := flag.String("run", "", "run this program in this process")
	flag.Parse()
	if *child != "" {
		os.Args = os.Args[:1]
		if err := runProgram(*child, *cells, *limit); err != nil {
			fail(err)
		}
		return
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		fail(err)
	}
	if *examples {
		if err := writeExamples(filepath.Join(strings.TrimSpace(string(goroot)), "src"), *root); err != nil {
			fail(err)
		}
	}
	if *root == "" {
		*root = filepath.Join(strings.TrimSpace(string(goroot)), "test")
	}
	names, err := programs(*root, *match, *list)
	if err != nil {
		fail(err)
	}
	report := io.Writer(os.Stdout)
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			fail(err)
		}
		defer f.Close()
		report = f
	}
	count := map[string]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	running := make(chan struct{}, *parallel) // has an element for each running program
	for _, name := range names {
		running <- struct{}{}
		group.Go(func() {
			class, why := judge(*root, name, *cells, *limit)
			switch reason := compilerPrograms[name]; {
			case class == right:
			case reason != "":
				class, why = notPortable, reason
			case !isRightInGo(filepath.Join(*root, name)):
				class = notInGo
			}
			<-running
			mu.Lock()
			defer mu.Unlock()
			count[class]++
			if class != right {
				fmt.Fprintf(report, "%s\t%s\t%s\n", class, name, why)
			}
		})
	}
	group.Wait()
	fmt.Fprintf(os.Stderr, "%d programs: %v\n", len(names), count)
}

// programs returns the names of the programs of the suite that go run can run on this platform without other files.
// match and list restrict them; see the flags.
func programs(root, match, list string) ([]string, error) {
	pattern, err := regexp.Compile(match)
	if err != nil {
		return nil, err
	}
	var only []string
	if list != "" {
		data, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		only = strings.Fields(string(data))
	}
	var names []string
	for _, dir := range []string{".", "chan", "ken", "interface", "typeparam", "fixedbugs"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			name, err := filepath.Rel(root, file)
			if err != nil {
				return nil, err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if pattern.MatchString(name) && (only == nil || slices.Contains(only, name)) && isRunnable(string(text)) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("no programs in " + root)
	}
	return names, nil
}

// isRunnable reports whether a program is to be run without arguments, according to its comments, and its build
// constraints allow this platform.
func isRunnable(text string) bool {
	isRun := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		isRun = isRun || line == "// run" || strings.HasPrefix(line, "// run -gcflags")
		if x, err := constraint.Parse(line); err == nil && constraint.IsGoBuild(line) && !x.Eval(hasTag) {
			return false
		}
	}
	return isRun
}

// hasTag reports whether a build tag is satisfied.
func hasTag(tag string) bool {
	switch tag {
	case runtime.GOOS, runtime.GOARCH, "gc", "unix":
		return true
	}
	return strings.HasPrefix(tag, "go1.")
}

// judge runs a program in a process of its own, and returns the class of the program and the reason.
func judge(root, name, cells string, limit time.Duration) (class, why string) {
	exe, err := os.Executable()
	if err != nil {
		return died, err.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "-cells", cells, "-time", limit.String(), "-run", filepath.Join(root, name))
	r, w, err := os.Pipe()
	if err != nil {
		return died, err.Error()
	}
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = &printed, &printed, []*os.File{w}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return died, err.Error()
	}
	w.Close()
	data, _ := io.ReadAll(r)
	r.Close()
	err = cmd.Wait()
	var a answer
	isAnswer := json.Unmarshal(data, &a) == nil
	if strings.Contains(a.Text, "os.Exit(0): ") {
		a = answer{} // the program has ended as it should; only its output is compared
	}
	isRight, want := compareOutput(filepath.Join(root, name), printed.String())
	state := cmd.ProcessState
	// The operating system measures processor time coarsely, so that a second may be missing.
	isOverTime := ctx.Err() != nil || state.UserTime()+state.SystemTime() >= limit-time.Second
	switch {
	case isAnswer && a.Text != "" && a.Ran:
		return wrong, oneLine(a.Text)
	case isAnswer && a.Text != "" && isInternal(a.Text):
		return internal, oneLine(a.Text)
	case isAnswer && a.Text != "":
		return refused, oneLine(a.Text)
	case isAnswer && isRight:
		return right, ""
	case isAnswer:
		return wrong, oneLine(difference(printed.String(), want))
	case isOverTime:
		return noEnd, ""
	}
	return died, oneLine(fmt.Sprint(err, ": ", printed.String()))
}

// isRightInGo reports whether a program prints the expected output under go run.
func isRightInGo(file string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // go run and the program
	printed, err := cmd.CombinedOutput()
	isRight, _ := compareOutput(file, string(printed))
	return err == nil && isRight
}

// isInternal reports whether an error has words of the implementation.
func isInternal(text string) bool {
	words := []string{"please report", "reflect:", "reflect.", "ꓸ", "go/ssa", "yaegi", "0x"}
	return slices.ContainsFunc(words, func(s string) bool { return strings.Contains(text, s) })
}

// difference describes the first line that differs.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(end)", "(end)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, a, b)
		}
	}
	return ""
}

// oneLine returns the beginning of s in one line.
func oneLine(s string) string {
	const most = 400
	if len(s) > most {
		s = s[:most]
	}
	return strings.ReplaceAll(s, "\n", " | ")
}

// memory is the limit on the address space of a program's process, in bytes.
const memory = 6 << 30

// runProgram runs the cells of a program in a new session, and writes an answer to file descriptor 3, the pipe to judge.
func runProgram(file, cells string, limit time.Duration) error {
	seconds := uint64(limit.Seconds())
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: memory, Max: memory}); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// In tracebacks of cells, the file is called cell[1].
	code := strings.ReplaceAll(string(text), filepath.Base(file), "cell[1]")
	pieces, err := split(code, cells)
	if err != nil {
		return err
	}
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "reference", NoCache: true})
	u := universe.New(ctx, nil, universe.Stdio{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stderr})
	s, err := interp.New(u, interp.Options{Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		return err
	}
	var a answer
	for _, piece := range pieces {
		if res := s.Run(context.Background(), piece, 1); res.Err != nil {
			ran := res.Err.Name != "SyntaxError" && res.Err.Name != "TypeError"
			a = answer{Ran: ran, Text: res.Err.Name + ": " + res.Err.Text()}
			break
		}
	}
	return json.NewEncoder(os.NewFile(3, "answer")).Encode(a)
}
