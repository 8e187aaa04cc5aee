//go:build amd64 && !nopjrt

package xla_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/xla"
)

// TestTuneMemory checks that the restarted program has libc's tunables when it starts but not
// in its environment, and that a program with other tunables of malloc is not restarted.
func TestTuneMemory(t *testing.T) {
	const variable = "GOANVIL_TEST_RESTART"
	if os.Getenv(variable) != "" {
		xla.TuneMemory()
		initial, err := os.ReadFile("/proc/self/environ") // the environment when the program started
		if err != nil {
			t.Fatal(err)
		}
		started := strings.ReplaceAll(string(initial), "\x00", ":") // libc may have replaced separators by zero bytes
		t.Logf("started with %q", started[max(0, strings.Index(started, "GLIBC_TUNABLES=")):])
		t.Logf("has %q", os.Getenv("GLIBC_TUNABLES"))
		return
	}
	const ours = "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"
	// The values before and after the restart, and after TuneMemory.
	for _, c := range []struct{ given, started, has string }{
		{"", ours, ""},
		{"glibc.malloc.hugetlb=1", ours, ""}, // as in kernelspecs of older versions
		{"glibc.rtld.nns=5", "glibc.rtld.nns=5:" + ours, "glibc.rtld.nns=5"},
		{"glibc.malloc.arena_max=2", "glibc.malloc.arena_max=2", "glibc.malloc.arena_max=2"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTuneMemory$", "-test.v")
		cmd.Env = append(os.Environ(), variable+"=1", "GLIBC_TUNABLES="+c.given)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, want := range []string{`started with "GLIBC_TUNABLES=` + c.started, `has "` + c.has + `"`} {
			if !strings.Contains(string(out), want) {
				t.Errorf("given %q, it lacks %s:\n%s", c.given, want, out)
			}
		}
	}
}
