package main

import (
	"context"
	"errors"
	"fmt"
	"go/token"
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
	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/magic"
	"github.com/goanvil/notebook/interp/universe"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A session implements messaging.Kernel. It connects an interpreter, the Context of its tensors and an
// Outlet, which shows values.
type session struct {
	ctx          *anvil.Context
	outlet       *display.Outlet
	world        *universe.Universe
	interp       *interp.Session
	completion   *complete.Session
	console      *console
	busy         timedMutex     // held while a cell runs, and while variables are read
	completionMu sync.Mutex     // held while completion is used
	listing      listing        // the variables that Variables returned last
	loading      sync.WaitGroup // waits for the import of package anvil, which newSession starts
	preload      preloader
	idle         *time.Timer     // fires when no cell has run for idleAfter; see newIdleTimer
	system       *promote.System // the promotion system of the running and later cells
	shell        bool            // lines that begin with ! are commands of the shell
	await        bool            // the running cell is timed, and waits for its tensors

	mu      sync.Mutex     // guards the fields below, and changes of interp and completion
	sources map[int]string // the code of cells by execution count
	sweep   int            // the length of sources at which keepSource deletes unused sources
}

// A timedMutex is a mutex that can be locked with a timeout. It is a channel with a buffer of one.
type timedMutex chan struct{}

func (m timedMutex) lock()   { m <- struct{}{} }
func (m timedMutex) unlock() { <-m }

// tryLock locks m if it is unlocked, and reports whether it did.
func (m timedMutex) tryLock() bool {
	select {
	case m <- struct{}{}:
		return true
	default:
		return false
	}
}

// lockWithin locks m if it is unlocked or becomes so within d, and reports whether it did.
func (m timedMutex) lockWithin(d time.Duration) bool {
	select {
	case m <- struct{}{}:
		return true
	case <-time.After(d):
		return m.tryLock() // select chooses at random if both cases are ready
	}
}

// newSession returns a session that has run no cell.
func newSession(b backend) (*session, error) {
	console, err := newConsole()
	if err != nil {
		return nil, err
	}
	s := &session{
		console: console,
		busy:    make(timedMutex, 1),
		sources: map[int]string{},
		preload: preloader{load: b.load},
		idle:    newIdleTimer(),
	}
	s.ctx = anvil.NewContext(anvil.ContextOptions{
		Backend: b.name, Plugin: b.plugin,
		Log: console.stderr(), Output: console.stdout(), Compiling: s.compiling,
	})
	s.outlet = display.NewOutlet(s.console)
	s.world = universe.New(s.ctx, s.outlet, universe.Stdio{
		In: console.stdin(), Out: console.stdoutPipe.file(), Err: console.stderrPipe.file(),
	})
	tensorPath, _ := s.world.Tensor()
	s.loading.Go(func() { _, _ = s.world.Import(tensorPath) }) // before the first cell: every cell needs this package
	return s, s.start()
}

// start gives the session a new interpreter, in which cells have declared no names. It resets the
// promotion system and the settings of the Context.
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

// source returns the code of cell n, or "" if it is not kept.
func (s *session) source(n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sources[n]
}

// keepSource records the code of cell n. When it has recorded many sources, it deletes those of cells in
// which no present name is declared.
func (s *session) keepSource(n int, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources[n] = code
	if len(s.sources) < s.sweep {
		return
	}
	used := map[int]string{n: code}
	env := s.interp.Env() // only running cells change it, and cell n has not started
	for _, name := range env.Names() {
		declaredIn := env.Lookup(name).Cell
		used[declaredIn] = s.sources[declaredIn]
	}
	s.sources, s.sweep = used, 2*len(used)+100
}

// afterCell starts computing held, the tensors that the cell's names hold, so that errors are reported
// for the cell that caused them. If the cell is timed, it waits until they are computed.
func (s *session) afterCell(_ context.Context, held []reflect.Value) error {
	roots := make([]anvil.Tensor, len(held))
	for i, v := range held {
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

// cut calls Context.Cut with the tensor variables that a loop assigns.
func (s *session) cut(variables []reflect.Value) { s.ctx.Cut(tensors(variables)...) }

// keep calls Context.Keep with tensor variables that a loop has assigned and reads in its next
// iteration.
func (s *session) keep(variables []reflect.Value) { s.ctx.Keep(tensors(variables)...) }

// tensors returns pointers to the variables that are addressable.
func tensors(variables []reflect.Value) []*anvil.Tensor {
	ts := make([]*anvil.Tensor, 0, len(variables))
	for _, v := range variables {
		if v.CanAddr() {
			ts = append(ts, v.Addr().Interface().(*anvil.Tensor))
		}
	}
	return ts
}

// Info describes the kernel. A front end calls it when it connects, before the user runs a cell. So Info
// begins a pause, in which the plugin's library can be loaded.
func (s *session) Info() wire.KernelInfoReply {
	s.preload.beginPause()
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
2*nv.New([]float64{1, 2}) + 1 is a tensor; name? shows the documentation of name; %help explains more.`

var helpLinks = []wire.HelpLink{
	{Text: "The Go language", URL: "https://go.dev/ref/spec"},
	{Text: "Go's standard library", URL: "https://pkg.go.dev/std"},
	{Text: "StableHLO", URL: "https://openxla.org/stablehlo/spec"},
	{Text: "gonum plot", URL: "https://pkg.go.dev/gonum.org/v1/plot"},
}

// interruptOf returns a context that is cancelled when ctx is, unless detach has been called before.
// Callers call detach at the end of a cell: the server then cancels ctx, but goroutines of the cell may
// still wait for computations.
func interruptOf(ctx context.Context) (interrupt context.Context, detach func()) {
	interrupt, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return interrupt, func() { stop() }
}

// Execute runs a cell.
func (s *session) Execute(ctx context.Context, c messaging.Cell, out messaging.Output) wire.ExecuteReply {
	s.busy.lock()
	defer s.busy.unlock()
	s.idle.Stop()
	defer s.idle.Reset(idleAfter)
	defer s.preload.beginCell()()
	began := processClock()
	defer context.AfterFunc(ctx, func() { endChildren(began) })() // an interrupt ends the cell's processes
	parsed := s.interp.Parse(ctx, c.Code, c.Count)
	commands, commandErr := magic.Read(parsed.Syntax())
	r := &cellRun{session: s, code: c.Code, commands: commands, parsed: &parsed}
	if commandErr == nil && commands.Predicts {
		out = &heldOutput{Output: out}
	}
	r.out = out.Stdout()
	defer s.console.attach(ctx, out)()
	defer s.ctx.SetInterrupt(context.Background()) // goroutines of the cell may still compute after its end
	s.await = false
	interrupt, detach := interruptOf(ctx)
	defer detach()
	s.ctx.SetInterrupt(interrupt)
	s.ctx.SetLine(fmt.Sprintf("In[%d]", c.Count))
	s.keepSource(c.Count, c.Code)
	if name := exitName(c.Code); name != "" && s.interp.Env().Lookup(name) == nil {
		return wire.ExecuteReply{Outcome: wire.OK, Payload: []wire.Payload{wire.Exit()}}
	}
	if commandErr != nil {
		return wire.ExecuteReply{Outcome: wire.Failed("CommandError", commandErr.Error())}
	}
	return wire.ExecuteReply{Outcome: r.run(ctx, c.Count, out), Payload: r.pages}
}

// exitName returns "exit" or "quit" if the whole cell is that name or a call of it, and otherwise "".
func exitName(code string) string {
	name := strings.TrimSuffix(strings.TrimSpace(code), "()")
	if name == "exit" || name == "quit" {
		return name
	}
	return ""
}

// run runs cell n as its commands specify, and shows its value. out is a *heldOutput if the user is
// asked to predict the outcome.
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
	stopWatching := func() (infinity string) { return "" }
	if r.commands.WatchesNaN {
		stopWatching = r.ctx.WatchNaN()
		defer stopWatching() // for early returns; a second call does nothing
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
	result := r.runOnce(ctx, n)
	if ctx.Err() != nil && endedByInterrupt(ctx, result.Err) {
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
		return failure(r.interp.DisplayError(result, err))
	}
	if err := r.commands.After(r, r.out); err != nil {
		return wire.Failed("CommandError", err.Error())
	}
	if infinity := stopWatching(); infinity != "" {
		fmt.Fprintln(out.Stderr(), "no NaN arose; the first infinity came from "+infinity)
	}
	if !shown.Empty() {
		out.Result(displayData("", shown))
	}
	return wire.OK
}

// runOnce runs cell n. If the code that %bench measures does not end in an expression with a value, the
// first run fails with a type error, and runOnce runs the cell again as code
// without a value; see Commands.Prepare.
func (r *cellRun) runOnce(ctx context.Context, n int) interp.Result {
	isTypeError := func(e *interp.Error) bool { return e != nil && e.Name == "TypeError" }
	result := r.interp.RunParsed(ctx, r.parse(ctx, n, false))
	if r.commands.Benched() && isTypeError(result.Err) {
		if valueless := r.interp.RunParsed(ctx, r.parse(ctx, n, true)); !isTypeError(valueless.Err) {
			return valueless
		}
	}
	return result
}

// endedByInterrupt reports whether err, the error of a cell, can result from the interrupt that cancelled
// ctx. A statement that is interrupted while it waits may return no error, the error of ctx, or the error
// of a process that the interrupt has ended.
func endedByInterrupt(ctx context.Context, err *interp.Error) bool {
	var exit *exec.ExitError
	return err == nil || errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)) || errors.As(err, &exit)
}

// end ends the commands of a cell that has run. After an error, the tensors that the cell gave to Donate
// become usable again; see Context.Revive. It does nothing if the cell did not compile.
func (r *cellRun) end(result interp.Result) {
	if isCompileError(result.Err) {
		return
	}
	r.commands.End()
	if result.Err != nil {
		r.ctx.Revive()
	}
}

// render returns the bundle that shows a cell's values. It is empty if there is nothing to show.
func (r *cellRun) render(ctx context.Context, result interp.Result) (display.Bundle, error) {
	if result.Err != nil || !result.Show || len(result.Values) == 0 {
		return display.Bundle{}, nil
	}
	return r.show(ctx, result.Values)
}

// show returns the bundle that shows values. It waits for tensors, and calls methods of the values, which
// a cell may have declared. It returns soon after ctx is done, even if such a call has not returned.
func (s *session) show(ctx context.Context, values []any) (display.Bundle, error) {
	done := make(chan display.Bundle, 1)
	render := func() {
		if err := s.interp.WithMaps(values, func() { done <- s.outlet.Render(values...) }); err != nil {
			panic(err)
		}
	}
	if err := s.interp.Call(ctx, render); err != nil {
		return display.Bundle{}, err
	}
	return <-done, nil
}

// Evaluate returns the value of a user expression.
func (s *session) Evaluate(ctx context.Context, expr string) wire.Expression {
	s.busy.lock()
	defer s.busy.unlock()
	syntax, err := cell.Parse(token.NewFileSet(), "expression", expr)
	if err == nil && !syntax.IsExpression() {
		err = fmt.Errorf("%q is not an expression; give one, such as n + 1", expr)
	}
	if err != nil {
		return wire.Expression{Outcome: wire.Failed("SyntaxError", err.Error())}
	}
	interrupt, detach := interruptOf(ctx)
	defer detach()
	s.ctx.SetInterrupt(interrupt)
	defer s.ctx.SetInterrupt(context.Background())
	result := s.interp.Run(ctx, expr, 0)
	if result.Err != nil {
		return wire.Expression{Outcome: failure(result.Err)}
	}
	b, err := s.show(ctx, result.Values)
	if err != nil {
		return wire.Expression{Outcome: failure(s.interp.DisplayError(result, err))}
	}
	return wire.Expression{Outcome: wire.OK, Data: b.Data, Metadata: b.Metadata}
}

// Shutdown releases the session's resources.
func (s *session) Shutdown(bool) {
	s.loading.Wait()
	s.preload.close()
	s.console.close()
}
