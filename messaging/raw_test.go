package messaging_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A raw is a connection on which a test writes arbitrary bytes.
type raw struct {
	t testing.TB
	net.Conn
	r *bufio.Reader
}

// connect opens a TCP connection to a port of the server.
func connect(t testing.TB, port int) *raw {
	t.Helper()
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &raw{t, conn, bufio.NewReader(conn)}
}

// shake connects and does the handshake of a libzmq socket of the given kind.
func shake(t testing.TB, port int, kind, identity string) *raw {
	t.Helper()
	c := connect(t, port)
	c.put(greeting(3, "NULL"), frame(4, "\x05READY"+property("Socket-Type", kind)+property("Identity", identity)))
	if _, err := io.ReadFull(c.r, make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	c.frame() // READY
	return c
}

func greeting(version byte, mechanism string) string {
	g := make([]byte, 64)
	g[0], g[8], g[9], g[10], g[11] = 0xff, 1, 0x7f, version, 1
	copy(g[12:], mechanism)
	return string(g)
}

func property(name, value string) string {
	return string(rune(len(name))) + name + string(binary.BigEndian.AppendUint32(nil, uint32(len(value)))) + value
}

// frame returns a frame with the given flags (1 more, 4 command).
func frame(flags byte, body string) string {
	if len(body) > 255 {
		return header(flags, uint64(len(body))) + body
	}
	return string([]byte{flags, byte(len(body))}) + body
}

// header returns the header of a long frame.
func header(flags byte, size uint64) string {
	return string(binary.BigEndian.AppendUint64([]byte{flags | 2}, size))
}

// message returns the bytes of a message with the given frames.
func message(frames ...[]byte) string {
	var b strings.Builder
	for i, f := range frames {
		flags := byte(1)
		if i == len(frames)-1 {
			flags = 0
		}
		b.WriteString(frame(flags, string(f)))
	}
	return b.String()
}

// put writes parts. It ignores errors: the server may have closed the connection.
func (c *raw) put(parts ...string) {
	for _, p := range parts {
		_, _ = io.WriteString(c, p)
	}
}

// frame reads a frame.
func (c *raw) frame() (flags byte, body string) {
	c.t.Helper()
	var h [9]byte
	if _, err := io.ReadFull(c.r, h[:2]); err != nil {
		c.t.Fatal(err)
	}
	size := uint64(h[1])
	if h[0]&2 != 0 {
		if _, err := io.ReadFull(c.r, h[2:]); err != nil {
			c.t.Fatal(err)
		}
		size = binary.BigEndian.Uint64(h[1:])
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(c.r, data); err != nil {
		c.t.Fatal(err)
	}
	return h[0], string(data)
}

// message reads a message that is not a command.
func (c *raw) message() (frames [][]byte) {
	c.t.Helper()
	for {
		flags, body := c.frame()
		if flags&4 != 0 {
			continue
		}
		frames = append(frames, []byte(body))
		if flags&1 == 0 {
			return frames
		}
	}
}

// dropped fails the test unless the server closes the connection.
func (c *raw) dropped() {
	c.t.Helper()
	if _, err := io.Copy(io.Discard, c.r); err != nil && !strings.Contains(err.Error(), "reset") {
		c.t.Error(err)
	}
}

// A forger makes messages with valid signatures.
type forger struct {
	t     testing.TB
	codec *wire.Codec
	n     int
}

func newForger(t testing.TB, info messaging.ConnectionInfo) *forger {
	t.Helper()
	codec, err := wire.NewCodec(info.SignatureScheme, info.Key)
	if err != nil {
		t.Fatal(err)
	}
	return &forger{t: t, codec: codec}
}

// frames returns a signed message.
func (f *forger) frames(t wire.Type, content string) [][]byte {
	f.n++
	m := &wire.Message{Header: wire.Header{MsgID: fmt.Sprint("forged ", f.n), MsgType: t, Session: "forger"}, Content: json.RawMessage(content)}
	frames, err := f.codec.Encode(m)
	if err != nil {
		f.t.Fatal(err)
	}
	return frames
}

// decode decodes a message of the server.
func (f *forger) decode(frames [][]byte) *wire.Message {
	f.t.Helper()
	m, err := f.codec.Decode(frames)
	if err != nil {
		f.t.Fatal(err)
	}
	return m
}
