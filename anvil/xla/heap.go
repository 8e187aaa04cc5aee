package xla

import "runtime"

// ballast makes Go's collector run less often: it collects when as much was allocated
// as is live, and without the ballast that is a few MiB, so that a hundred eager
// operations would cause several collections. The ballast takes no memory, since its
// pages are never touched.
var ballast []byte

const ballastSize = 32 << 20

// TuneMemory prepares a program for tensors: it makes libc keep memory for large ones,
// for which it restarts the program in this process, and makes Go's collector run less
// often. A main function must call it first.
func TuneMemory() {
	restartTuned()
	ballast = make([]byte, ballastSize)
	runtime.KeepAlive(ballast)
}
