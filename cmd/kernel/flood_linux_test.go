package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// TestFlood prints 300 MB, line by line and in large pieces. The kernel's memory must stay bounded,
// and no text may be lost.
func TestFlood(t *testing.T) {
	cmd, _, _, c := startKernel(t, `exec "$0" kernel -f "$1" --backend=reference`)
	f := &front{T: t, client: c}
	f.text("import \"strings\"\nline := strings.Repeat(\"x\", 999) + \"\\n\"\nnv.Arange(3)")
	idle := residentMB(t, cmd.Process.Pid, "VmRSS")
	for _, code := range []string{"for range 300_000 {\n\tfmt.Print(line)\n}", "for range 300 {\n\tfmt.Print(strings.Repeat(line, 1000))\n}"} {
		received := 0
		_, err := c.Execute(t.Context(), client.Execution{Code: code, Output: func(o client.Output) {
			if s, ok := o.Content.(wire.Stream); ok {
				received += len(s.Text)
			}
		}})
		if err != nil || received != 300_000_000 {
			t.Errorf("%d bytes, %v", received, err)
		}
	}
	if peak := residentMB(t, cmd.Process.Pid, "VmHWM"); peak > idle+100 {
		t.Errorf("%d MB resident at most, %d MB before", peak, idle)
	} else {
		t.Logf("%d MB resident at most, %d MB before", peak, idle)
	}
}

// residentMB returns a field of a process's status in MB: VmRSS is the resident memory, and VmHWM its
// maximum so far.
func residentMB(t *testing.T, pid int, field string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), field+":")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb >> 10
}
