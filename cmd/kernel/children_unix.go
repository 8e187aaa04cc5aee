//go:build linux || darwin

package main

import (
	"os"
	"slices"
	"syscall"
	"time"
)

// A process describes a running process.
type process struct {
	pid, parent int
	started     time.Duration // the start time, as processClock measures it
}

// childrenGrace is how long endChildren waits after SIGTERM before it sends SIGKILL.
const childrenGrace = time.Second

// endChildren ends the processes that this process has started since the given time of processClock,
// and their descendants. It sends SIGTERM, and after childrenGrace SIGKILL to those that are still
// running. It compares the start times of processes as well as their PIDs, since the system reuses PIDs.
func endChildren(since time.Duration) {
	targets := descendants(processes(), since)
	for _, p := range targets {
		_ = syscall.Kill(p.pid, syscall.SIGTERM)
	}
	if len(targets) == 0 {
		return
	}
	time.Sleep(childrenGrace)
	for _, p := range processes() {
		same := func(t process) bool { return t.pid == p.pid && t.started == p.started }
		if slices.ContainsFunc(targets, same) {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
}

// descendants returns those processes in all, the list of running processes, that are children of this process,
// their children, and so on. It leaves out those whose start time is less than since.
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
