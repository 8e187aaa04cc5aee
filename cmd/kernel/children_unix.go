//go:build linux || darwin

package main

import (
	"os"
	"slices"
	"syscall"
	"time"
)

// A process is a running process and its parent.
type process struct {
	pid, parent int
	started     time.Duration // on the clock of processClock
}

// childrenGrace is how long processes may take to end after SIGTERM.
const childrenGrace = time.Second

// endChildren ends the processes that this one has started since a time on processClock, and their
// descendants. It sends SIGTERM, and after childrenGrace SIGKILL to those that are still running. A
// PID alone does not identify a process, since the system reuses PIDs; start times are compared too.
func endChildren(since time.Duration) {
	ended := descendants(processes(), since)
	for _, p := range ended {
		_ = syscall.Kill(p.pid, syscall.SIGTERM)
	}
	if len(ended) == 0 {
		return
	}
	time.Sleep(childrenGrace)
	for _, p := range processes() {
		same := func(e process) bool { return e.pid == p.pid && e.started == p.started }
		if slices.ContainsFunc(ended, same) {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
}

// descendants returns the processes in all that were started since a time by this process, by its
// children, and so on.
func descendants(all []process, since time.Duration) (found []process) {
	parents := []int{os.Getpid()}
	for len(parents) > 0 {
		var children []int
		for _, p := range all {
			if slices.Contains(parents, p.parent) && p.started >= since {
				found, children = append(found, p), append(children, p.pid)
			}
		}
		parents = children
	}
	return found
}
