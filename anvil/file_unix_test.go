//go:build unix

package anvil_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestFilesThatAreNoFiles checks that a link and a pipe are written to, and not replaced by a file.
func TestFilesThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "x.npy"), filepath.Join(dir, "link.npy"), filepath.Join(dir, "pipe")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	x := nv.New([]int32{1, 2, 3})
	for _, path := range []string{file, link} {
		if err := nv.WriteNPY(path, x); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", info.Mode(), err)
	}
	read := make(chan []byte)
	go func() {
		r, err := os.Open(pipe)
		if err != nil {
			t.Error(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		read <- data
	}()
	if err := nv.WriteNPY(pipe, x); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if got := <-read; err != nil || string(got) != string(want) {
		t.Errorf("the pipe was given %q, want %q: %v", got, want, err)
	}
}
