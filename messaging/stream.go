package messaging

import (
	"time"
	"unicode/utf8"
)

// How printed text becomes messages. A message of its own for each line would
// cost front ends more than the cell costs the kernel; JupyterLab draws no
// faster than this.
const (
	streamDelay  = 50 * time.Millisecond  // from the first byte to its message
	streamSettle = 200 * time.Millisecond // the same, in a cell that goes on printing
	settleAfter  = 4                      // messages until then
	streamBytes  = 1 << 20                // is sent at once
	maxSegments  = 8                      // turns of stdout and stderr kept apart in one delay
)

// A segment is text printed to one stream without the other in between.
type segment struct {
	name string
	text []byte
}

// A stream gathers what a cell prints.
type stream struct {
	segments []segment
	size     int
}

// add appends p to the text of the named stream. The order of stdout and
// stderr is kept for a number of turns, and the order of each always.
func (st *stream) add(name string, p []byte) {
	at := len(st.segments) - 1
	if at < 0 || st.segments[at].name != name {
		at = st.turn(name)
	}
	st.segments[at].text = append(st.segments[at].text, p...)
	st.size += len(p)
}

// turn returns the segment for text after that of the other stream: a new one
// while there are few.
func (st *stream) turn(name string) int {
	if len(st.segments) >= maxSegments {
		return len(st.segments) - 2 // the last one is the other stream's
	}
	st.segments = append(st.segments, segment{name: name})
	return len(st.segments) - 1
}

// take returns what is gathered. A character that has come in part waits for
// the rest, unless all is wanted.
func (st *stream) take(all bool) []segment {
	var whole, rest []segment
	for _, s := range st.segments {
		cut := len(s.text)
		if !all {
			cut -= partial(s.text)
		}
		if cut > 0 {
			whole = append(whole, segment{s.name, s.text[:cut]})
		}
		if cut < len(s.text) {
			rest = append(rest, segment{s.name, s.text[cut:len(s.text):len(s.text)]})
		}
	}
	st.segments, st.size = rest, 0
	return whole
}

// partial returns how many bytes at the end of text begin a character without
// ending it.
func partial(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if utf8.FullRune(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
