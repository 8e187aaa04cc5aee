//go:build !amd64 && !arm64 && !wasm

package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
)

// key reads the goroutine's number from the first line of its stack trace:
// "goroutine 7 [running]:". That takes microseconds.
func key() uintptr {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	id, _ := strconv.ParseUint(string(number), 10, 64)
	return uintptr(id)
}

// stackUsed returns 0, since key does not find the runtime's record of the goroutine.
func stackUsed() uintptr { return 0 }
