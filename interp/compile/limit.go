package compile

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/goanvil/notebook/anvil/memory"
)

// largeMake is the size in bytes from which on allocations are checked against the available memory.
const largeMake = 64 << 20

// largeObject is the size in bytes from which on strings and objects count towards largeMake; see checkMemory.
const largeObject = 64 << 10

// spare returns how many bytes of memory cells leave for the kernel.
var spare = sync.OnceValue(func() uint64 { return max(128<<20, min(available()/16, 1<<30)) })

// checkMemory panics if there is no memory for the n elements of size bytes that op allocates, since the run
// time would end the process. It measures the available memory only once for each largeMake bytes allocated.
func (fr *frame) checkMemory(op string, n int, size uintptr) {
	high, total := bits.Mul64(uint64(n), uint64(size))
	large := high != 0 || total >= largeMake
	if !large {
		fr.th.made += total
		if fr.th.made < largeMake {
			return
		}
	}
	fr.th.made = 0
	if !large {
		total = 0
	}
	if high == 0 && fits(total) {
		return
	}
	have := afterCollection()
	switch {
	case high == 0 && fits(total):
	case large:
		panic(runtimeError(fmt.Sprintf("out of memory: %s of %d elements of %d bytes each, and %s", op, n, size,
			availableText(have))))
	default:
		panic(outOfMemory(have))
	}
}

// allocate calls checkMemory and then f, which makes n elements of size bytes for op.
func (fr *frame) allocate(op string, n int, size uintptr, f func()) {
	fr.checkMemory(op, n, size)
	if uintptr(n) < largeMake/max(size, 1) {
		f()
		return
	}
	uncollected(f)
}

// fits reports whether there is memory for an object of size bytes and for spare. If size is 0, it reports
// whether there is memory for small objects. Half of the memory that the run time holds and does not use is
// assumed to be in large pieces.
func fits(size uint64) bool {
	have, unused := available(), idle()/2
	if size == 0 {
		return spare() <= have+unused
	}
	return size+spare() <= max(have, unused)
}

// outOfMemory returns the error of a cell whose values leave only have bytes available.
func outOfMemory(have uint64) error {
	return runtimeError("out of memory: " + availableText(have))
}

// availableText says in an error that have bytes are available, and how many of them cells cannot use.
func availableText(have uint64) string {
	return memory.SizeText(int64(have)) + " are available, of which the kernel keeps " + memory.SizeText(int64(spare()))
}

// afterCollection returns how many bytes are available after a garbage collection that returns unused memory
// to the system.
func afterCollection() uint64 {
	debug.FreeOSMemory()
	return available()
}

// idle returns how many bytes the run time holds, or could reclaim, without using them.
func idle() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() + samples[1].Value.Uint64()
}

// available returns how many bytes of memory the process can still have.
func available() uint64 {
	if free, known := memory.Available(); known {
		return uint64(free)
	}
	return 1 << 40 // unknown: more than any process has
}
