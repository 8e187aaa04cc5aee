package guard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-zeromq/zmq4"
)

// greetingSize is the length of a ZMTP 3 greeting.
const greetingSize = 64

// maxReady bounds the READY command: a socket type, an identity of at most 255
// bytes, and room for properties that are ignored.
const maxReady = 8 << 10

// greeting is the greeting that this package sends: version 3.0, mechanism NULL.
var greeting = func() (g [greetingSize]byte) {
	g[0], g[9] = 0xff, 0x7f // the first and the last byte of the signature
	g[10] = 3               // the major version; the minor one is 0
	copy(g[12:], "NULL")
	return g
}()

// peers maps the type of a listening socket to the types that may connect to it.
var peers = map[zmq4.SocketType][]zmq4.SocketType{
	zmq4.Router: {zmq4.Dealer, zmq4.Req, zmq4.Router},
	zmq4.Rep:    {zmq4.Req, zmq4.Dealer},
	zmq4.Pub:    {zmq4.Sub, zmq4.XSub},
}

// A peer holds the metadata that a client has sent.
type peer struct {
	kind     zmq4.SocketType
	identity string
}

// shakeHands exchanges greetings and reads the client's READY command. zmq4
// sends the server's READY command later; with the NULL mechanism neither side waits
// for the READY command of the other.
func shakeHands(rw io.ReadWriter, kind zmq4.SocketType) (peer, error) {
	if _, err := rw.Write(greeting[:]); err != nil {
		return peer{}, err
	}
	var received [greetingSize]byte
	if _, err := io.ReadFull(rw, received[:]); err != nil {
		return peer{}, err
	}
	if err := checkGreeting(received[:]); err != nil {
		return peer{}, err
	}
	p, err := readReady(rw)
	if err != nil {
		return peer{}, err
	}
	for _, k := range peers[kind] {
		if p.kind == k {
			return p, nil
		}
	}
	return peer{}, fmt.Errorf("handshake: a %q socket cannot talk to a %s socket", p.kind, kind)
}

// checkGreeting returns an error if a server cannot use the greeting g of a client.
func checkGreeting(g []byte) error {
	mechanism, _, _ := strings.Cut(string(g[12:32]), "\x00")
	switch {
	case g[0] != 0xff || g[9]&1 != 1:
		return errors.New("handshake: not ZMTP")
	case g[10] < 3:
		return fmt.Errorf("handshake: ZMTP %d is too old; use 3.0 or later", g[10])
	case mechanism != "NULL":
		return fmt.Errorf("handshake: security mechanism %q is not supported; use NULL", mechanism)
	}
	return nil
}

// readReady reads the READY command.
func readReady(r io.Reader) (peer, error) {
	size, err := readCommandHeader(r)
	if err != nil {
		return peer{}, err
	}
	if size > maxReady {
		return peer{}, fmt.Errorf("handshake: first command has %d bytes, want at most %d", size, maxReady)
	}
	frame := make([]byte, size)
	if _, err := io.ReadFull(r, frame); err != nil {
		return peer{}, err
	}
	name, body, ok := parseCommand(frame)
	if !ok || name != zmq4.CmdReady {
		return peer{}, errors.New("handshake: first command is not READY")
	}
	return parseProperties(body)
}

// readCommandHeader reads the header of a command frame and returns the size of
// its body.
func readCommandHeader(r io.Reader) (size uint64, err error) {
	var h [longHeader]byte
	if _, err := io.ReadFull(r, h[:shortHeader]); err != nil {
		return 0, err
	}
	switch h[0] {
	case flagCommand:
		return uint64(h[1]), nil
	case flagCommand | flagLong:
		_, err := io.ReadFull(r, h[shortHeader:])
		return binary.BigEndian.Uint64(h[1:]), err
	}
	return 0, errors.New("handshake: first frame is not a command")
}

// parseProperties parses the metadata of a READY command. Each property consists of
// the length of its name in one byte, the name, the length of its value in four bytes,
// and the value. zmq4 would panic on wrong lengths.
func parseProperties(data []byte) (p peer, err error) {
	for len(data) > 0 {
		n := 1 + int(data[0])
		if len(data) < n+4 {
			return p, errors.New("handshake: metadata is cut off")
		}
		name := string(data[1:n])
		size := binary.BigEndian.Uint32(data[n:])
		data = data[n+4:]
		if uint64(size) > uint64(len(data)) {
			return p, errors.New("handshake: metadata is cut off")
		}
		switch value := string(data[:size]); strings.ToLower(name) { // other properties are ignored
		case "socket-type":
			p.kind = zmq4.SocketType(value)
		case "identity":
			p.identity = value
		}
		data = data[size:]
	}
	if len(p.identity) > maxShort {
		return p, fmt.Errorf("handshake: identity of %d bytes, want at most %d", len(p.identity), maxShort)
	}
	return p, nil
}

// handshake returns the greeting and the READY command that p would send, for zmq4 to
// read.
func (p peer) handshake() []byte {
	property := func(dst []byte, name, value string) []byte {
		dst = append(dst, byte(len(name)))
		dst = append(dst, name...)
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(value)))
		return append(dst, value...)
	}
	meta := property(nil, "Socket-Type", string(p.kind))
	meta = property(meta, "Identity", p.identity)
	return appendCommand(append([]byte(nil), greeting[:]...), zmq4.CmdReady, meta)
}
