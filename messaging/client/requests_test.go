package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-zeromq/zmq4"

	"github.com/goanvil/notebook/messaging/wire"
)

// A socket records the messages that are sent.
type socket struct {
	zmq4.Socket
	codec  *wire.Codec
	fails  error         // of sending
	closed chan struct{} // Recv waits for it
	sent   []*wire.Message
	raw    []string
	then   func(m *wire.Message) // if not nil, called after each message
}

func (s *socket) SendMulti(msg zmq4.Msg) error {
	if s.fails != nil {
		return s.fails
	}
	m, err := s.codec.Decode(msg.Frames)
	if err != nil {
		s.raw = append(s.raw, string(slices.Concat(msg.Frames...)))
		return nil
	}
	s.sent = append(s.sent, m)
	if s.then != nil {
		s.then(m)
	}
	return nil
}

func (s *socket) Recv() (zmq4.Msg, error) {
	<-s.closed
	return zmq4.Msg{}, errors.New("closed")
}

func (s *socket) Close() error {
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	return nil
}

// unconnected returns a client whose sockets record messages, in the order shell, control, stdin, heartbeat.
func unconnected(t *testing.T) (*Client, [4]*socket) {
	t.Helper()
	codec, err := wire.NewCodec("hmac-sha256", "key")
	if err != nil {
		t.Fatal(err)
	}
	var sockets [4]*socket
	for i := range sockets {
		reader, err := wire.NewCodec("hmac-sha256", "key")
		if err != nil {
			t.Fatal(err)
		}
		sockets[i] = &socket{codec: reader, closed: make(chan struct{})}
	}
	c := &Client{codec: codec, session: wire.Session{ID: "s", Username: "goanvil"}, calls: map[string]*Call{}, welcomed: make(chan struct{})}
	c.requests[Shell], c.requests[Control], c.stdin, c.heartbeat = sockets[0], sockets[1], sockets[2], sockets[3]
	c.ctx, c.cancel = context.WithCancel(t.Context())
	return c, sockets
}

// answers returns a message that answers m.
func answers(m *wire.Message, t wire.Type, content string) *wire.Message {
	return &wire.Message{Header: wire.Header{MsgType: t}, Parent: m.RawHeader, Content: json.RawMessage(content)}
}

const idle, busy = `{"execution_state":"idle"}`, `{"execution_state":"busy"}`

// TestRequestsOfCells checks what is sent for a cell.
func TestRequestsOfCells(t *testing.T) {
	for _, c := range []struct {
		e    Execution
		want wire.ExecuteRequest
	}{
		{Execution{Code: "a"}, wire.ExecuteRequest{Code: "a", StoreHistory: true, StopOnError: true}},
		{Execution{Silent: true}, wire.ExecuteRequest{Silent: true, StopOnError: true}},
		{Execution{NoHistory: true}, wire.ExecuteRequest{StopOnError: true}},
		{Execution{ContinueOnError: true, Subshell: "sub"}, wire.ExecuteRequest{StoreHistory: true}},
		{Execution{Input: func(wire.InputRequest) (string, error) { return "", nil }, UserExpressions: map[string]string{"x": "1"}},
			wire.ExecuteRequest{StoreHistory: true, StopOnError: true, AllowStdin: true, UserExpressions: map[string]string{"x": "1"}}},
	} {
		client, sockets := unconnected(t)
		if _, err := client.Begin(c.e); err != nil {
			t.Fatal(err)
		}
		sent := sockets[Shell].sent
		if len(sent) != 1 || sent[0].Header.MsgType != wire.TypeExecuteRequest || sent[0].Header.SubshellID != c.e.Subshell {
			t.Fatalf("%+v: sent %+v", c.e, sent)
		}
		var got wire.ExecuteRequest
		if err := json.Unmarshal(sent[0].Content, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("sent %+v, %v, want %+v", got, err, c.want)
		}
	}
}

// TestHeaders checks that each message has an id of its own, and what else front ends and kernels need.
func TestHeaders(t *testing.T) {
	c, sockets := unconnected(t)
	for range 2 {
		if _, err := c.begin(Control, "", wire.TypeInterruptRequest, wire.TypeInterruptReply, struct{}{}); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range sockets[Control].sent {
		h := m.Header
		if h.MsgID != fmt.Sprint("s_", i+1) || h.Session != "s" || h.Username != "goanvil" || h.Version != wire.ProtocolVersion || h.Date == "" ||
			h.SubshellID != "" || string(m.Content) != "{}" || m.ParentHeader() != (wire.Header{}) {
			t.Errorf("sent %+v with %s, %s", h, m.Parent, m.Content)
		}
	}
	if len(c.calls) != 2 || len(sockets[Shell].sent) != 0 || len(sockets[Control].sent) != 2 {
		t.Errorf("%d calls, %d messages on the shell channel, %d on control", len(c.calls), len(sockets[Shell].sent), len(sockets[Control].sent))
	}
}

// TestEndOfACell checks that a cell has ended when both its reply and its status have come, in any order.
func TestEndOfACell(t *testing.T) {
	const reply = `{"status":"ok","execution_count":7}`
	for _, c := range []struct {
		types []wire.Type
		want  string // the outputs before the end
	}{
		{[]wire.Type{wire.TypeStatus, wire.TypeStream, wire.TypeExecuteReply, wire.TypeStream}, "1"},
		{[]wire.Type{wire.TypeExecuteReply, wire.TypeStream, wire.TypeStream, wire.TypeStatus, wire.TypeStream}, "12"},
		{[]wire.Type{wire.TypeExecuteReply, wire.TypeStatus, wire.TypeStream}, ""},
	} {
		client, sockets := unconnected(t)
		shown, streams := "", 0
		call, err := client.Begin(Execution{Output: func(o Output) { shown += o.Content.(wire.Stream).Text }})
		if err != nil {
			t.Fatal(err)
		}
		request := sockets[Shell].sent[0]
		client.deliver(answers(request, wire.TypeStatus, busy))
		for _, typ := range c.types {
			content := map[wire.Type]string{wire.TypeStatus: idle, wire.TypeExecuteReply: reply}[typ]
			if typ == wire.TypeStream {
				streams++
				content = fmt.Sprintf(`{"name":"stdout","text":"%d"}`, streams)
			}
			client.deliver(answers(request, typ, content))
		}
		got, err := call.Wait(t.Context())
		if err != nil || got.ExecutionCount != 7 || shown != c.want {
			t.Errorf("%v: %+v, %v, outputs %q, want %q", c.types, got, err, shown, c.want)
		}
		if len(client.calls) != 0 {
			t.Errorf("%v: the call has not ended", c.types)
		}
		client.deliver(answers(request, wire.TypeStream, `{}`)) // is dropped
		if len(call.inbox) != 0 {
			t.Errorf("%v: a message after the end is kept", c.types)
		}
	}
}

// TestMalformedContents checks the errors of contents that are not JSON of their type.
func TestMalformedContents(t *testing.T) {
	for _, typ := range []wire.Type{
		wire.TypeExecuteReply, wire.TypeInputRequest, wire.TypeStream, wire.TypeDisplayData, wire.TypeExecuteInput, wire.TypeCommOpen,
	} {
		client, sockets := unconnected(t)
		call, err := client.Begin(Execution{Output: func(Output) { t.Errorf("%s is shown", typ) }})
		if err != nil {
			t.Fatal(err)
		}
		client.deliver(answers(sockets[Shell].sent[0], typ, `[]`))
		if _, err := call.Wait(t.Context()); err == nil || !strings.HasPrefix(err.Error(), string(typ)+": json: ") {
			t.Errorf("%s: %v", typ, err)
		}
		if len(sockets[2].sent) != 0 {
			t.Errorf("%s is answered", typ)
		}
	}
	client, sockets := unconnected(t)
	sockets[Shell].then = func(m *wire.Message) { client.deliver(answers(m, wire.TypeCompleteReply, `[]`)) }
	if _, err := client.Complete(t.Context(), "", 0); err == nil || !strings.HasPrefix(err.Error(), "complete_reply: json: ") {
		t.Errorf("complete: %v", err)
	}
	for content, want := range map[string]bool{idle: true, busy: false, `[]`: false} {
		m := &wire.Message{Header: wire.Header{MsgType: wire.TypeStatus}, Content: json.RawMessage(content)}
		if isIdle(m) != want {
			t.Errorf("%s is idle: %t", content, !want)
		}
		m.Header.MsgType = wire.TypeStream
		if isIdle(m) {
			t.Errorf("a stream with %s is idle", content)
		}
	}
}

// TestShown checks which messages are outputs, and their types.
func TestShown(t *testing.T) {
	for typ, want := range map[wire.Type]any{
		wire.TypeCommOpen: wire.Comm{CommID: "c"}, wire.TypeCommMsg: wire.Comm{CommID: "c"}, wire.TypeCommClose: wire.Comm{CommID: "c"},
		wire.TypeStream: wire.Stream{}, wire.TypeClearOutput: wire.ClearOutput{}, wire.TypeError: wire.Failure{},
		wire.TypeUpdateDisplayData: wire.DisplayData{}, wire.TypeStatus: nil, wire.TypeCompleteReply: nil,
	} {
		client, _ := unconnected(t)
		var got []Output
		call := &Call{client: client, cell: Execution{Output: func(o Output) { got = append(got, o) }}}
		m := &wire.Message{Header: wire.Header{MsgType: typ}, Content: json.RawMessage(`{"comm_id":"c"}`)}
		if err := call.show(m); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
		if want == nil && got != nil || want != nil && (len(got) != 1 || got[0].Type != typ || fmt.Sprintf("%T%v", got[0].Content, got[0].Content) != fmt.Sprintf("%T%v", want, want)) {
			t.Errorf("%s: shown %+v", typ, got)
		}
		call.cell.Output = nil
		if err := call.show(m); err != nil {
			t.Errorf("%s without an Output: %v", typ, err)
		}
	}
}

// TestInputReplies checks the answers to input_request: each answers the request, and is sent on the channel stdin.
func TestInputReplies(t *testing.T) {
	for _, c := range []struct {
		input func(wire.InputRequest) (string, error)
		want  string
	}{
		{func(r wire.InputRequest) (string, error) { return r.Prompt + "!", nil }, `{"status":"ok","value":"name!"}`},
		{func(wire.InputRequest) (string, error) { return "x", errors.New("no answer") }, `{"status":"error","ename":"InputError","evalue":"no answer","traceback":["InputError: no answer"],"value":"x"}`},
		{nil, `{"status":"error","ename":"InputError","evalue":"input: the cell was run without an Input function","traceback":["InputError: input: the cell was run without an Input function"],"value":""}`},
	} {
		client, sockets := unconnected(t)
		call, err := client.Begin(Execution{Input: c.input})
		if err != nil {
			t.Fatal(err)
		}
		m := answers(sockets[Shell].sent[0], wire.TypeInputRequest, `{"prompt":"name"}`)
		m.RawHeader = json.RawMessage(`{"msg_id":"request"}`)
		if err := call.answer(m); err != nil {
			t.Fatal(err)
		}
		sent := sockets[2].sent
		if len(sent) != 1 || sent[0].Header.MsgType != wire.TypeInputReply || sent[0].ParentHeader().MsgID != "request" ||
			string(sent[0].Content) != c.want {
			t.Errorf("sent %+v, want %s", sent, c.want)
		}
		sockets[2].fails = errors.New("no connection")
		if err := call.answer(m); err == nil {
			t.Error("an answer is lost")
		}
	}
}

// TestRequestsThatFail checks the errors of requests that cannot be made or sent: the call ends. On a closed client,
// what was received before counts.
func TestRequestsThatFail(t *testing.T) {
	c, sockets := unconnected(t)
	if _, err := c.Request(t.Context(), Shell, "my_request", "my_reply", func() {}); err == nil || err.Error() != "my_request: json: unsupported type: func()" {
		t.Errorf("a function as content: %v", err)
	}
	if _, err := c.Notify(t.Context(), "my_message", func() {}); err == nil {
		t.Error("a function as content is sent")
	}
	lost := errors.New("lost")
	sockets[Shell].fails = lost
	if _, err := c.Request(t.Context(), Shell, wire.TypeCompleteRequest, wire.TypeCompleteReply, struct{}{}); !errors.Is(err, lost) {
		t.Errorf("a request: %v", err)
	}
	if _, err := c.IsComplete(t.Context(), ""); !errors.Is(err, lost) || err.Error() != "is_complete_request: lost" {
		t.Errorf("is_complete: %v", err)
	}
	if _, err := c.Notify(t.Context(), wire.TypeCommMsg, struct{}{}); !errors.Is(err, lost) {
		t.Errorf("a notification: %v", err)
	}
	if _, err := c.Execute(t.Context(), Execution{}); !errors.Is(err, lost) {
		t.Errorf("a cell: %v", err)
	}
	if len(c.calls) != 0 || len(sockets[Shell].sent) != 0 {
		t.Errorf("%d calls have not ended", len(c.calls))
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(lost)
	sockets[Shell].fails = nil
	if _, err := c.Execute(ctx, Execution{}); !errors.Is(err, lost) || len(c.calls) != 0 {
		t.Errorf("a call that is given up: %v", err)
	}

	c.cancel()
	sockets[Shell].fails = lost
	if _, err := c.Execute(t.Context(), Execution{}); !errors.Is(err, ErrClosed) || err.Error() != "client: connection is closed" {
		t.Errorf("a cell of a closed client: %v", err)
	}
	call := &Call{client: c, more: make(chan struct{}, 1)}
	call.inbox = []*wire.Message{{}}
	if got, err := call.take(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("received before the client closed: %v, %v", got, err)
	}
	if got, err := call.take(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("received by a closed client: %v, %v", got, err)
	}
}

// TestAnswersOfRequests checks that a request returns its reply, and a notification all messages up to the status idle.
func TestAnswersOfRequests(t *testing.T) {
	c, sockets := unconnected(t)
	sockets[Shell].then = func(m *wire.Message) {
		for _, content := range []string{busy, idle} {
			c.deliver(answers(m, wire.TypeStatus, content))
		}
		c.deliver(answers(m, wire.TypeInspectReply, `{"found":true}`))
	}
	reply, err := c.Request(t.Context(), Shell, wire.TypeInspectRequest, wire.TypeInspectReply, struct{}{})
	if err != nil || reply.Header.MsgType != wire.TypeInspectReply {
		t.Errorf("%+v, %v", reply, err)
	}
	published, err := c.Notify(t.Context(), wire.TypeCommMsg, wire.Comm{})
	if err != nil || len(published) != 2 || string(published[1].Content) != idle {
		t.Errorf("%d messages, %v", len(published), err)
	}
	if len(c.calls) != 0 {
		t.Errorf("%d calls have not ended", len(c.calls))
	}
}

// TestChannels checks on which channel requests are sent, and their contents.
func TestChannels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // no reply is awaited
	c, sockets := unconnected(t)
	_, _ = c.Complete(ctx, "code", 3)
	_, _ = c.Inspect(ctx, "code", 2, 1)
	_, _ = c.IsComplete(ctx, "code")
	_, _ = c.History(ctx, wire.HistoryRequest{HistAccessType: "tail"})
	_, _ = c.KernelInfo(ctx)
	_ = c.Interrupt(ctx)
	_ = c.Shutdown(ctx, true)
	for channel, want := range map[Channel][]string{
		Shell: {
			`complete_request {"code":"code","cursor_pos":3}`, `inspect_request {"code":"code","cursor_pos":2,"detail_level":1}`,
			`is_complete_request {"code":"code"}`, `history_request {"output":false,"raw":false,"hist_access_type":"tail","session":0,"start":0,"stop":null,"n":null,"pattern":"","unique":false}`,
		},
		Control: {`kernel_info_request {}`, `interrupt_request {}`, `shutdown_request {"restart":true}`},
	} {
		sent := sockets[channel].sent
		if len(sent) != len(want) {
			t.Fatalf("%d requests on channel %d", len(sent), channel)
		}
		for i, m := range sent {
			if got := fmt.Sprint(m.Header.MsgType, " ", string(m.Content)); got != want[i] {
				t.Errorf("sent %s, want %s", got, want[i])
			}
		}
	}
}

// TestPublished checks which messages Published gets, and that iopub_welcome is noticed, also a second one.
func TestPublished(t *testing.T) {
	c, _ := unconnected(t)
	var got []wire.Type
	c.watch = func(m *wire.Message) { got = append(got, m.Header.MsgType) }
	for _, typ := range []wire.Type{
		wire.TypeStatus, wire.TypeShutdownReply, wire.TypeStream, wire.TypeExecuteReply, wire.TypeInputRequest, wire.TypeIOPubWelcome, wire.TypeIOPubWelcome,
	} {
		if typ == wire.TypeIOPubWelcome {
			got = nil
		}
		c.deliver(&wire.Message{Header: wire.Header{MsgType: typ}})
		if typ == wire.TypeInputRequest && fmt.Sprint(got) != "[status stream]" {
			t.Errorf("published %v", got)
		}
		select {
		case <-c.welcomed:
			if typ != wire.TypeIOPubWelcome {
				t.Errorf("%s is a welcome", typ)
			}
		default:
			if typ == wire.TypeIOPubWelcome {
				t.Error("the welcome is not noticed")
			}
		}
	}
}

// TestHeartbeatFails checks the errors of heartbeats; one that is given up closes the client.
func TestHeartbeatFails(t *testing.T) {
	c, sockets := unconnected(t)
	lost := errors.New("lost")
	sockets[3].fails = lost
	if err := c.Heartbeat(t.Context()); !errors.Is(err, lost) || c.ctx.Err() != nil {
		t.Errorf("%v; closed: %v", err, c.ctx.Err())
	}
	sockets[3].fails = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Heartbeat(ctx); err == nil || c.ctx.Err() == nil {
		t.Errorf("%v; closed: %v", err, c.ctx.Err())
	}
	if !slices.Equal(sockets[3].raw, []string{"ping"}) {
		t.Errorf("sent %q", sockets[3].raw)
	}
}

// TestAddresses checks the error of a transport that does not exist.
func TestAddresses(t *testing.T) {
	_, err := Dial(t.Context(), wire.ConnectionInfo{Transport: "pigeon", SignatureScheme: "hmac-sha256"})
	if err == nil || err.Error() != `dial kernel: connection: unknown transport "pigeon"; want tcp or ipc` {
		t.Errorf("%v", err)
	}
}

// TestClose checks that all sockets are closed.
func TestClose(t *testing.T) {
	c, sockets := unconnected(t)
	c.Close()
	for i, s := range sockets {
		select {
		case <-s.closed:
		default:
			t.Errorf("socket %d is open", i)
		}
	}
	if c.ctx.Err() == nil {
		t.Error("the client is open")
	}
}
