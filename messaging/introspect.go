package messaging

import "github.com/goanvil/notebook/messaging/wire"

// kernelInfo answers kernel_info_request.
func (s *Server) kernelInfo(*request) any {
	info := s.kernel.Info()
	info.Outcome = wire.OK
	info.ProtocolVersion = wire.ProtocolVersion
	_, info.Debugger = s.kernel.(Explorer)
	info.SupportedFeatures = []string{"iopub_welcome"}
	if s.options.Subshells {
		info.SupportedFeatures = append(info.SupportedFeatures, "kernel subshells")
	}
	if info.HelpLinks == nil {
		info.HelpLinks = []wire.HelpLink{}
	}
	return info
}

// complete answers complete_request.
func (s *Server) complete(r *request, req wire.CompleteRequest) wire.CompleteReply {
	reply := s.kernel.Complete(r.ctx, req)
	reply.Outcome, reply.Metadata = orOK(reply.Outcome), notNil(reply.Metadata)
	if reply.Matches == nil {
		reply.Matches = []string{}
	}
	return reply
}

// inspect answers inspect_request.
func (s *Server) inspect(r *request, req wire.InspectRequest) wire.InspectReply {
	reply := s.kernel.Inspect(r.ctx, req)
	reply.Outcome = orOK(reply.Outcome)
	reply.Data, reply.Metadata = notNil(reply.Data), notNil(reply.Metadata)
	return reply
}

// isComplete answers is_complete_request.
func (s *Server) isComplete(r *request, req wire.IsCompleteRequest) wire.IsCompleteReply {
	reply := s.kernel.IsComplete(r.ctx, req)
	if reply.Status == "" {
		reply.Status = wire.CodeUnknown
	}
	return reply
}

// connect answers connect_request.
func (s *Server) connect(*request) any {
	return wire.ConnectReply{
		Outcome:     wire.OK,
		ShellPort:   s.info.ShellPort,
		IOPubPort:   s.info.IOPubPort,
		StdinPort:   s.info.StdinPort,
		HBPort:      s.info.HBPort,
		ControlPort: s.info.ControlPort,
	}
}
