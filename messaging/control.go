package messaging

import "github.com/goanvil/notebook/messaging/wire"

// interruptRequest answers interrupt_request.
func (s *Server) interruptRequest(*request) any {
	s.Interrupt()
	return wire.OK
}

// shutdownRequest answers shutdown_request; the shutdown follows the reply. A
// second request changes nothing.
func (s *Server) shutdownRequest(r *request, req wire.Shutdown) wire.ShutdownReply {
	r.after = func() {
		select {
		case s.shutdown <- req:
		default:
		}
	}
	return wire.ShutdownReply{Outcome: wire.OK, Restart: req.Restart}
}

// A debugRequest is a request of the Debug Adapter Protocol.
type debugRequest struct {
	Seq     int    `json:"seq"`
	Command string `json:"command"`
}

// A debugReply is the response to a debugRequest.
type debugReply struct {
	Type       string `json:"type"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message"`
}

// debug answers debug_request with a failure: there is no debugger, and
// kernel_info_reply says so.
func (s *Server) debug(_ *request, req debugRequest) debugReply {
	return debugReply{
		Type: "response", RequestSeq: req.Seq, Command: req.Command, Message: "this kernel has no debugger",
	}
}
