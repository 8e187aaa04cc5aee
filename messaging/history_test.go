package messaging

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goanvil/notebook/messaging/wire"
)

func silence() *log.Logger { return log.New(io.Discard, "", 0) }

// Concurrent sessions get different numbers, and no entry is lost.
func TestHistoriesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	const sessions, cells = 5, 20
	var wg sync.WaitGroup
	for range sessions {
		wg.Go(func() {
			h := openHistory(path, silence())
			for i := range cells {
				h.add(i+1, fmt.Sprint(i), "")
			}
			h.close()
		})
	}
	wg.Wait()
	h := openHistory(path, silence())
	defer h.close()
	entries, session := h.all()
	if len(entries) != sessions*cells || session != sessions+1 {
		t.Errorf("%d entries, session %d; want %d and %d", len(entries), session, sessions*cells, sessions+1)
	}
	seen := make(map[[2]int]bool)
	for _, e := range entries {
		seen[[2]int{e.Session, e.Line}] = true
	}
	if len(seen) != sessions*cells {
		t.Errorf("%d different entries, want %d", len(seen), sessions*cells)
	}
}

// A long file is cut, and a malformed line is skipped.
func TestHistoryIsCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	var b bytes.Buffer
	b.WriteString("{damaged\n")
	for i := range cutEntries {
		fmt.Fprintf(&b, `{"session":7,"line":%d,"input":"x"}`+"\n", i+1)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHistory(path, silence())
	h.add(1, "new", "")
	h.close()
	entries, _, err := readEntries(path)
	if err != nil {
		t.Fatal(err)
	}
	first, last := entries[0], entries[len(entries)-1]
	if len(entries) != keepEntries+2 || first.Line != cutEntries-keepEntries+1 || last != (entry{8, 1, "new", ""}) {
		t.Errorf("%d entries from %+v to %+v", len(entries), first, last)
	}
}

// Large outputs take little memory of the kernel that adds them, and of one that reads them from a
// file that another program has written.
func TestHistoryOfLargeOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	large := strings.Repeat("x", 3<<20)
	h := openHistory(path, silence())
	for i := range 20 {
		h.add(i+1, "show()", large)
	}
	h.add(21, large, "")
	h.close()
	if info, err := os.Stat(path); err != nil || info.Size() > 2<<20 {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		fmt.Fprintf(file, `{"session":1,"line":1,"input":"x","output":"%s"}`+"\n", large)
	}
	file.Close()
	h = openHistory(path, silence())
	defer h.close()
	entries, session := h.all()
	bytes := 0
	for _, e := range entries {
		bytes += len(e.Input) + len(e.Output)
	}
	if bytes > 2<<20 || session != 2 || len(entries) != 41 {
		t.Errorf("%d bytes in %d entries, session %d", bytes, len(entries), session)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 2<<20 {
		t.Errorf("the file has %d bytes after it was read, %v", info.Size(), err)
	}
}

// A history that cannot be written to a file still works within the session.
func TestHistoryWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", filepath.Join(dir, "file", "h.jsonl")} {
		h := openHistory(path, silence())
		h.add(1, "a", "b")
		entries, session := h.all()
		if len(entries) != 1 || session != 1 || len(search(entries, 1, wire.HistoryRequest{Pattern: "a"})) != 1 {
			t.Errorf("%q: %v, session %d", path, entries, session)
		}
		h.close()
	}
}
