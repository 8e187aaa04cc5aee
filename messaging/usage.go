package messaging

import (
	"os"
	"runtime"

	"github.com/goanvil/notebook/messaging/wire"
)

// A usageReply is what jupyter-resource-usage asks of a kernel, as far as it
// can be had without asking the machine for more than this process.
type usageReply struct {
	wire.Outcome
	Hostname string `json:"hostname"`
	PID      int    `json:"pid"`
	Memory   uint64 `json:"kernel_memory"` // bytes
	CPUs     int    `json:"cpu_count"`
}

// usage answers usage_request.
func (s *Server) usage(*request) any {
	host, _ := os.Hostname() // empty where it is not known
	return usageReply{Outcome: wire.OK, Hostname: host, PID: os.Getpid(), Memory: memory(), CPUs: runtime.NumCPU()}
}
