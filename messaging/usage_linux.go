package messaging

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// memory returns the resident memory of this process in bytes, 0 where unknown.
func memory() uint64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident uint64 // in pages
	if _, err := fmt.Sscan(string(data), &size, &resident); err != nil {
		return 0
	}
	return resident * uint64(os.Getpagesize())
}

// machineMemory returns the memory of the machine, nil where unknown (proc_meminfo(5)).
func machineMemory() *hostMemory {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return nil
	}
	kilobytes := map[string]uint64{}
	for line := range strings.Lines(string(data)) {
		var name string
		var n uint64
		if _, err := fmt.Sscan(line, &name, &n); err == nil {
			kilobytes[strings.TrimSuffix(name, ":")] = n
		}
	}
	m := &hostMemory{
		Total:     kilobytes["MemTotal"] << 10,
		Available: kilobytes["MemAvailable"] << 10,
		Free:      kilobytes["MemFree"] << 10,
	}
	if m.Total == 0 {
		return nil
	}
	m.Used = m.Total - min(m.Total, m.Available)
	m.Percent = 100 * float64(m.Used) / float64(m.Total)
	return m
}

// cpuTimes returns the times that CPUs have worked, in clock ticks (proc_pid_stat(5),
// proc_stat(5)).
func cpuTimes() (t cpuTime, ok bool) {
	self, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return t, false
	}
	fields := strings.Fields(string(self[bytes.LastIndexByte(self, ')')+1:])) // the name before may have spaces
	if len(fields) < 13 {
		return t, false
	}
	var user, system float64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return t, false
	}
	host, err := os.ReadFile("/proc/stat")
	if err != nil {
		return t, false
	}
	var in [8]float64 // user, nice, system, idle, iowait, irq, softirq, steal
	if _, err := fmt.Sscan(strings.TrimPrefix(string(host), "cpu"), &in[0], &in[1], &in[2], &in[3], &in[4], &in[5], &in[6], &in[7]); err != nil {
		return t, false
	}
	t.process = user + system
	for _, n := range in {
		t.all += n
	}
	t.busy = t.all - in[3] - in[4]
	return t, true
}
