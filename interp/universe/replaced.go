package universe

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/compile/misuse"
)

// replaced has the replacements of functions of packages that could end the kernel or harm it. Where the
// original would do harm, a replacement panics, returns an error, or omits the harmful part.
var replaced = map[string]map[string]any{
	"context":     {"AfterFunc": afterDone},
	"crypto/rand": {"Read": readRandom, "Text": randomText},
	"os":          {"Exit": exit, "FindProcess": findProcess, "NewFile": newFile},
	"runtime": {
		"Breakpoint": breakpoint, "GOMAXPROCS": setProcs, "LockOSThread": lockThread, "SetFinalizer": setFinalizer,
	},
	"gonum.org/v1/gonum/optimize": {"Minimize": minimize},
	"net/rpc":                     {"NewClient": newClient, "NewClientWithCodec": newClientWithCodec},
	"net/rpc/jsonrpc":             {"NewClient": newJSONClient},
	"os/signal":                   {"Ignore": ignoreSignals, "Reset": resetSignals},
	"runtime/debug":               {"SetMaxStack": setMaxStack, "SetMaxThreads": setMaxThreads},
	"runtime/pprof":               {"StartCPUProfile": startCPUProfile},
	"testing":                     {"Main": testMain, "Benchmark": benchmark},
	"time":                        {"AfterFunc": afterFunc},
}

// readRandom is rand.Read, but panics if rand.Reader fails. rand.Read would end the process.
func readRandom(b []byte) (int, error) {
	if n, err := io.ReadFull(rand.Reader, b); err != nil {
		panic(fmt.Sprintf("crypto/rand: rand.Reader gave %d of %d bytes: %v", n, len(b), err))
	}
	return len(b), nil
}

// randomText is rand.Text, but calls readRandom.
func randomText() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	text := make([]byte, 26) // 26 letters have at least 128 random bits
	readRandom(text)
	for i, b := range text {
		text[i] = alphabet[b%32]
	}
	return string(text)
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

// findProcess is os.FindProcess, but returns an error for the kernel's own process.
func findProcess(pid int) (*os.Process, error) {
	if pid == os.Getpid() {
		return nil, errors.New("os.FindProcess: this is the kernel's own process")
	}
	return os.FindProcess(pid)
}

// The functions below check that their last argument is not nil. The original functions use it in a new goroutine,
// where nothing recovers the panic.

func afterFunc(d time.Duration, f func()) *time.Timer {
	misuse.FailNil(f == nil)
	return time.AfterFunc(d, f)
}

func afterDone(ctx context.Context, f func()) (stop func() bool) {
	misuse.FailNil(f == nil)
	return context.AfterFunc(ctx, f)
}

func newClient(conn io.ReadWriteCloser) *rpc.Client {
	misuse.FailNil(conn == nil)
	return rpc.NewClient(conn)
}

func newClientWithCodec(codec rpc.ClientCodec) *rpc.Client {
	misuse.FailNil(codec == nil)
	return rpc.NewClientWithCodec(codec)
}

func newJSONClient(conn io.ReadWriteCloser) *rpc.Client {
	misuse.FailNil(conn == nil)
	return jsonrpc.NewClient(conn)
}

func startCPUProfile(w io.Writer) error {
	misuse.FailNil(w == nil)
	return pprof.StartCPUProfile(w)
}

// benchmark also defines the flags of package testing, which a failing benchmark reads.
func benchmark(f func(*testing.B)) testing.BenchmarkResult {
	misuse.FailNil(f == nil)
	testing.Init()
	return testing.Benchmark(f)
}
