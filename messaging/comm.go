package messaging

import "github.com/goanvil/notebook/messaging/wire"

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
