package messaging

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Printed text is gathered into few messages: a front end would need more time for one
// message per line than the kernel needs to print the lines, and JupyterLab draws at most
// once in streamDelay.
const (
	streamDelay     = 50 * time.Millisecond  // how long text waits for more text, from its first byte on
	longStreamDelay = 200 * time.Millisecond // replaces streamDelay in a cell that keeps printing
	longDelayAfter  = 4                      // number of messages of a cell after which longStreamDelay applies
	streamBytes     = 128 << 10              // text of this size is sent at once, in messages of about this size
	maxSegments     = 8                      // see stream.add
)

// A segment is consecutive text of one stream.
type segment struct {
	name string
	text *strings.Builder
}

// A stream gathers the text that a cell prints, to stdout and to stderr.
type stream struct {
	segments []segment
	size     int // bytes added since the last take
}

// add appends p to the text of the named stream. The order of text within a stream is
// always kept. The order between stdout and stderr is kept until the text has
// maxSegments segments; later text is appended to the last segment of its stream.
func (st *stream) add(name string, p []byte) {
	at := len(st.segments) - 1
	switch {
	case at >= 0 && st.segments[at].name == name:
	case len(st.segments) < maxSegments:
		st.segments = append(st.segments, segment{name, new(strings.Builder)})
		at++
	default:
		at-- // the last segment is the other stream's
	}
	st.segments[at].text.Write(p)
	st.size += len(p)
}

// A streamText is the text of one message, for the stream with the given name.
type streamText struct{ name, text string }

// take removes and returns the gathered text. An incomplete character at the end of a segment is moved to the
// beginning of the next segment of the same stream. If there is none, the incomplete character stays in st, or is
// returned if all is set.
func (st *stream) take(all bool) (texts []streamText) {
	segments := st.segments
	st.segments, st.size = nil, 0
	partial := map[string]string{} // by stream
	for i, s := range segments {
		text := partial[s.name] + s.text.String()
		cut := len(text)
		isLast := !slices.ContainsFunc(segments[i+1:], func(later segment) bool { return later.name == s.name })
		if !all || !isLast {
			cut -= partialRune(text)
		}
		if cut > 0 {
			texts = append(texts, streamText{s.name, text[:cut]})
		}
		partial[s.name] = text[cut:]
		if isLast && cut < len(text) {
			rest := segment{s.name, new(strings.Builder)}
			rest.text.WriteString(text[cut:])
			st.segments = append(st.segments, rest)
		}
	}
	return texts
}

// partialRune returns the number of bytes of an incomplete UTF-8 character at
// the end of text, or 0 if text ends with a complete one.
func partialRune(text string) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if utf8.FullRuneInString(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
