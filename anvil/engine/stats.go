package engine

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Stats are the counters of a Session.
type Stats struct {
	Compiles      int64 // programs compiled
	CacheHits     int64 // programs found in memory
	DiskHits      int64 // programs found on disk
	Programs      int64 // programs made: compiled, loaded from disk, or prepared for Go to compute
	Launches      int64 // programs run
	HostLaunches  int64 // the launches, included in Launches, that Go computes: small programs, sorts, factorizations
	BytesToHost   int64
	BytesToDevice int64
	LiveBytes     int64 // on devices now
	LiveBuffers   int64
	PeakBytes     int64 // the maximum of LiveBytes so far
	LargestOps    int64 // operations of the largest program

	TraceTime   time.Duration // spent tracing functions
	CompileTime time.Duration // spent compiling and loading programs: the sum over all, although some ran in parallel
}

// String returns four lines, on programs, launches, memory and time.
func (s Stats) String() string {
	return fmt.Sprintf("programs: %d compiled, %d from disk, %d times found in memory; the largest has %d operations\n"+
		"launches: %d, of them %d computed by Go: small programs, sorts, factorizations\n"+
		"bytes: %d to devices, %d to the host; %d live in %d buffers, %d at most\n"+
		"time: %v to trace, %v to compile",
		s.Compiles, s.DiskHits, s.CacheHits, s.LargestOps,
		s.Launches, s.HostLaunches,
		s.BytesToDevice, s.BytesToHost, s.LiveBytes, s.LiveBuffers, s.PeakBytes,
		s.TraceTime.Round(time.Microsecond), s.CompileTime.Round(time.Microsecond))
}

// Stats returns the counters.
func (s *Session) Stats() Stats {
	st := Stats{CacheHits: s.hits.Load(), LargestOps: s.largest.Load(), Programs: s.programCount.Load(),
		TraceTime: time.Duration(s.traceTime.Load()), CompileTime: time.Duration(s.compileTime.Load())}
	if s.ready.Load() && s.exec != nil {
		c := s.exec.Counters()
		st.Compiles, st.DiskHits, st.Launches, st.HostLaunches = c.Compiles, c.DiskHits, c.Launches, c.HostLaunches
		st.BytesToHost, st.BytesToDevice = c.BytesToHost, c.BytesToDevice
		st.LiveBytes, st.LiveBuffers, st.PeakBytes = c.LiveBytes, c.LiveBuffers, c.PeakBytes
	}
	return st
}

// AddTraceTime adds d to Stats.TraceTime.
func (s *Session) AddTraceTime(d time.Duration) { s.traceTime.Add(int64(d)) }

// raise sets n to v if v is greater than n.
func raise(n *atomic.Int64, v int64) {
	for now := n.Load(); now < v && !n.CompareAndSwap(now, v); now = n.Load() {
	}
}
