package messaging

import (
	"context"
	"errors"
	"sync"

	"github.com/goanvil/notebook/messaging/wire"
)

// errInput is the error of Output.Input if the front end replies with an error.
var errInput = errors.New("input: the front end did not ask the user")

// A prompt is an input_request that waits for an input_reply.
type prompt struct {
	id     string // of the input_request
	client string // routing identity of the front end that was asked
	answer chan wire.InputReply
}

// prompts holds the prompts that wait for a reply.
type prompts struct {
	mu   sync.Mutex
	list []*prompt // oldest first
}

func (ps *prompts) add(p *prompt) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.list = append(ps.list, p)
}

func (ps *prompts) remove(p *prompt) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	for i, q := range ps.list {
		if q == p {
			ps.list = append(ps.list[:i:i], ps.list[i+1:]...)
			return
		}
	}
}

// find returns the prompt that m answers, or nil if the prompt has been removed. It is the
// prompt whose id is that of m's parent. If m has no parent, as with jupyter_client, it is the
// newest prompt for m's sender.
func (ps *prompts) find(m *wire.Message) *prompt {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	parent := m.ParentHeader()
	for i := len(ps.list) - 1; i >= 0; i-- {
		p := ps.list[i]
		hasParent := parent.MsgType == wire.TypeInputRequest
		if hasParent && p.id == parent.MsgID || !hasParent && p.client == sender(m) {
			return p
		}
	}
	return nil
}

// sender returns the routing identity of a message's sender, or "".
func sender(m *wire.Message) string {
	if len(m.Identities) == 0 {
		return ""
	}
	return string(m.Identities[0])
}

// ask sends req to the front end that sent r and returns the user's answer.
func (s *Server) ask(ctx context.Context, r *request, req wire.InputRequest) (string, error) {
	m, err := s.message(wire.TypeInputRequest, r.RawHeader, req)
	if err != nil {
		return "", err
	}
	m.Identities = r.Identities // a client has the same identity on shell and stdin
	p := &prompt{m.Header.MsgID, sender(r.Message), make(chan wire.InputReply, 1)}
	s.prompts.add(p)
	defer s.prompts.remove(p)
	if err := s.stdin.send(m); err != nil {
		return "", err
	}
	select {
	case reply := <-p.answer:
		switch {
		case ctx.Err() != nil: // an interrupt came first
			return "", context.Cause(ctx)
		case reply.Status == wire.StatusError:
			return "", errInput
		}
		return reply.Value, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// inputReply hands an input_reply to its prompt. A second reply to the same
// prompt is dropped.
func (s *Server) inputReply(r *request, reply wire.InputReply) any {
	p := s.prompts.find(r.Message)
	if p == nil {
		s.log.Printf("message ignored: input_reply without a prompt")
		return nil
	}
	select {
	case p.answer <- reply:
	default:
	}
	return nil
}
