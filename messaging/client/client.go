// Package client is a Jupyter front end without a face: it runs cells on a
// kernel and hands over what they show, in order.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/wire"
)

// dialRetry is how long to wait for a kernel that does not listen yet.
const dialRetry = 10 * time.Millisecond

// lossGrace is how long after the first socket the others are given up: the
// replies of a kernel that shuts down may still be on their way.
const lossGrace = time.Second

// ErrClosed is the error of a call on a client that was closed or has lost its
// kernel.
var ErrClosed = errors.New("client: connection is closed")

// A Channel is one of the two that take requests.
type Channel int

// The channels of requests. Those on Control are answered while a cell runs.
const (
	Shell Channel = iota
	Control
)

// A Client is connected to one kernel. It is safe for concurrent use.
type Client struct {
	codec   *wire.Codec
	session string
	serial  atomic.Uint64
	watch   func(*wire.Message)

	requests  [2]zmq4.Socket // by Channel
	stdin     zmq4.Socket
	iopub     zmq4.Socket
	heartbeat zmq4.Socket
	beat      sync.Mutex // held by a heartbeat under way

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	hello  chan struct{} // closed at iopub_welcome
	greet  sync.Once

	mu    sync.Mutex
	calls map[string]*Call // by the id of the request
}

// A Dialer makes clients. The zero Dialer is usable.
type Dialer struct {
	// Published, where not nil, is called with every message on iopub, in
	// order, from one goroutine.
	Published func(*wire.Message)
}

// Dial connects to the kernel of a connection file.
func Dial(ctx context.Context, info wire.ConnectionInfo) (*Client, error) {
	return Dialer{}.Dial(ctx, info)
}

// Dial connects to a kernel, which may be about to start, and returns once
// nothing that the kernel publishes will be missed. The kernel is to greet new
// subscribers (JEP 65). ctx bounds the connecting alone.
func (d Dialer) Dial(ctx context.Context, info wire.ConnectionInfo) (*Client, error) {
	codec, err := wire.NewCodec(info.SignatureScheme, info.Key)
	if err != nil {
		return nil, err
	}
	c := &Client{
		codec:   codec,
		session: uuid.NewString(),
		watch:   d.Published,
		hello:   make(chan struct{}),
		calls:   make(map[string]*Call),
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

// connect opens the sockets and waits to be greeted.
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
	case <-c.hello:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// open opens the sockets.
func (c *Client) open(info wire.ConnectionInfo) error {
	options := []zmq4.Option{
		zmq4.WithID(zmq4.SocketIdentity(c.session)), // input_request goes to the identity of the shell
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

// sources returns the sockets that messages come from.
func (c *Client) sources() []zmq4.Socket {
	return []zmq4.Socket{c.iopub, c.requests[Shell], c.requests[Control], c.stdin}
}

// receive hands messages to the calls they belong to, until the socket is lost
// or the client closed. A client that has lost one socket is of no use.
func (c *Client) receive(socket zmq4.Socket) {
	defer func() { time.AfterFunc(lossGrace, c.cancel) }()
	for {
		msg, err := socket.Recv()
		if err != nil {
			return
		}
		if m, err := c.codec.Decode(msg.Frames); err == nil { // else another's, or damaged
			c.deliver(m)
		}
	}
}

// deliver hands m to the call that it answers, if it answers one.
func (c *Client) deliver(m *wire.Message) {
	if m.Header.MsgType == wire.TypeIOPubWelcome {
		c.greet.Do(func() { close(c.hello) })
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

// Close ends the connection; the kernel runs on.
func (c *Client) Close() {
	c.cancel()
	for _, s := range append(c.sources(), c.heartbeat) {
		if s != nil {
			_ = s.Close()
		}
	}
	c.tasks.Wait()
}

// message returns a message of this client.
func (c *Client) message(t wire.Type, parent []byte, content any) (*wire.Message, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	return &wire.Message{
		Header: wire.Header{
			MsgID:    c.session + "_" + strconv.FormatUint(c.serial.Add(1), 10),
			MsgType:  t,
			Session:  c.session,
			Username: "goanvil",
			Date:     wire.Date(time.Now()),
			Version:  wire.ProtocolVersion,
		},
		Parent:  parent,
		Content: body,
	}, nil
}

// send signs m and sends it.
func (c *Client) send(socket zmq4.Socket, m *wire.Message) error {
	frames, err := c.codec.Encode(m)
	if err != nil {
		return err
	}
	return socket.SendMulti(zmq4.NewMsgFrom(frames...))
}

// Heartbeat returns once the kernel's heartbeat has answered. When ctx ends
// first the client is of no further use.
func (c *Client) Heartbeat(ctx context.Context) error {
	c.beat.Lock()
	defer c.beat.Unlock()
	stop := context.AfterFunc(ctx, func() { // a request cannot be taken back
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
