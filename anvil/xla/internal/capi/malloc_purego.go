//go:build linux && amd64 && !nopjrt

package capi

import (
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// Parameters of mallopt(3), with the values of M_TRIM_THRESHOLD, M_MMAP_MAX and M_ARENA_MAX.
const (
	trimThreshold = -1
	mmapMax       = -4
	arenaMax      = -8
)

// hugeHeap is the size in bytes of the part of libc's heap for which growHeap requests huge pages.
const hugeHeap = 1 << 30

// libc holds the addresses of libc's functions, and the state of KeepHostMemory.
var libc struct {
	once               sync.Once
	malloc, free, trim uintptr
	mallopt            uintptr
	keeps              bool       // KeepHostMemory has succeeded
	mu                 sync.Mutex // held by GiveBackHostMemory
}

// KeepHostMemory makes libc keep the memory that the plugin frees, in pages of 2 MiB if
// the system has them. By default libc takes new pages of 4 KiB from the system for each large
// buffer, which takes several times as long as filling the buffer. KeepHostMemory does nothing if
// the environment has tunables of malloc, or if libc is not glibc.
func KeepHostMemory() {
	libc.once.Do(func() {
		if strings.Contains(os.Getenv("GLIBC_TUNABLES"), "glibc.malloc") || !findLibc() {
			return
		}
		for _, p := range []struct{ name, value int }{{arenaMax, 1}, {mmapMax, 0}, {trimThreshold, 1<<31 - 1}} {
			if done, _, _ := purego.SyscallN(libc.mallopt, uintptr(p.name), uintptr(p.value)); int32(done) == 0 {
				return
			}
		}
		libc.keeps = true
		growHeap()
	})
}

// findLibc sets the addresses of libc's functions and reports whether libc has all of them.
func findLibc() bool {
	functions := map[string]*uintptr{
		"malloc": &libc.malloc, "free": &libc.free, "malloc_trim": &libc.trim, "mallopt": &libc.mallopt,
	}
	for name, fn := range functions {
		var err error
		if *fn, err = purego.Dlsym(purego.RTLD_DEFAULT, name); err != nil {
			return false
		}
	}
	return true
}

// growHeap enlarges the address range of libc's heap by allocating and freeing hugeHeap bytes, and
// requests huge pages for this range. It uses no physical memory yet.
func growHeap() {
	const page = 1 << 21
	p, _, _ := purego.SyscallN(libc.malloc, hugeHeap)
	if p == 0 {
		return
	}
	start := (p + page - 1) &^ (page - 1)
	heap := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&start))), hugeHeap-page)
	_ = unix.Madvise(heap, unix.MADV_HUGEPAGE) // if it fails, the pages have 4 KiB
	purego.SyscallN(libc.free, p)
}

// GiveBackHostMemory returns the memory that libc keeps to the system.
func GiveBackHostMemory() {
	if !libc.keeps {
		return
	}
	libc.mu.Lock()
	defer libc.mu.Unlock()
	purego.SyscallN(libc.trim, 0)
	growHeap()
}
