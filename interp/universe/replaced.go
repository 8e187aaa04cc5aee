package universe

import (
	"errors"
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

// replaced has the replacements of functions of the standard library that could end the kernel or harm it. Where the
// original would do harm, a replacement panics, returns an error, or omits the harmful part.
var replaced = map[string]map[string]any{
	"os": {"Exit": exit, "FindProcess": findProcess, "NewFile": newFile},
	"runtime": {
		"Breakpoint": breakpoint, "GOMAXPROCS": setProcs, "LockOSThread": lockThread, "SetFinalizer": setFinalizer,
	},
	"os/signal":     {"Ignore": ignoreSignals, "Reset": resetSignals},
	"testing":       {"Main": testMain, "Benchmark": benchmark},
	"runtime/debug": {"SetMaxStack": setMaxStack, "SetMaxThreads": setMaxThreads},
}

// exit replaces os.Exit: it ends the cell and not the kernel.
func exit(code int) {
	panic(compile.Exit(fmt.Sprintf("os.Exit(%d): it would end the kernel; "+
		"return from the cell, or restart the kernel from the front end", code)))
}

// breakpoint replaces runtime.Breakpoint: it panics.
func breakpoint() { panic("runtime.Breakpoint: it would end the kernel, which runs under no debugger") }

// setProcs is runtime.GOMAXPROCS with a limit, since each processor takes memory.
func setProcs(n int) int {
	if n > maxThreads {
		panic(fmt.Sprintf("runtime.GOMAXPROCS(%d): each processor takes memory of the kernel; give at most %d", n, maxThreads))
	}
	return runtime.GOMAXPROCS(n)
}

// newFile is os.NewFile for a duplicate of the descriptor, so that a cell cannot close a descriptor of the kernel.
func newFile(fd uintptr, name string) *os.File {
	own, err := duplicate(fd)
	if err != nil {
		return nil
	}
	return os.NewFile(own, name)
}

// maxThreads is the limit of lockThread and setProcs on the threads of the process.
const maxThreads = 1000

// lockThread is runtime.LockOSThread, but panics if the process has too many threads. Each locked goroutine keeps a
// thread, even while it waits.
func lockThread() {
	if n, _ := runtime.ThreadCreateProfile(nil); n > maxThreads {
		panic(fmt.Sprintf("runtime.LockOSThread: the kernel has %d threads already, and the limit is %d; "+
			"end goroutines that have called LockOSThread", n, maxThreads))
	}
	runtime.LockOSThread()
}

// defaultMaxStack is the runtime's default limit on the size of a stack, in bytes. The kernel may need such a stack.
const defaultMaxStack = 1_000_000_000

// stackLimit is the limit that cells have set by debug.SetMaxStack.
var stackLimit atomic.Int64

func init() { stackLimit.Store(defaultMaxStack) }

// setMaxStack is debug.SetMaxStack, but does not lower the limit below the default, since exceeding the limit would
// end the kernel. Nested calls of cells have a limit of their own.
func setMaxStack(bytes int) int {
	debug.SetMaxStack(max(bytes, defaultMaxStack))
	return int(stackLimit.Swap(int64(bytes)))
}

// setMaxThreads is debug.SetMaxThreads, but panics if the limit is below the runtime's default.
func setMaxThreads(threads int) int {
	const least = 10_000 // the default
	if threads < least {
		panic(fmt.Sprintf("debug.SetMaxThreads(%d): one more thread would end the kernel; give at least %d", threads, least))
	}
	return debug.SetMaxThreads(threads)
}

// resetSignals is signal.Reset for all signals but those that the kernel handles.
func resetSignals(signals ...os.Signal) {
	if rest := exceptKernelSignals(signals); len(rest) > 0 {
		signal.Reset(rest...)
	}
}

// ignoreSignals is signal.Ignore for all signals but those that the kernel handles.
func ignoreSignals(signals ...os.Signal) {
	if rest := exceptKernelSignals(signals); len(rest) > 0 {
		signal.Ignore(rest...)
	}
}

// exceptKernelSignals returns the given signals, or all signals if none are given, except kernelSignals.
func exceptKernelSignals(signals []os.Signal) []os.Signal {
	if len(signals) == 0 {
		for n := range 64 { // Linux has 64 signals
			signals = append(signals, syscall.Signal(n+1))
		}
	}
	return slices.DeleteFunc(slices.Clone(signals), func(s os.Signal) bool {
		return slices.Contains(kernelSignals, s)
	})
}

// setFinalizer is runtime.SetFinalizer, but panics if SetFinalizer would end the process because of its arguments. It
// cannot detect a pointer into the middle of an object, since only the runtime knows where an object begins. If the
// object already has a finalizer, setFinalizer replaces it, whereas SetFinalizer would end the process.
func setFinalizer(obj, finalizer any) {
	v := reflect.ValueOf(obj)
	if v.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("runtime.SetFinalizer: the first argument is %T, not a pointer", obj))
	}
	if v.IsNil() {
		panic(fmt.Sprintf("runtime.SetFinalizer: the first argument is a nil %T, which points to no value", obj))
	}
	if finalizer != nil {
		f := reflect.TypeOf(finalizer)
		if f.Kind() != reflect.Func || f.NumIn() != 1 || f.IsVariadic() || !v.Type().AssignableTo(f.In(0)) {
			panic(fmt.Sprintf("runtime.SetFinalizer: the finalizer is %T, not a function with one parameter of type %T",
				finalizer, obj))
		}
		if reflect.ValueOf(finalizer).IsNil() {
			panic(fmt.Sprintf("runtime.SetFinalizer: the finalizer is a nil %T, which cannot be called; give nil itself "+
				"to remove a finalizer", finalizer))
		}
		runtime.SetFinalizer(obj, nil)
	}
	runtime.SetFinalizer(obj, finalizer)
}

// testMain replaces testing.Main, which would call os.Exit: it ends the cell.
func testMain(
	func(string, string) (bool, error), []testing.InternalTest, []testing.InternalBenchmark, []testing.InternalExample,
) {
	panic(compile.Exit("testing.Main: it would end the kernel; call the tests' functions"))
}

// benchmark is testing.Benchmark, but first defines the flags of package testing, which a failing benchmark reads.
func benchmark(f func(*testing.B)) testing.BenchmarkResult {
	testing.Init()
	return testing.Benchmark(f)
}

// findProcess is os.FindProcess, but returns an error for the kernel's own process.
func findProcess(pid int) (*os.Process, error) {
	if pid == os.Getpid() {
		return nil, errors.New("os.FindProcess: this is the kernel's own process")
	}
	return os.FindProcess(pid)
}
