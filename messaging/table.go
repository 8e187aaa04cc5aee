package messaging

import (
	"context"
	"encoding/json"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// A channel is where a message may come in; sets are unions.
type channel uint8

const (
	onShell channel = 1 << iota
	onControl
	onStdin
)

// A request is a message that came in.
type request struct {
	*wire.Message
	on       router
	channel  channel
	received time.Time
	ctx      context.Context
	refusal  *wire.Outcome // why it is not even tried
	after    func()        // what follows once it is answered
}

// A handler answers a request; its result is the content of the reply.
type handler func(*Server, *request) any

// A row says how a kind of message is answered.
type row struct {
	reply   wire.Type // none where empty
	on      channel
	handler handler
}

// rows returns the table: every kind of message that a front end sends. (A
// variable would be an initialization cycle: handlers start subshells, which
// look rows up.)
func rows() map[wire.Type]row {
	return map[wire.Type]row{
		wire.TypeKernelInfoRequest:     {wire.TypeKernelInfoReply, onShell | onControl, (*Server).kernelInfo},
		wire.TypeExecuteRequest:        {wire.TypeExecuteReply, onShell, with((*Server).execute)},
		wire.TypeInspectRequest:        {wire.TypeInspectReply, onShell, with((*Server).inspect)},
		wire.TypeCompleteRequest:       {wire.TypeCompleteReply, onShell, with((*Server).complete)},
		wire.TypeHistoryRequest:        {wire.TypeHistoryReply, onShell, with((*Server).historyOf)},
		wire.TypeIsCompleteRequest:     {wire.TypeIsCompleteReply, onShell, with((*Server).isComplete)},
		wire.TypeConnectRequest:        {wire.TypeConnectReply, onShell | onControl, (*Server).connect},
		wire.TypeCommInfoRequest:       {wire.TypeCommInfoReply, onShell | onControl, with((*Server).commInfo)},
		wire.TypeShutdownRequest:       {wire.TypeShutdownReply, onShell | onControl, with((*Server).askShutdown)},
		wire.TypeInterruptRequest:      {wire.TypeInterruptReply, onControl, (*Server).askInterrupt},
		wire.TypeDebugRequest:          {wire.TypeDebugReply, onControl, with((*Server).debug)},
		wire.TypeUsageRequest:          {wire.TypeUsageReply, onControl, (*Server).usage},
		wire.TypeCreateSubshellRequest: {wire.TypeCreateSubshellReply, onControl, (*Server).createSubshell},
		wire.TypeDeleteSubshellRequest: {wire.TypeDeleteSubshellReply, onControl, with((*Server).deleteSubshell)},
		wire.TypeListSubshellRequest:   {wire.TypeListSubshellReply, onControl, (*Server).listSubshells},
		wire.TypeCommOpen:              {"", onShell, with((*Server).commOpen)},
		wire.TypeCommMsg:               {"", onShell, with((*Server).commMsg)},
		wire.TypeCommClose:             {"", onShell, with((*Server).commClose)},
		wire.TypeInputReply:            {"", onStdin, with((*Server).inputReply)},
	}
}

// with returns the handler that reads the content before it calls h, and
// answers content of another form with an error.
func with[C, R any](h func(*Server, *request, C) R) handler {
	return func(s *Server, r *request) any {
		var content C
		if err := json.Unmarshal(r.Content, &content); err != nil {
			return wire.Failed("BadRequest", string(r.Header.MsgType)+": "+err.Error())
		}
		return h(s, r, content)
	}
}

// dispatch answers r, then does what follows from it.
func (s *Server) dispatch(r *request) {
	s.respond(r)
	if r.after != nil {
		r.after()
	}
}

// respond answers r, between busy and idle. A kind of message that is not
// known is ignored, as the protocol asks, but between busy and idle too: that
// is what its sender waits for.
func (s *Server) respond(r *request) {
	s.status(r.RawHeader, wire.Busy)
	defer s.status(r.RawHeader, wire.Idle)
	row, ok := s.rows[r.Header.MsgType]
	if !ok || row.on&r.channel == 0 {
		s.log.Printf("message ignored: %q", r.Header.MsgType)
		return
	}
	var done func()
	r.ctx, done = s.running.start()
	defer done()
	content := s.answer(row, r)
	if row.reply != "" {
		s.reply(r, row.reply, content)
	}
}

// answer returns the content of the reply to r.
func (s *Server) answer(row row, r *request) any {
	if r.refusal != nil {
		return *r.refusal
	}
	return row.handler(s, r)
}

// reply sends the answer to r, and an error in place of one that has no JSON.
func (s *Server) reply(r *request, t wire.Type, content any) {
	m, err := s.message(t, r.RawHeader, content)
	if err != nil {
		m, _ = s.message(t, r.RawHeader, wire.Failed("BadReply", err.Error()))
	}
	m.Identities = r.Identities
	if err := r.on.send(m); err != nil {
		s.log.Printf("reply %s: %v", t, err)
	}
}

// onControl answers a message of the control channel at once, whatever runs.
func (s *Server) onControl(m *wire.Message) {
	s.dispatch(&request{Message: m, on: s.control, channel: onControl})
}

// onStdin takes what the user typed. There is no busy and idle: it belongs to
// the cell that asked.
func (s *Server) onStdin(m *wire.Message) {
	if row, ok := s.rows[m.Header.MsgType]; ok && row.on&onStdin != 0 {
		row.handler(s, &request{Message: m, on: s.stdin, channel: onStdin})
	}
}

// onShell queues a message for its subshell.
func (s *Server) onShell(m *wire.Message) {
	s.shells.route(&request{Message: m, on: s.shell, channel: onShell, received: time.Now()})
}
