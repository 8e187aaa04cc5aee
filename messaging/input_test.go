package messaging

import (
	"context"
	"encoding/json"
	"errors"
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
