// Package guard protects zmq4 from hostile clients. As of v0.17.0 zmq4 trusts
// its peers: it allocates whatever length a frame announces, a client that sends
// nothing keeps all others out, a client that does not read blocks the replies
// to others, and malformed metadata makes it panic.
//
// A Listener does the ZMTP handshake itself, under a deadline, and hands zmq4
// only clients that have sent well-formed metadata. It reads whole messages,
// within Limits, before zmq4 sees their first byte; it answers PING; and it has
// a queue of messages to send for each client, so that a client that does not
// read is dropped without harm to others.
//
// ZMTP is specified at https://rfc.zeromq.org/spec/23/ (3.0) and /spec/37/ (3.1).
package guard

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
)

// errStalled is the reason to drop a client that does not read.
var errStalled = errors.New("client does not read its messages")

// errCrowded is the reason to drop a client to make room for another.
var errCrowded = errors.New("too many clients, and this one has sent no signed message")

// A Config configures a Listener.
type Config struct {
	Kind   zmq4.SocketType // Router, Rep or Pub
	Limits Limits

	// Subscribed, if not nil, is called when a client has subscribed to topic and
	// receives all later messages with that topic. Subscribed may call c.Send.
	Subscribed func(c *Conn, topic []byte)

	// Lost, if not nil, is called when the handshake of a client fails, and when a
	// client is dropped after its handshake. It is not called when a client disconnects
	// by itself, or is disconnected during its handshake to make room for others.
	Lost func(addr net.Addr, reason error)
}

// A Listener accepts clients for one zmq4 socket.
type Listener struct {
	net.Listener
	config   Config
	endpoint string
	tap      *tap          // counts the messages that zmq4 sends; nil unless Kind is Pub
	tapped   bool          // Accept has returned tap; used by Accept only
	ready    chan net.Conn // clients for Accept
	done     chan struct{} // closed by Close
	tasks    sync.WaitGroup

	receiving atomic.Int64 // bytes reserved by clients for incomplete messages

	mu          sync.Mutex
	handshaking []net.Conn // connections in their handshake, oldest first
	live        []*Conn    // clients after their handshake, oldest first
	closed      bool
}

// listeners is the number of listeners made by this process. Their names are numbers.
var listeners atomic.Uint64

// Listen returns a listener on address; network is "tcp" or "unix". Pass its
// Endpoint to the Listen method of a zmq4 socket of the same kind. The socket then
// owns the listener.
func Listen(network, address string, config Config) (*Listener, error) {
	nl, err := listen(network, address)
	if err != nil {
		return nil, err
	}
	config.Limits = config.Limits.orDefault()
	name := strconv.FormatUint(listeners.Add(1), 10)
	l := &Listener{
		Listener: nl,
		config:   config,
		endpoint: scheme + "://" + name,
		ready:    make(chan net.Conn),
		done:     make(chan struct{}),
	}
	if config.Kind == zmq4.Pub {
		l.tap = newTap()
	}
	waiting.Store(name, l)
	l.tasks.Go(l.accept)
	return l, nil
}

// listen opens a socket. A socket in the file system is accessible by its owner
// only.
func listen(network, address string) (net.Listener, error) {
	if network != "unix" {
		return net.Listen(network, address)
	}
	removeStale(address)
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(address, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// removeStale removes the socket file of a server that no longer runs. A killed
// kernel leaves its socket files behind, and the next kernel may be started with the
// same connection file.
func removeStale(path string) {
	if conn, err := net.Dial("unix", path); err == nil {
		_ = conn.Close()
		return
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		_ = os.Remove(path)
	}
}

// Endpoint returns the endpoint to pass to the Listen method of a zmq4 socket.
func (l *Listener) Endpoint() string { return l.endpoint }

// accept accepts connections and starts a goroutine for the handshake of each.
func (l *Listener) accept() {
	for delay := time.Millisecond; ; {
		conn, err := l.Listener.Accept()
		switch {
		case err == nil:
			delay = time.Millisecond
			if l.admit(conn) {
				l.tasks.Go(func() { l.welcome(conn) })
			}
		case l.isClosed():
			return
		default: // for example, out of file descriptors: wait until some are closed
			select {
			case <-l.done:
			case <-time.After(delay):
			}
			delay = min(2*delay, time.Second)
		}
	}
}

// admit adds conn to the connections in their handshake and reports whether there was room.
// If the listener is full, admit drops the oldest connection in its handshake, or if there is
// none, the oldest client that is not authenticated. It never drops the oldest clients, up to a
// quarter of Limits.Clients, since an idle front end may have sent nothing on some sockets.
func (l *Listener) admit(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	full := len(l.handshaking)+len(l.live) >= l.config.Limits.Clients
	kept := min(len(l.live), l.config.Limits.Clients/4)
	younger := l.live[kept:]
	drop := slices.IndexFunc(younger, func(c *Conn) bool { return !c.authenticated }) // -1 if there is none
	switch {
	case l.closed || full && len(l.handshaking) == 0 && drop < 0:
		_ = conn.Close()
		return false
	case full && len(l.handshaking) > 0:
		_ = l.handshaking[0].Close() // its handshake fails, and its goroutine ends
		l.handshaking = l.handshaking[1:]
	case full:
		dropped := younger[drop]
		l.live = slices.Delete(l.live, kept+drop, kept+drop+1)
		l.tasks.Go(func() { dropped.lose(errCrowded) })
	}
	l.handshaking = append(l.handshaking, conn)
	return true
}

// Authenticate records that the client with the given identity has sent a message with a
// valid signature. Such a client is not dropped to make room for others. Authenticate has no
// effect unless Config.Kind is Router.
func (l *Listener) Authenticate(identity []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.withIdentity(string(identity)); c != nil {
		c.authenticated = true
	}
}

// welcome does the handshake with a client and offers it to zmq4.
func (l *Listener) welcome(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(l.config.Limits.Handshake))
	reader := bufio.NewReaderSize(conn, 16<<10)
	p, err := shakeHands(struct {
		io.Reader
		io.Writer
	}{reader, conn}, l.config.Kind)
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	c := newConn(l, conn, reader, p)
	if !l.endHandshake(c, err == nil) {
		_ = conn.Close()
		l.report(conn, err)
		return
	}
	l.tasks.Go(c.queue.run)
	select {
	case l.ready <- c:
	case <-l.done:
		_ = c.Close()
	}
}

// endHandshake removes c from the connections in their handshake. If the handshake
// succeeded, it adds c to the live clients, where c replaces a client of the same
// identity. It reports whether c was added.
func (l *Listener) endHandshake(c *Conn, succeeded bool) bool {
	l.mu.Lock()
	for i, h := range l.handshaking {
		if h == c.Conn {
			l.handshaking = append(l.handshaking[:i:i], l.handshaking[i+1:]...)
			break
		}
	}
	if !succeeded || l.closed {
		l.mu.Unlock()
		return false
	}
	old := l.withIdentity(c.peer.identity)
	l.live = append(l.live, c)
	l.mu.Unlock()
	if old != nil {
		old.lose(errors.New("replaced by a client with the same identity"))
	}
	return true
}

// withIdentity returns the live client of a Router with the given identity, or
// nil. The caller holds l.mu.
func (l *Listener) withIdentity(identity string) *Conn {
	if l.config.Kind != zmq4.Router || identity == "" {
		return nil
	}
	for _, c := range l.live {
		if c.peer.identity == identity {
			return c
		}
	}
	return nil
}

// forget removes a lost client and reports the reason.
func (l *Listener) forget(c *Conn, reason error) {
	l.mu.Lock()
	l.live = slices.DeleteFunc(l.live, func(o *Conn) bool { return o == c })
	l.mu.Unlock()
	l.report(c.Conn, reason)
}

// report calls Config.Lost, unless the client has disconnected by itself.
func (l *Listener) report(conn net.Conn, reason error) {
	if l.config.Lost != nil && reason != nil && !errors.Is(reason, io.EOF) && !errors.Is(reason, net.ErrClosed) {
		l.config.Lost(conn.RemoteAddr(), reason)
	}
}

// Accept returns the next client whose handshake is done. It does not fail before
// Close, since zmq4 would call it again at once. Only zmq4 may call Accept.
func (l *Listener) Accept() (net.Conn, error) {
	if l.tap != nil && !l.tapped {
		l.tapped = true
		return l.tap, nil
	}
	select {
	case conn := <-l.ready:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// WaitReady waits until the zmq4 socket of this Pub listener is ready to publish
// messages, or until the listener is closed. Call it after the socket's Listen.
func (l *Listener) WaitReady() { l.tap.waitReady() }

// WaitQueued waits until zmq4 has begun to queue the n-th published message for
// its clients, or until the listener is closed. All earlier messages are then queued.
func (l *Listener) WaitQueued(n uint64) { l.tap.wait(n) }

// Hurry makes room for urgent messages in the queues of clients that do not read, up to twice Limits.Queue.
func (l *Listener) Hurry() {
	for _, c := range l.clients() {
		c.queue.hurry()
	}
}

// Drain waits until all queues are empty, or until the deadline.
func (l *Listener) Drain(deadline time.Time) {
	for _, c := range l.clients() {
		c.queue.drain(deadline)
	}
}

func (l *Listener) clients() []*Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.live)
}

func (l *Listener) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// Close drops all clients and waits for the listener's goroutines.
func (l *Listener) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	for _, conn := range l.handshaking {
		_ = conn.Close()
	}
	l.mu.Unlock()
	close(l.done)
	err := l.Listener.Close()
	for _, c := range l.clients() {
		_ = c.Close()
	}
	if l.tap != nil {
		_ = l.tap.Close()
	}
	l.tasks.Wait()
	return err
}
