package messaging

import (
	"os"
	"runtime"

	"github.com/goanvil/notebook/messaging/wire"
)

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

// commInfo answers comm_info_request: no comm is open, as the kernel has no
// targets.
func (s *Server) commInfo(*request, wire.CommInfoRequest) wire.CommInfoReply {
	return wire.CommInfoReply{Outcome: wire.OK, Comms: map[string]wire.CommInfo{}}
}

// commOpen closes the comm at once, as the protocol asks for an unknown target.
func (s *Server) commOpen(r *request, c wire.Comm) any {
	s.log.Printf("comm_open: unknown target %q", c.TargetName)
	_ = s.publish(wire.TypeCommClose, r.RawHeader, wire.Comm{CommID: c.CommID, Data: map[string]any{}})
	return nil
}

// commMsg ignores a message to a comm that is not open.
func (s *Server) commMsg(_ *request, c wire.Comm) any {
	s.log.Printf("comm_msg: comm %q is not open", c.CommID)
	return nil
}

// commClose does nothing: no comm is open.
func (s *Server) commClose(*request, wire.Comm) any { return nil }

// A usageReply is the part of a reply to jupyter-resource-usage that concerns
// this process alone.
type usageReply struct {
	wire.Outcome
	Hostname string `json:"hostname"`
	PID      int    `json:"pid"`
	Memory   uint64 `json:"kernel_memory"` // bytes
	CPUs     int    `json:"cpu_count"`
}

// usage answers usage_request.
func (s *Server) usage(*request) any {
	host, _ := os.Hostname() // empty where unknown
	return usageReply{Outcome: wire.OK, Hostname: host, PID: os.Getpid(), Memory: memory(), CPUs: runtime.NumCPU()}
}
