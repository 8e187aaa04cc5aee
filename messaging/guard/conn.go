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
	"github.com/google/uuid"
)

// Bounds on what a client sends.
const (
	maxCommand   = maxReady // bytes of a command
	maxTopicSize = 1 << 10  // bytes of a subscription: a first byte of 1 or 0, then the topic
	maxTopics    = 1 << 10  // subscriptions and cancellations together, during a whole connection
)

// firstRead is the number of bytes allocated for a frame before its body
// arrives. The allocation doubles as bytes arrive, so that a client cannot make the
// server allocate memory by announcing a long frame.
const firstRead = 64 << 10

// messagesAtOnce is how many messages of the greatest size one listener may be
// receiving at the same time.
const messagesAtOnce = 2

// A Conn is the connection that zmq4 uses for a client, after the handshake.
// Read returns no byte of a message before the whole message has arrived, and Write
// queues a message once zmq4 has written all of it.
type Conn struct {
	net.Conn
	listener *Listener
	peer     peer
	queue    *queue
	reader   *bufio.Reader

	in    []byte // bytes that zmq4 has not read yet: the handshake, then one message at a time
	buf   []byte // the message being received, in wire form; in shares its memory
	held  int64  // bytes taken from the listener's budget for incomplete messages
	timed bool   // a read deadline is set

	topics      int    // number of subscriptions and cancellations so far
	topic       []byte // the topic of the last subscription
	unannounced bool   // Config.Subscribed has not been called for topic yet

	out  assembler   // joins the pieces that zmq4 writes
	gone atomic.Bool // the client has been dropped

	authenticated bool // the client has sent a signed message; guarded by listener.mu
}

// newConn returns the connection to p. Authenticate finds clients by identity, so a
// client without an identity gets a random one, which other clients cannot guess.
func newConn(l *Listener, conn net.Conn, reader *bufio.Reader, p peer) *Conn {
	if p.identity == "" {
		p.identity = uuid.NewString()
	}
	return &Conn{
		Conn:     conn,
		listener: l,
		peer:     p,
		queue:    newQueue(conn, l.config.Limits),
		reader:   reader,
		in:       p.handshake(),
		out:      assembler{skip: greetingSize}, // shakeHands has sent the greeting
	}
}

// Read returns bytes of messages. If the client is lost, the error is io.EOF,
// the only error that makes zmq4 forget a connection.
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

// announce calls Config.Subscribed for the last subscription, unless it has already
// done so. Read calls announce when zmq4 reads the next message: zmq4 has then
// processed the subscription.
func (c *Conn) announce() {
	if !c.unannounced {
		return
	}
	c.unannounced = false
	if f := c.listener.config.Subscribed; f != nil {
		f(c, c.topic)
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

// readMessage returns the next message in wire form. If the client sends a command
// instead, readMessage returns nil, or for a subscription command of ZMTP 3.1 the
// equivalent message of ZMTP 3.0. After a command between the frames of a message, such
// as libzmq's PING, it reads the rest of the message.
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
			betweenFrames := start > 0
			if err != nil || message != nil || !betweenFrames {
				return message, errors.Join(err, c.clearDeadline())
			}
		case flags&flagMore != 0:
			cost += int64(len(body)) + frameOverhead
		default:
			return c.buf, c.clearDeadline()
		}
	}
}

// forgetMessage empties the buffer for the next message, and frees it after a
// big message.
func (c *Conn) forgetMessage() {
	if cap(c.buf) > firstRead {
		c.buf = nil
	}
	c.buf = c.buf[:0]
	c.release()
}

// readFrame appends a frame to c.buf and returns its body, which shares memory
// with c.buf. cost is the size in bytes of the message's earlier frames, including
// frameOverhead for each.
func (c *Conn) readFrame(cost int64) (flags byte, body []byte, err error) {
	if len(c.buf) > 0 {
		c.expect(shortHeader)
	}
	flags, size, err := c.readHeader()
	if err != nil {
		return 0, nil, err
	}
	limit := c.listener.config.Limits.Message - cost - frameOverhead
	if flags&flagCommand != 0 {
		limit = maxCommand
	}
	if limit < 0 {
		return 0, nil, fmt.Errorf("message of more than %d bytes, counting %d extra for each frame",
			c.listener.config.Limits.Message, frameOverhead)
	}
	if size > uint64(limit) {
		return 0, nil, fmt.Errorf("frame of %d bytes, want at most %d", size, limit)
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
		c.expect(longHeader - shortHeader)
		if _, err = io.ReadFull(c.reader, h[shortHeader:]); err != nil {
			return 0, 0, err
		}
		size = binary.BigEndian.Uint64(h[1:])
	}
	if flags&^flagsKnown != 0 || flags&flagCommand != 0 && flags&flagMore != 0 {
		return 0, 0, fmt.Errorf("frame with invalid flags %#x", flags)
	}
	c.buf = append(c.buf, h[:n]...)
	return flags, size, nil
}

// readBody appends size bytes to c.buf, allocating memory as they arrive.
func (c *Conn) readBody(size int) error {
	for step := firstRead; size > 0; step *= 2 {
		n := min(size, step)
		c.expect(n)
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

// expect sets a deadline for the next n bytes of a message that has begun, unless
// they are already buffered. The client must send them within Limits.Write.
func (c *Conn) expect(n int) {
	if c.reader.Buffered() < n {
		c.timed = true
		_ = c.SetReadDeadline(time.Now().Add(c.listener.config.Limits.Write))
	}
}

// clearDeadline removes the deadline that expect has set. It is called at the end of
// a message: between messages a client may be silent for any time.
func (c *Conn) clearDeadline() error {
	if !c.timed {
		return nil
	}
	c.timed = false
	return c.SetReadDeadline(time.Time{})
}

// reserve takes n bytes of the listener's budget for incomplete messages, which
// all its clients share. Small messages take none.
func (c *Conn) reserve(n int) error {
	if c.held == 0 && len(c.buf)+n <= firstRead {
		return nil
	}
	c.held += int64(n)
	most := messagesAtOnce * c.listener.config.Limits.Message
	if total := c.listener.receiving.Add(int64(n)); total > most {
		return fmt.Errorf("%d bytes of incomplete messages at once, want at most %d", total, most)
	}
	return nil
}

// release returns the reserved bytes to the budget.
func (c *Conn) release() {
	if c.held != 0 {
		c.listener.receiving.Add(-c.held)
		c.held = 0
	}
}

// command answers a PING. For SUBSCRIBE and CANCEL it returns the equivalent message
// of ZMTP 3.0. It fails for ERROR and for a malformed command, and ignores all other
// commands, as the protocol requires.
func (c *Conn) command(frame []byte) (message []byte, err error) {
	name, body, ok := parseCommand(frame)
	switch {
	case !ok:
		return nil, fmt.Errorf("command of %d bytes without a name", len(frame))
	case name == zmq4.CmdPing && len(body) >= 2: // body is a time to live of two bytes, here ignored, and a context
		c.queue.push(appendCommand(nil, zmq4.CmdPong, body[2:]))
	case name == zmq4.CmdSubscribe:
		return appendFrame(nil, 0, append([]byte{1}, body...)), nil
	case name == zmq4.CmdCancel:
		return appendFrame(nil, 0, append([]byte{0}, body...)), nil
	case name == zmq4.CmdError:
		reason, _, _ := parseCommand(body) // the reason is encoded like the name of a command
		return nil, fmt.Errorf("client reports error %q", reason)
	}
	return nil, nil
}

// subscription returns message if it is a subscription or its cancellation, and
// records the topic of a subscription. It returns nil for other messages, since zmq4
// would keep them in a queue that is never emptied.
func (c *Conn) subscription(message []byte) ([]byte, error) {
	body := singleFrame(message)
	if len(body) == 0 || body[0] > 1 {
		return nil, nil
	}
	if c.topics++; c.topics > maxTopics || len(body) > maxTopicSize {
		return nil, fmt.Errorf("more than %d subscriptions and cancellations, or one of more than %d bytes",
			maxTopics, maxTopicSize)
	}
	if body[0] == 1 {
		c.topic, c.unannounced = append([]byte(nil), body[1:]...), true
	}
	return message, nil
}

// singleFrame returns the body of a message of one frame, and nil for longer
// messages.
func singleFrame(message []byte) []byte {
	if len(message) < shortHeader || message[0]&flagMore != 0 {
		return nil
	}
	if message[0]&flagLong != 0 {
		return message[longHeader:]
	}
	return message[shortHeader:]
}

// Write collects the pieces that zmq4 writes, and queues each message once it is
// complete.
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

// Send queues a message for this client only, bypassing zmq4.
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

// lose drops the client. The first call reports the reason.
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
