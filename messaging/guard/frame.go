package guard

import (
	"encoding/binary"
	"slices"
)

// Flags of a ZMTP frame; the other bits are reserved and zero.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
	flagsKnown  = flagMore | flagLong | flagCommand
)

// Sizes in bytes: of the short and the long header of a frame, and of the longest
// body that has a short header.
const (
	shortHeader = 2
	longHeader  = 9
	maxShort    = 255
)

// frameOverhead is the memory that a frame is assumed to cost, in bytes, in addition to its
// body.
const frameOverhead = 64

// appendFrame appends a frame to dst.
func appendFrame(dst []byte, flags byte, body []byte) []byte {
	if len(body) > maxShort {
		dst = append(dst, flags|flagLong)
		dst = binary.BigEndian.AppendUint64(dst, uint64(len(body)))
	} else {
		dst = append(dst, flags, byte(len(body)))
	}
	return append(dst, body...)
}

// appendCommand appends the frame of a command to dst.
func appendCommand(dst []byte, name string, body []byte) []byte {
	cmd := make([]byte, 0, 1+len(name)+len(body))
	cmd = append(cmd, byte(len(name)))
	cmd = append(cmd, name...)
	return appendFrame(dst, flagCommand, append(cmd, body...))
}

// parseCommand splits the body of a command frame into the name and the data of
// the command.
func parseCommand(frame []byte) (name string, body []byte, ok bool) {
	if len(frame) == 0 || int(frame[0]) > len(frame)-1 {
		return "", nil, false
	}
	n := 1 + int(frame[0])
	return string(frame[1:n]), frame[n:], true
}

// An assembler makes messages of the pieces that zmq4 writes.
type assembler struct {
	skip    int    // number of bytes still to be skipped before the first frame
	message []byte // the message so far, in wire form
	header  int    // offset in message of the current frame's header
	left    uint64 // remaining bytes of the current frame, if inBody
	inBody  bool

	headersOnly bool // leave the bodies of frames out of message
}

// next consumes a prefix of p. It returns the rest of p, and the message that
// the prefix completes, if any.
func (a *assembler) next(p []byte) (message, rest []byte) {
	if n := min(a.skip, len(p)); n > 0 {
		a.skip -= n
		return nil, p[n:]
	}
	if !a.inBody {
		return a.takeHeader(p)
	}
	return a.takeBody(p)
}

// takeHeader appends the next byte of a frame's header to the message. After the last
// byte of the header it goes on with the body.
func (a *assembler) takeHeader(p []byte) (message, rest []byte) {
	a.message = append(a.message, p[0])
	h := a.message[a.header:]
	switch {
	case h[0]&flagLong == 0 && len(h) == shortHeader:
		a.left = uint64(h[1])
	case h[0]&flagLong != 0 && len(h) == longHeader:
		a.left = binary.BigEndian.Uint64(h[1:])
	default:
		return nil, p[1:]
	}
	a.inBody = true
	if !a.headersOnly {
		a.message = slices.Grow(a.message, int(a.left))
	}
	return a.takeBody(p[1:])
}

// takeBody appends to the message the part of the frame's body that is in p.
func (a *assembler) takeBody(p []byte) (message, rest []byte) {
	n := min(a.left, uint64(len(p)))
	more := a.message[a.header]&flagMore != 0
	if !a.headersOnly {
		a.message = append(a.message, p[:n]...)
	}
	if a.left -= n; a.left > 0 {
		return nil, p[n:]
	}
	a.inBody, a.header = false, len(a.message)
	if more {
		return nil, p[n:]
	}
	message, a.message, a.header = a.message, nil, 0
	return message, p[n:]
}
