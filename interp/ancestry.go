package interp

import (
	"regexp"
	"runtime"
	"strings"
)

// The first and the last line of a goroutine's stack as the run time prints it.
var (
	headLine = regexp.MustCompile(`^goroutine (\d+) \[`)
	lastLine = regexp.MustCompile(`\ncreated by .* in goroutine (\d+)\n`)
)

// goroutineID returns the number of the calling goroutine.
func goroutineID() string {
	var stack [64]byte
	head := headLine.FindSubmatch(stack[:runtime.Stack(stack[:], false)])
	return string(head[1])
}

// descendsFrom reports whether the goroutine with number id has started the calling one, directly or through
// others. It cannot see beyond ancestors that have ended.
func descendsFrom(id string) bool {
	stacks := make([]byte, 1<<20)
	for n := runtime.Stack(stacks, true); n == len(stacks) && n < 1<<26; n = runtime.Stack(stacks, true) {
		stacks = make([]byte, 2*n)
	}
	parents := map[string]string{}
	for text := range strings.SplitSeq(string(stacks), "\n\n") {
		head, last := headLine.FindStringSubmatch(text), lastLine.FindStringSubmatch(text)
		if head != nil && last != nil {
			parents[head[1]] = last[1]
		}
	}
	for g := goroutineID(); g != ""; g = parents[g] {
		if g == id {
			return true
		}
	}
	return false
}
