package messaging

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
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

// TestNewest checks that the last entries are kept: at most keepEntries, and at most keepBytes of text.
func TestNewest(t *testing.T) {
	quarter := strings.Repeat("x", keepBytes/8)
	for _, c := range []struct {
		entries           int
		input, output     string
		kept, first, last int
	}{
		{keepEntries, "", "", keepEntries, 0, keepEntries - 1},
		{keepEntries + 2, "", "", keepEntries, 2, keepEntries + 1},
		{4, quarter, quarter, 4, 0, 3},
		{5, quarter, quarter, 4, 1, 4},
		{9, quarter, "", 8, 1, 8},
		{9, quarter[1:], "", 8, 1, 8},
		{3, quarter + quarter + quarter, quarter + quarter, 1, 2, 2},
	} {
		entries := make([]entry, c.entries)
		for i := range entries {
			entries[i] = entry{1, i, c.input, c.output}
		}
		got := newest(entries)
		if len(got) != c.kept || got[0].Line != c.first || got[len(got)-1].Line != c.last {
			t.Errorf("%d entries of %d bytes: %d from %d to %d, want %d from %d", c.entries, len(c.input)+len(c.output),
				len(got), got[0].Line, got[len(got)-1].Line, c.kept, c.first)
		}
	}
	large := strings.Repeat("x", keepBytes)
	if got := newest([]entry{{1, 1, large, "y"}}); len(got) != 0 {
		t.Errorf("%d entries that are too big", len(got))
	}
}

// TestHistoryInMemoryIsCut checks that the list of a long session is cut like a file, by entries and by bytes.
func TestHistoryInMemoryIsCut(t *testing.T) {
	h := openHistory("", silence())
	for i := range cutEntries - 1 {
		h.add(i, "", "")
	}
	if n := len(h.entries); n != cutEntries-1 {
		t.Errorf("%d entries are left of %d", n, cutEntries-1)
	}
	h.add(cutEntries-1, "", "")
	if n := len(h.entries); n != keepEntries || h.entries[n-1].Line != cutEntries-1 {
		t.Errorf("%d entries are left of %d, want the last %d", n, cutEntries, keepEntries)
	}

	h = openHistory("", silence())
	half := strings.Repeat("x", maxInput/2)
	var lengths []int // after each cell of half a MiB
	for i := range 2*cutBytes/maxInput + 2 {
		h.add(i, half, "")
		lengths = append(lengths, len(h.entries))
	}
	for i, n := range lengths {
		want := i + 1
		if i >= 2*cutBytes/maxInput { // more than cutBytes
			want = 2*keepBytes/maxInput + i - 2*cutBytes/maxInput
		}
		if n != want {
			t.Fatalf("%d entries after %d cells, want %d", n, i+1, want)
		}
	}
	if want := len(h.entries) * len(half); h.bytes != want {
		t.Errorf("%d bytes, want %d", h.bytes, want)
	}
}

// What has been cut is not cut again when a later kernel reads it.
func TestHistoryKeepsNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h := openHistory(path, silence())
	h.add(1, strings.Repeat("x", 2<<20), strings.Repeat("y", 1<<20))
	h.close()
	want, _ := h.all()
	entries, _, err := readEntries(path)
	if got := entries[len(entries)-1]; err != nil || got != want[0] {
		t.Errorf("read ...%q, ...%q, %v", got.Input[maxInput:], got.Output[maxOutput:], err)
	}
}

// TestReadEntries checks that what a kernel does not write is skipped, and counted.
func TestReadEntries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	long := `{"session":1,"line":2,"input":"` + strings.Repeat("x", maxLine) + `"}`
	text := "{\"session\":1,\"line\":1,\"input\":\"a\"}\n" + long + "\nnot JSON\n\n[1]\n" +
		`{"session":2,"line":3,"input":"b","output":"c"}` // without the end of the line
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, size, err := readEntries(path)
	want := []entry{{1, 1, "a", ""}, {2, 3, "b", "c"}}
	if err != nil || size != int64(len(text)) || !slices.Equal(got, want) {
		t.Errorf("%d entries, %d bytes, %v, want %+v, %d bytes", len(got), size, err, want, len(text))
	}
	if got, size, err := readEntries(path + "x"); got != nil || size != 0 || err != nil {
		t.Errorf("no file: %v, %d, %v", got, size, err)
	}
	if _, _, err := readEntries(t.TempDir()); err == nil {
		t.Error("a directory was read")
	}
}

// TestHistoryWithoutADirectory checks that a history whose file cannot be written is kept in memory and logged.
func TestHistoryWithoutADirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	h := openHistory(filepath.Join(file, "h.jsonl"), log.New(&logged, "", 0))
	h.add(1, "a", "")
	entries, session := h.all()
	h.close()
	if session != 1 || len(entries) != 1 {
		t.Errorf("session %d, entries %v", session, entries)
	}
	if n := strings.Count(logged.String(), "history: "); n != 2 { // reading and appending
		t.Errorf("logged %q", logged.String())
	}
}

// TestTruncate checks that long texts are cut between characters.
func TestTruncate(t *testing.T) {
	for _, c := range [][2]string{{"abcd", "abcd"}, {"abcde", "abcd... (5 bytes)"}, {"abcé", "abc... (5 bytes)"},
		{"", ""}} {
		if got := truncate(c[0], 4); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

// TestMatches checks patterns, among them some for which a regular expression takes minutes.
func TestMatches(t *testing.T) {
	long := strings.Repeat("a", maxInput)
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"?", "", false}, {"a", "", false}, {"", "a", false}, {"a", "a", true}, {"a", "ab", false},
		{"?", "é", true}, {"??", "é", false}, {"é?", "é😀", true}, {"*é", "aéé", true}, {"*é?", "aéé", true},
		{"a*b*c", "a1b2b3c", true}, {"a*b*c", "a1b2b3", false}, {"*ab", "aab", true}, {"**?**", "x", true},
		{"a*", "ba", false}, {"*\n*", "a\nb", true}, {"(", "(", true}, {"[a]", "a", false}, {"a?", "a\xff", true},
		{strings.Repeat("*", 1000), long, true}, {strings.Repeat("*a", 1000), long, true},
		{strings.Repeat("*", 1000) + "b", long, false}, {strings.Repeat("?", 1000) + "*", long, true},
		{long, long, true}, {strings.Repeat("?", 1000), long, false},
	} {
		if got := matches(c.pattern, c.text); got != c.want {
			t.Errorf("%.20q, %.20q: %t", c.pattern, c.text, got)
		}
	}
}

// TestAccesses checks the entries that each kind of history_request selects in session 3.
func TestAccesses(t *testing.T) {
	entries := []entry{
		{1, 1, "a", ""}, {1, 2, "ab", "x"}, {2, 1, "b\nb", ""}, {2, 2, "a", ""}, {2, 3, "a*", ""}, {3, 1, "ab", ""},
	}
	n := func(n int) *int { return &n }
	for _, c := range []struct {
		req  wire.HistoryRequest
		want string // session and line of each entry
	}{
		{wire.HistoryRequest{HistAccessType: "tail"}, "1.1 1.2 2.1 2.2 2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(2)}, "2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(6)}, "1.1 1.2 2.1 2.2 2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(7)}, "1.1 1.2 2.1 2.2 2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(5)}, "1.2 2.1 2.2 2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(0)}, ""},
		{wire.HistoryRequest{HistAccessType: "tail", N: n(-1)}, ""},
		{wire.HistoryRequest{HistAccessType: "range"}, "3.1"},
		{wire.HistoryRequest{HistAccessType: "range", Session: -1}, "2.1 2.2 2.3"},
		{wire.HistoryRequest{HistAccessType: "range", Session: -2}, "1.1 1.2"},
		{wire.HistoryRequest{HistAccessType: "range", Session: 1}, "1.1 1.2"},
		{wire.HistoryRequest{HistAccessType: "range", Session: 2, Start: 2}, "2.2 2.3"},
		{wire.HistoryRequest{HistAccessType: "range", Session: 2, Start: 1, Stop: n(3)}, "2.1 2.2"},
		{wire.HistoryRequest{HistAccessType: "range", Session: 4}, ""},
		{wire.HistoryRequest{HistAccessType: "search"}, "1.1 1.2 2.1 2.2 2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "a"}, "1.1 2.2"},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "a", Unique: true}, "2.2"},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "a*", N: n(2)}, "2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "a?"}, "1.2 2.3 3.1"},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "b*b"}, "2.1"},
		{wire.HistoryRequest{HistAccessType: "search", Pattern: "b", Unique: true}, ""},
		{wire.HistoryRequest{HistAccessType: "search", Unique: true}, "2.1 2.2 2.3 3.1"},
	} {
		var got []string
		for _, e := range selectors[c.req.HistAccessType](entries, 3, c.req) {
			got = append(got, fmt.Sprintf("%d.%d", e.Session, e.Line))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%+v: %s, want %s", c.req, text, c.want)
		}
	}
	for _, c := range []struct {
		e      entry
		output bool
		want   string
	}{
		{entries[1], false, `[1,2,"ab"]`}, {entries[1], true, `[1,2,["ab","x"]]`}, {entries[0], true, `[1,1,["a",null]]`},
	} {
		if got, err := json.Marshal(c.e.item(c.output)); err != nil || string(got) != c.want {
			t.Errorf("%+v: %s, %v, want %s", c.e, got, err, c.want)
		}
	}
}
