package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/goanvil/notebook/messaging/wire"
)

// An Execution is a cell to run.
type Execution struct {
	Code            string
	Silent          bool // no outputs, no history
	NoHistory       bool // the cell is not stored in the history and does not advance the execution count
	ContinueOnError bool // queued cells are run even if this one fails
	UserExpressions map[string]string
	Subshell        string // id of the subshell that runs the cell (JEP 91); empty is the main shell

	// Output, if not nil, is called with each output of the cell, in order. The
	// Content is wire.ExecuteInput, wire.Stream, wire.DisplayData (see Update),
	// wire.ExecuteResult, wire.Failure, wire.ClearOutput or wire.Comm.
	Output func(Output)

	// Input is called when the cell asks for a line, and returns the line. If Input is
	// nil, the cell cannot ask.
	Input func(wire.InputRequest) (string, error)
}

// An Output is one output message of a cell.
type Output struct {
	Type    wire.Type
	Content any
}

// Update reports whether the output replaces an earlier one.
func (o Output) Update() bool { return o.Type == wire.TypeUpdateDisplayData }

// decoders maps the type of each output message to the decoder of its content.
var decoders = map[wire.Type]func([]byte) (any, error){
	wire.TypeExecuteInput:      decodeAs[wire.ExecuteInput],
	wire.TypeStream:            decodeAs[wire.Stream],
	wire.TypeDisplayData:       decodeAs[wire.DisplayData],
	wire.TypeUpdateDisplayData: decodeAs[wire.DisplayData],
	wire.TypeExecuteResult:     decodeAs[wire.ExecuteResult],
	wire.TypeError:             decodeAs[wire.Failure],
	wire.TypeClearOutput:       decodeAs[wire.ClearOutput],
	wire.TypeCommOpen:          decodeAs[wire.Comm],
	wire.TypeCommMsg:           decodeAs[wire.Comm],
	wire.TypeCommClose:         decodeAs[wire.Comm],
}

// decodeAs decodes JSON into a value of type T.
func decodeAs[T any](data []byte) (any, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, err
}

// Execute runs a cell and returns its reply, after Output was called with all outputs.
// If ctx ends first, the cell keeps running; Interrupt ends it.
func (c *Client) Execute(ctx context.Context, e Execution) (wire.ExecuteReply, error) {
	call, err := c.Begin(e)
	if err != nil {
		return wire.ExecuteReply{}, err
	}
	return call.Wait(ctx)
}

// Begin sends a cell without waiting for its reply. The kernel runs the cells of a
// subshell in the order in which they are sent.
func (c *Client) Begin(e Execution) (*Call, error) {
	call, err := c.begin(Shell, e.Subshell, wire.TypeExecuteRequest, wire.TypeExecuteReply, wire.ExecuteRequest{
		Code:            e.Code,
		Silent:          e.Silent,
		StoreHistory:    !e.Silent && !e.NoHistory,
		UserExpressions: e.UserExpressions,
		AllowStdin:      e.Input != nil,
		StopOnError:     !e.ContinueOnError,
	})
	if err == nil {
		call.cell = e
	}
	return call, err
}

// Wait waits for a cell begun with Begin and returns its reply. Meanwhile it calls the cell's
// Output with all outputs and its Input for each prompt. It must be called exactly once.
func (call *Call) Wait(ctx context.Context) (reply wire.ExecuteReply, err error) {
	replied, idle := false, false
	err = call.each(ctx, func(m *wire.Message) (bool, error) {
		switch {
		case m.Header.MsgType == call.reply:
			replied = true
			if err := json.Unmarshal(m.Content, &reply); err != nil {
				return false, fmt.Errorf("%s: %w", call.reply, err)
			}
		case m.Header.MsgType == wire.TypeInputRequest:
			return false, call.answer(m)
		case isIdle(m):
			idle = true
		default:
			return false, call.show(m)
		}
		return replied && idle, nil
	})
	return reply, err
}

// show calls the cell's Output with m, if m is an output.
func (call *Call) show(m *wire.Message) error {
	decode, ok := decoders[m.Header.MsgType]
	if !ok || call.cell.Output == nil {
		return nil
	}
	content, err := decode(m.Content)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Header.MsgType, err)
	}
	call.cell.Output(Output{m.Header.MsgType, content})
	return nil
}

// answer answers an input_request.
func (call *Call) answer(m *wire.Message) error {
	var req wire.InputRequest
	if err := json.Unmarshal(m.Content, &req); err != nil {
		return fmt.Errorf("%s: %w", m.Header.MsgType, err)
	}
	reply := wire.InputReply{Outcome: wire.OK}
	value, err := call.input(req)
	if err != nil {
		reply.Outcome = wire.Failed("InputError", err.Error())
	}
	reply.Value = value
	out, err := call.client.message(wire.TypeInputReply, m.RawHeader, reply)
	if err != nil {
		return err
	}
	return call.client.send(call.client.stdin, out)
}

// input returns the answer of the cell's Input.
func (call *Call) input(req wire.InputRequest) (string, error) {
	if call.cell.Input == nil {
		return "", errors.New("input: the cell was run without an Input function")
	}
	return call.cell.Input(req)
}
