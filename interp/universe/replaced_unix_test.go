//go:build unix

package universe

import (
	"fmt"
	"go/constant"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestReplacedFunctionsPanic checks the calls that would end the kernel.
func TestReplacedFunctionsPanic(t *testing.T) {
	var none *int
	for want, f := range map[string]func(){
		"os.Exit(3): it would end the kernel":                   func() { exit(3) },
		"runtime.Breakpoint: it would":                          breakpoint,
		"runtime.GOMAXPROCS(1001): each processor takes memory": func() { setProcs(1001) },
		"debug.SetMaxThreads(9999): one more thread would":      func() { setMaxThreads(9999) },
		"testing.Main: it would":                                func() { testMain(nil, nil, nil, nil) },
		"runtime.SetFinalizer: the first argument is <nil>, not a pointer": func() {
			setFinalizer(nil, nil)
		},
		"runtime.SetFinalizer: the first argument is int, not a pointer": func() { setFinalizer(3, nil) },
		"runtime.SetFinalizer: the first argument is a nil *int, which points to no value": func() {
			setFinalizer(none, func(*int) {})
		},
		"runtime.SetFinalizer: the first argument is []interface {}, not a pointer": func() {
			loop := make([]any, 1)
			loop[0] = loop
			setFinalizer(loop, nil)
		},
		"runtime.SetFinalizer: the finalizer is int, not a function with one parameter of type *int": func() {
			setFinalizer(new(int), 3)
		},
		"runtime.SetFinalizer: the finalizer is func(), not": func() { setFinalizer(new(int), func() {}) },
		"runtime.SetFinalizer: the finalizer is a nil func(*int), which": func() {
			setFinalizer(new(int), (func(*int))(nil))
		},
		"runtime.SetFinalizer: the finalizer is func(*string), not": func() {
			setFinalizer(new(int), func(*string) {})
		},
		"runtime.SetFinalizer: the finalizer is func(...*int), not": func() {
			setFinalizer(new(int), func(...*int) {})
		},
		"runtime.SetFinalizer: the finalizer is func(*int, int), not": func() {
			setFinalizer(new(int), func(*int, int) {})
		},
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.HasPrefix(r, want) {
					t.Errorf("%s, want %s...", r, want)
				}
			}()
			f()
		}()
	}
}

// TestReplacedFunctions checks that other calls do what they do in Go.
func TestReplacedFunctions(t *testing.T) {
	if got, want := setProcs(0), runtime.GOMAXPROCS(0); got != want {
		t.Errorf("%d processors, want %d", got, want)
	}
	x := new([100]int)
	setFinalizer(x, func(*[100]int) {})
	setFinalizer(x, func(any) {}) // replaces the first one, which Go refuses
	setFinalizer(x, nil)
	lockThread()
	runtime.UnlockOSThread()

	// The limit of stacks is only remembered if it is lower than the run time's.
	for _, c := range [][2]int{{5, defaultMaxStack}, {defaultMaxStack, 5}, {defaultMaxStack, defaultMaxStack}} {
		if got := setMaxStack(c[0]); got != c[1] {
			t.Errorf("the limit before %d was %d, want %d", c[0], got, c[1])
		}
	}
	if got := setMaxThreads(10_000); got != 10_000 {
		t.Errorf("the limit of threads was %d", got)
	}

	if _, err := findProcess(os.Getpid()); err == nil {
		t.Error("the kernel's process was found")
	}
	if p, err := findProcess(os.Getppid()); err != nil || p.Pid != os.Getppid() {
		t.Errorf("the parent is %v, %v", p, err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	own := newFile(w.Fd(), "mine")
	if _, err := own.WriteString("a"); err != nil || own.Name() != "mine" {
		t.Errorf("%s: %v", own.Name(), err)
	}
	own.Close()
	if _, err := w.WriteString("b"); err != nil {
		t.Errorf("a descriptor of the kernel was closed: %v", err)
	}
	w.Close()
	if f := newFile(1<<20, "none"); f != nil {
		t.Errorf("a descriptor that is not open is %v", f)
	}
}

// TestKernelSignals checks that cells cannot ignore the signals of the kernel.
func TestKernelSignals(t *testing.T) {
	for _, c := range [][2][]os.Signal{
		{{syscall.SIGINT, syscall.SIGUSR1, syscall.SIGTERM, syscall.SIGHUP}, {syscall.SIGUSR1, syscall.SIGHUP}},
		{{syscall.SIGURG}, {}},
	} {
		if got := exceptKernelSignals(c[0]); !slices.Equal(got, c[1]) {
			t.Errorf("%v without the kernel's are %v, want %v", c[0], got, c[1])
		}
	}
	all := exceptKernelSignals(nil)
	first, last := os.Signal(syscall.SIGHUP), os.Signal(syscall.Signal(64))
	if len(all) != 61 || !slices.Contains(all, first) || !slices.Contains(all, last) {
		t.Errorf("all signals are %v", all)
	}
}

func TestConstantOf(t *testing.T) {
	for _, c := range []struct {
		v    any
		kind constant.Kind
		want string
	}{
		{"a", constant.String, `"a"`}, {int64(-3), constant.Int, "-3"},
		{uint64(1<<64 - 1), constant.Int, "18446744073709551615"},
		{integer("36893488147419103232"), constant.Int, "36893488147419103232"}, {decimal("0.5"), constant.Float, "0.5"},
		{3, constant.Unknown, "unknown"},
	} {
		if got := constantOf(c.v); got.Kind() != c.kind || got.String() != c.want {
			t.Errorf("%T %v is %v of kind %v", c.v, c.v, got, got.Kind())
		}
	}
}
