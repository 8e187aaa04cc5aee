package guard

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Bounds of what a client may say beside messages.
const (
	maxCommand = maxReady
	maxTopic   = 1 << 10
	maxTopics  = 1 << 10
)

// firstRead is how much memory a frame gets before its bytes have come; it
// doubles as they do, so that a length alone costs nothing.
const firstRead = 64 << 10

// messagesAtOnce is how many messages of the greatest size may be under way to
// one listener.
const messagesAtOnce = 2

// A Conn is a client as zmq4 sees it. Read returns whole messages of one that
// has introduced itself, Write queues whole messages for it.
type Conn struct {
	net.Conn
	listener *Listener
	peer     peer
	queue    *queue
	reader   *bufio.Reader

	in     []byte // what zmq4 has yet to read: the handshake, then one message at a time
	buf    []byte // the memory of in
	topics int
	held   int64  // bytes of the listener's budget for messages under way
	timed  bool   // a read deadline is set
	told   []byte // a subscription that zmq4 is about to learn of
	fresh  bool   // told holds one

	out  assembler
	gone atomic.Bool
}

func newConn(l *Listener, conn net.Conn, reader *bufio.Reader, p peer) *Conn {
	return &Conn{
		Conn:     conn,
		listener: l,
		peer:     p,
		queue:    newQueue(conn, l.config.Limits),
		reader:   reader,
		in:       p.opening(),
		out:      assembler{skip: greetingSize}, // ours has been sent
	}
}

// Read returns bytes of messages. Every way to lose the client is io.EOF: the
// one error upon which zmq4 forgets a connection.
func (c *Conn) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		c.announce()
		if err := c.receive(); err != nil {
			c.release()
			c.lose(err)
			return 0, io.EOF
		}
	}
	n := copy(p, c.in)
	c.in = c.in[n:]
	return n, nil
}

// announce tells of a subscription once zmq4 has taken it in, which it has
// when it asks for what follows.
func (c *Conn) announce() {
	if !c.fresh {
		return
	}
	c.fresh = false
	if f := c.listener.config.Subscribed; f != nil {
		f(c, c.told)
	}
}

// receive reads from the client until there is a message for zmq4.
func (c *Conn) receive() error {
	for {
		message, err := c.readMessage()
		if err != nil {
			return err
		}
		if c.listener.config.Kind == zmq4.Pub {
			if message, err = c.subscription(message); err != nil {
				return err
			}
		}
		if len(message) > 0 {
			c.in = message
			return nil
		}
	}
}

// readMessage returns the next message in wire form; nil for a command, other
// than a subscription, which takes the message form of ZMTP 3.0. libzmq sends
// PING between the frames of a message, too.
func (c *Conn) readMessage() ([]byte, error) {
	c.forgetMessage()
	for cost := int64(0); ; {
		start := len(c.buf)
		flags, body, err := c.readFrame(cost)
		switch {
		case err != nil:
			return nil, err
		case flags&flagCommand != 0:
			message, err := c.command(body)
			c.buf = c.buf[:start]
			if err != nil || message != nil || start == 0 {
				return message, errors.Join(err, c.rest())
			}
		case flags&flagMore != 0:
			cost += int64(len(body)) + frameOverhead
		default:
			return c.buf, c.rest()
		}
	}
}

// forgetMessage makes room for the next one, without keeping the memory of a
// big one.
func (c *Conn) forgetMessage() {
	if cap(c.buf) > firstRead {
		c.buf = nil
	}
	c.buf = c.buf[:0]
	c.release()
}

// readFrame appends a frame to c.buf and returns its body there. cost is that
// of the message so far.
func (c *Conn) readFrame(cost int64) (flags byte, body []byte, err error) {
	if len(c.buf) > 0 {
		c.hurry(shortHeader)
	}
	flags, size, err := c.readHeader()
	if err != nil {
		return 0, nil, err
	}
	limit := c.listener.config.Limits.Message - cost - frameOverhead
	if flags&flagCommand != 0 {
		limit = maxCommand
	}
	if limit < 0 || size > uint64(limit) {
		return 0, nil, fmt.Errorf("a frame of %d bytes where %d are allowed", size, limit)
	}
	at := len(c.buf)
	if err := c.readBody(int(size)); err != nil {
		return 0, nil, err
	}
	return flags, c.buf[at:], nil
}

// readHeader appends a frame's header to c.buf.
func (c *Conn) readHeader() (flags byte, size uint64, err error) {
	var h [longHeader]byte
	if _, err = io.ReadFull(c.reader, h[:shortHeader]); err != nil {
		return 0, 0, err
	}
	flags, size = h[0], uint64(h[1])
	n := shortHeader
	if flags&flagLong != 0 {
		n = longHeader
		c.hurry(longHeader - shortHeader)
		if _, err = io.ReadFull(c.reader, h[shortHeader:]); err != nil {
			return 0, 0, err
		}
		size = binary.BigEndian.Uint64(h[1:])
	}
	if flags&^flagsKnown != 0 || flags&flagCommand != 0 && flags&flagMore != 0 {
		return 0, 0, fmt.Errorf("a frame with flags %#x", flags)
	}
	c.buf = append(c.buf, h[:n]...)
	return flags, size, nil
}

// readBody appends size bytes to c.buf, taking memory as they come.
func (c *Conn) readBody(size int) error {
	for step := firstRead; size > 0; step *= 2 {
		n := min(size, step)
		c.hurry(n)
		if err := c.reserve(n); err != nil {
			return err
		}
		at := len(c.buf)
		c.buf = append(c.buf, make([]byte, n)...)
		if _, err := io.ReadFull(c.reader, c.buf[at:]); err != nil {
			return err
		}
		size -= n
	}
	return nil
}

// hurry gives a client that is in the middle of a message, of which n bytes
// are to come next, no more than Limits.Write to go on.
func (c *Conn) hurry(n int) {
	if c.reader.Buffered() < n {
		c.timed = true
		_ = c.SetReadDeadline(time.Now().Add(c.listener.config.Limits.Write))
	}
}

// rest lets a client that has ended a message be silent for as long as it
// likes.
func (c *Conn) rest() error {
	if !c.timed {
		return nil
	}
	c.timed = false
	return c.SetReadDeadline(time.Time{})
}

// reserve takes n bytes from what all clients of the listener may have under
// way together. Small messages are free.
func (c *Conn) reserve(n int) error {
	if c.held == 0 && len(c.buf)+n <= firstRead {
		return nil
	}
	c.held += int64(n)
	if total := c.listener.receiving.Add(int64(n)); total > messagesAtOnce*c.listener.config.Limits.Message {
		return fmt.Errorf("%d bytes of messages are under way at once", total)
	}
	return nil
}

// release gives back what was reserved.
func (c *Conn) release() {
	if c.held != 0 {
		c.listener.receiving.Add(-c.held)
		c.held = 0
	}
}

// command answers a PING and returns the message that stands for a
// subscription. Other commands are ignored, as the protocol asks.
func (c *Conn) command(frame []byte) (message []byte, err error) {
	name, body, ok := parseCommand(frame)
	switch {
	case !ok:
		return nil, fmt.Errorf("a command of %d bytes without a name", len(frame))
	case name == zmq4.CmdPing && len(body) >= 2: // a time to live, which is the client's affair, and a context
		c.queue.push(appendCommand(nil, zmq4.CmdPong, body[2:]))
	case name == zmq4.CmdSubscribe:
		return appendFrame(nil, 0, append([]byte{1}, body...)), nil
	case name == zmq4.CmdCancel:
		return appendFrame(nil, 0, append([]byte{0}, body...)), nil
	case name == zmq4.CmdError:
		return nil, fmt.Errorf("the client's error %q", body)
	}
	return nil, nil
}

// subscription returns message if it is one, noting the topic; nil otherwise:
// zmq4 would keep others in a queue that nobody empties.
func (c *Conn) subscription(message []byte) ([]byte, error) {
	body := singleFrame(message)
	if len(body) == 0 || body[0] > 1 {
		return nil, nil
	}
	if c.topics++; c.topics > maxTopics || len(body) > maxTopic {
		return nil, fmt.Errorf("more than %d subscriptions, or one of more than %d bytes", maxTopics, maxTopic)
	}
	if body[0] == 1 {
		c.told, c.fresh = append([]byte(nil), body[1:]...), true
	}
	return message, nil
}

// singleFrame returns the body of a message of one frame, nil of another.
func singleFrame(message []byte) []byte {
	if len(message) < shortHeader || message[0]&flagMore != 0 {
		return nil
	}
	if message[0]&flagLong != 0 {
		return message[longHeader:]
	}
	return message[shortHeader:]
}

// Write takes what zmq4 writes, in pieces, and queues each message when it is
// whole.
func (c *Conn) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		var message []byte
		if message, rest = c.out.next(rest); message != nil && !c.queue.push(message) {
			c.lose(errStalled)
			return 0, io.EOF
		}
	}
	return len(p), nil
}

// Send queues a message for this client alone, past zmq4.
func (c *Conn) Send(frames [][]byte) {
	var message []byte
	for i, f := range frames {
		flags := byte(flagMore)
		if i == len(frames)-1 {
			flags = 0
		}
		message = appendFrame(message, flags, f)
	}
	c.queue.push(message)
}

// lose drops the client, telling why once.
func (c *Conn) lose(reason error) {
	if c.gone.CompareAndSwap(false, true) {
		c.listener.forget(c, reason)
	}
	c.queue.close()
}

// Close drops the client.
func (c *Conn) Close() error {
	c.lose(net.ErrClosed)
	return nil
}
