package universe

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// Stdio is what cells read and write as os.Stdin, os.Stdout and os.Stderr. An
// *os.File is bound as it is; anything else is a Stream, for which a file stands in variables of
// the type *os.File (see package compile).
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// bindStdio binds os's three streams, and the loggers that write to them, to the session.
// The session binds fmt's functions.
func (u *Universe) bindStdio(s Stdio) {
	u.variables["os"] = map[string]reflect.Value{
		"Stdin":  fileVariable(s.In, &Stream{os.Stdin, s.In, nil}),
		"Stdout": fileVariable(s.Out, &Stream{os.Stdout, nil, s.Out}),
		"Stderr": fileVariable(s.Err, &Stream{os.Stderr, nil, s.Err}),
	}
	args := []string{"goanvil"}
	u.variables["os"]["Args"] = reflect.ValueOf(&args).Elem()
	logger := log.New(s.Err, "", log.LstdFlags)
	u.bind("log", logger, map[string]any{
		"SetFlags": func(flag int) { logger.SetFlags(withoutPlace(flag)) },
		"New": func(out io.Writer, prefix string, flag int) *log.Logger {
			return log.New(out, prefix, withoutPlace(flag))
		},
		"Default": func() *log.Logger { return logger },
		"Fatal":   func(v ...any) { misuse.Fatal(logger, fmt.Sprint(v...)) },
		"Fatalf":  func(format string, v ...any) { misuse.Fatal(logger, fmt.Sprintf(format, v...)) },
		"Fatalln": func(v ...any) { misuse.Fatal(logger, fmt.Sprintln(v...)) },
	})
	u.bindSlog(logger)
}

// fileVariable returns a variable that holds v if v is a file, and stand otherwise.
func fileVariable(v any, stand *Stream) reflect.Value {
	if f, ok := v.(*os.File); ok {
		return reflect.ValueOf(&f).Elem()
	}
	return reflect.ValueOf(&stand).Elem()
}

// bind binds functions of a package to the methods of receiver, and to functions, which
// take precedence.
func (u *Universe) bind(path string, receiver any, functions map[string]any) {
	u.bound[path] = methodsOf(receiver)
	for name, f := range functions {
		u.bound[path][name] = reflect.ValueOf(f)
	}
}

// A Stream stands for one of the three files of a process in a cell. It has
// all methods of the file; what reads, writes or closes goes to the session.
type Stream struct {
	*os.File
	r io.Reader
	w io.Writer
}

func (s *Stream) Read(b []byte) (int, error) {
	if s.r == nil {
		return 0, s.wrong("read")
	}
	return s.r.Read(b)
}

func (s *Stream) Write(b []byte) (int, error) {
	if s.w == nil {
		return 0, s.wrong("write")
	}
	return s.w.Write(b)
}

// WriteString is Write for a string.
func (s *Stream) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// ReadFrom copies r to the stream.
func (s *Stream) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(writerOnly{s}, r)
}

// WriteTo copies the stream to w.
func (s *Stream) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, readerOnly{s})
}

// ReadAt, WriteAt and Seek fail: a stream has no positions.
func (s *Stream) ReadAt([]byte, int64) (int, error)  { return 0, s.wrong("readat") }
func (s *Stream) WriteAt([]byte, int64) (int, error) { return 0, s.wrong("writeat") }
func (s *Stream) Seek(int64, int) (int64, error)     { return 0, s.wrong("seek") }

// Close and Sync do nothing: the stream is the session's.
func (s *Stream) Close() error { return nil }
func (s *Stream) Sync() error  { return nil }

func (s *Stream) wrong(op string) error {
	return fmt.Errorf("%s %s: %w", op, s.Name(), errors.ErrUnsupported)
}

// writerOnly and readerOnly hide the methods that io.Copy would call back.
type (
	writerOnly struct{ io.Writer }
	readerOnly struct{ io.Reader }
)

// withoutPlace refuses the flags of package log that print where it is called: a cell is no
// file.
func withoutPlace(flag int) int {
	if flag&(log.Lshortfile|log.Llongfile) != 0 {
		panic("log.Lshortfile and log.Llongfile: cells are not files; write the place into the message")
	}
	return flag
}
