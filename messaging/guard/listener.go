package guard

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
)

// errStalled is why a client is dropped that does not read.
var errStalled = errors.New("it does not read what is sent to it")

// A Config says what a listener is for.
type Config struct {
	Kind   zmq4.SocketType // Router, Rep or Pub
	Limits Limits

	// Subscribed is called when a client has subscribed to topic; what is
	// published from then on reaches it. It may Send to the client.
	Subscribed func(c *Conn, topic []byte)

	// Lost is called when a client was refused or dropped, not when it left.
	Lost func(addr net.Addr, reason error)
}

// A Listener accepts clients for one zmq4 socket.
type Listener struct {
	net.Listener
	config   Config
	endpoint string
	tap      *tap // of a Pub listener
	tapped   bool // zmq4 has it; of Accept's goroutine
	ready    chan net.Conn
	done     chan struct{}
	tasks    sync.WaitGroup

	receiving atomic.Int64 // bytes reserved by clients for big messages

	mu     sync.Mutex
	half   []net.Conn // shaking hands, oldest first
	live   map[*Conn]struct{}
	closed bool
}

// names number the listeners of this process.
var names atomic.Uint64

// Listen returns a listener on address; network is "tcp" or "unix". Give its
// Endpoint to the Listen of a zmq4 socket of the same kind, which then owns it.
func Listen(network, address string, config Config) (*Listener, error) {
	nl, err := listen(network, address)
	if err != nil {
		return nil, err
	}
	config.Limits = config.Limits.orDefault()
	name := strconv.FormatUint(names.Add(1), 10)
	l := &Listener{
		Listener: nl,
		config:   config,
		endpoint: scheme + "://" + name,
		ready:    make(chan net.Conn),
		done:     make(chan struct{}),
		live:     make(map[*Conn]struct{}),
	}
	if config.Kind == zmq4.Pub {
		l.tap = newTap()
	}
	waiting.Store(name, l)
	l.tasks.Go(l.accept)
	return l, nil
}

// listen opens a socket; one in the file system is for its owner alone.
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

// removeStale removes the socket file of a server that is gone, as a killed
// kernel leaves it behind and the next one has the same connection file.
func removeStale(path string) {
	if conn, err := net.Dial("unix", path); err == nil {
		_ = conn.Close()
		return
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		_ = os.Remove(path)
	}
}

// Endpoint is what to give to the Listen of a zmq4 socket.
func (l *Listener) Endpoint() string { return l.endpoint }

// accept takes connections, and lets each shake hands by itself.
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
		default: // out of file descriptors, say: let some be closed
			select {
			case <-l.done:
			case <-time.After(delay):
			}
			delay = min(2*delay, time.Second)
		}
	}
}

// admit makes room for conn, at the cost of the client that has been shaking
// hands for longest. Where all are established it refuses conn.
func (l *Listener) admit(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	full := len(l.half)+len(l.live) >= l.config.Limits.Clients
	if l.closed || full && len(l.half) == 0 {
		_ = conn.Close()
		return false
	}
	if full {
		_ = l.half[0].Close() // its own goroutine removes it
		l.half = l.half[1:]
	}
	l.half = append(l.half, conn)
	return true
}

// welcome shakes hands with a client and offers it to zmq4.
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
	if !l.establish(c, err == nil) {
		_ = conn.Close()
		l.report(conn, err)
		return
	}
	l.tasks.Go(c.queue.run)
	l.offer(c)
}

// establish moves a client from those shaking hands to the live ones, if ok,
// where it replaces one of the same identity.
func (l *Listener) establish(c *Conn, ok bool) bool {
	l.mu.Lock()
	for i, h := range l.half {
		if h == c.Conn {
			l.half = append(l.half[:i:i], l.half[i+1:]...)
			break
		}
	}
	if !ok || l.closed {
		l.mu.Unlock()
		return false
	}
	old := l.withIdentity(c.peer.identity)
	l.live[c] = struct{}{}
	l.mu.Unlock()
	if old != nil {
		old.lose(errors.New("a client with the same identity took its place"))
	}
	return true
}

// withIdentity returns the live client of a Router with that identity.
func (l *Listener) withIdentity(identity string) *Conn {
	if l.config.Kind != zmq4.Router || identity == "" {
		return nil
	}
	for c := range l.live {
		if c.peer.identity == identity {
			return c
		}
	}
	return nil
}

// forget removes a client that is gone.
func (l *Listener) forget(c *Conn, reason error) {
	l.mu.Lock()
	delete(l.live, c)
	l.mu.Unlock()
	l.report(c.Conn, reason)
}

func (l *Listener) report(conn net.Conn, reason error) {
	if l.config.Lost != nil && reason != nil && !errors.Is(reason, io.EOF) && !errors.Is(reason, net.ErrClosed) {
		l.config.Lost(conn.RemoteAddr(), reason)
	}
}

// offer hands a client to Accept.
func (l *Listener) offer(conn net.Conn) {
	select {
	case l.ready <- conn:
	case <-l.done:
		_ = conn.Close()
	}
}

// Accept returns the next client that has introduced itself. It does not fail
// before Close, as zmq4 would call it again at once. Only zmq4 calls it.
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

// WaitReady returns when zmq4 publishes to this Pub listener's clients, after
// its Listen; or when the listener is closed.
func (l *Listener) WaitReady() { l.tap.waitReady() }

// WaitQueued returns when zmq4 has begun to queue the n-th message published,
// and so has queued those before it; or when the listener is closed.
func (l *Listener) WaitQueued(n uint64) { l.tap.wait(n) }

// Drain returns when all that is queued has been sent, or at the deadline.
func (l *Listener) Drain(deadline time.Time) {
	for _, c := range l.clients() {
		c.queue.drain(deadline)
	}
}

// Clients returns the number of clients that have introduced themselves.
func (l *Listener) Clients() int { return len(l.clients()) }

func (l *Listener) clients() []*Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]*Conn, 0, len(l.live))
	for c := range l.live {
		list = append(list, c)
	}
	return list
}

func (l *Listener) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// Close drops all clients and returns when the listener's goroutines have.
func (l *Listener) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	for _, conn := range l.half {
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
