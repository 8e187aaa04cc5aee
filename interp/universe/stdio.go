package universe

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// Stdio has the streams that cells read and write as os.Stdin, os.Stdout and os.Stderr. If a stream is not an
// *os.File, the variable in package os holds a [Stream], which package compile lets cells use as an *os.File.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// bindStdio binds the streams and the arguments of package os, the functions that use the arguments, and the default
// loggers that write to the streams, to the session. Package interp binds the functions of fmt.
func (u *Universe) bindStdio(s Stdio) {
	u.variables["os"] = map[string]reflect.Value{
		"Stdin":  fileVariable(s.In, &Stream{os.Stdin, s.In, nil}),
		"Stdout": fileVariable(s.Out, &Stream{os.Stdout, nil, s.Out}),
		"Stderr": fileVariable(s.Err, &Stream{os.Stderr, nil, s.Err}),
	}
	args := []string{"goanvil"}
	u.variables["os"]["Args"] = reflect.ValueOf(&args).Elem()
	u.bound["flag"] = map[string]reflect.Value{"Parse": reflect.ValueOf(func() {
		_ = misuse.ParseFlags(flag.CommandLine, args[min(1, len(args)):]) // flag.Parse ignores the error too
	})}
	logger := log.New(s.Err, "", log.LstdFlags)
	u.bind("log", logger, map[string]any{
		"SetFlags": func(flag int) { logger.SetFlags(withoutFile(flag)) },
		"New": func(out io.Writer, prefix string, flag int) *log.Logger {
			return log.New(out, prefix, withoutFile(flag))
		},
		"Default": func() *log.Logger { return logger },
		"Fatal":   func(v ...any) { misuse.Fatal(logger, fmt.Sprint(v...)) },
		"Fatalf":  func(format string, v ...any) { misuse.Fatal(logger, fmt.Sprintf(format, v...)) },
		"Fatalln": func(v ...any) { misuse.Fatal(logger, fmt.Sprintln(v...)) },
	})
	u.bindSlog(logger)
}

// fileVariable returns a variable that holds v if v is an *os.File, and stream otherwise.
func fileVariable(v any, stream *Stream) reflect.Value {
	if f, ok := v.(*os.File); ok {
		return reflect.ValueOf(&f).Elem()
	}
	return reflect.ValueOf(&stream).Elem()
}

// A Stream replaces a standard file of the process in cells. It has all methods of the file, but reads from and writes
// to the session, and ignores Close.
type Stream struct {
	*os.File
	r io.Reader
	w io.Writer
}

// Read reads from the session. It fails for an output stream.
func (s *Stream) Read(b []byte) (int, error) {
	if s.r == nil {
		return 0, s.unsupported("read")
	}
	return s.r.Read(b)
}

// Write writes to the session. It fails for the input stream.
func (s *Stream) Write(b []byte) (int, error) {
	if s.w == nil {
		return 0, s.unsupported("write")
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
func (s *Stream) ReadAt([]byte, int64) (int, error)  { return 0, s.unsupported("readat") }
func (s *Stream) WriteAt([]byte, int64) (int, error) { return 0, s.unsupported("writeat") }
func (s *Stream) Seek(int64, int) (int64, error)     { return 0, s.unsupported("seek") }

// Close and Sync do nothing: the stream is the session's.
func (s *Stream) Close() error { return nil }
func (s *Stream) Sync() error  { return nil }

// unsupported returns the error of an operation that the stream does not support.
func (s *Stream) unsupported(op string) error {
	return fmt.Errorf("%s %s: %w", op, s.Name(), errors.ErrUnsupported)
}

// writerOnly and readerOnly hide ReadFrom and WriteTo, which io.Copy would otherwise call.
type (
	writerOnly struct{ io.Writer }
	readerOnly struct{ io.Reader }
)

// withoutFile returns flag, but panics if it has flags of package log that print the file of the caller, since cells
// are not files.
func withoutFile(flag int) int {
	if flag&(log.Lshortfile|log.Llongfile) != 0 {
		panic("log.Lshortfile and log.Llongfile do not work in cells, which are not files; leave the flag out, and write " +
			"the place into the text that you log")
	}
	return flag
}
