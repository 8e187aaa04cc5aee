package xla

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// ballast makes Go's collector run less often: it collects when as much was allocated
// as is live, and without the ballast that is a few MiB, so that a hundred eager
// operations would cause several collections. The ballast takes no memory, since its
// pages are never touched.
var ballast []byte

const ballastSize = 32 << 20

// TuneMemory prepares a program for tensors: it makes libc keep memory for large ones,
// for which it restarts the program in this process unless TunedEnvironment is in its
// environment, and makes Go's collector run less often. A main function must call it first.
func TuneMemory() {
	restartTuned()
	deferCollections()
}

// deferCollections makes the first collection happen when ballastSize is in use, and
// later ones as the ballast has it. The ballast is allocated then and not before, as it
// causes a collection itself, which would slow the start of the program.
func deferCollections() {
	const firstAt = 4 << 20 // where the first collection happens with GOGC=100
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

// dropBallast drops the ballast after the first collection that finds as much live memory beside it. Without
// it, the collector then waits for no less garbage than it did at first.
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
