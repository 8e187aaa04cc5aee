package interp

import (
	"regexp"
	"runtime"
	"strings"
)

// headLine and lastLine match the first and the last line of a goroutine's stack as runtime.Stack prints it.
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

// descendsFrom reports whether the goroutine with number id is or has started the calling goroutine, directly or
// through others. It cannot follow the chain beyond a goroutine that has ended.
func descendsFrom(id string) bool {
	return isAncestor(id, goroutineID(), stacks())
}

// hasDescendants reports whether a goroutine that runs functions of cells was started by goroutine id, directly or
// through others.
func hasDescendants(id string) bool {
	all := stacks()
	for g, s := range all {
		if g != id && strings.Contains(s.text, "/interp/compile.") && isAncestor(id, g, all) {
			return true
		}
	}
	return false
}

// A goroutineStack is the stack of a goroutine as runtime.Stack prints it.
type goroutineStack struct {
	text   string
	parent string // the number of the goroutine that has started this one, or ""
}

// isAncestor reports whether goroutine id is goroutine descendant, or has started it, directly or through others.
func isAncestor(id, descendant string, all map[string]goroutineStack) bool {
	for g := descendant; g != ""; g = all[g].parent {
		if g == id {
			return true
		}
	}
	return false
}

// maxStacks is the greatest number of bytes of printed stacks that are examined.
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
