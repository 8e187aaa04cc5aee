package messaging

import (
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestMachineMemory checks the memory of the machine against /proc/meminfo, which is in KiB.
func TestMachineMemory(t *testing.T) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip(err)
	}
	var total uint64
	if _, err := fmt.Sscanf(string(text[strings.Index(string(text), "MemTotal:"):]), "MemTotal: %d kB", &total); err != nil {
		t.Fatal(err)
	}
	m := machineMemory()
	if m.Total != 1024*total || m.Free == 0 || m.Free > m.Total || m.Available == 0 || m.Used+m.Available != m.Total {
		t.Errorf("%+v, want a total of %d KiB", m, total)
	}
	if want := 100 * (1 - float64(m.Available)/float64(m.Total)); math.Abs(m.Percent-want) > 1e-6 {
		t.Errorf("%g %% are used, want %g", m.Percent, want)
	}
}

// TestMemory checks the resident memory against the greatest that the process has had.
func TestMemory(t *testing.T) {
	got := memory()
	if greatest := usageOf(t).Maxrss * 1024; got == 0 || got > uint64(greatest)+1<<20 || got < uint64(greatest)/100 {
		t.Errorf("%d bytes, of at most %d", got, greatest)
	}
}

// TestCPUTimes checks the time of this process against getrusage(2). A tick is 10 ms.
func TestCPUTimes(t *testing.T) {
	ticks := func() float64 {
		u := usageOf(t)
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e7
	}
	before := ticks()
	got, ok := cpuTimes()
	after := ticks()
	if !ok || got.process < before-3 || got.process > after+3 {
		t.Errorf("%+v, want from %g to %g ticks of this process", got, before, after)
	}
	if got.busy <= 0 || got.all <= got.busy {
		t.Errorf("%+v", got)
	}
}

func usageOf(t *testing.T) (u syscall.Rusage) {
	t.Helper()
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Skip(err)
	}
	return u
}
