package xla

import "sync/atomic"

// Stats are the counts of a client since it was made.
type Stats struct {
	Compiles, Launches         int64
	BytesToHost, BytesToDevice int64
	LiveBytes, LiveBuffers     int64 // on its devices, now
	PeakBytes                  int64 // maximum of LiveBytes
}

type counters struct {
	compiles, launches, toHost, toDevice, liveBytes, liveBuffers, peakBytes atomic.Int64
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	n := &c.counters
	return Stats{
		Compiles: n.compiles.Load(), Launches: n.launches.Load(),
		BytesToHost: n.toHost.Load(), BytesToDevice: n.toDevice.Load(),
		LiveBytes: n.liveBytes.Load(), LiveBuffers: n.liveBuffers.Load(), PeakBytes: n.peakBytes.Load(),
	}
}

// live counts the bytes of a new buffer.
func (n *counters) live(bytes int64) {
	now := n.liveBytes.Add(bytes)
	for {
		most := n.peakBytes.Load()
		if now <= most || n.peakBytes.CompareAndSwap(most, now) {
			return
		}
	}
}
