package interp

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"

	"github.com/goanvil/notebook/interp/compile"
)

// caught is called when a goroutine of cells has ended with a panic of value v, or without one if v is nil. It
// reports the panic. A panic that stands for os.Exit ends the running cell instead, if the cell has started the
// goroutine.
func (s *Session) caught(v any) {
	switch v.(type) {
	case nil:
	case compile.Exit:
		s.failed(v, false)
	default:
		s.report(v, s.unwinding.take())
	}
}

// failed handles a panic with value v, or runtime.Goexit if v is nil. It ends the running cell if the cell has
// started the calling goroutine or always is set; otherwise it reports the panic.
func (s *Session) failed(v any, always bool) {
	if v == nil {
		v = errGone
	}
	frames := s.unwinding.take()
	if !s.endCell(v, always, frames) {
		s.report(v, frames)
	}
}

// endCell ends the running cell like failed, and reports whether the cell has ended.
func (s *Session) endCell(v any, always bool, frames []frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.run != nil && s.run.failure != nil: // another failure has already ended it
	case s.run == nil || !always && !descendsFrom(s.run.id):
		return false
	default:
		s.run.failure = &outsideError{value: v, frames: frames}
		close(s.run.failing)
	}
	return true
}

// An outsideError ends a cell from another goroutine: because that panicked, or for lack of memory.
type outsideError struct {
	value  any
	frames []frame
	around []frame // where the cell was when it had to end, for a cell that does not unwind in time
}

func (e *outsideError) Error() string { return message(e.value) }

// report writes the panic of a goroutine to the cells' stderr.
func (s *Session) report(v any, frames []frame) {
	text := fmt.Sprintf("a value of type %T whose text cannot be computed", v)
	defer func() {
		_ = recover() // a method of v has panicked, or ended the goroutine
		s.mu.Lock()
		defer s.mu.Unlock()
		lines := append([]string{"panic in a goroutine: " + text}, s.tracebackLines(frames, "")...)
		fmt.Fprintln(s.opts.Stderr, strings.Join(lines, "\n"))
	}()
	text = message(v)
}

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

// hasDescendants reports whether a goroutine that the goroutine with number id has started, directly or through
// others, runs functions of cells.
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

// stacks returns the stacks of all goroutines, by their numbers.
func stacks() map[string]goroutineStack {
	printed := make([]byte, 1<<20)
	for n := runtime.Stack(printed, true); n == len(printed) && n < 1<<26; n = runtime.Stack(printed, true) {
		printed = make([]byte, 2*n)
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
