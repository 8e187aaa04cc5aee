package guard

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/transport"
)

// scheme is the name under which zmq4 knows this package's transport.
const scheme = "guard"

func init() {
	if err := zmq4.RegisterTransport(scheme, guarded{}); err != nil {
		panic(err) // another package has taken the name
	}
}

// waiting holds the listeners that zmq4 has yet to ask for, by address.
var waiting sync.Map

// guarded is the transport. An address to listen on is the name of a Listener
// in waiting, one to dial is "network/address".
type guarded struct{}

var _ transport.Transport = guarded{}

func (guarded) Addr(endpoint string) (string, error) { return endpoint, nil }

func (guarded) Listen(_ context.Context, name string) (net.Listener, error) {
	l, ok := waiting.LoadAndDelete(name)
	if !ok {
		return nil, fmt.Errorf("listen(%s): no such listener; use the Endpoint of one that Listen returned", name)
	}
	return l.(*Listener), nil
}

func (guarded) Dial(ctx context.Context, d transport.Dialer, addr string) (net.Conn, error) {
	network, address, _ := strings.Cut(addr, "/")
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return newDialed(conn), nil
}

// DialEndpoint returns the endpoint for the Dial of a zmq4 socket that
// connects to address. What it receives is trusted; reads and writes are whole
// messages, which zmq4's own transports break into several system calls for
// each frame.
func DialEndpoint(network, address string) string {
	return scheme + "://" + network + "/" + address
}
