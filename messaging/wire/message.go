// Package wire encodes and decodes Jupyter messages: it converts between the
// frames of a ZeroMQ message and a Message, and makes and checks signatures. It
// opens no socket.
//
// The layout is that of "The wire protocol" in "Messaging in Jupyter"
// (https://jupyter-client.readthedocs.io/en/latest/messaging.html):
//
//	identity... | <IDS|MSG> | signature | header | parent header | metadata | content | buffer...
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// delimiter is the frame between the identities and the message.
var delimiter = []byte("<IDS|MSG>")

// empty is the JSON of an empty part.
var empty = json.RawMessage("{}")

// Errors of Decode.
var (
	ErrNoDelimiter = errors.New("message: no <IDS|MSG> frame")
	ErrTruncated   = errors.New("message: fewer than five frames after <IDS|MSG>")
	ErrSignature   = errors.New("message: signature is missing or wrong")
	ErrReplay      = errors.New("message: signature was seen before")
	ErrMalformed   = errors.New("message: header, parent header, metadata or content is not a JSON object of the protocol")
)

// A Header identifies a message and its sender.
type Header struct {
	MsgID      string `json:"msg_id"`
	MsgType    Type   `json:"msg_type"`
	Session    string `json:"session"`
	Username   string `json:"username"`
	Date       string `json:"date"`
	Version    string `json:"version"`
	SubshellID string `json:"subshell_id,omitempty"`
}

// A Message is a Jupyter message. Empty parts may be nil in a message to encode;
// a decoded message has no nil parts.
type Message struct {
	Identities [][]byte // routing identities of the sender or receiver; on iopub, the topic
	Header     Header
	RawHeader  json.RawMessage // the header as received, which is the Parent of an answer
	Parent     json.RawMessage // the header of the message that this one answers
	Metadata   json.RawMessage
	Content    json.RawMessage
	Buffers    [][]byte
}

// ParentHeader returns the header of the message that m answers, or the zero
// Header.
func (m *Message) ParentHeader() (h Header) {
	_ = json.Unmarshal(m.Parent, &h) // a malformed parent is ignored
	return h
}

// Date returns t in the form of a header's date: ISO 8601 in UTC, with
// microseconds.
func Date(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// A Session makes the headers of the messages that a kernel or a client sends.
type Session struct {
	ID       string // the ids of its messages begin with it
	Username string
	made     atomic.Uint64 // number of headers made
}

// Header returns the header of a new message of type t.
func (s *Session) Header(t Type) Header {
	return Header{
		MsgID:    s.ID + "_" + strconv.FormatUint(s.made.Add(1), 10),
		MsgType:  t,
		Session:  s.ID,
		Username: s.Username,
		Date:     Date(time.Now()),
		Version:  ProtocolVersion,
	}
}

// Encode returns the signed frames of m.
func (c *Codec) Encode(m *Message) ([][]byte, error) {
	header, err := json.Marshal(m.Header)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.Header.MsgType, err)
	}
	frames := make([][]byte, 0, len(m.Identities)+6+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, delimiter, nil, header, orEmpty(m.Parent), orEmpty(m.Metadata), orEmpty(m.Content))
	at := len(m.Identities) + 1
	frames[at] = c.sign(frames[at+1 : at+5])
	return append(frames, m.Buffers...), nil
}

func orEmpty(part json.RawMessage) json.RawMessage {
	if len(part) == 0 {
		return empty
	}
	return part
}

// Decode returns the message in frames. It fails if the signature is missing,
// wrong or seen before, or if the message is malformed. The content may be any
// JSON object. The message shares memory with frames.
func (c *Codec) Decode(frames [][]byte) (*Message, error) {
	at := slices.IndexFunc(frames, func(f []byte) bool { return bytes.Equal(f, delimiter) })
	if at < 0 {
		return nil, ErrNoDelimiter
	}
	parts := frames[at+1:]
	if len(parts) < 5 {
		return nil, ErrTruncated
	}
	if err := c.verify(parts[0], parts[1:5]); err != nil {
		return nil, err
	}
	m := &Message{
		Identities: frames[:at:at],
		RawHeader:  parts[1],
		Parent:     parts[2],
		Metadata:   parts[3],
		Content:    parts[4],
		Buffers:    parts[5:],
	}
	return m, m.check()
}

// check decodes the header, and returns an error unless all parts are JSON
// objects.
func (m *Message) check() error {
	for _, part := range []json.RawMessage{m.RawHeader, m.Parent, m.Metadata, m.Content} {
		if !isObject(part) {
			return ErrMalformed
		}
	}
	if err := json.Unmarshal(m.RawHeader, &m.Header); err != nil {
		return fmt.Errorf("%w: header: %w", ErrMalformed, err)
	}
	return nil
}

func isObject(part []byte) bool {
	trimmed := bytes.TrimLeft(part, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed)
}

// ProtocolVersion is the version of the Jupyter messaging protocol.
const ProtocolVersion = "5.5"
