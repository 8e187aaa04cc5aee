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

// scheme is the name of this package's transport in endpoints of zmq4.
const scheme = "guard"

func init() {
	if err := zmq4.RegisterTransport(scheme, guarded{}); err != nil {
		panic(err) // another package has registered the name
	}
}

// waiting maps names to the listeners that zmq4 has not yet asked for.
var waiting sync.Map

// guarded is the transport. Its Listen takes the name of a Listener in waiting,
// its Dial takes "network/address".
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
	return newDialedConn(conn), nil
}

// DialEndpoint returns the endpoint to give to the Dial of a zmq4 socket that
// connects to a trusted server at address. Reads are buffered and writes are
// whole messages; zmq4's own transports make several system calls for each
// frame.
func DialEndpoint(network, address string) string {
	return scheme + "://" + network + "/" + address
}
