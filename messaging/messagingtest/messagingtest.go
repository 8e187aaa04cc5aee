// Package messagingtest runs kernels in this process, on sockets of the loopback
// interface, as net/http/httptest does for HTTP servers.
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

// A Server is a running messaging.Server.
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

// OwnAddress returns a loopback address that only this process uses. All its port
// numbers are 0, so that a server chooses free ports. No other process can then take the ports of a closed
// server before the next server of this process does. Only Linux has such addresses;
// elsewhere the address is 127.0.0.1.
func OwnAddress() messaging.ConnectionInfo {
	if runtime.GOOS != "linux" {
		return address("127.0.0.1")
	}
	pid := os.Getpid() // less than 2^22 on Linux
	return address(fmt.Sprintf("127.%d.%d.%d", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff))
}

// NewServerAt serves kernel at info until the test ends.
func NewServerAt(
	t testing.TB, info messaging.ConnectionInfo, kernel messaging.Kernel, options messaging.Options,
) *Server {
	t.Helper()
	s, err := messaging.NewServer(info, options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	server := &Server{Server: s, t: t, stop: stop, done: make(chan error, 1)}
	go func() {
		server.done <- s.Serve(ctx, kernel)
		close(server.done)
	}()
	t.Cleanup(server.Close)
	return server
}

// Wait waits for Serve to return, and returns its error.
func (s *Server) Wait() error { return <-s.done }

// Close stops the server and waits for it.
func (s *Server) Close() {
	s.stop()
	for range s.done {
	}
}

// Client returns a client of the kernel, connected until the test ends.
func (s *Server) Client() *client.Client {
	s.t.Helper()
	return s.ClientOf(client.Dialer{})
}

// ClientOf returns a client dialed by d, connected until the test ends.
func (s *Server) ClientOf(d client.Dialer) *client.Client {
	s.t.Helper()
	c, err := d.Dial(s.t.Context(), s.Connection())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}
