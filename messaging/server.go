// Package messaging serves a Jupyter kernel: five ZeroMQ sockets, the order of
// messages on them, execution counts, history, interrupts and shutdown.
//
// The Kernel interface runs code; a cell shows results through an Output, which
// is bound to the request that it answers. The messages are those of "Messaging
// in Jupyter", protocol 5.5
// (https://jupyter-client.readthedocs.io/en/latest/messaging.html).
package messaging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/user"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/wire"
)

// maxSmallMessage bounds the size in bytes of what clients send on the heartbeat and iopub
// sockets: heartbeats and subscriptions.
const maxSmallMessage = 64 << 10

// A Server serves a Kernel on five sockets.
type Server struct {
	kernel  Kernel
	options Options
	rows    map[wire.Type]row // how to answer each type of message
	info    ConnectionInfo
	codec   *wire.Codec
	session wire.Session
	log     *log.Logger

	shell, control, stdin router
	iopub                 *publisher
	heartbeat             *socket

	subscribed        chan struct{} // closed when the first cell need not wait for a subscription
	firstSubscription sync.Once     // closes subscribed

	counter counter
	history *history
	running running
	prompts prompts

	usageMu sync.Mutex
	cpu     cpuTime // at the last usage_request

	exploring atomic.Bool // a front end has started the debugger, to list variables
	shells    subshells

	shutdown chan wire.Shutdown // the first shutdown request
	closing  context.Context    // done when the sockets close
	close    context.CancelFunc
	tasks    sync.WaitGroup
}

// NewServer returns a server that is already listening: clients can connect and send
// while the caller makes the kernel. NewServer chooses a free port for each port that is
// 0 in info; Connection returns the ports. The caller must call Serve.
func NewServer(info ConnectionInfo, options Options) (*Server, error) {
	codec, err := wire.NewCodec(info.SignatureScheme, info.Key)
	if err != nil {
		return nil, err
	}
	options = options.orDefault()
	s := &Server{
		options:  options,
		rows:     rows(),
		info:     info,
		codec:    codec,
		session:  wire.Session{ID: uuid.NewString(), Username: username()},
		log:      options.Log,
		shutdown: make(chan wire.Shutdown, 1),

		subscribed: make(chan struct{}),
	}
	s.closing, s.close = context.WithCancel(context.Background())
	if err := s.listen(); err != nil {
		s.closeSockets()
		return nil, fmt.Errorf("kernel: cannot listen: %w", err)
	}
	s.history = openHistory(options.HistoryFile, s.log)
	return s, nil
}

func username() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "kernel"
}

// listen opens the five sockets.
func (s *Server) listen() (err error) {
	// open returns a listening socket and sets *port to its port. After the first error it
	// does nothing.
	open := func(port *int, config guard.Config) *socket {
		if err != nil {
			return nil
		}
		config.Lost = func(addr net.Addr, reason error) { s.log.Printf("client %v dropped: %v", addr, reason) }
		var sock *socket
		if sock, err = listen(s.closing, s.info, *port, config); err != nil {
			return nil
		}
		*port = sock.port
		return sock
	}
	limits := s.options.Limits
	small := limits
	small.Message = maxSmallMessage
	s.shell = router{open(&s.info.ShellPort, guard.Config{Kind: zmq4.Router, Limits: limits}), s.codec}
	s.control = router{open(&s.info.ControlPort, guard.Config{Kind: zmq4.Router, Limits: limits}), s.codec}
	s.stdin = router{open(&s.info.StdinPort, guard.Config{Kind: zmq4.Router, Limits: limits}), s.codec}
	s.heartbeat = open(&s.info.HBPort, guard.Config{Kind: zmq4.Rep, Limits: small})
	pub := open(&s.info.IOPubPort, guard.Config{Kind: zmq4.Pub, Limits: small, Subscribed: s.welcome})
	if err != nil {
		return err
	}
	s.iopub, err = newPublisher(pub, s.codec)
	return err
}

// Connection returns the content of a connection file for this server.
func (s *Server) Connection() ConnectionInfo { return s.info }

// Interrupt cancels the requests in progress, if any. It does not wait for clients that do not read their outputs.
func (s *Server) Interrupt() {
	s.running.cancel(ErrInterrupted)
	s.iopub.guard.Hurry()
}

// Serve passes the requests of front ends to kernel until one of them requests a
// shutdown or ctx ends. It returns nil after a shutdown request, and otherwise the
// cause of ctx.
func (s *Server) Serve(ctx context.Context, kernel Kernel) error {
	s.kernel = kernel
	s.status(nil, wire.Starting)
	s.shells.add(s, mainShell)
	if s.options.Subshells {
		s.shells.addLanes(s)
	}
	s.tasks.Go(func() { echo(s.closing, s.heartbeat) })
	s.tasks.Go(func() { s.control.receive(s.closing, s.refused, s.onControl) })
	s.tasks.Go(func() { s.stdin.receive(s.closing, s.refused, s.onStdin) })
	s.tasks.Go(func() { s.shell.receive(s.closing, s.refused, s.onShell) })
	s.tasks.Go(s.watchInterrupts)
	var shutdown wire.Shutdown // zero if ctx ends
	var err error
	select {
	case shutdown = <-s.shutdown:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	s.stop(shutdown)
	return err
}

// refused logs a message that could not be decoded.
func (s *Server) refused(err error) { s.log.Printf("message refused: %v", err) }

// watchInterrupts interrupts the requests in progress at each signal.
func (s *Server) watchInterrupts() {
	for {
		select {
		case _, ok := <-s.options.Interrupts:
			if !ok {
				return
			}
			s.Interrupt()
		case <-s.closing.Done():
			return
		}
	}
}

// stop cancels the requests in progress, announces the shutdown to front ends, and closes
// the sockets once all queued messages are sent, or after Options.Grace.
func (s *Server) stop(shutdown wire.Shutdown) {
	deadline := time.Now().Add(s.options.Grace)
	s.shells.stop()
	s.running.cancel(ErrShutdown)
	s.shells.wait(deadline)
	s.kernel.Shutdown(shutdown.Restart)
	_ = s.publish(wire.TypeShutdownReply, nil, wire.ShutdownReply{Outcome: wire.OK, Restart: shutdown.Restart})
	s.iopub.waitQueued()
	for _, sock := range s.sockets() {
		sock.guard.Drain(deadline)
	}
	s.closeSockets()
	s.tasks.Wait()
	s.history.close()
}

// sockets returns the open sockets.
func (s *Server) sockets() (open []*socket) {
	list := []*socket{s.shell.socket, s.control.socket, s.stdin.socket, s.heartbeat}
	if s.iopub != nil {
		list = append(list, s.iopub.socket)
	}
	for _, sock := range list {
		if sock != nil {
			open = append(open, sock)
		}
	}
	return open
}

func (s *Server) closeSockets() {
	s.close()
	for _, sock := range s.sockets() {
		_ = sock.Close()
	}
}

// message returns a new message about the request whose header is parent. It
// fails if content cannot be encoded as JSON, for example because of a NaN.
func (s *Server) message(t wire.Type, parent []byte, content any) (*wire.Message, error) {
	body, err := encode(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	return &wire.Message{Header: s.session.Header(t), Parent: parent, Content: body}, nil
}

// encode returns the JSON of content, without escaping <, > and & for HTML.
func encode(content any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(content)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// The causes with which contexts of requests are cancelled (see context.Cause).
var (
	ErrInterrupted = errors.New("interrupted")
	ErrShutdown    = errors.New("the kernel shuts down")
)

// Options configures a Server. The zero Options is usable.
type Options struct {
	// HistoryFile is the file that keeps the history across sessions; if empty,
	// the history is in memory only.
	HistoryFile string

	// Interrupts delivers the signals (SIGINT) that interrupt the requests in progress.
	Interrupts <-chan os.Signal

	// Subshells lets front ends create subshells (JEP 91). The server then also
	// answers completion, inspection and comms while a cell runs, so the kernel's
	// methods must be safe for concurrent use.
	Subshells bool

	// Limits bound the memory that clients can make the server use.
	Limits guard.Limits

	// Grace is how long Serve waits after a shutdown for running cells and
	// unsent messages; 0 means 2 s.
	Grace time.Duration

	// Log receives a line for each refused message and lost client; nil
	// discards them.
	Log *log.Logger
}

// orDefault returns o with defaults for its zero fields.
func (o Options) orDefault() Options {
	if o.Grace == 0 {
		o.Grace = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = log.New(io.Discard, "", 0)
	}
	return o
}
