package xla

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// Go's collector cannot see device memory: a dropped Buffer is a few hundred
// bytes to it, whatever it holds. So the client counts, and has the collector
// run when twice as much is live as was after the last time.
type bound struct {
	next  atomic.Int64
	ended atomic.Int64 // when the last collection ended, in ns since 1970
	kept  atomic.Int64 // bytes of large buffers that were freed and not taken again
}

// leastBound is below what a collection is worth: the fewer bytes are dropped
// before they are found, the sooner results come to lie in memory that is warm.
// Where collections would take more than a share of the time, dearBound is.
const (
	leastBound = 32 << 20
	dearBound  = 256 << 20
	share      = 10 // one part in so many
)

// reserve is called before need bytes are taken on dev.
func (c *Client) reserve(op string, operands fmt.Stringer, dev *Device, need int64) error {
	live := c.counters.liveBytes.Load()
	if live+need > max(c.bound.next.Load(), leastBound) {
		least := c.paced()
		c.bound.next.Store(max(2*(c.counters.liveBytes.Load()+need), least))
		c.trim(dev)
	}
	if !dev.memory.host {
		c.makeRoom(dev, need)
		return nil
	}
	if need < bigAllocation {
		return nil
	}
	free, known := available()
	if known && need > free {
		c.collect()
		c.pool.drain()
		capi.GiveBackHostMemory()
		c.bound.kept.Store(0)
		free, known = available()
	}
	if known && need > free {
		return refused(op, operands.String(), ErrOutOfMemory, "smaller shapes, or let go of tensors",
			"%s are needed and %s are free", sizeText(need), sizeText(free))
	}
	return nil
}

// large is from where on a buffer counts as one whose memory libc keeps, and most
// how much it may keep; more only where much is live: what a collection gives back
// is as much as was live after the last one, and is taken again before the next.
const (
	large = 1 << 20
	most  = 512 << 20
)

// took and freed say that a buffer of so many bytes has come or gone. Libc keeps
// the memory of the latter for the former (capi.KeepHostMemory), up to a bound.
func (c *Client) took(bytes int64) {
	if bytes >= large {
		c.bound.kept.Store(max(c.bound.kept.Load()-bytes, 0))
	}
}

func (c *Client) freed(bytes int64) {
	if bytes < large || c.bound.kept.Add(bytes) < max(most, 2*c.counters.liveBytes.Load()) {
		return
	}
	c.bound.kept.Store(0)
	capi.GiveBackHostMemory()
}

// trim has libc give back what it keeps beside what it counts as kept: it has a
// heap for each thread, and a buffer seldom comes from the one that the last went to.
func (c *Client) trim(dev *Device) {
	if !dev.memory.host {
		return
	}
	next := c.bound.next.Load()
	if resident, known := procValue("/proc/self/status", "RssAnon:", 1024); known && resident > max(c.counters.liveBytes.Load()+most, next+next/4) {
		c.bound.kept.Store(0)
		capi.GiveBackHostMemory()
	}
}

// worthAsking is from where on a device is asked whether it has room.
const worthAsking = 1 << 20

// makeRoom collects where a device with memory of its own has no room left.
// That is looked at before, since a GPU's launch returns before it has taken
// memory, and cannot be repeated when its results have failed.
func (c *Client) makeRoom(dev *Device, need int64) {
	if need < worthAsking {
		return
	}
	if inUse, limit, err := c.table.MemoryStats(dev.ptr); err == nil && limit > 0 && inUse+need > limit {
		c.collect()
	}
}

// paced collects, and returns the least number of bytes to do so at again.
func (c *Client) paced() int64 {
	began := time.Now()
	c.collect()
	ended := time.Now()
	if began.UnixNano()-c.bound.ended.Swap(ended.UnixNano()) < share*int64(ended.Sub(began)) {
		return dearBound
	}
	return leastBound
}

// collect runs the collector and waits until the finalizers of what it found,
// which run on a goroutine of their own, have run.
func (c *Client) collect() {
	runtime.GC()
	counts := []metrics.Sample{{Name: "/gc/finalizers/queued:finalizers"}, {Name: "/gc/finalizers/executed:finalizers"}}
	metrics.Read(counts)
	queued := counts[0].Value.Uint64()
	for end := time.Now().Add(patience); counts[1].Value.Uint64() < queued && time.Now().Before(end); {
		time.Sleep(20 * time.Microsecond)
		metrics.Read(counts[1:])
	}
}

// patience is for how long finalizers are waited for: one of the author's own
// may not end.
const patience = 2 * time.Second

// bigAllocation is from where on free memory is looked at: malloc succeeds
// beyond what the machine has, and the kernel kills the process that uses it.
const bigAllocation = 64 << 20

// Available returns the bytes that this process may still take, and whether
// that is known.
func Available() (free int64, known bool) { return available() }

// Total returns the bytes of memory that this machine has, or its control group
// may take, and whether that is known.
func Total() (bytes int64, known bool) {
	total, known := procValue("/proc/meminfo", "MemTotal:", 1024)
	if limit, limited := fileNumber("/sys/fs/cgroup/memory.max"); limited {
		total = min(total, limit)
	}
	return total, known
}

// available returns the bytes that this process may still take; a variable for tests.
var available = func() (int64, bool) {
	free, known := procValue("/proc/meminfo", "MemAvailable:", 1024)
	if !known {
		return 0, false
	}
	return min(free, groupAvailable("/sys/fs/cgroup")), true
}

// groupAvailable returns what the memory limit of the control group (version
// 2) leaves, where page cache counts as free.
func groupAvailable(dir string) int64 {
	limit, limited := fileNumber(filepath.Join(dir, "memory.max"))
	used, known := fileNumber(filepath.Join(dir, "memory.current"))
	if !limited || !known {
		return math.MaxInt64
	}
	stat := filepath.Join(dir, "memory.stat")
	inactive, _ := procValue(stat, "inactive_file", 1)
	active, _ := procValue(stat, "active_file", 1)
	return max(limit-used+inactive+active, 0)
}

func fileNumber(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// procValue returns the number behind name in a file of lines "name number".
func procValue(path, name string, unit int64) (int64, bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if w := strings.Fields(lines.Text()); len(w) >= 2 && w[0] == name {
			n, err := strconv.ParseInt(w[1], 10, 64)
			return n * unit, err == nil
		}
	}
	return 0, false
}

// SizeText returns n bytes in words: "1.50 GiB".
func SizeText(n int64) string { return sizeText(n) }

func sizeText(n int64) string {
	if n < 1<<20 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(float64(n)/(1<<30), 'f', 2, 64) + " GiB"
}
