package universe

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/goanvil/notebook/interp/compile"
)

// replaced are functions of std that would end the kernel if a cell called
// them; they panic instead, or refuse.
var replaced = map[string]map[string]any{
	"os":      {"Exit": exit, "FindProcess": findProcess},
	"flag":    {"Parse": parseFlags, "NewFlagSet": newFlagSet},
	"runtime": {"Breakpoint": breakpoint},
}

// parseFlags is flag.Parse for a cell, which has no command line: the kernel's
// would be unknown flags, and end it.
func parseFlags() {
	if err := flag.CommandLine.Parse(nil); err != nil {
		panic(err)
	}
}

// newFlagSet is flag.NewFlagSet, with a panic where it would end the process.
func newFlagSet(name string, handling flag.ErrorHandling) *flag.FlagSet {
	if handling == flag.ExitOnError {
		handling = flag.PanicOnError
	}
	return flag.NewFlagSet(name, handling)
}

func exit(code int) {
	panic(compile.Exit(fmt.Sprintf("os.Exit(%d): it would end the kernel; return from the cell, or restart the kernel from the front end", code)))
}

func breakpoint() { panic("runtime.Breakpoint: it would end the kernel, which runs under no debugger") }

// findProcess is os.FindProcess for all processes but the kernel's own.
func findProcess(pid int) (*os.Process, error) {
	if pid == os.Getpid() {
		return nil, errors.New("os.FindProcess: this is the kernel's own process")
	}
	return os.FindProcess(pid)
}
