package messaging

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goanvil/notebook/messaging/wire"
)

// A history that reaches cutEntries entries, or has more than cutBytes bytes, is cut to its
// last keepEntries entries with at most keepBytes bytes of text. Front ends show the history
// as a list, so each input is cut to maxInput bytes and each output to maxOutput bytes.
const (
	keepEntries = 10_000
	cutEntries  = keepEntries + keepEntries/2
	keepBytes   = 16 << 20
	cutBytes    = 2 * keepBytes
	maxInput    = 1 << 20
	maxOutput   = 16 << 10
	maxNote     = 64 // bounds the bytes of the note that truncate appends
)

// truncate returns text if it has at most limit bytes. Otherwise it returns the first limit
// bytes, without an incomplete character at their end, and a note that tells the size of text.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("... (%d bytes)", len(text))
}

// An entry is one cell of the history; Line is its execution count. An entry
// whose Line is 0 marks the beginning of a session.
type entry struct {
	Session int    `json:"session"`
	Line    int    `json:"line"`
	Input   string `json:"input"`
	Output  string `json:"output,omitempty"`
}

// A history holds the cells of this session and of earlier ones. Its file has one
// entry per line, in JSON. Several kernels may share the file; each locks it while
// it reads or writes.
type history struct {
	path string // empty: in memory only
	log  *log.Logger

	loaded chan struct{} // closed when session and the older entries are known
	writes chan entry    // entries to be appended to the file
	tasks  sync.WaitGroup

	mu      sync.Mutex
	session int
	entries []entry
	bytes   int  // of text in entries; those read from the file count only once add has cut the list
	closed  bool // writes is closed
}

// openHistory returns a history that reads its file in the background.
func openHistory(path string, log *log.Logger) *history {
	h := &history{path: path, log: log, session: 1, loaded: make(chan struct{}), writes: make(chan entry, 256)}
	if path == "" {
		close(h.loaded)
		return h
	}
	h.tasks.Go(func() {
		h.load()
		close(h.loaded)
		for e := range h.writes {
			h.logError(h.withLock(func() error { return appendEntry(h.path, e) }))
		}
	})
	return h
}

// close waits until all entries are in the file. Later entries are kept in
// memory only.
func (h *history) close() {
	h.mu.Lock()
	h.closed = true
	close(h.writes)
	h.mu.Unlock()
	h.tasks.Wait()
}

func (h *history) logError(err error) {
	if err != nil {
		h.log.Printf("history: %v", err)
	}
}

// withLock calls f while it holds the lock on the history file.
func (h *history) withLock(f func() error) error {
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(h.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer file.Close() // unlocks
	if err := lock(file); err != nil {
		return err
	}
	return f()
}

// load reads the file, cuts it if it is too big, and begins a session with the next number.
func (h *history) load() {
	var entries []entry
	var size int64
	session := 1
	h.logError(h.withLock(func() (err error) {
		if entries, size, err = readEntries(h.path); err != nil {
			return err
		}
		for _, e := range entries {
			session = max(session, e.Session+1)
		}
		if size > cutBytes || len(entries) >= cutEntries {
			entries = newest(entries)
			err = writeEntries(h.path, entries)
		}
		return errors.Join(err, appendEntry(h.path, entry{Session: session}))
	}))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session = session
	h.entries = slices.DeleteFunc(entries, func(e entry) bool { return e.Line == 0 })
}

// newest returns the last entries: at most keepEntries, with at most keepBytes bytes of text.
func newest(entries []entry) []entry {
	entries = entries[max(0, len(entries)-keepEntries):]
	bytes := 0
	for i, e := range slices.Backward(entries) {
		if bytes += len(e.Input) + len(e.Output); bytes > keepBytes {
			return entries[i+1:]
		}
	}
	return entries
}

// readEntries returns the entries of a file, and its size in bytes. A missing file has no
// entries; malformed lines, and lines longer than a kernel writes, are skipped.
func readEntries(path string) (entries []entry, size int64, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 64<<10)
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		size += int64(len(part))
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		var e entry
		if len(line) <= maxLine && json.Unmarshal(line, &e) == nil {
			e.Input, e.Output = truncate(e.Input, maxInput+maxNote), truncate(e.Output, maxOutput+maxNote)
			entries = append(entries, e)
		}
		line = line[:0]
		if errors.Is(err, io.EOF) {
			return entries, size, nil
		}
		if err != nil {
			return entries, size, err
		}
	}
}

// maxLine bounds the length of a line of the file, in bytes. JSON writes a byte of text as at
// most six bytes (\u001b), and 1 KiB is enough for the keys and numbers.
const maxLine = 6*(maxInput+maxOutput) + 1<<10

// writeEntries replaces the file by one with the given entries.
func writeEntries(path string, entries []entry) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	e := json.NewEncoder(w)
	for _, entry := range entries {
		err = errors.Join(err, e.Encode(entry))
	}
	if err = errors.Join(err, w.Flush(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), path)
}

// appendEntry appends e to the file.
func appendEntry(path string, e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// add appends a cell of this session.
func (h *history) add(line int, input, output string) {
	<-h.loaded
	h.mu.Lock()
	defer h.mu.Unlock()
	e := entry{h.session, line, truncate(input, maxInput), truncate(output, maxOutput)}
	h.entries = append(h.entries, e)
	if h.bytes += len(e.Input) + len(e.Output); h.bytes > cutBytes || len(h.entries) >= cutEntries {
		h.entries = slices.Clone(newest(h.entries))
		h.bytes = 0
		for _, e := range h.entries {
			h.bytes += len(e.Input) + len(e.Output)
		}
	}
	if h.path != "" && !h.closed {
		h.writes <- e // the receiver does not take h.mu, so this cannot deadlock
	}
}

// all returns the entries and the number of this session.
func (h *history) all() ([]entry, int) {
	<-h.loaded
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.entries), h.session
}

// selectors maps each hist_access_type to the function that selects entries. session is
// the number of the current session.
var selectors = map[string]func(entries []entry, session int, req wire.HistoryRequest) []entry{
	"tail":   tail,
	"range":  sessionRange,
	"search": search,
}

// tail returns the last req.N entries, or all if req.N is nil.
func tail(entries []entry, _ int, req wire.HistoryRequest) []entry {
	if req.N == nil || *req.N >= len(entries) {
		return entries
	}
	return entries[len(entries)-max(0, *req.N):]
}

// sessionRange returns the entries of one session with Start <= Line < Stop. Without a
// Stop it returns all from Start on. Session 0 is the current one, -1 the one before it.
func sessionRange(entries []entry, session int, req wire.HistoryRequest) (list []entry) {
	want := req.Session
	if want <= 0 {
		want += session
	}
	for _, e := range entries {
		if e.Session == want && e.Line >= req.Start && (req.Stop == nil || e.Line < *req.Stop) {
			list = append(list, e)
		}
	}
	return list
}

// search returns the last req.N entries whose whole input matches the glob
// req.Pattern. If req.Unique is set, it returns only the last of equal inputs.
func search(entries []entry, session int, req wire.HistoryRequest) (list []entry) {
	pattern := req.Pattern
	if pattern == "" {
		pattern = "*"
	}
	seen := make(map[string]bool)
	for _, e := range slices.Backward(entries) {
		if matches(pattern, e.Input) && !(req.Unique && seen[e.Input]) {
			seen[e.Input] = true
			list = append(list, e)
		}
	}
	slices.Reverse(list)
	return tail(list, session, req)
}

// matches reports whether the whole text matches a pattern in which * is any text and ? any character. A regular
// expression would take minutes for a long pattern and a long history, and the shell runs no cells meanwhile.
func matches(pattern, text string) bool {
	p, t := 0, 0             // what comes before is matched
	afterStar, from := -1, 0 // the pattern after the last *, and where in the text it is tried; -1 if there was no *
	for t < len(text) || p < len(pattern) {
		_, size := utf8.DecodeRuneInString(text[t:])
		switch {
		case p < len(pattern) && pattern[p] == '*':
			p++
			afterStar, from = p, t
		case p < len(pattern) && t < len(text) && pattern[p] == '?':
			p, t = p+1, t+size
		case p < len(pattern) && t < len(text) && pattern[p] == text[t]:
			p, t = p+1, t+1
		case afterStar >= 0 && from < len(text): // the * takes one more character
			_, size = utf8.DecodeRuneInString(text[from:])
			from += size
			p, t = afterStar, from
		default:
			return false
		}
	}
	return true
}

// historyRequest answers history_request.
func (s *Server) historyRequest(_ *request, req wire.HistoryRequest) wire.HistoryReply {
	reply := wire.HistoryReply{Outcome: wire.OK, History: [][3]any{}}
	selectEntries, ok := selectors[req.HistAccessType]
	if !ok {
		reply.Outcome = wire.Failed("BadRequest", "history_request: unknown hist_access_type "+
			strconv.Quote(req.HistAccessType)+"; want tail, range or search")
		return reply
	}
	entries, session := s.history.all()
	for _, e := range selectEntries(entries, session, req) {
		reply.History = append(reply.History, e.item(req.Output))
	}
	return reply
}

// item returns e as an element of history_reply: [session, line, input] or, if output
// is set, [session, line, [input, output]].
func (e entry) item(output bool) [3]any {
	if !output {
		return [3]any{e.Session, e.Line, e.Input}
	}
	var out any // null if the cell had no value
	if e.Output != "" {
		out = e.Output
	}
	return [3]any{e.Session, e.Line, [2]any{e.Input, out}}
}
