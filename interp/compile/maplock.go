package compile

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// If two goroutines use a map at once and one of them writes the map, the runtime ends the process. Therefore, when
// functions of cells run in several goroutines, they lock a map while they use it. A function panics if another
// goroutine is writing the map.

// A mapLock is a lock that several maps share; see lockOf.
type mapLock struct {
	sync.RWMutex
	written atomic.Pointer[byte] // the map that is being written
}

var mapLocks [256]mapLock

// lockOf returns the lock of the map m, which a multiplicative hash of the map's address selects.
func lockOf(m unsafe.Pointer) *mapLock {
	const multiplier = 0x9e3779b97f4a7c15  // 2^64 divided by the golden ratio
	hash := (uintptr(m) >> 4) * multiplier // the lowest bits are the same for all maps
	return &mapLocks[hash>>56%uintptr(len(mapLocks))]
}

// mapUse decides whether functions of a session's cells lock the maps that they use. While only one goroutine runs
// functions of cells, they do not.
type mapUse struct {
	mu      sync.Mutex
	running int         // how many goroutines run functions of cells
	shared  atomic.Bool // maps are locked, since several goroutines run functions of cells or did since the cell began

	// busy is 1 while a goroutine uses a map without a lock. The goroutine sets busy and then reads shared,
	// without a barrier in between, which would be slow. Instead share stops all goroutines after it has set
	// shared: then either the goroutine sees shared, or share sees busy.
	busy int32
}

// add is called when a goroutine begins to run functions of cells.
func (u *mapUse) add() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.running++
	if u.running > 1 && !u.shared.Load() {
		u.share()
	}
}

// share makes functions lock maps, and waits until none uses a map without a lock.
func (u *mapUse) share() {
	u.shared.Store(true)
	runtime.ReadMemStats(new(runtime.MemStats)) // stops all goroutines, so that each sees shared or is seen as busy
	for atomic.LoadInt32(&u.busy) != 0 {
		time.Sleep(10 * time.Microsecond)
	}
}

// remove is called when a goroutine no longer runs functions of cells.
func (u *mapUse) remove() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.running--
}

// reset is called when a cell begins. The cell does not lock maps if no other goroutine runs functions of cells.
func (u *mapUse) reset() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.busy = 0
	u.shared.Store(u.running > 1)
}

// begin is called before a step uses a map, and end afterwards. If mustLock is true, the step must instead call
// withMapLock and return.
func (u *mapUse) begin(fr unsafe.Pointer) (mustLock bool) {
	u.busy = 1
	return u.shared.Load() && !(*frame)(fr).th.holdsMapLock
}

func (u *mapUse) end() { u.busy = 0 }

// withMapLock runs step, which uses the map m, while it holds the lock of m: for writing if writes is set, otherwise
// for reading. It panics if another goroutine is writing m, or if a function of a package uses m for too long.
func (th *thread) withMapLock(m unsafe.Pointer, writes bool, fr unsafe.Pointer, step op) {
	th.s.maps.end()
	l := lockOf(m)
	th.lockMap(l, m, writes)
	th.holdsMapLock = true
	defer func() {
		th.holdsMapLock = false
		if writes {
			l.written.Store(nil)
		}
		l.unlock(writes)
	}()
	step(fr)
}

// lockMap locks l, the lock of m. If a function of a package uses m, and that function or the caller writes m, lockMap
// waits until the function has returned.
func (th *thread) lockMap(l *mapLock, m unsafe.Pointer, writes bool) {
	var wait mapWait
	for {
		if writes {
			if !l.TryLock() {
				l.failWritten(m, "concurrent map writes")
				l.Lock()
			}
		} else if !l.TryRLock() {
			l.failWritten(m, "concurrent map read and map write")
			l.RLock()
		}
		if !th.s.packageMaps.conflicts(m, writes) {
			if writes {
				l.written.Store((*byte)(m))
			}
			return
		}
		l.unlock(writes)
		wait.sleep(th.poll, writes)
	}
}

// unlock unlocks l, which is locked for writing if writes is set, and otherwise for reading.
func (l *mapLock) unlock(writes bool) {
	if writes {
		l.Unlock()
	} else {
		l.RUnlock()
	}
}

// failWritten panics with text if another goroutine is writing m.
func (l *mapLock) failWritten(m unsafe.Pointer, text string) {
	if m != nil && l.written.Load() == (*byte)(m) {
		panic(runtimeError(text))
	}
}
