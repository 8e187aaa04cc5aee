package guard

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// TestSockets checks that the sockets of zmq4 exchange messages through a listener and the transport.
func TestSockets(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	open := func(kind zmq4.SocketType, server zmq4.Socket, config Config) *Listener {
		t.Helper()
		config.Kind, config.Limits = kind, DefaultLimits
		l, err := Listen("tcp", "127.0.0.1:0", config)
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Listen(l.Endpoint()); err != nil {
			t.Fatal(err)
		}
		if err := server.Listen(l.Endpoint()); err == nil || !strings.HasSuffix(err.Error(), ": no listener waits under this name; pass the Endpoint of a Listener to one socket only") {
			t.Errorf("a listener is taken twice: %v", err)
		}
		return l
	}
	dial := func(client zmq4.Socket, l *Listener) {
		t.Helper()
		if err := client.Dial(DialEndpoint("tcp", l.Addr().String())); err != nil {
			t.Fatal(err)
		}
	}
	receive := func(s zmq4.Socket) string {
		t.Helper()
		m, err := s.Recv()
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, f := range m.Frames {
			parts = append(parts, string(f))
		}
		return strings.Join(parts, "|")
	}

	router := zmq4.NewRouter(ctx)
	l := open(zmq4.Router, router, Config{})
	dealer := zmq4.NewDealer(ctx, zmq4.WithID(zmq4.SocketIdentity("me")))
	dial(dealer, l)
	long := strings.Repeat("x", 1<<17)
	for _, text := range []string{"a", "", long} {
		if err := dealer.SendMulti(zmq4.NewMsgFrom([]byte("to"), []byte(text))); err != nil {
			t.Fatal(err)
		}
		if got := receive(router); got != "me|to|"+text {
			t.Errorf("the router receives %.50q", got)
		}
		if err := router.SendMulti(zmq4.NewMsgFrom([]byte("me"), []byte("back"), []byte(text))); err != nil {
			t.Fatal(err)
		}
		if got := receive(dealer); got != "back|"+text {
			t.Errorf("the dealer receives %.50q", got)
		}
	}
	l.Drain(time.Now().Add(time.Minute)) // everything is sent
	if n := len(l.clients()); n != 1 {
		t.Errorf("%d clients", n)
	}
	if err := errors.Join(l.Close(), l.Close()); err != nil || len(l.clients()) != 0 {
		t.Errorf("closed: %v, %d clients", err, len(l.clients()))
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener accepts: %v", err)
	}

	pub := zmq4.NewPub(ctx)
	l = open(zmq4.Pub, pub, Config{Subscribed: func(c *Conn, topic []byte) {
		c.Send([][]byte{topic, []byte("welcome")})
	}})
	l.WaitReady()
	sub := zmq4.NewSub(ctx)
	dial(sub, l)
	if err := sub.SetOption(zmq4.OptionSubscribe, "t"); err != nil {
		t.Fatal(err)
	}
	if got := receive(sub); got != "t|welcome" {
		t.Errorf("the subscriber receives %q", got)
	}
	for _, topic := range []string{"t1", "other", "t2"} {
		if err := pub.SendMulti(zmq4.NewMsgFrom([]byte(topic), []byte("m"))); err != nil {
			t.Fatal(err)
		}
	}
	l.WaitQueued(3)
	for _, want := range []string{"t1|m", "t2|m"} {
		if got := receive(sub); got != want {
			t.Errorf("the subscriber receives %q, want %q", got, want)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	l.WaitReady() // a closed listener keeps nobody waiting
	l.WaitQueued(9)
	for _, s := range []zmq4.Socket{dealer, sub, router, pub} {
		_ = s.Close()
	}
}

// TestDialErrors checks that a server that is not there is an error.
func TestDialErrors(t *testing.T) {
	path := t.TempDir() + "/none"
	_, err := guarded{}.Dial(t.Context(), &net.Dialer{}, "unix/"+path)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if got := DialEndpoint("unix", path); got != "guard://unix/"+path {
		t.Error(got)
	}
	if _, err := Listen("nowhere", "", Config{}); err == nil {
		t.Error("a network that is none was accepted")
	}
}
