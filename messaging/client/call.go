package client

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/goanvil/notebook/messaging/wire"
)

// A Call is a request in progress. It collects the messages that answer the
// request.
type Call struct {
	client *Client
	id     string    // of the request
	reply  wire.Type // the type of the reply
	cell   Execution // the cell, if the request runs one

	mu    sync.Mutex
	inbox []*wire.Message // received and not yet taken
	more  chan struct{}   // receives when a message has been added to inbox
}

// begin sends a request of type t, whose reply has type reply, to a subshell. An
// empty subshell is the main shell.
func (c *Client) begin(on Channel, subshell string, t, reply wire.Type, content any) (*Call, error) {
	m, err := c.message(t, nil, content)
	if err != nil {
		return nil, err
	}
	m.Header.SubshellID = subshell
	call := &Call{client: c, id: m.Header.MsgID, reply: reply, more: make(chan struct{}, 1)}
	c.mu.Lock()
	c.calls[call.id] = call
	c.mu.Unlock()
	// An error of send is ignored if the client is closed, since the kernel may have
	// answered before it exited: take returns the answer or, if there is none, ErrClosed.
	if err := c.send(c.requests[on], m); err != nil && c.ctx.Err() == nil {
		call.end()
		return nil, err
	}
	return call, nil
}

// end removes the call from its client: later messages are dropped.
func (call *Call) end() {
	call.client.mu.Lock()
	defer call.client.mu.Unlock()
	delete(call.client.calls, call.id)
}

// put adds a received message.
func (call *Call) put(m *wire.Message) {
	call.mu.Lock()
	call.inbox = append(call.inbox, m)
	call.mu.Unlock()
	select {
	case call.more <- struct{}{}:
	default:
	}
}

// take waits for messages and returns those received; the list may be empty.
func (call *Call) take(ctx context.Context) ([]*wire.Message, error) {
	select {
	case <-call.more:
		return call.takeInbox(), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-call.client.ctx.Done():
		if messages := call.takeInbox(); len(messages) > 0 { // received before the client closed
			return messages, nil
		}
		return nil, ErrClosed
	}
}

// takeInbox removes and returns the received messages.
func (call *Call) takeInbox() []*wire.Message {
	call.mu.Lock()
	defer call.mu.Unlock()
	messages := call.inbox
	call.inbox = nil
	return messages
}

// each calls f with each received message until f reports that the message is the last
// one, or fails.
func (call *Call) each(ctx context.Context, f func(*wire.Message) (last bool, err error)) error {
	defer call.end()
	for {
		messages, err := call.take(ctx)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if last, err := f(m); last || err != nil {
				return err
			}
		}
	}
}

// Request sends a request of any type and returns the reply.
func (c *Client) Request(ctx context.Context, on Channel, t, reply wire.Type, content any) (*wire.Message, error) {
	call, err := c.begin(on, "", t, reply, content)
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

// Notify sends a message that has no reply. It waits until the kernel is idle
// again and returns the messages published about it.
func (c *Client) Notify(ctx context.Context, t wire.Type, content any) (published []*wire.Message, err error) {
	call, err := c.begin(Shell, "", t, "", content)
	if err != nil {
		return nil, err
	}
	err = call.each(ctx, func(m *wire.Message) (bool, error) {
		published = append(published, m)
		return isIdle(m), nil
	})
	return published, err
}

// isIdle reports whether m is the status idle, which ends a request.
func isIdle(m *wire.Message) bool {
	var s wire.KernelStatus
	return m.Header.MsgType == wire.TypeStatus && json.Unmarshal(m.Content, &s) == nil && s.ExecutionState == wire.Idle
}

// ask sends a request and returns the content of its reply.
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

// KernelInfo returns the kernel's description of itself, even while a cell runs.
func (c *Client) KernelInfo(ctx context.Context) (wire.KernelInfoReply, error) {
	return ask[wire.KernelInfoReply](ctx, c, Control, wire.TypeKernelInfoRequest, wire.TypeKernelInfoReply, struct{}{})
}

// Complete returns the completions of code at the position pos, in code points.
func (c *Client) Complete(ctx context.Context, code string, pos int) (wire.CompleteReply, error) {
	req := wire.CompleteRequest{Code: code, CursorPos: pos}
	return ask[wire.CompleteReply](ctx, c, Shell, wire.TypeCompleteRequest, wire.TypeCompleteReply, req)
}

// Inspect returns the documentation of the name at the position pos, in code points.
// With detail 1, it also returns the source.
func (c *Client) Inspect(ctx context.Context, code string, pos, detail int) (wire.InspectReply, error) {
	req := wire.InspectRequest{Code: code, CursorPos: pos, DetailLevel: detail}
	return ask[wire.InspectReply](ctx, c, Shell, wire.TypeInspectRequest, wire.TypeInspectReply, req)
}

// IsComplete returns whether code is complete, or needs more lines.
func (c *Client) IsComplete(ctx context.Context, code string) (wire.IsCompleteReply, error) {
	req := wire.IsCompleteRequest{Code: code}
	return ask[wire.IsCompleteReply](ctx, c, Shell, wire.TypeIsCompleteRequest, wire.TypeIsCompleteReply, req)
}

// History returns earlier cells.
func (c *Client) History(ctx context.Context, req wire.HistoryRequest) (wire.HistoryReply, error) {
	return ask[wire.HistoryReply](ctx, c, Shell, wire.TypeHistoryRequest, wire.TypeHistoryReply, req)
}

// Interrupt interrupts the running cell; its Execute still returns a reply.
func (c *Client) Interrupt(ctx context.Context) error {
	_, err := ask[wire.Outcome](ctx, c, Control, wire.TypeInterruptRequest, wire.TypeInterruptReply, struct{}{})
	return err
}

// Shutdown asks the kernel to shut down, and waits for its reply.
func (c *Client) Shutdown(ctx context.Context, restart bool) error {
	req := wire.Shutdown{Restart: restart}
	_, err := ask[wire.ShutdownReply](ctx, c, Control, wire.TypeShutdownRequest, wire.TypeShutdownReply, req)
	return err
}
