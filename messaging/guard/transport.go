package guard

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/transport"
)

// scheme is the name of this package's transport in endpoints of zmq4.
const scheme = "guard"

func init() {
	if err := zmq4.RegisterTransport(scheme, guarded{}); err != nil {
		panic(err) // another package has registered the name
	}
}

// waiting maps names to the *Listeners that no zmq4 socket has yet taken with Listen.
var waiting sync.Map

// guarded is the transport. Its Listen takes the name of a Listener in waiting and
// returns that Listener. Its Dial takes an address of the form "network/address".
type guarded struct{}

var _ transport.Transport = guarded{}

func (guarded) Addr(endpoint string) (string, error) { return endpoint, nil }

func (guarded) Listen(_ context.Context, name string) (net.Listener, error) {
	l, ok := waiting.LoadAndDelete(name)
	if !ok {
		return nil, fmt.Errorf("listen(%s): no listener waits under this name; pass the Endpoint of a Listener to one socket only",
			name)
	}
	return l.(*Listener), nil
}

func (guarded) Dial(ctx context.Context, d transport.Dialer, addr string) (net.Conn, error) {
	network, address, _ := strings.Cut(addr, "/")
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &dialedConn{Conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// DialEndpoint returns the endpoint to pass to the Dial method of a zmq4 socket that
// connects to a trusted server at address. The connection buffers what it reads,
// and sends each message in one write, while zmq4's own transports make several system calls for each frame.
func DialEndpoint(network, address string) string {
	return scheme + "://" + network + "/" + address
}

// A dialedConn is a connection to a trusted server. It buffers reads and writes to save
// system calls: zmq4 reads each frame in two or three pieces and writes it in two.
type dialedConn struct {
	net.Conn
	reader  *bufio.Reader
	greeted bool
	out     assembler
}

func (d *dialedConn) Read(p []byte) (int, error) { return d.reader.Read(p) }

// Write sends the greeting at once, and messages once they are complete.
func (d *dialedConn) Write(p []byte) (int, error) {
	if !d.greeted {
		d.greeted = true // zmq4 writes the greeting in one call
		return d.Conn.Write(p)
	}
	for rest := p; len(rest) > 0; {
		var message []byte
		if message, rest = d.out.next(rest); message == nil {
			continue
		}
		if _, err := d.Conn.Write(message); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
