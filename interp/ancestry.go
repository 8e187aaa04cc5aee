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
	return isAncestor(id, goroutineID(), stacks())
}

// hasDescendants reports whether any goroutine started by goroutine id, directly or through others, runs functions of
// cells.
func hasDescendants(id string) bool {
	all := stacks()
	for g, s := range all {
		if g != id && strings.Contains(s.text, "/interp/compile.") && isAncestor(id, g, all) {
			return true
		}
	}
	return false
}

// A goroutineStack is the stack of a goroutine as the run time prints it.
type goroutineStack struct {
	text   string
	parent string // the number of the goroutine that has started it, or ""
}

// isAncestor reports whether goroutine id is descendant itself or has started it, directly or through others.
func isAncestor(id, descendant string, all map[string]goroutineStack) bool {
	for g := descendant; g != ""; g = all[g].parent {
		if g == id {
			return true
		}
	}
	return false
}

// maxStacks is how many bytes of printed stacks are examined at most.
const maxStacks = 64 << 20

// stacks returns the stacks of all goroutines, by their numbers.
func stacks() map[string]goroutineStack {
	printed := make([]byte, 1<<20)
	for runtime.Stack(printed, true) == len(printed) && len(printed) < maxStacks {
		printed = make([]byte, 2*len(printed))
	}
	all := map[string]goroutineStack{}
	for text := range strings.SplitSeq(string(printed), "\n\n") {
		if head := headLine.FindStringSubmatch(text); head != nil {
			s := goroutineStack{text: text}
			if last := lastLine.FindStringSubmatch(text); last != nil {
				s.parent = last[1]
			}
			all[head[1]] = s
		}
	}
	return all
}
