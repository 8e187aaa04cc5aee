package messaging

import (
	"os"
	"runtime"

	"github.com/goanvil/notebook/messaging/wire"
)

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
