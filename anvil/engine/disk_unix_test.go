//go:build unix

package engine

import (
	"syscall"
	"testing"
)

func pipe(t *testing.T, path string) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
