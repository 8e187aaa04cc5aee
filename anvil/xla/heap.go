package xla

import "runtime"

// ballast counts for Go's collector and takes no memory, since nothing touches it.
// What is live in Go's heap beside it is a few MiB: without it, all of that would be
// gone through whenever as much has been made again, by a hundred eager operations
// several times.
var ballast []byte

const ballastSize = 32 << 20

// TuneMemory prepares a program for tensors: libc keeps memory for large ones, which
// takes a restart of the program, in this process, and Go's collector waits for more
// garbage. A main function calls it first.
func TuneMemory() {
	restartTuned()
	ballast = make([]byte, ballastSize)
	runtime.KeepAlive(ballast)
}
