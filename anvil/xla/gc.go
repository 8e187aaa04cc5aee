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

// A gcState is used to decide when to run Go's garbage collector. The collector does not know
// about device memory: an unreachable Buffer counts as a few hundred bytes, whatever its
// size. So the client counts the bytes of live buffers itself, and runs the collector when there
// are twice as many as after the last collection.
type gcState struct {
	threshold atomic.Int64 // the number of live bytes at which to collect
	lastEnd   atomic.Int64 // end of the last collection, in ns since 1970
	kept      atomic.Int64 // bytes of freed large buffers that libc has not returned to the system
}

// The threshold is at least minThreshold. This is small, so that results reuse memory that is still
// in the processor's caches. If collections would then take more than 1/maxGCShare of the time,
// the threshold is at least busyThreshold.
const (
	minThreshold  = 32 << 20
	busyThreshold = 256 << 20
	maxGCShare    = 10
)

// available is memory.Available. Tests replace it.
var available = memory.Available

// reserve makes room for need bytes on dev, by collecting garbage if necessary. It returns an error if
// dev uses host memory and too little of it is free. It must be called before each allocation.
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

// largeBuffer is the size in bytes from which the memory of a freed buffer is counted in
// gcState.kept. libc may keep maxKept bytes, or more if many bytes are live: a collection frees
// about as many bytes as were live after the previous one, and as many are allocated again before
// the next one.
const (
	largeBuffer = 1 << 20
	maxKept     = 512 << 20
)

// allocated records that a buffer was allocated. libc takes the memory from what it has kept; see
// capi.KeepHostMemory.
func (c *Client) allocated(bytes int64) {
	if bytes >= largeBuffer {
		c.gc.kept.Store(max(c.gc.kept.Load()-bytes, 0))
	}
}

// freed records that a buffer was freed. If libc then keeps too much memory, freed makes it
// return that memory to the system.
func (c *Client) freed(bytes int64) {
	if bytes < largeBuffer || c.gc.kept.Add(bytes) < max(maxKept, 2*c.counters.liveBytes.Load()) {
		return
	}
	c.gc.kept.Store(0)
	capi.GiveBackHostMemory()
}

// trimHostMemory makes libc return its free memory to the system if the process is
// much larger than its live buffers. gcState.kept does not count all free memory: libc has a heap
// for each thread, and a buffer is seldom allocated from the heap to which the last one was
// freed.
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

// makeRoom collects garbage if fewer than need bytes are free on dev, a device with its own
// memory. It must be called before a launch: a launch on a GPU returns before it allocates
// memory, so that it cannot be repeated if the allocation fails.
func (c *Client) makeRoom(dev *Device, need int64) {
	if need < minStatsQuery {
		return
	}
	if inUse, limit, err := c.table.MemoryStats(dev.ptr); err == nil && limit > 0 && inUse+need > limit {
		c.collect()
	}
}

// collectTimed collects garbage, and returns the least value of the threshold for the next collection.
func (c *Client) collectTimed() int64 {
	began := time.Now()
	c.collect()
	ended := time.Now()
	if began.UnixNano()-c.gc.lastEnd.Swap(ended.UnixNano()) < maxGCShare*int64(ended.Sub(began)) {
		return busyThreshold
	}
	return minThreshold
}

// collect runs the garbage collector and waits until the finalizers of unreachable objects have run.
// They run in another goroutine.
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

// finalizerTimeout is the longest time that collect waits for finalizers: a finalizer of the user's
// code may never return.
const finalizerTimeout = 2 * time.Second

// minMemoryCheck is the size in bytes from which reserve checks the free host memory. If the
// machine lacks memory, malloc does not fail; the operating system kills the process later.
const minMemoryCheck = 64 << 20
