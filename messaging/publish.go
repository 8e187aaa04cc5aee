package messaging

import (
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/wire"
)

const (
	// maxUnqueued and maxUnqueuedBytes bound the number and the size of the published
	// messages that zmq4 holds before it writes them to the clients' queues. Package guard
	// keeps those queues, which have a bound of their own.
	maxUnqueued      = 64
	maxUnqueuedBytes = 1 << 20

	// highWaterMark is the number of queued messages at which zmq4 starts to drop
	// messages silently. It is never reached, because maxUnqueued is smaller.
	highWaterMark = 16 * maxUnqueued
)

// maxSubscribeWait bounds how long the first cell waits for a client to subscribe.
var maxSubscribeWait = time.Second

// A publisher sends messages to all front ends, in order.
type publisher struct {
	*socket
	codec *wire.Codec

	mu       sync.Mutex
	sent     uint64 // number of messages published
	unqueued int    // the size in bytes of the published messages that zmq4 may not have begun to queue for clients
}

// newPublisher returns a publisher on the iopub socket s.
func newPublisher(s *socket, codec *wire.Codec) (*publisher, error) {
	if err := s.SetOption(zmq4.OptionHWM, highWaterMark); err != nil {
		return nil, err
	}
	s.guard.WaitReady()
	return &publisher{socket: s, codec: codec}, nil
}

// publish sends m, waiting while zmq4 holds too many messages.
func (p *publisher) publish(m *wire.Message) error {
	frames, err := p.codec.Encode(m)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		return err
	}
	for _, f := range frames {
		p.unqueued += len(f)
	}
	if p.sent++; p.unqueued > maxUnqueuedBytes {
		p.guard.WaitQueued(p.sent)
		p.unqueued = 0
	} else if p.sent > maxUnqueued {
		p.guard.WaitQueued(p.sent - maxUnqueued)
	}
	return nil
}

// waitQueued waits until all published messages but the last are queued for their clients,
// and zmq4 has begun to queue the last.
func (p *publisher) waitQueued() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guard.WaitQueued(p.sent)
}

// welcome sends iopub_welcome to a new subscriber, with the subscription as
// topic and without a parent (JEP 65).
func (s *Server) welcome(c *guard.Conn, topic []byte) {
	m, err := s.message(wire.TypeIOPubWelcome, nil, map[string]string{"subscription": string(topic)})
	if err != nil {
		s.log.Print(err)
		return
	}
	m.Identities = [][]byte{topic}
	if frames, err := s.codec.Encode(m); err == nil {
		c.Send(frames)
	}
	s.firstSubscription.Do(func() { close(s.subscribed) })
}

// awaitSubscriber waits until the first client has subscribed. A client's sockets connect one after another, so
// its first cell may arrive before its subscription, and the cell's outputs would be lost. If no client subscribes
// within maxSubscribeWait, neither this cell nor later ones wait any longer.
func (s *Server) awaitSubscriber() {
	select {
	case <-s.subscribed:
	case <-s.closing.Done():
	case <-time.After(maxSubscribeWait):
		s.firstSubscription.Do(func() { close(s.subscribed) })
	}
}

// publish sends a message to all front ends about the request whose header is
// parent. It fails if content cannot be encoded as JSON.
func (s *Server) publish(t wire.Type, parent []byte, content any) error {
	m, err := s.message(t, parent, content)
	if err != nil {
		s.log.Print(err)
		return err
	}
	m.Identities = [][]byte{[]byte(t)}
	if err := s.iopub.publish(m); err != nil {
		s.log.Printf("publish %s: %v", t, err) // the sockets are closed
	}
	return nil
}

// status publishes the kernel's execution state for the request whose header is
// parent.
func (s *Server) status(parent []byte, state wire.ExecutionState) {
	_ = s.publish(wire.TypeStatus, parent, wire.KernelStatus{ExecutionState: state}) // cannot fail
}
