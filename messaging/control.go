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

// commInfo answers comm_info_request. No comm is open, since the kernel has no
// comm targets.
func (s *Server) commInfo(*request, wire.CommInfoRequest) wire.CommInfoReply {
	return wire.CommInfoReply{Outcome: wire.OK, Comms: map[string]wire.CommInfo{}}
}

// commOpen closes the comm at once, as the protocol requires for an unknown target.
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

// A usageReply is the reply to usage_request of jupyter-resource-usage.
type usageReply struct {
	wire.Outcome
	Hostname string `json:"hostname"`
	PID      int    `json:"pid"`
	Memory   uint64 `json:"kernel_memory"` // bytes
	CPUs     int    `json:"cpu_count"`

	// The CPU load since the last request or, for the first request, since the machine was started.
	KernelCPU *float64 `json:"kernel_cpu,omitempty"`       // percent of one CPU
	HostCPU   *float64 `json:"host_cpu_percent,omitempty"` // percent of all CPUs

	HostMemory *hostMemory `json:"host_virtual_memory,omitempty"`
}

// A hostMemory is the memory of the machine, in bytes. The JSON names are those of
// Python's psutil.
type hostMemory struct {
	Total     uint64  `json:"total"`
	Available uint64  `json:"available"`
	Used      uint64  `json:"used"`
	Free      uint64  `json:"free"`
	Percent   float64 `json:"percent"` // the part of Total that is not available
}

// A cpuTime holds CPU times since the machine was started, in clock ticks and summed over
// all CPUs.
type cpuTime struct {
	process float64 // used by this process
	busy    float64 // used by all processes
	all     float64 // busy and idle time
}

// usage answers usage_request.
func (s *Server) usage(*request) any {
	host, _ := os.Hostname() // empty if unknown
	reply := usageReply{
		Outcome: wire.OK, Hostname: host, PID: os.Getpid(), Memory: memory(),
		CPUs: runtime.NumCPU(), HostMemory: machineMemory(),
	}
	s.usageMu.Lock()
	defer s.usageMu.Unlock()
	now, ok := cpuTimes()
	if elapsed := now.all - s.cpu.all; ok && elapsed > 0 {
		kernel := 100 * float64(reply.CPUs) * (now.process - s.cpu.process) / elapsed
		host := 100 * (now.busy - s.cpu.busy) / elapsed
		reply.KernelCPU, reply.HostCPU = &kernel, &host
		s.cpu = now
	}
	return reply
}
