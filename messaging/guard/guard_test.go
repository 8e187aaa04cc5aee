package guard

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Messages come out whole, however the bytes are split.
func TestAssembler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		skip := rapid.IntRange(0, 70).Draw(t, "skip")
		stream := make([]byte, skip)
		var want [][]byte
		for range rapid.IntRange(0, 5).Draw(t, "messages") {
			var m []byte
			frames := rapid.IntRange(1, 4).Draw(t, "frames")
			for i := range frames {
				flags := byte(flagMore)
				if i == frames-1 {
					flags = 0
				}
				size := rapid.SampledFrom([]int{0, 1, 255, 256, 1000}).Draw(t, "size")
				m = appendFrame(m, flags, bytes.Repeat([]byte{'x'}, size))
			}
			want = append(want, m)
			stream = append(stream, m...)
		}
		a := assembler{skip: skip}
		var got [][]byte
		for len(stream) > 0 {
			n := rapid.IntRange(1, len(stream)).Draw(t, "n")
			for rest := stream[:n]; len(rest) > 0; {
				var m []byte
				if m, rest = a.next(rest); m != nil {
					got = append(got, m)
				}
			}
			stream = stream[n:]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestAssemblerOfHeaders(t *testing.T) {
	a := assembler{headersOnly: true}
	stream := appendFrame(appendFrame(nil, flagMore, make([]byte, 1000)), 0, []byte("abc"))
	m, rest := []byte(nil), stream
	for len(rest) > 0 && m == nil {
		m, rest = a.next(rest)
	}
	if len(m) != longHeader+shortHeader || len(rest) != 0 {
		t.Errorf("message of %d bytes, %d left", len(m), len(rest))
	}
}

func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b net.Buffers
		var want []byte
		for _, s := range rapid.SliceOfN(rapid.StringN(1, 20, -1), 1, 10).Draw(t, "buffers") {
			b = append(b, []byte(s))
			want = append(want, s...)
		}
		n := rapid.IntRange(1, 50).Draw(t, "n")
		var got []byte
		for len(b) > 0 {
			var head net.Buffers
			head, b = split(b, n)
			part := bytes.Join(head, nil)
			if len(part) == 0 || len(part) > n {
				t.Fatalf("a part of %d bytes, want 1 to %d", len(part), n)
			}
			got = append(got, part...)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestProperties(t *testing.T) {
	p, err := parseProperties([]byte("\x0bsocket-TYPE\x00\x00\x00\x03SUB\x01x\x00\x00\x00\x00\x08Identity\x00\x00\x00\x02id"))
	if err != nil || p != (peer{zmq4.Sub, "id"}) {
		t.Errorf("%+v, %v", p, err)
	}
}

// FuzzHandshake feeds arbitrary bytes to a handshake: it fails or returns a peer
// that may connect.
func FuzzHandshake(f *testing.F) {
	f.Add(peer{zmq4.Dealer, "id"}.handshake())
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(append(greeting[:], 4, 20, 5, 'R', 'E', 'A', 'D', 'Y', 255, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		rw := struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(data), io.Discard}
		p, err := shakeHands(rw, zmq4.Router)
		if err == nil && !p.kind.IsCompatible(zmq4.Router) {
			t.Errorf("let %q in", p.kind)
		}
	})
}

// FuzzReceive feeds arbitrary bytes to a connection after the handshake: zmq4
// reads whole messages within the limit, without commands, and then io.EOF.
func FuzzReceive(f *testing.F) {
	f.Add(false, appendFrame(appendFrame(nil, flagMore, []byte("a")), 0, make([]byte, 300)))
	f.Add(true, appendCommand(nil, zmq4.CmdSubscribe, []byte("topic")))
	f.Add(false, appendCommand(appendFrame(nil, flagMore, nil), zmq4.CmdPing, []byte("\x00\x00ctx")))
	f.Add(false, []byte{flagLong, 0x40, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, pub bool, data []byte) {
		const limit = 4096
		server, client := net.Pipe()
		defer client.Close()
		config := Config{Kind: zmq4.Router, Limits: Limits{Message: limit}.orDefault()}
		if pub {
			config.Kind = zmq4.Pub
		}
		c := newConn(&Listener{config: config}, server, bufio.NewReader(bytes.NewReader(data)), peer{})
		c.in = nil
		got, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		var a assembler
		for len(got) > 0 {
			var m []byte
			if m, got = a.next(got); m != nil && (len(m) > limit || m[0]&flagCommand != 0) {
				t.Errorf("a message of %d bytes, flags %#x", len(m), m[0])
			}
		}
		if len(a.message) > 0 {
			t.Errorf("%d bytes of a message that is not whole", len(a.message))
		}
	})
}

// pipe returns a queue and the client's end of its connection.
func pipe(t *testing.T, limits Limits) (*queue, net.Conn) {
	server, far := net.Pipe() // has no buffer: bytes are sent when they are read
	q := newQueue(server, limits.orDefault())
	done := make(chan struct{})
	go func() { q.run(); close(done) }()
	t.Cleanup(func() { q.close(); _ = far.Close(); <-done })
	return q, far
}

func TestQueueSendsInOrder(t *testing.T) {
	q, far := pipe(t, Limits{})
	var want strings.Builder
	go func() {
		for i := range 1000 {
			q.push([]byte(fmt.Sprintln("message", i)))
		}
		q.drain(time.Now().Add(time.Minute))
		q.close()
	}()
	for i := range 1000 {
		fmt.Fprintln(&want, "message", i)
	}
	got, err := io.ReadAll(far)
	if err != nil || string(got) != want.String() {
		t.Errorf("got %d bytes, want %d; %v", len(got), want.Len(), err)
	}
}

// An empty queue takes a message of any size. Later messages wait for room, and
// if there is none in time the client loses its connection.
func TestQueueIsBounded(t *testing.T) {
	q, far := pipe(t, Limits{Queue: 10, Stall: time.Millisecond})
	if !q.push(make([]byte, 1000)) {
		t.Fatal("the first message was refused")
	}
	if q.push([]byte("x")) {
		t.Fatal("a message was taken beyond the limit")
	}
	if _, err := io.ReadAll(far); err != nil && err != io.ErrClosedPipe {
		t.Errorf("the client's connection: %v", err)
	}
	if q.push(nil) {
		t.Error("a closed queue took a message")
	}
}

// A queue that is hurried takes messages for a client that does not read, up to twice its limit.
func TestQueueHurries(t *testing.T) {
	q, far := pipe(t, Limits{Queue: 10, Stall: time.Minute})
	if !q.push(make([]byte, 10)) {
		t.Fatal("the first message was refused")
	}
	pushed := make(chan bool)
	go func() { pushed <- q.push(make([]byte, 8)) }()
	q.hurry()
	if !<-pushed || !q.push([]byte("xy")) {
		t.Fatal("a hurried queue refused a message")
	}
	go func() { pushed <- q.push([]byte("z")) }()
	if _, err := io.ReadFull(far, make([]byte, 21)); err != nil {
		t.Error(err)
	}
	if !<-pushed {
		t.Error("an emptied queue refused a message")
	}
	q.drain(time.Now().Add(time.Minute))
	if !q.push(make([]byte, 10)) || q.hasRoom([]byte("z")) {
		t.Error("an emptied queue has no limit")
	}
}

func TestQueueWaitsForAClientThatReads(t *testing.T) {
	q, far := pipe(t, Limits{Queue: 10, Stall: time.Minute})
	go func() {
		for range 100 {
			q.push(make([]byte, 7))
		}
		q.drain(time.Now().Add(time.Minute))
		q.close()
	}()
	if n, err := io.Copy(io.Discard, far); n != 700 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// The queue waits without limit for a client that reads faster than minRate, and not
// for a slower one.
func TestQueueAsksForAFairRate(t *testing.T) {
	for pause, want := range map[time.Duration]bool{chunk * time.Second / (2 * minRate): true, 3 * chunk * time.Second / minRate: false} {
		synctest.Test(t, func(t *testing.T) {
			q, far := pipe(t, Limits{Queue: 4 * chunk, Stall: 2 * time.Second})
			var reader sync.WaitGroup
			reader.Go(func() {
				for {
					if _, err := io.ReadFull(far, make([]byte, chunk)); err != nil {
						return
					}
					time.Sleep(pause)
				}
			})
			connected := true
			for range 200 {
				connected = q.push(make([]byte, chunk)) && connected
			}
			if connected != want {
				t.Errorf("a client that reads %d bytes every %v: still connected %v", chunk, pause, connected)
			}
			q.close()
			_ = far.Close()
			reader.Wait()
		})
	}
}

func TestClientThatTakesNothingIsLost(t *testing.T) {
	q, _ := pipe(t, Limits{Write: time.Millisecond})
	q.push([]byte("x"))
	q.drain(time.Now().Add(time.Minute)) // returns when the client is lost
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		t.Error("the client was not dropped")
	}
}

// bubble returns a listener without a network, and the two ends of a connection to
// it. In a synctest bubble the deadlines of the connection take no real time.
func bubble(limits Limits) (l *Listener, near, far net.Conn) {
	near, far = net.Pipe()
	l = &Listener{
		config: Config{Kind: zmq4.Router, Limits: limits.orDefault()},
		ready:  make(chan net.Conn), done: make(chan struct{}),
	}
	return l, near, far
}

// A client that does not complete its handshake is dropped at the deadline,
// however much of its greeting has arrived.
func TestHandshakeDeadline(t *testing.T) {
	for _, sent := range []int{0, 30, greetingSize} {
		synctest.Test(t, func(t *testing.T) {
			l, near, far := bubble(Limits{})
			began := time.Now()
			go l.welcome(near)
			var writer sync.WaitGroup
			writer.Go(func() { _, _ = far.Write(peer{zmq4.Dealer, ""}.handshake()[:sent]) })
			if _, err := io.Copy(io.Discard, far); err != nil {
				t.Error(err)
			}
			writer.Wait()
			if waited := time.Since(began); waited != l.config.Limits.Handshake {
				t.Errorf("after %d bytes were sent, dropped after %v", sent, waited)
			}
		})
	}
}

// A client that stops in the middle of a message is dropped; one that is silent
// between messages is not.
func TestMessageThatDoesNotGoOn(t *testing.T) {
	first := appendFrame(nil, flagMore, []byte("x"))
	for name, begun := range map[string][]byte{
		"body":   appendFrame(nil, 0, make([]byte, 1000))[:100],
		"header": first,
		"length": append(first[:len(first):len(first)], flagLong, 0),
	} {
		synctest.Test(t, func(t *testing.T) {
			l, near, far := bubble(Limits{})
			c := newConn(l, near, bufio.NewReader(near), peer{})
			c.in = nil
			const silence = time.Hour
			var writer sync.WaitGroup
			writer.Go(func() {
				_, _ = far.Write(appendFrame(nil, 0, []byte("whole")))
				time.Sleep(silence)
				_, _ = far.Write(begun)
			})
			began := time.Now()
			got, err := io.ReadAll(c)
			if waited := time.Since(began); err != nil || len(got) != shortHeader+5 || waited != silence+l.config.Limits.Write {
				t.Errorf("%s: read %q, %v, lost after %v", name, got, err, waited)
			}
			writer.Wait()
		})
	}
}

// TestPing tests that PING is answered by PONG with the same context, which follows two bytes in PING.
func TestPing(t *testing.T) {
	q, far := pipe(t, Limits{})
	ping := appendCommand(nil, zmq4.CmdPing, []byte("\x00\x05context"))
	if _, err := (&Conn{queue: q}).command(ping[shortHeader:]); err != nil {
		t.Fatal(err)
	}
	want := appendCommand(nil, zmq4.CmdPong, []byte("context"))
	got := make([]byte, len(want))
	if _, err := io.ReadFull(far, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	l, err := Listen("tcp", "127.0.0.1:0", Config{Kind: zmq4.Pub})
	if err != nil {
		t.Fatal(err)
	}
	half, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer half.Close()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(half); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Error(err)
	}
	l.WaitReady()
	l.WaitQueued(1)
	if _, err := l.Accept(); err == nil {
		_, err = l.Accept() // the first was the tap
		if err != net.ErrClosed {
			t.Errorf("Accept after Close: %v", err)
		}
	}
}

// Limits that are not set have the default values.
func TestDefaultLimits(t *testing.T) {
	want := Limits{Message: 256 << 20, Queue: 4 << 20, Stall: 5 * time.Second, Write: 30 * time.Second, Handshake: 10 * time.Second, Clients: 256}
	if got := (Limits{}).orDefault(); got != want {
		t.Errorf("%+v", got)
	}
	own := Limits{1, 2, 3, 4, 5, 6}
	if got := own.orDefault(); got != own {
		t.Errorf("%+v", got)
	}
}

// A recordedConn keeps what is written to it, write by write.
type recordedConn struct {
	net.Conn
	writes []string
}

func (c *recordedConn) Write(p []byte) (int, error) {
	c.writes = append(c.writes, string(p))
	return len(p), nil
}

// A dialed connection writes the greeting at once, and messages whole.
func TestDialedConnWritesMessages(t *testing.T) {
	to := &recordedConn{}
	d := &dialedConn{Conn: to}
	for _, p := range []string{"greeting", "\x01\x01a", "\x00", "\x02bc\x00\x01d", "\x00"} {
		if n, err := d.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}
	if d := cmp.Diff([]string{"greeting", "\x01\x01a\x00\x02bc", "\x00\x01d"}, to.writes); d != "" {
		t.Error(d)
	}
}

// TestAppendFrame checks the header of a frame: bodies of up to 255 bytes have a short one.
func TestAppendFrame(t *testing.T) {
	for size, want := range map[int][]byte{
		0: {flagMore, 0}, 255: {flagMore, 255}, 256: {flagMore | flagLong, 0, 0, 0, 0, 0, 0, 1, 0},
	} {
		body := bytes.Repeat([]byte{'x'}, size)
		if got := appendFrame(nil, flagMore, body); !bytes.Equal(got, append(want, body...)) {
			t.Errorf("a body of %d bytes: %v", size, got[:min(9, len(got))])
		}
	}
}
