package messaging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"testing"

	"github.com/goanvil/notebook/messaging/wire"
)

// TestPromptOfAReply checks which of the prompts that wait a reply answers.
func TestPromptOfAReply(t *testing.T) {
	first := &prompt{"1", "a", make(chan wire.InputReply, 1)}
	second := &prompt{"2", "a", make(chan wire.InputReply, 1)}
	third := &prompt{"3", "b", make(chan wire.InputReply, 1)}
	s := &Server{log: silence()}
	for _, p := range []*prompt{first, second, third} {
		s.prompts.add(p)
	}
	reply := func(sender, parent string) *wire.Message {
		m := &wire.Message{Parent: json.RawMessage(parent)}
		if sender != "" {
			m.Identities = [][]byte{[]byte(sender), []byte("x")}
		}
		return m
	}
	check := func(name string, m *wire.Message, want *prompt) {
		t.Helper()
		if got := s.prompts.find(m); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	const toFirst = `{"msg_type":"input_request","msg_id":"1"}`
	check("a parent", reply("a", toFirst), first)
	check("a parent of another sender", reply("b", toFirst), first)
	check("a parent that does not wait", reply("a", `{"msg_type":"input_request","msg_id":"4"}`), nil)
	check("a parent of another type", reply("a", `{"msg_type":"execute_request","msg_id":"1"}`), second)
	check("no parent", reply("b", "{}"), third)
	check("another sender", reply("c", "{}"), nil)
	check("no sender", reply("", "{}"), nil)
	s.prompts.remove(second)
	check("no parent, of a sender with one prompt left", reply("a", "{}"), first)
	s.prompts.remove(second) // changes nothing
	s.prompts.remove(third)
	check("no parent, after the prompt", reply("b", "{}"), nil)
	check("a parent, after the prompt of another", reply("b", toFirst), first)

	// The first reply counts.
	s.inputReply(&request{Message: reply("a", toFirst)}, wire.InputReply{Value: "x"})
	s.inputReply(&request{Message: reply("a", toFirst)}, wire.InputReply{Value: "y"})
	s.inputReply(&request{Message: reply("b", "{}")}, wire.InputReply{Value: "z"})
	if got := <-first.answer; got.Value != "x" {
		t.Errorf("the answer is %q", got.Value)
	}
	select {
	case got := <-first.answer:
		t.Errorf("a second answer %q", got.Value)
	default:
	}
}

func TestInputIsNotAllowed(t *testing.T) {
	o := &output{}
	if _, err := o.Input(context.Background(), "", false); !errors.Is(err, ErrNoStdin) {
		t.Errorf("Input: %v", err)
	}
	if _, err := o.Ask(context.Background(), ""); !errors.Is(err, ErrNoStdin) {
		t.Errorf("Ask: %v", err)
	}
}

// TestRefusals checks the texts of replies to requests that a server refuses, and of what it logs.
func TestRefusals(t *testing.T) {
	var logged bytes.Buffer
	s := &Server{log: log.New(&logged, "", 0)}
	for want, got := range map[string]string{
		`history_request: unknown hist_access_type "all"; want tail, range or search`: s.historyRequest(nil, wire.HistoryRequest{HistAccessType: "all"}).Evalue,
		"create_subshell_request: this kernel runs one cell at a time":                s.createSubshell(nil).(wire.Outcome).Evalue,
		"this kernel has no debugger":                                                 s.debug(nil, debugRequest{}).Message,
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	s.commMsg(nil, wire.Comm{CommID: "c"})
	s.inputReply(&request{Message: &wire.Message{}}, wire.InputReply{})
	s.refused(wire.ErrReplay)
	const want = "comm_msg: comm \"c\" is not open\nmessage ignored: input_reply without a prompt\n" +
		"message refused: message: signature was seen before\n"
	if logged.String() != want {
		t.Errorf("logged %q, want %q", logged.String(), want)
	}
	_, err := NewServer(wire.ConnectionInfo{Transport: "pigeon", SignatureScheme: "hmac-sha256"}, Options{})
	if err == nil || err.Error() != `kernel: cannot listen: connection: unknown transport "pigeon"; want tcp or ipc` {
		t.Error(err)
	}
}
