// Package messagingtest runs kernels in process, on real sockets of the
// loopback interface, as net/http/httptest does for servers of HTTP.
package messagingtest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
)

// A Server is a kernel being served.
type Server struct {
	*messaging.Server
	t    testing.TB
	stop context.CancelFunc
	done chan error
}

// NewServer serves kernel on free ports of 127.0.0.1 until the test ends.
func NewServer(t testing.TB, kernel messaging.Kernel, options messaging.Options) *Server {
	t.Helper()
	return NewServerAt(t, address("127.0.0.1"), kernel, options)
}

func address(ip string) messaging.ConnectionInfo {
	return messaging.ConnectionInfo{Transport: "tcp", IP: ip, Key: uuid.NewString(), SignatureScheme: "hmac-sha256"}
}

// OwnAddress returns free ports of an address of this process: a server that
// was closed is followed there by another, and no other process gets one of
// its ports in between. Linux alone has such addresses; elsewhere it is 127.0.0.1.
func OwnAddress() messaging.ConnectionInfo {
	if runtime.GOOS != "linux" {
		return address("127.0.0.1")
	}
	pid := os.Getpid()
	return address(fmt.Sprintf("127.%d.%d.%d", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff))
}

// NewServerAt serves kernel at info until the test ends.
func NewServerAt(t testing.TB, info messaging.ConnectionInfo, kernel messaging.Kernel, options messaging.Options) *Server {
	t.Helper()
	s, err := messaging.NewServer(info, kernel, options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	server := &Server{Server: s, t: t, stop: stop, done: make(chan error, 1)}
	go func() {
		server.done <- s.Serve(ctx)
		close(server.done)
	}()
	t.Cleanup(server.Close)
	return server
}

// Wait returns what Serve returned, once it has.
func (s *Server) Wait() error { return <-s.done }

// Close ends the server.
func (s *Server) Close() {
	s.stop()
	for range s.done { // until it is closed
	}
}

// Client returns a front end of the kernel, connected until the test ends.
func (s *Server) Client() *client.Client {
	s.t.Helper()
	return s.ClientOf(client.Dialer{})
}

// ClientOf is Client for a dialer.
func (s *Server) ClientOf(d client.Dialer) *client.Client {
	s.t.Helper()
	c, err := d.Dial(s.t.Context(), s.Connection())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}
