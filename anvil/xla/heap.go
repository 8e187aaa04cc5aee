package xla

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// ballast makes Go's garbage collector run less often. The collector runs when as many bytes have
// been allocated as were live after the last collection. Without the ballast a few MiB are live,
// so that a hundred eager operations would cause several collections. The ballast takes no
// physical memory, since its pages are never touched.
var ballast []byte

const ballastSize = 32 << 20 // bytes

// TuneMemory prepares a program for working with tensors: libc keeps memory for large tensors,
// and Go's garbage collector runs less often. To set up libc, it restarts the program in the same
// process, unless the program was started with TunedEnvironment. A main function must call it
// first.
func TuneMemory() {
	restartTuned()
	deferCollections()
}

// deferCollections delays the first collection until ballastSize bytes are in use. After this
// collection it allocates the ballast, which delays later collections. Allocating the ballast
// earlier would cause a collection while the program starts.
func deferCollections() {
	const firstAt = 4 << 20 // the heap size at the first collection with GOGC=100
	percent := debug.SetGCPercent(100 * ballastSize / firstAt)
	if percent < 0 { // GOGC=off
		debug.SetGCPercent(percent)
		return
	}
	runtime.AddCleanup(new([16]byte), func(percent int) {
		ballast = make([]byte, ballastSize)
		debug.SetGCPercent(percent)
		dropBallast()
	}, percent)
}

// dropBallast drops the ballast after the first collection that finds at least as much other live memory. From then
// on, that memory delays collections as the ballast did.
func dropBallast() {
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		if live[0].Value.Uint64() >= 2*ballastSize {
			ballast = nil
			return
		}
		runtime.KeepAlive(ballast)
		dropBallast()
	}, struct{}{})
}
