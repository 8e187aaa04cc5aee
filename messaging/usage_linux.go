package messaging

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// memory returns the resident memory of this process in bytes, or 0 if it is unknown.
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

// machineMemory returns the memory of the machine, or nil if it is unknown (proc_meminfo(5)).
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

// cpuTimes returns the current CPU times; ok is false if they are unknown. See
// proc_pid_stat(5) and proc_stat(5).
func cpuTimes() (t cpuTime, ok bool) {
	self, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return t, false
	}
	// Field 2, the program's name in parentheses, may contain ")" and spaces.
	fields := strings.Fields(string(self[bytes.LastIndexByte(self, ')')+1:])) // from field 3 on
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
	var nice, hostUser, hostSystem, idle, ioWait, irq, softIRQ, steal float64
	_, err = fmt.Sscan(strings.TrimPrefix(string(host), "cpu"),
		&hostUser, &nice, &hostSystem, &idle, &ioWait, &irq, &softIRQ, &steal)
	if err != nil {
		return t, false
	}
	t.process = user + system
	t.busy = hostUser + nice + hostSystem + irq + softIRQ + steal
	t.all = t.busy + idle + ioWait
	return t, true
}
