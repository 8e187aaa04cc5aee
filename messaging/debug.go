package messaging

import (
	"github.com/goanvil/notebook/messaging/wire"
)

// An Explorer is a Kernel whose variables front ends can list, as JupyterLab does in its
// debugger panel. Variables and Variable may be called while a cell is running.
type Explorer interface {
	// Variables returns the variables of the session if reference is 0. Otherwise it
	// returns the parts of the value whose wire.Variable has that Reference. It must not
	// wait for a cell.
	Variables(reference int) []wire.Variable

	// Variable returns the representations of the variable with the given name. ok is
	// false if none are available at the moment.
	Variable(name string) (data, metadata wire.Bundle, ok bool)
}

// A debugRequest is a request of the Debug Adapter Protocol, with the additions of Jupyter.
type debugRequest struct {
	Seq       int    `json:"seq"`
	Command   string `json:"command"`
	Arguments struct {
		Reference int    `json:"variablesReference"`
		Name      string `json:"variableName"`
	} `json:"arguments"`
}

// A debugReply is the response to a debugRequest.
type debugReply struct {
	Type       string `json:"type"`
	Seq        int    `json:"seq"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message,omitempty"`
	Body       any    `json:"body"`
}

// A debugEvent is an event of the Debug Adapter Protocol.
type debugEvent struct {
	Type  string `json:"type"`
	Seq   int    `json:"seq"`
	Event string `json:"event"`
}

// fields is a JSON object in the body of a reply.
type fields = map[string]any

// debug answers debug_request. The debugger only lists variables: it accepts breakpoints but sets
// none, and commands that step fail.
func (s *Server) debug(r *request, req debugRequest) debugReply {
	reply := debugReply{Type: "response", Seq: req.Seq, RequestSeq: req.Seq, Command: req.Command, Body: fields{}}
	explorer, ok := s.kernel.(Explorer)
	if !ok {
		reply.Message = "this kernel has no debugger"
		return reply
	}
	reply.Success = true
	switch req.Command {
	case "debugInfo":
		reply.Body = s.debugInfo()
	case "initialize":
		s.exploring.Store(true)
		r.after = func() {
			_ = s.publish(wire.TypeDebugEvent, r.RawHeader, debugEvent{Type: "event", Seq: req.Seq, Event: "initialized"})
		}
	case "attach", "configurationDone":
	case "disconnect", "terminate":
		s.exploring.Store(false)
	case "inspectVariables", "variables":
		reply.Body = fields{"variables": append([]wire.Variable{}, explorer.Variables(req.Arguments.Reference)...)}
	case "richInspectVariables":
		data, metadata, ok := explorer.Variable(req.Arguments.Name)
		reply.Success, reply.Body = ok, fields{"data": notNil(data), "metadata": notNil(metadata)}
	case "dumpCell": // asks for the file name to use in setBreakpoints; since none are set, any name will do
		reply.Body = fields{"sourcePath": sourcePrefix + ".go"}
	case "setBreakpoints", "setExceptionBreakpoints":
		reply.Body = fields{"breakpoints": []any{}}
	case "modules":
		reply.Body = fields{"modules": []any{}, "totalModules": 0}
	default:
		reply.Success, reply.Message = false, "this kernel's debugger only lists variables; it cannot step"
	}
	return reply
}

// sourcePrefix begins the file names that front ends compute for cells. No such files exist.
const sourcePrefix = "goanvil_"

// debugInfo returns the body of the reply to the command debugInfo.
func (s *Server) debugInfo() fields {
	return fields{
		"isStarted": s.exploring.Load(), "richRendering": true, "copyToGlobals": false,
		"hashMethod": "Murmur2", "hashSeed": 0, "tmpFilePrefix": sourcePrefix, "tmpFileSuffix": ".go",
		"breakpoints": []any{}, "stoppedThreads": []int{}, "exceptionPaths": []string{},
	}
}
