//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// TestInterruptEndsChildren tests that an interrupt ends the processes that the cell has started and
// their descendants, even if they ignore SIGTERM, but no process of an earlier cell.
func TestInterruptEndsChildren(t *testing.T) {
	_, _, _, c := startKernel(t, `exec "$0" kernel -f "$1" --backend=reference`)
	f := &front{T: t, client: c}
	earlier := f.text("import (\n\"os\"\n\"os/exec\"\n)\nearlier := exec.Command(\"sleep\", \"300\")\n_ = earlier.Start()\nearlier.Process.Pid")
	time.Sleep(20 * time.Millisecond) // start times have a resolution of 10 ms
	for _, script := range []string{
		"echo $$; sleep 300 & echo $!; wait",
		"trap '' TERM; echo $$; sh -c 'echo $$; while :; do sleep 1; done'",
	} {
		pids := interruptedProcesses(t, c, fmt.Sprintf("cmd := exec.Command(\"sh\", \"-c\", %q)\ncmd.Stdout = os.Stdout\ncmd.Run()", script))
		for _, pid := range pids {
			for end := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%s: process %d runs on", script, pid)
				}
			}
		}
	}
	if pid, err := strconv.Atoi(earlier); err != nil || syscall.Kill(pid, 0) != nil {
		t.Errorf("process %q of an earlier cell has ended", earlier)
	}
	f.want("earlier.Process.Kill()\n1 + 1", "2")
}

// interruptedProcesses runs code, interrupts it when it has printed two process ids, and
// returns the ids.
func interruptedProcesses(t *testing.T, c *client.Client, code string) (pids []int) {
	t.Helper()
	var printed strings.Builder
	running := make(chan struct{})
	call, err := c.Begin(client.Execution{Code: code, Output: func(o client.Output) {
		if s, ok := o.Content.(wire.Stream); ok {
			before := strings.Count(printed.String(), "\n")
			printed.WriteString(s.Text)
			if before < 2 && strings.Count(printed.String(), "\n") >= 2 {
				close(running)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-running
		_ = c.Interrupt(t.Context())
	}()
	if reply, err := call.Wait(t.Context()); err != nil || reply.Status != wire.StatusError {
		t.Errorf("%+v, %v", reply, err)
	}
	for line := range strings.Lines(printed.String()) {
		if pid, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			pids = append(pids, pid)
		}
	}
	if len(pids) != 2 {
		t.Errorf("processes %v", pids)
	}
	return pids
}

// TestDescendants checks which processes are a cell's: those started since its begin by the kernel, or by one of them.
func TestDescendants(t *testing.T) {
	own := os.Getpid()
	all := []process{
		{own, 1, 0}, {11, 10, 60}, {10, own, 50}, {12, own, 49}, {13, 12, 70}, {14, 1, 80}, {15, 11, 60}, {16, 11, 10},
	}
	var pids []int
	for _, p := range descendants(all, 50) {
		pids = append(pids, p.pid)
	}
	if want := []int{10, 11, 15}; !slices.Equal(pids, want) {
		t.Errorf("processes %v, want %v", pids, want)
	}
	now := processClock()
	for _, p := range processes() {
		if p.pid == own {
			if p.parent != os.Getppid() || p.started <= 0 || p.started > now {
				t.Errorf("this process is %+v at %v", p, now)
			}
			return
		}
	}
	t.Error("this process is not found")
}
