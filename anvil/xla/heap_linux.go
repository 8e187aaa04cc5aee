//go:build amd64 && !nopjrt

package xla

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// tunables has libc keep one heap for all threads, of huge pages. Once a thread has
// taken memory it is too late to say so (see capi.KeepHostMemory, which says the
// rest): the heaps of other threads are given back whenever they are empty, and
// filling fresh pages of 4 KiB takes longer than computing what is put there.
const tunables = "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"

// formerTunables stand in the kernelspecs of kernels that were installed before they
// restarted themselves.
const formerTunables = "glibc.malloc.hugetlb=1"

const tunablesName = "GLIBC_TUNABLES"

// restartTuned starts the program again, in this process, with tunables of libc for
// large tensors, unless the environment has some for memory. Programs that a main
// function calls it from first have it; child processes do not. Where it cannot be
// done the program goes on as it is.
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
