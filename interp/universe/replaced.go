package universe

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/goanvil/notebook/interp/compile"
)

// replaced are functions of std that would end the kernel if a cell called
// them; they panic instead, or refuse.
var replaced = map[string]map[string]any{
	"os":      {"Exit": exit, "FindProcess": findProcess, "NewFile": newFile},
	"flag":    {"Parse": parseFlags},
	"runtime": {"Breakpoint": breakpoint, "GOMAXPROCS": setProcs, "LockOSThread": lockThread, "SetFinalizer": setFinalizer},

	"os/signal":     {"Ignore": ignoreSignals, "Reset": resetSignals},
	"testing":       {"Main": testMain, "Benchmark": benchmark},
	"runtime/debug": {"SetMaxStack": setMaxStack, "SetMaxThreads": setMaxThreads},
}

// parseFlags is flag.Parse for a cell, which has no command line: the kernel's
// would be unknown flags, and end it.
func parseFlags() {
	if err := flag.CommandLine.Parse(nil); err != nil {
		panic(err)
	}
}

func exit(code int) {
	panic(compile.Exit(fmt.Sprintf("os.Exit(%d): it would end the kernel; return from the cell, or restart the kernel from the front end", code)))
}

func breakpoint() { panic("runtime.Breakpoint: it would end the kernel, which runs under no debugger") }

// setProcs is runtime.GOMAXPROCS for as many as there could be processors: each takes memory.
func setProcs(n int) int {
	if n > maxThreads {
		panic(fmt.Sprintf("runtime.GOMAXPROCS(%d): the kernel would have no memory left; give at most %d", n, maxThreads))
	}
	return runtime.GOMAXPROCS(n)
}

// newFile is os.NewFile of another descriptor for the same file: the kernel lives on when a cell
// closes its descriptors.
func newFile(fd uintptr, name string) *os.File {
	own, err := duplicate(fd)
	if err != nil {
		return nil
	}
	return os.NewFile(own, name)
}

// maxThreads is how many threads the process may have when a cell locks one more.
const maxThreads = 1000

// lockThread is runtime.LockOSThread, with a panic where the run time would have too many
// threads. Each goroutine that waits while it is locked holds one.
func lockThread() {
	if n, _ := runtime.ThreadCreateProfile(nil); n > maxThreads {
		panic(fmt.Sprintf("runtime.LockOSThread: the kernel has %d threads already; end goroutines that are locked to theirs", n))
	}
	runtime.LockOSThread()
}

// leastStack is the run time's limit on the size of a stack, in bytes: one of the kernel could
// be as large.
const leastStack = 1_000_000_000

// stackLimit is what the cells have set by debug.SetMaxStack.
var stackLimit atomic.Int64

func init() { stackLimit.Store(leastStack) }

// setMaxStack is debug.SetMaxStack, which does not lower the limit of the run time: to exceed it
// would end the kernel. The depth to which cells may call is limited in any case.
func setMaxStack(bytes int) int {
	debug.SetMaxStack(max(bytes, leastStack))
	return int(stackLimit.Swap(int64(bytes)))
}

// setMaxThreads is debug.SetMaxThreads, which may not lower the limit below the run time's.
func setMaxThreads(threads int) int {
	const least = 10_000
	if threads < least {
		panic(fmt.Sprintf("debug.SetMaxThreads(%d): one more thread would end the kernel; give at least %d", threads, least))
	}
	return debug.SetMaxThreads(threads)
}

// resetSignals is signal.Reset for all signals but those that the kernel handles.
func resetSignals(signals ...os.Signal) {
	if rest := withoutKernels(signals); len(rest) > 0 {
		signal.Reset(rest...)
	}
}

// ignoreSignals is signal.Ignore for all signals but those that the kernel handles.
func ignoreSignals(signals ...os.Signal) {
	if rest := withoutKernels(signals); len(rest) > 0 {
		signal.Ignore(rest...)
	}
}

// withoutKernels returns the signals, or all there are if none is given, without those that
// the kernel and the run time handle.
func withoutKernels(signals []os.Signal) []os.Signal {
	if len(signals) == 0 {
		for n := range 64 {
			signals = append(signals, syscall.Signal(n+1))
		}
	}
	return slices.DeleteFunc(slices.Clone(signals), func(s os.Signal) bool { return slices.Contains(kernelSignals, s) })
}

// setFinalizer is runtime.SetFinalizer, with a panic where the arguments would end the process.
// A second finalizer takes the place of the first.
func setFinalizer(obj, finalizer any) {
	v := reflect.ValueOf(obj)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("runtime.SetFinalizer: the first argument is %v, not a pointer to a value", obj))
	}
	if finalizer != nil {
		f := reflect.TypeOf(finalizer)
		if f.Kind() != reflect.Func || f.NumIn() != 1 || f.IsVariadic() || !v.Type().AssignableTo(f.In(0)) {
			panic(fmt.Sprintf("runtime.SetFinalizer: the finalizer is %T, not a function with one parameter of type %T", finalizer, obj))
		}
		runtime.SetFinalizer(obj, nil)
	}
	runtime.SetFinalizer(obj, finalizer)
}

// testMain is testing.Main, which ends with os.Exit.
func testMain(func(string, string) (bool, error), []testing.InternalTest, []testing.InternalBenchmark, []testing.InternalExample) {
	panic(compile.Exit("testing.Main: it would end the kernel; call the tests' functions"))
}

// benchmark is testing.Benchmark with the flags that a failing benchmark reads.
func benchmark(f func(*testing.B)) testing.BenchmarkResult {
	testing.Init()
	return testing.Benchmark(f)
}

// findProcess is os.FindProcess for all processes but the kernel's own.
func findProcess(pid int) (*os.Process, error) {
	if pid == os.Getpid() {
		return nil, errors.New("os.FindProcess: this is the kernel's own process")
	}
	return os.FindProcess(pid)
}
