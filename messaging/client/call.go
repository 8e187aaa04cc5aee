package client

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/goanvil/notebook/messaging/wire"
)

// A Call is a request under way: a mailbox of all that answers it.
type Call struct {
	client *Client
	id     string
	reply  wire.Type // the type of its reply
	cell   Execution

	mu   sync.Mutex
	mail []*wire.Message
	more chan struct{} // holds a token when there is mail
}

// to is where a request goes.
type to struct {
	channel  Channel
	subshell string
}

// begin sends a request.
func (c *Client) begin(to to, t, reply wire.Type, content any) (*Call, error) {
	m, err := c.message(t, nil, content)
	if err != nil {
		return nil, err
	}
	m.Header.SubshellID = to.subshell
	call := &Call{client: c, id: m.Header.MsgID, reply: reply, more: make(chan struct{}, 1)}
	c.mu.Lock()
	c.calls[call.id] = call
	c.mu.Unlock()
	// A kernel may answer and be gone before the send is reported as done;
	// whoever waits for the answer finds out.
	if err := c.send(c.requests[to.channel], m); err != nil && c.ctx.Err() == nil {
		call.end()
		return nil, err
	}
	return call, nil
}

// end forgets the call.
func (call *Call) end() {
	call.client.mu.Lock()
	defer call.client.mu.Unlock()
	delete(call.client.calls, call.id)
}

// put adds a message to the mailbox.
func (call *Call) put(m *wire.Message) {
	call.mu.Lock()
	call.mail = append(call.mail, m)
	call.mu.Unlock()
	select {
	case call.more <- struct{}{}:
	default:
	}
}

// take waits for messages and returns what has come; that may be none.
func (call *Call) take(ctx context.Context) ([]*wire.Message, error) {
	select {
	case <-call.more:
		return call.empty(), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-call.client.ctx.Done():
		if mail := call.empty(); len(mail) > 0 { // came before the end
			return mail, nil
		}
		return nil, ErrClosed
	}
}

// empty returns what is in the mailbox and removes it.
func (call *Call) empty() []*wire.Message {
	call.mu.Lock()
	defer call.mu.Unlock()
	mail := call.mail
	call.mail = nil
	return mail
}

// each calls f with what comes until f reports that it was the last.
func (call *Call) each(ctx context.Context, f func(*wire.Message) (last bool, err error)) error {
	defer call.end()
	for {
		mail, err := call.take(ctx)
		if err != nil {
			return err
		}
		for _, m := range mail {
			if last, err := f(m); last || err != nil {
				return err
			}
		}
	}
}

// Request sends a request of any type and returns the reply.
func (c *Client) Request(ctx context.Context, on Channel, t, reply wire.Type, content any) (*wire.Message, error) {
	call, err := c.begin(to{channel: on}, t, reply, content)
	if err != nil {
		return nil, err
	}
	var answer *wire.Message
	err = call.each(ctx, func(m *wire.Message) (bool, error) {
		answer = m
		return m.Header.MsgType == reply, nil
	})
	return answer, err
}

// Notify sends a message that has no reply, and returns when the kernel is idle
// again, with what it published meanwhile.
func (c *Client) Notify(ctx context.Context, t wire.Type, content any) (published []*wire.Message, err error) {
	call, err := c.begin(to{channel: Shell}, t, "", content)
	if err != nil {
		return nil, err
	}
	err = call.each(ctx, func(m *wire.Message) (bool, error) {
		published = append(published, m)
		return isIdle(m), nil
	})
	return published, err
}

// isIdle reports whether m says that the kernel has done with a request.
func isIdle(m *wire.Message) bool {
	var s wire.KernelStatus
	return m.Header.MsgType == wire.TypeStatus && json.Unmarshal(m.Content, &s) == nil && s.ExecutionState == wire.Idle
}

// ask sends a request and reads the content of its reply.
func ask[R any](ctx context.Context, c *Client, on Channel, t, reply wire.Type, content any) (answer R, err error) {
	m, err := c.Request(ctx, on, t, reply, content)
	if err != nil {
		return answer, fmt.Errorf("%s: %w", t, err)
	}
	if err := json.Unmarshal(m.Content, &answer); err != nil {
		return answer, fmt.Errorf("%s: %w", reply, err)
	}
	return answer, nil
}

// KernelInfo returns what the kernel says of itself, also while a cell runs.
func (c *Client) KernelInfo(ctx context.Context) (wire.KernelInfoReply, error) {
	return ask[wire.KernelInfoReply](ctx, c, Control, wire.TypeKernelInfoRequest, wire.TypeKernelInfoReply, struct{}{})
}

// Complete returns how code may go on at a position in code points.
func (c *Client) Complete(ctx context.Context, code string, pos int) (wire.CompleteReply, error) {
	req := wire.CompleteRequest{Code: code, CursorPos: pos}
	return ask[wire.CompleteReply](ctx, c, Shell, wire.TypeCompleteRequest, wire.TypeCompleteReply, req)
}

// Inspect returns what is at a position; detail 1 asks for the source.
func (c *Client) Inspect(ctx context.Context, code string, pos, detail int) (wire.InspectReply, error) {
	req := wire.InspectRequest{Code: code, CursorPos: pos, DetailLevel: detail}
	return ask[wire.InspectReply](ctx, c, Shell, wire.TypeInspectRequest, wire.TypeInspectReply, req)
}

// IsComplete reports whether code can run as it stands.
func (c *Client) IsComplete(ctx context.Context, code string) (wire.IsCompleteReply, error) {
	req := wire.IsCompleteRequest{Code: code}
	return ask[wire.IsCompleteReply](ctx, c, Shell, wire.TypeIsCompleteRequest, wire.TypeIsCompleteReply, req)
}

// History returns cells run earlier.
func (c *Client) History(ctx context.Context, req wire.HistoryRequest) (wire.HistoryReply, error) {
	return ask[wire.HistoryReply](ctx, c, Shell, wire.TypeHistoryRequest, wire.TypeHistoryReply, req)
}

// Interrupt interrupts the running cell; its Execute still returns a reply.
func (c *Client) Interrupt(ctx context.Context) error {
	_, err := ask[wire.Outcome](ctx, c, Control, wire.TypeInterruptRequest, wire.TypeInterruptReply, struct{}{})
	return err
}

// Shutdown asks the kernel to end, and returns when it has agreed.
func (c *Client) Shutdown(ctx context.Context, restart bool) error {
	_, err := ask[wire.ShutdownReply](ctx, c, Control, wire.TypeShutdownRequest, wire.TypeShutdownReply, wire.Shutdown{Restart: restart})
	return err
}
