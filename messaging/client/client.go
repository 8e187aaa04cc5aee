// Package client is a Jupyter front end without a user interface: it runs cells
// on a kernel and delivers their outputs in order.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/wire"
)

// dialRetry is the time between attempts to connect to a kernel that does not
// listen yet.
const dialRetry = 10 * time.Millisecond

// lossGrace is the time between the loss of one socket and the closing of the
// others. In this time the last replies of a kernel that shuts down can arrive.
const lossGrace = time.Second

// ErrClosed is the error of a call on a client that was closed or has lost its
// kernel.
var ErrClosed = errors.New("client: connection is closed")

// A Channel is one of the two channels for requests.
type Channel int

// The channels for requests. Requests on Control are answered while a cell runs.
const (
	Shell Channel = iota
	Control
)

// A Client is connected to one kernel. It is safe for concurrent use.
type Client struct {
	codec   *wire.Codec
	session wire.Session
	watch   func(*wire.Message) // Dialer.Published, or nil

	requests  [2]zmq4.Socket // by Channel
	stdin     zmq4.Socket
	iopub     zmq4.Socket
	heartbeat zmq4.Socket
	beat      sync.Mutex // held during a heartbeat

	ctx         context.Context // done when the client is closed
	cancel      context.CancelFunc
	tasks       sync.WaitGroup
	welcomed    chan struct{} // closed at iopub_welcome
	welcomeOnce sync.Once

	mu    sync.Mutex
	calls map[string]*Call // by the id of the request
}

// A Dialer connects clients. The zero Dialer is usable.
type Dialer struct {
	// Published, if not nil, is called with every message on iopub but shutdown_reply,
	// in order, from one goroutine.
	Published func(*wire.Message)
}

// Dial connects to the kernel of a connection file.
func Dial(ctx context.Context, info wire.ConnectionInfo) (*Client, error) {
	return Dialer{}.Dial(ctx, info)
}

// Dial connects to a kernel, which need not be listening yet. The kernel must send
// iopub_welcome (JEP 65): Dial waits for it, so that the client misses no message that
// is published after Dial returns. ctx bounds Dial only; the client outlives it.
func (d Dialer) Dial(ctx context.Context, info wire.ConnectionInfo) (*Client, error) {
	codec, err := wire.NewCodec(info.SignatureScheme, info.Key)
	if err != nil {
		return nil, err
	}
	c := &Client{
		codec:   codec,
		session: wire.Session{ID: uuid.NewString(), Username: "goanvil"},
		watch:   d.Published,
		calls:   make(map[string]*Call),

		welcomed: make(chan struct{}),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, c.cancel)
	err = c.connect(ctx, info)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("dial kernel: %w", err)
	}
	return c, nil
}

// connect opens the sockets, subscribes, and waits for iopub_welcome.
func (c *Client) connect(ctx context.Context, info wire.ConnectionInfo) error {
	if err := c.open(info); err != nil {
		return err
	}
	for _, socket := range c.sources() {
		c.tasks.Go(func() { c.receive(socket) })
	}
	if err := c.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return err
	}
	select {
	case <-c.welcomed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// open opens the sockets.
func (c *Client) open(info wire.ConnectionInfo) error {
	options := []zmq4.Option{
		// All sockets have the same identity, since the kernel sends input_request to the
		// identity of the shell socket.
		zmq4.WithID(zmq4.SocketIdentity(c.session.ID)),
		zmq4.WithDialerRetry(dialRetry),
		zmq4.WithDialerMaxRetries(-1),
		zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	for _, s := range []struct {
		socket *zmq4.Socket
		make   func(context.Context, ...zmq4.Option) zmq4.Socket
		port   int
	}{
		{&c.iopub, zmq4.NewSub, info.IOPubPort},
		{&c.requests[Shell], zmq4.NewDealer, info.ShellPort},
		{&c.requests[Control], zmq4.NewDealer, info.ControlPort},
		{&c.stdin, zmq4.NewDealer, info.StdinPort},
		{&c.heartbeat, zmq4.NewReq, info.HBPort},
	} {
		network, address, err := info.Address(s.port)
		if err != nil {
			return err
		}
		*s.socket = s.make(c.ctx, options...)
		if err := (*s.socket).Dial(guard.DialEndpoint(network, address)); err != nil {
			return err
		}
	}
	return nil
}

// sources returns the sockets that receive Jupyter messages: all but the heartbeat.
func (c *Client) sources() []zmq4.Socket {
	return []zmq4.Socket{c.iopub, c.requests[Shell], c.requests[Control], c.stdin}
}

// receive delivers messages until the socket fails or the client is closed. The
// failure of one socket closes the client after lossGrace.
func (c *Client) receive(socket zmq4.Socket) {
	defer func() { time.AfterFunc(lossGrace, c.cancel) }()
	for {
		msg, err := socket.Recv()
		if err != nil {
			return
		}
		if m, err := c.codec.Decode(msg.Frames); err == nil { // a wrong signature or a malformed message is ignored
			c.deliver(m)
		}
	}
}

// deliver passes m to Dialer.Published if it was published, and to the call that it answers, if any.
func (c *Client) deliver(m *wire.Message) {
	if m.Header.MsgType == wire.TypeIOPubWelcome {
		c.welcomeOnce.Do(func() { close(c.welcomed) })
	}
	if role := wire.RoleOf(m.Header.MsgType); c.watch != nil && role == wire.Published {
		c.watch(m)
	}
	c.mu.Lock()
	call := c.calls[m.ParentHeader().MsgID]
	c.mu.Unlock()
	if call != nil {
		call.put(m)
	}
}

// Close closes the connection; the kernel keeps running.
func (c *Client) Close() {
	c.cancel()
	for _, s := range append(c.sources(), c.heartbeat) {
		if s != nil {
			_ = s.Close()
		}
	}
	c.tasks.Wait()
}

// message returns a new message. parent is the header of the message that it answers, or
// nil.
func (c *Client) message(t wire.Type, parent []byte, content any) (*wire.Message, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	return &wire.Message{Header: c.session.Header(t), Parent: parent, Content: body}, nil
}

// send signs m and sends it.
func (c *Client) send(socket zmq4.Socket, m *wire.Message) error {
	frames, err := c.codec.Encode(m)
	if err != nil {
		return err
	}
	return socket.SendMulti(zmq4.NewMsgFrom(frames...))
}

// Heartbeat sends a heartbeat to the kernel and waits for the answer. If ctx ends
// first, the client is closed.
func (c *Client) Heartbeat(ctx context.Context) error {
	c.beat.Lock()
	defer c.beat.Unlock()
	stop := context.AfterFunc(ctx, func() { // closing is the only way to end Recv
		c.cancel()
		_ = c.heartbeat.Close()
	})
	defer stop()
	if err := c.heartbeat.SendMulti(zmq4.NewMsgString("ping")); err != nil {
		return err
	}
	_, err := c.heartbeat.Recv()
	return err
}
