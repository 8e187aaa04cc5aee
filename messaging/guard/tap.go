package guard

import (
	"io"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A tap is a subscriber in this process, the first of a Pub socket. zmq4 sends
// message after message to subscriber after subscriber from a queue of its own
// that cannot be watched; the tap counts what comes out of it.
type tap struct {
	mu      sync.Mutex
	changed sync.Cond
	in      []byte // what zmq4 has yet to read
	out     assembler
	count   uint64
	ready   bool // zmq4 has taken in the subscription
	closed  bool
}

func newTap() *tap {
	t := &tap{
		in:  appendFrame(peer{kind: zmq4.Sub}.opening(), 0, []byte{1}), // subscribes to all
		out: assembler{skip: greetingSize, headersOnly: true},
	}
	t.changed.L = &t.mu
	return t
}

// waitReady returns when every message to come will be counted, or the tap is
// closed.
func (t *tap) waitReady() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.ready && !t.closed {
		t.changed.Wait()
	}
}

// wait returns when n messages have come, or the tap is closed.
func (t *tap) wait(n uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.count < n && !t.closed {
		t.changed.Wait()
	}
}

// Read lets zmq4 shake hands and subscribe, then waits for the end.
func (t *tap) Read(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.in) == 0 && !t.closed {
		t.ready = true
		t.changed.Broadcast()
		t.changed.Wait()
	}
	if t.closed {
		return 0, io.EOF
	}
	n := copy(p, t.in)
	t.in = t.in[n:]
	return n, nil
}

// Write counts messages and forgets them.
func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		var message []byte
		message, rest = t.out.next(rest)
		if message != nil && message[0]&flagCommand == 0 {
			t.count++
			t.changed.Broadcast()
		}
	}
	return len(p), nil
}

func (t *tap) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.changed.Broadcast()
	return nil
}

func (*tap) LocalAddr() net.Addr              { return tapAddr{} }
func (*tap) RemoteAddr() net.Addr             { return tapAddr{} }
func (*tap) SetDeadline(time.Time) error      { return nil }
func (*tap) SetReadDeadline(time.Time) error  { return nil }
func (*tap) SetWriteDeadline(time.Time) error { return nil }

type tapAddr struct{}

func (tapAddr) Network() string { return "tap" }
func (tapAddr) String() string  { return "tap" }
