// Command goroot runs the programs of Go's own test suite as cells and counts how many behave
// as in Go. Each runs in a process of its own with limits on time and memory. The expected
// output is the suite's: that of the .out file beside a program, or none.
//
//	go run ./interp/universe/goroot [-cells whole|declarations|statements] [-match regexp] [-o file]
//
// Before, -examples writes the Example functions of the standard library that have output to
// the folder -root, which is then the suite.
//
// It writes one line for each program that is not right: class, name, and the reason.
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
	right    = "right"
	wrong    = "wrong"     // runs, and prints something else or panics
	refused  = "refused"   // does not run, and says why
	internal = "internal"  // does not run, with words of the implementation
	died     = "died"      // ends the process
	noEnd    = "no end"    // uses up its time
	notInGo  = "not in Go" // not right under go run either: it is not compared
	unlike   = "unlike"    // asks for what only Go's compiler and linker decide: it is not compared
)

// compilers are the programs that ask for what only Go's compiler and linker decide.
var compilers = map[string]string{
	"closure.go":             "counts allocations",
	"fixedbugs/issue4618.go": "counts allocations",
	"fixedbugs/issue7690.go": "looks for the name of its file in a traceback",
	"heapsampling.go":        "reads a memory profile",
	"nilptr.go":              "wants a variable at a low address",
}

// An answer is what the process of a program reports.
type answer struct {
	Ran  bool   // whether the error, if any, is a panic or a returned error
	Text string // of the error, or ""
}

func main() {
	log := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	root := flag.String("root", "", "the folder of the suite; standard: test in what go env GOROOT says")
	cells := flag.String("cells", "whole", "how a program is cut into cells: whole, declarations or statements")
	match := flag.String("match", "", "run only the programs whose names match this regular expression")
	list := flag.String("list", "", "run only the programs that this file names")
	out := flag.String("o", "", "write what is not right to this file, not to the standard output")
	limit := flag.Duration("time", 20*time.Second, "processor time for each program")
	parallel := flag.Int("p", 2, "programs that run at the same time")
	examples := flag.Bool("examples", false, "write the examples of the standard library to the folder -root, and run these")
	child := flag.String("run", "", "run this program in this process")
	flag.Parse()
	if *child != "" {
		os.Args = os.Args[:1]
		if err := runProgram(*child, *cells, *limit); err != nil {
			log(err)
		}
		return
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		log(err)
	}
	if *examples {
		if err := writeExamples(filepath.Join(strings.TrimSpace(string(goroot)), "src"), *root); err != nil {
			log(err)
		}
	}
	if *root == "" {
		*root = filepath.Join(strings.TrimSpace(string(goroot)), "test")
	}
	names, err := programs(*root, *match, *list)
	if err != nil {
		log(err)
	}
	report := io.Writer(os.Stdout)
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			log(err)
		}
		defer f.Close()
		report = f
	}
	count := map[string]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	free := make(chan struct{}, *parallel)
	for _, name := range names {
		free <- struct{}{}
		group.Go(func() {
			class, why := judge(*root, name, *cells, *limit)
			switch reason := compilers[name]; {
			case class == right:
			case reason != "":
				class, why = unlike, reason
			case !isRightInGo(filepath.Join(*root, name)):
				class = notInGo
			}
			<-free
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

// programs returns the programs of the suite that go run can run alone on this platform.
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
			if pattern.MatchString(name) && (only == nil || slices.Contains(only, name)) && runs(string(text)) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("no programs in " + root)
	}
	return names, nil
}

// runs reports whether a program says that it is to be run, without arguments, and is for this
// platform.
func runs(text string) bool {
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

func hasTag(tag string) bool {
	switch tag {
	case runtime.GOOS, runtime.GOARCH, "gc", "unix":
		return true
	}
	return strings.HasPrefix(tag, "go1.")
}

// judge runs a program in a process and compares what it prints.
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
		a = answer{} // a cell cannot end its process; what it printed before is compared
	}
	isRight, want := expected(filepath.Join(root, name), printed.String())
	switch state := cmd.ProcessState; {
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
	case ctx.Err() != nil || state.UserTime()+state.SystemTime() >= limit-time.Second: // the kernel's count is coarse
		return noEnd, ""
	}
	return died, oneLine(fmt.Sprint(err, ": ", printed.String()))
}

// isRightInGo reports whether a program is right under go run.
func isRightInGo(file string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // go run and the program
	printed, err := cmd.CombinedOutput()
	isRight, _ := expected(file, string(printed))
	return err == nil && isRight
}

// isInternal reports whether a refusal has words that nobody writes in Go.
func isInternal(text string) bool {
	return slices.ContainsFunc([]string{"please report", "reflect:", "reflect.", "ꓸ", "go/ssa", "yaegi", "0x"}, func(s string) bool {
		return strings.Contains(text, s)
	})
}

// difference returns the first lines that differ.
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

func oneLine(s string) string {
	const most = 400
	if len(s) > most {
		s = s[:most]
	}
	return strings.ReplaceAll(s, "\n", " | ")
}

// memory is the address space of a program's process in bytes.
const memory = 6 << 30

// runProgram runs the cells of a program in a new session, and reports to the file descriptor
// that judge passes.
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
	// Files are called cell[1] in tracebacks.
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
			a = answer{Ran: res.Err.Name != "SyntaxError" && res.Err.Name != "TypeError", Text: res.Err.Name + ": " + res.Err.Text()}
			break
		}
	}
	return json.NewEncoder(os.NewFile(3, "answer")).Encode(a)
}
