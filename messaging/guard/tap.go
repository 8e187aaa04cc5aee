package guard

import (
	"io"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A tap is the first connection that Listener.Accept returns to zmq4. zmq4 regards it as the first subscriber of
// a Pub socket. zmq4 sends each message to one subscriber after another, from an internal queue whose length it does
// not report. The tap receives each message first, and so counts the messages that have left that queue.
type tap struct {
	mu      sync.Mutex
	changed sync.Cond
	in      []byte // bytes that zmq4 has not read yet
	out     assembler
	count   uint64 // number of messages received
	ready   bool   // zmq4 has read the subscription
	closed  bool
}

func newTap() *tap {
	t := &tap{
		in:  appendFrame(peer{kind: zmq4.Sub}.handshake(), 0, []byte{1}), // subscribes to every topic
		out: assembler{skip: greetingSize, headersOnly: true},
	}
	t.changed.L = &t.mu
	return t
}

// waitReady waits until zmq4 sends every published message to the tap, or the tap is
// closed.
func (t *tap) waitReady() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.ready && !t.closed {
		t.changed.Wait()
	}
}

// wait waits until the tap has received n messages, or is closed.
func (t *tap) wait(n uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.count < n && !t.closed {
		t.changed.Wait()
	}
}

// Read returns a handshake and a subscription, then blocks until the tap is
// closed.
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

// Write counts messages and discards them.
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
