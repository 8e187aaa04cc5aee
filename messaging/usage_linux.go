package messaging

import (
	"fmt"
	"os"
)

// memory returns the resident memory of this process in bytes, 0 where unknown.
func memory() uint64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident uint64 // in pages
	if _, err := fmt.Sscan(string(data), &size, &resident); err != nil {
		return 0
	}
	return resident * uint64(os.Getpagesize())
}
