package messaging

import (
	"sync"

	"github.com/go-zeromq/zmq4"

	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/wire"
)

const (
	// maxUnqueued is how many published messages zmq4 may hold that it has
	// not yet handed to the clients' own queues, which are bounded in bytes.
	maxUnqueued = 64

	// highWaterMark makes zmq4 drop messages silently; maxUnqueued keeps it
	// from ever being reached.
	highWaterMark = 16 * maxUnqueued
)

// A publisher sends messages to all front ends, in order.
type publisher struct {
	*socket
	codec *wire.Codec

	mu   sync.Mutex
	sent uint64
}

// newPublisher opens the iopub socket; welcome makes the message that greets a
// new subscriber (JEP 65).
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
	if p.sent++; p.sent > maxUnqueued {
		p.guard.WaitQueued(p.sent - maxUnqueued)
	}
	return nil
}

// settle returns when all messages published before the last are queued for
// their clients.
func (p *publisher) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guard.WaitQueued(p.sent)
}

// welcome greets a new subscriber, which has the subscription as topic and no
// parent (JEP 65).
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
}

// publish tells all front ends something about the request whose header is
// parent. It fails where content has no JSON.
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

// status publishes what the kernel does about a request.
func (s *Server) status(parent []byte, state wire.ExecutionState) {
	_ = s.publish(wire.TypeStatus, parent, wire.KernelStatus{ExecutionState: state}) // has JSON
}
