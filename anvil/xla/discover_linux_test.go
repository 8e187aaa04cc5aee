package xla

import (
	"strings"
	"syscall"
	"testing"
)

// TestNoPluginWithoutFiles checks that the error says so if no plugin is found because no file can be opened.
func TestNoPluginWithoutFiles(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	set := func(l syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
			t.Fatal(err)
		}
	}
	set(syscall.Rlimit{Cur: 0, Max: before.Max})
	err := noPlugin(nil)
	set(before)
	if !strings.Contains(err.Error(), "too many open files; close files") {
		t.Error(err)
	}
	if err := noPlugin(nil); !strings.Contains(err.Error(), "no XLA plugin is installed") {
		t.Error(err)
	}
}
