package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// clockTick is the unit of start times in /proc. It is the same on all architectures that Go supports.
const clockTick = time.Second / 100

// processClock returns the time since the machine was started. The start times of processes, which are compared with
// this time, are multiples of clockTick, so the result is rounded down to a multiple too.
func processClock() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano()).Truncate(clockTick)
}

// processes returns all processes that are visible to this process. Source of the format: proc_pid_stat(5).
func processes() (all []process) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		stat, _ := os.ReadFile(file) // empty if the process has ended
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		// Field 2, the program's name in parentheses, may itself contain ")" and spaces.
		_, rest, found := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(") "))
		fields := bytes.Fields(rest) // from field 3 on
		if err != nil || !found || len(fields) < 20 {
			continue
		}
		parent, _ := strconv.Atoi(string(fields[1]))               // field 4: a number
		started, _ := strconv.ParseInt(string(fields[19]), 10, 64) // field 22: a number
		all = append(all, process{pid, parent, time.Duration(started) * clockTick})
	}
	return all
}
