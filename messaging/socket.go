package messaging

import (
	"context"
	"io"
	"log"
	"net"

	"github.com/go-zeromq/zmq4"

	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/wire"
)

// newSocket maps each kind of socket to its constructor.
var newSocket = map[zmq4.SocketType]func(context.Context, ...zmq4.Option) zmq4.Socket{
	zmq4.Router: zmq4.NewRouter,
	zmq4.Rep:    zmq4.NewRep,
	zmq4.Pub:    zmq4.NewPub,
}

// A socket is a listening zmq4 socket behind its guard.
type socket struct {
	zmq4.Socket
	guard *guard.Listener
	port  int // may be 0 with ipc
}

// listen opens a socket at the given port of info, or with tcp at a free one if port is 0.
func listen(ctx context.Context, info ConnectionInfo, port int, config guard.Config) (*socket, error) {
	network, address, err := info.Address(port)
	if err != nil {
		return nil, err
	}
	l, err := guard.Listen(network, address, config)
	if err != nil {
		return nil, err
	}
	z := newSocket[config.Kind](ctx, zmq4.WithLogger(log.New(io.Discard, "", 0)))
	if err := z.Listen(l.Endpoint()); err != nil {
		return nil, err
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok {
		port = tcp.Port
	}
	return &socket{z, l, port}, nil
}

// A router is a socket that receives requests and sends replies.
type router struct {
	*socket
	codec *wire.Codec
}

// send sends m to the client that m.Identities name. If that client has
// disconnected, the message is lost, as with any ZeroMQ router.
func (r router) send(m *wire.Message) error {
	frames, err := r.codec.Encode(m)
	if err != nil {
		return err
	}
	_ = r.SendMulti(zmq4.NewMsgFrom(frames...))
	return nil
}

// receive calls f with each message until ctx ends. For a message that cannot be
// decoded, it calls refused with the error instead.
func (r router) receive(ctx context.Context, refused func(error), f func(*wire.Message)) {
	for ctx.Err() == nil {
		msg, err := r.Recv()
		if err != nil {
			continue // the error concerns this message only, or ctx has ended
		}
		m, err := r.codec.Decode(msg.Frames)
		if err != nil {
			refused(err)
			continue
		}
		// Decode finds no identities if the client has chosen the delimiter as its identity.
		if len(m.Identities) > 0 {
			r.guard.Authenticate(m.Identities[0])
		}
		f(m)
	}
}

// echo answers heartbeats until ctx ends.
func echo(ctx context.Context, s *socket) {
	for ctx.Err() == nil {
		if msg, err := s.Recv(); err == nil {
			_ = s.SendMulti(msg)
		}
	}
}
