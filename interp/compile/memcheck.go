package compile

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/goanvil/notebook/anvil/memory"
)

// largeAllocation is the size in bytes from which each allocation is compared with the available memory.
const largeAllocation = 64 << 20

// largeObject is the size in bytes from which checkMemory is called for strings, buffers and single variables. Smaller
// ones are not counted.
const largeObject = 64 << 10

// kernelReserve returns how many bytes of memory are reserved for the kernel: a sixteenth of the memory that is
// available at the first call of kernelReserve, but at least 128 MiB and at most 1 GiB.
var kernelReserve = sync.OnceValue(func() uint64 { return max(128<<20, min(availableMemory()/16, 1<<30)) })

// checkMemory panics if there is not enough memory for the n elements of size bytes that op allocates, since the
// runtime would end the process. It checks each large allocation. Smaller allocations are added up, and checked each
// time that their sum reaches largeAllocation.
func (fr *frame) checkMemory(op string, n int, size uintptr) {
	high, total := bits.Mul64(uint64(n), uint64(size))
	large := high != 0 || total >= largeAllocation
	if !large {
		fr.th.allocated += total
		if fr.th.allocated < largeAllocation {
			return
		}
	}
	fr.th.allocated = 0
	if !large {
		total = 0 // for hasMemoryFor, this means small objects
	}
	if high == 0 && hasMemoryFor(total) {
		return
	}
	free := afterCollection()
	switch {
	case high == 0 && hasMemoryFor(total): // the collection freed enough
	case large:
		panic(runtimeError(fmt.Sprintf("out of memory: %s needs %d elements of %d bytes each; %s", op, n, size,
			availableText(free))))
	default:
		panic(outOfMemory(free))
	}
}

// allocate calls checkMemory and then f, which allocates the n elements of size bytes.
func (fr *frame) allocate(op string, n int, size uintptr, f func()) {
	fr.checkMemory(op, n, size)
	if uintptr(n) < largeAllocation/max(size, 1) {
		f()
		return
	}
	withoutGC(f)
}

// hasMemoryFor reports whether there is memory for an object of size bytes in addition to kernelReserve. The object
// must fit into either the available memory or the unused memory of the runtime. If size is 0, hasMemoryFor reports
// whether there is memory for small objects, which can use both.
func hasMemoryFor(size uint64) bool {
	free, unused := availableMemory(), unusedMemory()
	if size == 0 {
		return kernelReserve() <= free+unused
	}
	return size+kernelReserve() <= max(free, unused)
}

// outOfMemory returns the error of a cell that ran out of memory; free is the number of bytes that are available.
func outOfMemory(free uint64) error {
	return runtimeError("out of memory: " + availableText(free))
}

// availableText returns the part of an error that says how much memory is available, free bytes, and how much of it
// cells cannot use.
func availableText(free uint64) string {
	available, kept := memory.SizeText(int64(free)), memory.SizeText(int64(kernelReserve()))
	if free < kernelReserve() {
		return available + " are available, less than the " + kept + " that the kernel keeps"
	}
	return available + " are available, of which the kernel keeps " + kept
}

// afterCollection runs a garbage collection that returns unused memory to the system. It returns how many bytes are
// available then.
func afterCollection() uint64 {
	debug.FreeOSMemory()
	return availableMemory()
}

// unusedMemory returns how many bytes the runtime can use in addition to availableMemory: half of the memory that it
// holds but does not use, since only a part of that is contiguous, and half of the memory that it has returned to the
// system. Returned memory is counted only as far as availableMemory leaves it out, because it still counts against a
// limit of the address space.
func unusedMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	leftOut := memory.Physical() - int64(availableMemory())
	released := min(samples[1].Value.Uint64()/2, uint64(max(leftOut, 0)))
	return samples[0].Value.Uint64()/2 + released
}

// availableMemory returns how many bytes of memory the process can still allocate.
func availableMemory() uint64 {
	if free, known := memory.Available(); known {
		return uint64(free)
	}
	return 1 << 40 // unknown: more than any process has
}
