package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processClock returns the time since 1970, from which the start times of processes count too.
func processClock() time.Duration { return time.Duration(time.Now().UnixNano()) }

// processes returns all processes, or nil if the system does not list them.
func processes() (all []process) {
	list, _ := unix.SysctlKinfoProcSlice("kern.proc.all") // empty after an error
	for _, p := range list {
		started := p.Proc.P_starttime
		all = append(all, process{int(p.Proc.P_pid), int(p.Eproc.Ppid), time.Duration(started.Nano())})
	}
	return all
}
