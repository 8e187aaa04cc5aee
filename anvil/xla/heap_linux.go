//go:build amd64 && !nopjrt

package xla

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// tunables makes libc use one heap of huge pages for all threads. Otherwise the heaps
// of other threads are returned to the system whenever they are empty, and the first
// touch of pages of 4 KiB takes longer than computing their contents. The tunables
// must be set before the first allocation; capi.KeepHostMemory sets others later.
const tunables = "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"

// formerTunables is in the kernelspecs of older versions, which did not restart
// themselves.
const formerTunables = "glibc.malloc.hugetlb=1"

const tunablesName = "GLIBC_TUNABLES"

// TunedEnvironment returns the variables of a process that TuneMemory need not restart.
func TunedEnvironment() map[string]string { return map[string]string{tunablesName: tunables} }

// restartTuned restarts the program in this process with tunables in its environment,
// unless the environment sets tunables of malloc already. In the restarted program it
// removes them, so that child processes do not inherit them. If the restart fails, the
// program continues without.
func restartTuned() {
	was := os.Getenv(tunablesName)
	if others, tuned := strings.CutSuffix(was, tunables); tuned {
		restoreTunables(strings.TrimSuffix(others, ":"))
		return
	}
	if was == formerTunables {
		was = ""
	}
	if strings.Contains(was, "glibc.malloc") {
		return
	}
	env := slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, tunablesName+"=") })
	_ = syscall.Exec("/proc/self/exe", os.Args, append(env, tunablesName+"="+strings.TrimPrefix(was+":"+tunables, ":")))
}

func restoreTunables(others string) {
	if others == "" {
		_ = os.Unsetenv(tunablesName)
		return
	}
	_ = os.Setenv(tunablesName, others)
}
