package xla

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/goanvil/notebook/anvil/memory"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A gcState decides when to run Go's garbage collector. The collector cannot see
// device memory: a dropped Buffer is a few hundred bytes to it, whatever its size.
// So the client counts live bytes, and runs the collector when they are twice as
// many as after the last collection.
type gcState struct {
	threshold atomic.Int64 // live bytes at which to collect
	lastEnd   atomic.Int64 // end of the last collection, in ns since 1970
	kept      atomic.Int64 // bytes of freed large buffers that libc still has
}

// The threshold is at least minThreshold, which is small so that later results reuse memory
// that is still in caches. If collections would take more than
// 1/maxGCShare of the time, the threshold is at least busyThreshold.
const (
	minThreshold  = 32 << 20
	busyThreshold = 256 << 20
	maxGCShare    = 10
)

// available is memory.Available. It is a variable for tests.
var available = memory.Available

// reserve makes room for need bytes on dev, and collects garbage if necessary. It returns an error if
// the host does not have enough memory. It must be called before each allocation.
func (c *Client) reserve(op string, operands fmt.Stringer, dev *Device, need int64) error {
	live := c.counters.liveBytes.Load()
	if live+need > max(c.gc.threshold.Load(), minThreshold) {
		least := c.collectTimed()
		c.gc.threshold.Store(max(2*(c.counters.liveBytes.Load()+need), least))
		c.trimHostMemory(dev)
	}
	if !dev.memory.host {
		c.makeRoom(dev, need)
		return nil
	}
	if need < minMemoryCheck {
		return nil
	}
	free, known := available()
	if known && need > free {
		c.collect()
		c.pool.drain()
		capi.GiveBackHostMemory()
		c.gc.kept.Store(0)
		free, known = available()
	}
	if known && need > free {
		return OutOfMemory(op, operands.String(), need, free)
	}
	return nil
}

// largeBuffer is the size in bytes from which libc keeps the memory of a freed
// buffer, and maxKept bounds how much it keeps. The bound is larger if many bytes are
// live: a collection frees about as much as was live after the last one, and as much is
// allocated again before the next.
const (
	largeBuffer = 1 << 20
	maxKept     = 512 << 20
)

// allocated records that a buffer was allocated. libc allocates from the memory that it
// has kept; see capi.KeepHostMemory.
func (c *Client) allocated(bytes int64) {
	if bytes >= largeBuffer {
		c.gc.kept.Store(max(c.gc.kept.Load()-bytes, 0))
	}
}

// freed records that a buffer was freed. If libc then keeps too much memory, freed makes
// libc return it to the system.
func (c *Client) freed(bytes int64) {
	if bytes < largeBuffer || c.gc.kept.Add(bytes) < max(maxKept, 2*c.counters.liveBytes.Load()) {
		return
	}
	c.gc.kept.Store(0)
	capi.GiveBackHostMemory()
}

// trimHostMemory makes libc return its free memory to the system if the process is
// much larger than its live buffers. gc.kept does not count all of that memory: libc
// has a heap for each thread, and a buffer is seldom allocated from the heap to which
// the last one was freed.
func (c *Client) trimHostMemory(dev *Device) {
	if !dev.memory.host {
		return
	}
	next := c.gc.threshold.Load()
	limit := max(c.counters.liveBytes.Load()+maxKept, next+next/4)
	if resident, known := memory.Resident(); known && resident > limit {
		c.gc.kept.Store(0)
		capi.GiveBackHostMemory()
	}
}

// minStatsQuery is the size in bytes from which makeRoom asks the device for its free
// memory.
const minStatsQuery = 1 << 20

// makeRoom collects garbage if fewer than need bytes are free on a device with its own
// memory. It must be called before a launch: a launch on a GPU returns before it
// allocates, and cannot be repeated after its results have failed.
func (c *Client) makeRoom(dev *Device, need int64) {
	if need < minStatsQuery {
		return
	}
	if inUse, limit, err := c.table.MemoryStats(dev.ptr); err == nil && limit > 0 && inUse+need > limit {
		c.collect()
	}
}

// collectTimed collects garbage, and returns the smallest threshold for the next collection.
func (c *Client) collectTimed() int64 {
	began := time.Now()
	c.collect()
	ended := time.Now()
	if began.UnixNano()-c.gc.lastEnd.Swap(ended.UnixNano()) < maxGCShare*int64(ended.Sub(began)) {
		return busyThreshold
	}
	return minThreshold
}

// collect runs the garbage collector and waits for the finalizers of the objects that it
// found, which run in another goroutine.
func (c *Client) collect() {
	runtime.GC()
	counts := []metrics.Sample{{Name: "/gc/finalizers/queued:finalizers"}, {Name: "/gc/finalizers/executed:finalizers"}}
	metrics.Read(counts)
	queued := counts[0].Value.Uint64()
	for end := time.Now().Add(finalizerTimeout); counts[1].Value.Uint64() < queued && time.Now().Before(end); {
		time.Sleep(20 * time.Microsecond)
		metrics.Read(counts[1:])
	}
}

// finalizerTimeout bounds the wait for finalizers: one of the user's may not return.
const finalizerTimeout = 2 * time.Second

// minMemoryCheck is the size in bytes from which reserve checks the free host memory. malloc
// does not fail if the machine lacks memory; the kernel then kills the process.
const minMemoryCheck = 64 << 20
