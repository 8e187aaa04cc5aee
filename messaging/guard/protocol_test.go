package guard

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-zeromq/zmq4"
)

// A halfPair reads from one place and writes to another.
type halfPair struct {
	io.Reader
	io.Writer
}

// TestHandshakes checks the errors of handshakes and the peers that may connect.
func TestHandshakes(t *testing.T) {
	edited := func(edit func(g []byte)) string {
		g := slices.Clone(greeting[:])
		edit(g)
		return string(g) + "\x04\x00"
	}
	good := string(greeting[:])
	property := func(name, value string) string {
		return string(byte(len(name))) + name + "\x00\x00" + string([]byte{byte(len(value) >> 8), byte(len(value))}) + value
	}
	ready := func(meta string) string { return good + string(appendCommand(nil, "READY", []byte(meta))) }
	const cutOff = "handshake: metadata is cut off"
	for _, c := range []struct {
		name, sent string
		kind       zmq4.SocketType
		err        string
	}{
		{"nothing", "", zmq4.Pub, "EOF"},
		{"part", good[:63], zmq4.Pub, "unexpected EOF"},
		{"HTTP", "GET / HTTP/1.1" + strings.Repeat("\r", 64), zmq4.Pub, "handshake: not ZMTP"},
		{"first byte", edited(func(g []byte) { g[0] = 0xfe }), zmq4.Pub, "handshake: not ZMTP"},
		{"tenth byte", edited(func(g []byte) { g[9] = 0x7e }), zmq4.Pub, "handshake: not ZMTP"},
		{"version 2", edited(func(g []byte) { g[10] = 2 }), zmq4.Pub, "handshake: ZMTP 2 is too old; use 3.0 or later"},
		{"CURVE", edited(func(g []byte) { copy(g[12:], "CURVE") }), zmq4.Pub,
			`handshake: security mechanism "CURVE" is not supported; use NULL`},
		{"message", good + "\x00\x05", zmq4.Pub, "handshake: first frame is not a command"},
		{"PING", good + string(appendCommand(nil, "PING", nil)), zmq4.Pub, "handshake: first command is not READY"},
		{"no name", good + "\x04\x00", zmq4.Pub, "handshake: first command is not READY"},
		{"short name", good + "\x04\x03\x05RE", zmq4.Pub, "handshake: first command is not READY"},
		{"short command", good + "\x04\x06\x05READ", zmq4.Pub, "unexpected EOF"},
		{"no length", good + "\x06\x00\x00", zmq4.Pub, "unexpected EOF"},
		{"long command", good + "\x06\x00\x00\x00\x00\x00\x00\x20\x01", zmq4.Pub,
			"handshake: first command has 8193 bytes, want at most 8192"},
		{"no properties", ready(""), zmq4.Pub, `handshake: a "" socket cannot talk to a PUB socket`},
		{"wrong type", ready(property("Socket-Type", "DEALER")), zmq4.Pub,
			`handshake: a "DEALER" socket cannot talk to a PUB socket`},
		{"name cut off", ready("\x0bSocket-Typ"), zmq4.Pub, cutOff},
		{"length cut off", ready("\x01x\x00\x00\x00"), zmq4.Pub, cutOff},
		{"value cut off", ready("\x01x\x00\x00\x00\x02y"), zmq4.Pub, cutOff},
		{"long identity", ready(property("Identity", strings.Repeat("i", 256))), zmq4.Router,
			"handshake: identity of 256 bytes, want at most 255"},
		{"greatest", ready(property("Identity", strings.Repeat("i", 255)) + property("Socket-Type", "REQ")), zmq4.Router, ""},
		{"empty value", ready(property("Socket-Type", "SUB") + "\x01x\x00\x00\x00\x00"), zmq4.Pub, ""},
		{"later version", edited(func(g []byte) { g[10] = 4 })[:64] + ready(property("socket-type", "XSUB"))[64:],
			zmq4.Pub, ""},
		{"router", ready(property("Socket-Type", "ROUTER")), zmq4.Router, ""},
		{"dealer", ready(property("Socket-Type", "DEALER")), zmq4.Router, ""},
		{"heartbeat", ready(property("Socket-Type", "REQ")), zmq4.Rep, ""},
		{"dealer to rep", ready(property("Socket-Type", "DEALER")), zmq4.Rep, ""},
		{"router to rep", ready(property("Socket-Type", "ROUTER")), zmq4.Rep,
			`handshake: a "ROUTER" socket cannot talk to a REP socket`},
	} {
		var answer bytes.Buffer
		p, err := shakeHands(halfPair{strings.NewReader(c.sent), &answer}, c.kind)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.err || (p.kind != "") != (c.err == "") || answer.String() != good {
			t.Errorf("%s: %+v, %q, want %q", c.name, p, text, c.err)
		}
	}
	const want = "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL"
	if g := string(greeting[:]); !strings.HasPrefix(g, want) || strings.Trim(g[len(want):], "\x00") != "" {
		t.Errorf("greeting %q", g)
	}
	client := peer{zmq4.Dealer, strings.Repeat("i", 255)}
	if p, err := shakeHands(halfPair{bytes.NewReader(client.handshake()), io.Discard}, zmq4.Router); p != client ||
		err != nil {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := shakeHands(halfPair{strings.NewReader(""), failing{}}, zmq4.Router); err == nil || err.Error() != "no" {
		t.Errorf("a client that is gone: %v", err)
	}
}

// Each Write to a failing writer returns an error.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no") }

// TestReceivedMessages checks what zmq4 reads of the frames that a client sends, and the reason for which the client
// is lost.
func TestReceivedMessages(t *testing.T) {
	const limit = 1000
	frame := func(flags byte, size int) string {
		return string(appendFrame(nil, flags, bytes.Repeat([]byte("a"), size)))
	}
	topic := func(on byte, name string) string { return string(appendFrame(nil, 0, append([]byte{on}, name...))) }
	command := func(name, body string) string { return string(appendCommand(nil, name, []byte(body))) }
	whole := frame(0, 5)
	for _, c := range []struct {
		name      string
		kind      zmq4.SocketType
		sent, got string
		lost      string
	}{
		{"greatest message", zmq4.Router, frame(0, limit-64), frame(0, limit-64), ""},
		{"large message", zmq4.Router, frame(0, limit-63), "", "frame of 937 bytes, want at most 936"},
		{"two frames", zmq4.Router, frame(1, 400) + frame(0, limit-400-128), frame(1, 400) + frame(0, limit-400-128), ""},
		{"two large frames", zmq4.Router, frame(1, 400) + frame(0, limit-400-127), "",
			"frame of 473 bytes, want at most 472"},
		{"many frames", zmq4.Router, strings.Repeat(frame(1, 0), 20), "",
			"message of more than 1000 bytes, counting 64 extra for each frame"},
		{"flags", zmq4.Router, whole + "\x08\x01a", whole, "frame with invalid flags 0x8"},
		{"command in parts", zmq4.Router, "\x05\x01a", "", "frame with invalid flags 0x5"},
		{"command without a name", zmq4.Router, "\x04\x00", "", "command of 0 bytes without a name"},
		{"command with a long name", zmq4.Router, "\x04\x02\x02a", "", "command of 2 bytes without a name"},
		{"unknown command", zmq4.Router, command("NEWS", "a") + whole, whole, ""},
		{"command between frames", zmq4.Router, frame(1, 2) + command("NEWS", "a") + whole, frame(1, 2) + whole, ""},
		{"error", zmq4.Router, command("ERROR", "\x01a"), "", `client reports error "a"`},
		{"greatest command", zmq4.Router, command("NEWS", strings.Repeat("a", maxCommand-5)) + whole, whole, ""},
		{"large command", zmq4.Router, command("NEWS", strings.Repeat("a", maxCommand-4)), "",
			"frame of 8193 bytes, want at most 8192"},
		{"short ping", zmq4.Router, command("PING", "a") + whole, whole, ""},
		{"subscription", zmq4.Pub, topic(1, "a") + topic(0, "a"), topic(1, "a") + topic(0, "a"), ""},
		{"subscription by command", zmq4.Pub, command("SUBSCRIBE", "a") + command("CANCEL", "b"), topic(1,
			"a") + topic(0, "b"), ""},
		{"no subscription", zmq4.Pub, topic(2, "a") + frame(0, 0) + frame(1, 1) + topic(1, "a") + topic(1, "b"),
			topic(1, "b"), ""},
		{"many subscriptions", zmq4.Pub, strings.Repeat(topic(1, ""), maxTopics+1), strings.Repeat(topic(1, ""), maxTopics),
			"more than 1024 subscriptions and cancellations, or one of more than 1024 bytes"},
	} {
		var lost []string
		var topics []string
		config := Config{
			Kind: c.kind, Limits: Limits{Message: limit}.orDefault(),
			Lost:       func(_ net.Addr, reason error) { lost = append(lost, reason.Error()) },
			Subscribed: func(_ *Conn, topic []byte) { topics = append(topics, string(topic)) },
		}
		near, far := net.Pipe()
		conn := newConn(&Listener{config: config}, near, bufio.NewReader(strings.NewReader(c.sent)), peer{})
		conn.in = nil
		got, err := io.ReadAll(conn)
		if text := strings.Join(lost, "; "); err != nil || string(got) != c.got || text != c.lost {
			t.Errorf("%s: %d bytes, want %d; lost %q, want %q; %v", c.name, len(got), len(c.got), text, c.lost, err)
		}
		var subscribed []string
		for _, m := range regexp.MustCompile(`\x00.\x01([a-z]*)`).FindAllStringSubmatch(c.got, -1) {
			subscribed = append(subscribed, m[1])
		}
		if c.kind == zmq4.Pub && !slices.Equal(topics, subscribed) {
			t.Errorf("%s: subscribed to %q, want %q", c.name, topics, subscribed)
		}
		_ = far.Close()
	}
	for size, want := range map[int]bool{maxTopicSize - 1: true, maxTopicSize: false} {
		c := &Conn{}
		message := appendFrame(nil, 0, append([]byte{1}, make([]byte, size)...))
		if got, err := c.subscription(message); (err == nil) != want || want && (!bytes.Equal(got, message) ||
			len(c.topic) != size) {
			t.Errorf("a topic of %d bytes: %d bytes, %v", size, len(got), err)
		}
	}
}

// TestBudgetOfIncompleteMessages checks that small messages take nothing of the budget, and that a whole message gives
// back what it took.
func TestBudgetOfIncompleteMessages(t *testing.T) {
	l := &Listener{config: Config{Kind: zmq4.Router, Limits: Limits{Message: firstRead}.orDefault()}}
	a, b := &Conn{listener: l}, &Conn{listener: l}
	for i, step := range []struct {
		c    *Conn
		n    int
		held int64
		err  string
	}{
		{a, firstRead, 0, "<nil>"}, {a, firstRead + 1, firstRead + 1, "<nil>"}, {a, 1, firstRead + 2, "<nil>"},
		{b, firstRead, firstRead + 2, "<nil>"}, {b, firstRead + 1, 2*firstRead + 3, "131075 bytes of incomplete messages at once, want at most 131072"},
	} {
		err := step.c.reserve(step.n)
		if got := l.receiving.Load(); got != step.held || fmt.Sprint(err) != step.err {
			t.Errorf("step %d: %d bytes, %v; want %d, %s", i, got, err, step.held, step.err)
		}
	}
	a.release()
	b.release()
	if got := l.receiving.Load(); got != 0 || a.held != 0 {
		t.Errorf("%d bytes after all messages", got)
	}
}

// TestSend checks the frames of a message for one client.
func TestSend(t *testing.T) {
	q, far := pipe(t, Limits{})
	(&Conn{queue: q}).Send([][]byte{[]byte("ab"), {}, make([]byte, 256)})
	want := "\x01\x02ab\x01\x00\x02\x00\x00\x00\x00\x00\x00\x01\x00" + string(make([]byte, 256))
	got := make([]byte, len(want))
	if _, err := io.ReadFull(far, got); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}

// TestWriteToAStalledClient checks the reason with which a client is lost whose queue takes no more messages.
func TestWriteToAStalledClient(t *testing.T) {
	lost := ""
	l := &Listener{config: Config{Limits: DefaultLimits, Lost: func(_ net.Addr, reason error) { lost = reason.Error() }}}
	c := newConn(l, &recordedClose{}, nil, peer{})
	c.out = assembler{} // without a greeting
	l.live = append(l.live, c)
	c.queue.close()
	if n, err := c.Write(appendFrame(nil, 0, []byte("x"))); n != 0 || err != io.EOF || lost != "client does not read its messages" {
		t.Errorf("%d, %v, lost %q", n, err, lost)
	}
}

// TestAdmit checks which connection makes room for another one in a full listener.
func TestAdmit(t *testing.T) {
	for _, c := range []struct {
		name           string
		clients        int
		half           int
		live           string // a letter for each client: a if authenticated, n if not
		admitted       bool
		halfAfter      int
		liveAfter      string
		firstHalfStays bool
	}{
		{"room", 4, 1, "nn", true, 2, "nn", true},
		{"full", 3, 1, "nn", true, 1, "nn", false},
		{"oldest client", 3, 0, "nan", true, 1, "an", true},
		{"oldest quarter", 4, 0, "nnaa", true, 1, "naa", true},
		{"last one", 8, 0, "nnaaaaan", true, 1, "nnaaaaa", true},
		{"nobody", 8, 0, "nnaaaaaa", false, 0, "nnaaaaaa", true},
	} {
		l, near, far := bubble(Limits{Clients: c.clients})
		var closed [2]*recordedClose
		for i := range c.half {
			closed[i] = &recordedClose{}
			l.handshaking = append(l.handshaking, closed[i])
		}
		for _, kind := range c.live {
			conn := newConn(l, &recordedClose{}, nil, peer{kind: zmq4.Dealer})
			conn.authenticated = kind == 'a'
			l.live = append(l.live, conn)
		}
		lost := ""
		l.config.Lost = func(_ net.Addr, reason error) { lost = reason.Error() }
		got := l.admit(near)
		l.tasks.Wait()
		if want := "too many clients, and this one has sent no signed message"; c.liveAfter != c.live && lost != want {
			t.Errorf("%s: lost %q, want %q", c.name, lost, want)
		}
		live := ""
		for _, conn := range l.clients() {
			live += map[bool]string{true: "a", false: "n"}[conn.authenticated]
		}
		if got != c.admitted || len(l.handshaking) != c.halfAfter || live != c.liveAfter || c.half > 0 &&
			closed[0].closed == c.firstHalfStays {
			t.Errorf("%s: admitted %t, %d in handshakes, clients %s", c.name, got, len(l.handshaking), live)
		}
		_ = near.Close()
		_ = far.Close()
	}
}

// A recordedClose is a connection that records that it is closed.
type recordedClose struct {
	net.Conn
	closed bool
}

func (c *recordedClose) Close() error {
	c.closed = true
	return nil
}

func (c *recordedClose) RemoteAddr() net.Addr { return tapAddr{} }

// TestSameIdentity checks that only clients of a Router are found by their identity, and that a later one replaces an
// earlier one.
func TestSameIdentity(t *testing.T) {
	for kind, want := range map[zmq4.SocketType]int{zmq4.Router: 2, zmq4.Pub: 3} {
		var reasons []string
		l := &Listener{config: Config{Kind: kind, Limits: DefaultLimits, Lost: func(_ net.Addr, reason error) {
			reasons = append(reasons, reason.Error())
		}}}
		for _, id := range []string{"a", "b", "a"} {
			c := newConn(l, &recordedClose{}, nil, peer{zmq4.Dealer, id})
			l.handshaking = append(l.handshaking, c.Conn, &recordedClose{})
			if !l.endHandshake(c, true) {
				t.Errorf("%s: a client is not added", kind)
			}
		}
		l.Authenticate([]byte("b"))
		authenticated := 0
		for _, c := range l.clients() {
			if c.authenticated {
				authenticated++
			}
		}
		if len(l.clients()) != want || len(l.handshaking) != 3 || len(reasons) != 3-want ||
			len(reasons) > 0 && reasons[0] != "replaced by a client with the same identity" ||
			(authenticated == 1) != (kind == zmq4.Router) {
			t.Errorf("%s: %d clients, %d in handshakes, lost %q", kind, len(l.clients()), len(l.handshaking), reasons)
		}
		if l.endHandshake(newConn(l, &recordedClose{}, nil, peer{}), false) || len(l.clients()) != want {
			t.Errorf("%s: a client is added whose handshake failed", kind)
		}
	}
	a, b := newConn(&Listener{}, nil, nil, peer{}), newConn(&Listener{}, nil, nil, peer{})
	if a.peer.identity == "" || a.peer.identity == b.peer.identity {
		t.Errorf("identities %q and %q", a.peer.identity, b.peer.identity)
	}
}

// TestTapCounts checks that the tap subscribes to everything and counts messages, not commands.
func TestTapCounts(t *testing.T) {
	tap := newTap()
	opening := make([]byte, 1000)
	n, err := tap.Read(opening)
	want := append(peer{kind: zmq4.Sub}.handshake(), 0, 1, 1)
	if err != nil || !bytes.Equal(opening[:n], want) {
		t.Errorf("%q, %v", opening[:n], err)
	}
	stream := slices.Concat(greeting[:], appendCommand(nil, "READY", nil), appendFrame(nil, flagMore, []byte("a")),
		appendFrame(nil, 0, make([]byte, 300)), appendFrame(nil, 0, nil))
	for i := range stream {
		if n, err := tap.Write(stream[i : i+1]); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if tap.count != 2 {
		t.Errorf("%d messages, want 2", tap.count)
	}
	tap.wait(2)
	if err := tap.Close(); err != nil {
		t.Error(err)
	}
	tap.wait(3)
	if _, err := tap.Read(opening); err != io.EOF {
		t.Errorf("after Close: %v", err)
	}
	if tap.LocalAddr().Network() != "tap" || tap.RemoteAddr().String() != "tap" {
		t.Error("an address other than tap")
	}
}

// TestSocketFiles checks that a socket file left behind is replaced, and a file of another kind or of a running server
// is not.
func TestSocketFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	stale, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	if l, err := listen("unix", path); err == nil {
		t.Error("took the socket of a running server")
		l.Close()
	}
	stale.Close()
	l, err := listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := listen("unix", file); err == nil {
		t.Error("took the place of a file")
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if _, err := (guarded{}).Listen(t.Context(), "0"); err == nil ||
		err.Error() != "listen(0): no listener waits under this name; pass the Endpoint of a Listener to one socket only" {
		t.Errorf("a listener that does not exist: %v", err)
	}
}
