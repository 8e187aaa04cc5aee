package main

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/magic"
	"github.com/goanvil/notebook/interp/universe"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A session is a messaging.Kernel: an interpreter, a tensor Context and an Outlet.
type session struct {
	ctx        *anvil.Context
	outlet     *display.Outlet
	world      *universe.Universe
	interp     *interp.Session
	completion *complete.Session
	console    *console
	busy       turn       // held while a cell runs, and while variables are read
	asking     sync.Mutex // held while names are completed or inspected
	explored   explored
	loading    sync.WaitGroup // loading of packages for the first cell
	preload    preloader
	idle       *time.Timer     // runs when no cell has run for a while
	system     *promote.System // of the cells to come
	shell      bool            // lines that begin with ! are commands of the shell
	await      bool            // the running cell ends after its tensors are computed

	mu      sync.Mutex     // guards what follows, and changes of interp and completion
	sources map[int]string // code by cell
	sweep   int            // the number of sources at which unused ones are forgotten
}

// A turn is a lock with a timeout.
type turn chan struct{}

func (t turn) take()  { t <- struct{}{} }
func (t turn) leave() { <-t }

// tryTake takes t if it is free, and reports whether it did.
func (t turn) tryTake() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// takeWithin takes t if it is free or becomes so within d, and reports whether it did.
func (t turn) takeWithin(d time.Duration) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-time.After(d):
		return t.tryTake()
	}
}

func newSession(b backend) (*session, error) {
	console, err := newConsole()
	if err != nil {
		return nil, err
	}
	s := &session{console: console, busy: make(turn, 1), sources: map[int]string{}, preload: preloader{load: b.load}, idle: newIdleTimer()}
	s.ctx = anvil.NewContext(anvil.ContextOptions{Backend: b.name, Plugin: b.plugin, Log: s.console.stderr(), Output: s.console.stdout(), Compiling: s.compiling})
	s.outlet = display.NewOutlet(s.console)
	s.world = universe.New(s.ctx, s.outlet, universe.Stdio{
		In: console.stdin(), Out: console.stdoutPipe.file(), Err: console.stderrPipe.file(),
	})
	path, _ := s.world.Tensor()
	s.loading.Go(func() { _, _ = s.world.Import(path) }) // every cell needs its types
	return s, s.start()
}

// start creates a new interpreter without names.
func (s *session) start() error {
	started, err := interp.New(s.world, interp.Options{
		Stdin: s.console.stdin(), Stdout: s.console.stdout(), Stderr: s.console.stderr(),
		AfterCell: s.afterCell, Cut: s.cut, Keep: s.keep,
		Finishing: func() bool { return s.ctx.Finishing() },
	})
	if err != nil {
		return err
	}
	path, name := s.world.Tensor()
	completion := &complete.Session{
		Env:        started.Env(),
		TensorPath: path, TensorName: name,
		Doc:    s.doc,
		Paths:  universe.Paths,
		Magics: magic.Docs,
		Hidden: s.hidden,
		Source: s.source,
		Value:  s.value,

		LibrarySource: s.librarySource,

		Arguments: magic.Arguments,
		Texts:     s.textArguments,
		Files:     filesIn,
	}
	s.mu.Lock()
	s.interp, s.completion = started, completion
	s.mu.Unlock()
	s.SetShell(s.shell)
	s.system = promote.Anvil
	s.ctx.Settings().Reset()
	return nil
}

// source returns the code of an earlier cell.
func (s *session) source(n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sources[n]
}

// keepSource records the code of a cell, and now and then forgets that of cells whose names
// are no longer in use.
func (s *session) keepSource(n int, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources[n] = code
	if len(s.sources) < s.sweep {
		return
	}
	used := map[int]string{n: code}
	env := s.interp.Env() // only cells change it
	for _, name := range env.Names() {
		in := env.Lookup(name).Cell
		used[in] = s.sources[in]
	}
	s.sources, s.sweep = used, 2*len(used)+100
}

// afterCell computes the tensors held by the cell's names, so that their errors and time
// count for the cell that wrote them.
func (s *session) afterCell(_ context.Context, found []reflect.Value) error {
	roots := make([]anvil.Tensor, len(found))
	for i, v := range found {
		roots[i] = v.Interface().(anvil.Tensor)
	}
	if err := s.ctx.EndCell(roots); err != nil || !s.await {
		return err
	}
	for _, x := range roots {
		if x.Valid() && !x.Traced() {
			if err := x.Wait(); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut ends the chain of pending operations that a loop carries.
func (s *session) cut(found []reflect.Value) { s.ctx.Cut(tensors(found)...) }

// keep marks tensors that a loop has assigned and will carry.
func (s *session) keep(found []reflect.Value) { s.ctx.Keep(tensors(found)...) }

func tensors(found []reflect.Value) []*anvil.Tensor {
	ts := make([]*anvil.Tensor, 0, len(found))
	for _, v := range found {
		if v.CanAddr() {
			ts = append(ts, v.Addr().Interface().(*anvil.Tensor))
		}
	}
	return ts
}

// Info describes the kernel. A front end asks when it connects, before anything is typed, so
// Info starts the pause in which the plugin's library is loaded.
func (s *session) Info() wire.KernelInfoReply {
	s.preload.idle()
	return wire.KernelInfoReply{
		Implementation:        "goanvil",
		ImplementationVersion: version(),
		LanguageInfo: wire.LanguageInfo{
			Name:              "go",
			Version:           strings.TrimPrefix(runtime.Version(), "go"),
			MIMEType:          "text/x-go",
			FileExtension:     ".go",
			PygmentsLexer:     "go",
			CodeMirrorMode:    "go",
			NBConvertExporter: "script",
		},
		Banner:    banner,
		HelpLinks: helpLinks,
	}
}

const banner = `Go (anvil): Go cells with tensors.
2*nv.New([]float64{1, 2}) + 1 computes; name? shows documentation; %help explains more.`

var helpLinks = []wire.HelpLink{
	{Text: "The Go language", URL: "https://go.dev/ref/spec"},
	{Text: "Go's standard library", URL: "https://pkg.go.dev/std"},
	{Text: "StableHLO", URL: "https://openxla.org/stablehlo/spec"},
	{Text: "gonum plot", URL: "https://pkg.go.dev/gonum.org/v1/plot"},
}

// interruptOf returns a context that ends with ctx, unless over is called first, so that
// computations that a cell's goroutines wait for go on after the cell has ended.
func interruptOf(ctx context.Context) (waits context.Context, over func()) {
	waits, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return waits, func() { stop() }
}

// Execute runs a cell.
func (s *session) Execute(ctx context.Context, c messaging.Cell, out messaging.Output) wire.ExecuteReply {
	s.busy.take()
	defer s.busy.leave()
	s.idle.Stop()
	defer s.idle.Reset(idleAfter)
	defer s.preload.run()()
	began := processClock()
	defer context.AfterFunc(ctx, func() { endChildren(began) })()
	parsed := s.interp.Parse(ctx, c.Code, c.Count)
	commands, wrong := magic.Read(parsed.Syntax())
	r := &cellRun{session: s, code: c.Code, commands: commands, parsed: &parsed}
	if wrong == nil && commands.Predicts {
		out = &heldOutput{Output: out}
	}
	r.out = out.Stdout()
	defer s.console.enter(ctx, out)()
	defer s.ctx.SetInterrupt(context.Background()) // goroutines of the cell may go on
	s.await = false
	waits, over := interruptOf(ctx)
	defer over()
	s.ctx.SetInterrupt(waits)
	s.ctx.SetLine(fmt.Sprintf("In[%d]", c.Count))
	s.keepSource(c.Count, c.Code)
	if name := exitName(c.Code); name != "" && s.interp.Env().Lookup(name) == nil {
		return wire.ExecuteReply{Outcome: wire.OK, Payload: []wire.Payload{wire.Exit()}}
	}
	if wrong != nil {
		return wire.ExecuteReply{Outcome: wire.Failed("CommandError", wrong.Error())}
	}
	return wire.ExecuteReply{Outcome: r.run(ctx, c.Count, out), Payload: r.pages}
}

// exitName returns exit or quit if the whole cell is that name or a call of it, and otherwise "".
func exitName(code string) string {
	name := strings.TrimSuffix(strings.TrimSpace(code), "()")
	if name == "exit" || name == "quit" {
		return name
	}
	return ""
}

func (r *cellRun) run(ctx context.Context, n int, out messaging.Output) wire.Outcome {
	h, predicted := out.(*heldOutput)
	if err := r.commands.Before(r, r.out); err != nil {
		if predicted {
			h.reveal()
		}
		if ctx.Err() != nil {
			return failure(interrupted(n))
		}
		return wire.Failed("CommandError", err.Error())
	}
	if predicted {
		return r.runPredicted(ctx, n, h)
	}
	stop := func() string { return "" }
	if r.commands.WatchesNaN {
		stop = r.ctx.WatchNaN()
		defer stop()
	}
	if len(r.commands.Under) > 0 {
		return r.runUnder(ctx, n, out)
	}
	if len(r.commands.Gradients) > 0 {
		return r.runGradients(ctx, n, out)
	}
	if len(r.commands.DTypes) > 0 {
		return r.runDTypes(ctx, n, out)
	}
	result := r.interp.RunParsed(ctx, r.next(ctx, n, false))
	if r.commands.Benched() && result.Err != nil && result.Err.Name == "TypeError" {
		if other := r.interp.RunParsed(ctx, r.next(ctx, n, true)); other.Err == nil || other.Err.Name != "TypeError" {
			result = other
		}
	}
	var ended *exec.ExitError // of a process that the interrupt has ended
	if ctx.Err() != nil && (result.Err == nil || errors.Is(result.Err, ctx.Err()) || errors.Is(result.Err, context.Cause(ctx)) || errors.As(result.Err, &ended)) {
		// A statement that was stopped while it waited looks like one that has ended, or failed.
		result.Err = interrupted(n)
	}
	for _, note := range result.Notes {
		fmt.Fprintln(out.Stderr(), note)
	}
	shown, err := r.render(ctx, result)
	r.end(result)
	switch {
	case result.Err != nil:
		return failure(result.Err)
	case err != nil && ctx.Err() != nil:
		return failure(interrupted(n))
	case err != nil:
		return failure(r.interp.Shown(result, err))
	}
	if err := r.commands.After(r, r.out); err != nil {
		return wire.Failed("CommandError", err.Error())
	}
	if infinity := stop(); infinity != "" {
		fmt.Fprintln(out.Stderr(), "no NaN arose; the first infinity came from "+infinity)
	}
	if !shown.Empty() {
		out.Result(displayData("", shown))
	}
	return wire.OK
}

// end finishes a cell after its code has run or failed to parse.
func (r *cellRun) end(result interp.Result) {
	if e := result.Err; e != nil && (e.Name == "SyntaxError" || e.Name == "TypeError") {
		return
	}
	r.commands.End()
	if result.Err != nil {
		r.ctx.Revive()
	}
}

// render returns the bundles of a cell's values.
func (r *cellRun) render(ctx context.Context, result interp.Result) (display.Bundle, error) {
	if result.Err != nil || !result.Show || len(result.Values) == 0 {
		return display.Bundle{}, nil
	}
	return r.show(ctx, result.Values)
}

// show returns the bundles of values. It waits for tensors and calls the values' methods,
// which a cell may have declared. It returns soon after ctx has ended.
func (s *session) show(ctx context.Context, values []any) (display.Bundle, error) {
	done := make(chan display.Bundle, 1)
	if err := s.interp.Call(ctx, func() { done <- s.outlet.Render(values...) }); err != nil {
		return display.Bundle{}, err
	}
	return <-done, nil
}

// Evaluate returns the value of a user expression.
func (s *session) Evaluate(ctx context.Context, expr string) wire.Expression {
	s.busy.take()
	defer s.busy.leave()
	if _, err := parser.ParseExpr(expr); err != nil {
		return wire.Expression{Outcome: wire.Failed("SyntaxError", err.Error())}
	}
	waits, over := interruptOf(ctx)
	defer over()
	s.ctx.SetInterrupt(waits)
	defer s.ctx.SetInterrupt(context.Background())
	result := s.interp.Run(ctx, expr, 0)
	if result.Err != nil {
		return wire.Expression{Outcome: failure(result.Err)}
	}
	b, err := s.show(ctx, result.Values)
	if err != nil {
		return wire.Expression{Outcome: failure(s.interp.Shown(result, err))}
	}
	return wire.Expression{Outcome: wire.OK, Data: b.Data, Metadata: b.Metadata}
}

// Shutdown releases resources that outlive the process.
func (s *session) Shutdown(bool) {
	s.loading.Wait()
	s.preload.close()
	s.console.close()
}
