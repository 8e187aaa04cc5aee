//go:build amd64 && !nopjrt

package xla

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// tunables makes libc use one heap of huge pages for all threads. Otherwise libc returns the
// heaps of other threads than the main thread to the system whenever they are empty, and touching
// new pages of 4 KiB takes longer than computing their contents. The tunables must be set before
// the first allocation. capi.KeepHostMemory sets arena_max again later, and other parameters.
const tunables = "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"

// formerTunables is the value in the kernelspecs of older versions of goanvil, which did
// not restart themselves.
const formerTunables = "glibc.malloc.hugetlb=1"

// tunablesName is the environment variable from which libc reads tunables.
const tunablesName = "GLIBC_TUNABLES"

// TunedEnvironment returns the environment variables with which a process starts so that TuneMemory
// need not restart it.
func TunedEnvironment() map[string]string { return map[string]string{tunablesName: tunables} }

// restartTuned restarts the program in the same process with tunables in its environment. It does
// nothing if the environment already sets tunables of malloc other than formerTunables. After the
// restart it removes tunables from the environment, so that child processes do not inherit them.
// If the restart fails, the program continues without tunables.
func restartTuned() {
	value := os.Getenv(tunablesName)
	if others, tuned := strings.CutSuffix(value, tunables); tuned {
		restoreTunables(strings.TrimSuffix(others, ":"))
		return
	}
	if value == formerTunables {
		value = ""
	}
	if strings.Contains(value, "glibc.malloc") {
		return
	}
	env := slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, tunablesName+"=") })
	_ = syscall.Exec("/proc/self/exe", os.Args, append(env, tunablesName+"="+strings.TrimPrefix(value+":"+tunables, ":")))
}

// restoreTunables sets the environment variable to others, or removes it if others is empty.
func restoreTunables(others string) {
	if others == "" {
		_ = os.Unsetenv(tunablesName)
		return
	}
	_ = os.Setenv(tunablesName, others)
}
