package messaging

import (
	"context"
	"encoding/json"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// A channel is a bit set of the sockets on which a message may arrive.
type channel uint8

const (
	shellChannel channel = 1 << iota
	controlChannel
	stdinChannel

	shellOrControl = shellChannel | controlChannel
)

// A request is a received message.
type request struct {
	*wire.Message
	router   router    // the socket that received the request, and sends the reply
	channel  channel   // the channel of that socket
	received time.Time // when the message arrived; set on shell only
	ctx      context.Context
	shell    *subshell     // the subshell or lane that runs the request; nil unless the request came on shell
	inBurst  bool          // the request is a cell that was sent together with an earlier one
	refusal  *wire.Outcome // if not nil, the reply; the handler is not called
	after    func()        // if not nil, called once the reply is sent
}

// A handler answers a request; its result is the content of the reply.
type handler func(*Server, *request) any

// A row tells how messages of one type are answered.
type row struct {
	reply    wire.Type // the type of the reply; empty if there is none
	channels channel   // the channels that accept the message
	handler  handler
}

// rows returns the table of all message types that a front end sends. It is a
// function because a variable would be an initialization cycle: handlers start
// subshells, which look up rows.
func rows() map[wire.Type]row {
	return map[wire.Type]row{
		wire.TypeKernelInfoRequest:     {wire.TypeKernelInfoReply, shellOrControl, (*Server).kernelInfo},
		wire.TypeExecuteRequest:        {wire.TypeExecuteReply, shellChannel, withContent((*Server).execute)},
		wire.TypeInspectRequest:        {wire.TypeInspectReply, shellChannel, withContent((*Server).inspect)},
		wire.TypeCompleteRequest:       {wire.TypeCompleteReply, shellChannel, withContent((*Server).complete)},
		wire.TypeHistoryRequest:        {wire.TypeHistoryReply, shellChannel, withContent((*Server).historyRequest)},
		wire.TypeIsCompleteRequest:     {wire.TypeIsCompleteReply, shellChannel, withContent((*Server).isComplete)},
		wire.TypeConnectRequest:        {wire.TypeConnectReply, shellOrControl, (*Server).connect},
		wire.TypeCommInfoRequest:       {wire.TypeCommInfoReply, shellOrControl, withContent((*Server).commInfo)},
		wire.TypeShutdownRequest:       {wire.TypeShutdownReply, shellOrControl, withContent((*Server).shutdownRequest)},
		wire.TypeInterruptRequest:      {wire.TypeInterruptReply, controlChannel, (*Server).interruptRequest},
		wire.TypeDebugRequest:          {wire.TypeDebugReply, controlChannel, withContent((*Server).debug)},
		wire.TypeUsageRequest:          {wire.TypeUsageReply, controlChannel, (*Server).usage},
		wire.TypeCreateSubshellRequest: {wire.TypeCreateSubshellReply, controlChannel, (*Server).createSubshell},
		wire.TypeDeleteSubshellRequest: {wire.TypeDeleteSubshellReply, controlChannel, withContent((*Server).deleteSubshell)},
		wire.TypeListSubshellRequest:   {wire.TypeListSubshellReply, controlChannel, (*Server).listSubshells},
		wire.TypeCommOpen:              {"", shellChannel, withContent((*Server).commOpen)},
		wire.TypeCommMsg:               {"", shellChannel, withContent((*Server).commMsg)},
		wire.TypeCommClose:             {"", shellChannel, withContent((*Server).commClose)},
		wire.TypeInputReply:            {"", stdinChannel, withContent((*Server).inputReply)},
	}
}

// withContent returns a handler that decodes the content and calls h with it.
// Content that cannot be decoded is answered with an error.
func withContent[C, R any](h func(*Server, *request, C) R) handler {
	return func(s *Server, r *request) any {
		var content C
		if err := json.Unmarshal(r.Content, &content); err != nil {
			return wire.Failed("BadRequest", string(r.Header.MsgType)+": "+err.Error())
		}
		return h(s, r, content)
	}
}

// dispatch answers r, then calls r.after.
func (s *Server) dispatch(r *request) {
	s.respond(r)
	if r.after != nil {
		r.after()
	}
}

// respond answers r, and publishes the states busy before and idle after the answer. A
// message of unknown type gets no reply, as the protocol requires, but the states are still
// published, because the sender waits for idle.
func (s *Server) respond(r *request) {
	if r.Header.MsgType == wire.TypeExecuteRequest {
		s.awaitSubscriber()
	}
	s.status(r.RawHeader, wire.Busy)
	defer s.status(r.RawHeader, wire.Idle)
	row, ok := s.rows[r.Header.MsgType]
	if !ok || row.channels&r.channel == 0 {
		s.log.Printf("message ignored: %q", r.Header.MsgType)
		return
	}
	var done func()
	r.ctx, done = s.running.start()
	defer done()
	var content any
	if r.refusal != nil {
		content = *r.refusal
	} else {
		content = row.handler(s, r)
	}
	if r.shell != nil {
		r.shell.finish(r)
	}
	if row.reply != "" {
		s.reply(r, row.reply, content)
	}
}

// reply sends the reply to r. If content cannot be encoded, it sends the error
// instead.
func (s *Server) reply(r *request, t wire.Type, content any) {
	m, err := s.message(t, r.RawHeader, content)
	if err != nil {
		m, _ = s.message(t, r.RawHeader, wire.Failed("BadReply", err.Error()))
	}
	m.Identities = r.Identities
	if err := r.router.send(m); err != nil {
		s.log.Printf("reply %s: %v", t, err)
	}
}

// onControl answers a message of the control channel at once, also while a cell
// is running or waits for a client that does not read its outputs.
func (s *Server) onControl(m *wire.Message) {
	s.iopub.guard.Hurry()
	s.dispatch(&request{Message: m, router: s.control, channel: controlChannel})
}

// onStdin handles the user's input. It does not publish busy and idle, since the
// message belongs to the running cell.
func (s *Server) onStdin(m *wire.Message) {
	if row, ok := s.rows[m.Header.MsgType]; ok && row.channels&stdinChannel != 0 {
		row.handler(s, &request{Message: m, router: s.stdin, channel: stdinChannel})
	}
}

// onShell queues a message for its subshell.
func (s *Server) onShell(m *wire.Message) {
	s.shells.route(&request{Message: m, router: s.shell, channel: shellChannel, received: time.Now()})
}
