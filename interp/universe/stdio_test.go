package universe

import (
	"bytes"
	"errors"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"
	"testing"
)

// TestStream checks which methods of a file work for a stream of a session.
func TestStream(t *testing.T) {
	var out bytes.Buffer
	stdout := &Stream{os.Stdout, nil, &out}
	stdin := &Stream{os.Stdin, strings.NewReader("abc def"), nil}
	n, err := stdout.Write([]byte("ab"))
	m, err2 := stdout.WriteString("c")
	k, err3 := stdout.ReadFrom(strings.NewReader("def"))
	if err := errors.Join(err, err2, err3); n != 2 || m != 1 || k != 3 || err != nil || out.String() != "abcdef" {
		t.Errorf("wrote %d, %d and %d bytes, %v: %s", n, m, k, err, out.String())
	}
	part := make([]byte, 3)
	n, err = stdin.Read(part)
	var rest bytes.Buffer
	k, err2 = stdin.WriteTo(&rest)
	if err := errors.Join(err, err2); n != 3 || k != 4 || err != nil || string(part)+rest.String() != "abc def" {
		t.Errorf("read %d and %d bytes, %v: %s, %s", n, k, err, part, rest.String())
	}
	for op, f := range map[string]func() error{
		"read /dev/stdout":    func() error { _, err := stdout.Read(part); return err },
		"write /dev/stdin":    func() error { _, err := stdin.Write(part); return err },
		"readat /dev/stdin":   func() error { _, err := stdin.ReadAt(part, 0); return err },
		"writeat /dev/stdout": func() error { _, err := stdout.WriteAt(part, 0); return err },
		"seek /dev/stdin":     func() error { _, err := stdin.Seek(0, io.SeekStart); return err },
	} {
		if err := f(); !errors.Is(err, errors.ErrUnsupported) || err.Error() != op+": unsupported operation" {
			t.Errorf("%s: %v", op, err)
		}
	}
	if err := errors.Join(stdout.Close(), stdout.Sync()); err != nil {
		t.Error(err)
	}
	if _, err := stdout.WriteString("g"); err != nil {
		t.Errorf("after Close: %v", err)
	}
	if stdout.Fd() != os.Stdout.Fd() {
		t.Error("the other methods are not those of the file")
	}
}

// TestLogFlags checks the flags of loggers: cells have no files.
func TestLogFlags(t *testing.T) {
	for flag, refused := range map[int]bool{
		0: false, log.LstdFlags | log.Lmsgprefix | log.LUTC | log.Lmicroseconds: false,
		log.Lshortfile: true, log.Llongfile: true, log.LstdFlags | log.Lshortfile: true,
	} {
		func() {
			defer func() {
				if r := recover(); (r != nil) != refused {
					t.Errorf("flags %b: %v", flag, r)
				}
			}()
			if got := withoutFile(flag); got != flag {
				t.Errorf("flags %b are %b", flag, got)
			}
		}()
	}
}

// TestSlog checks that the functions of slog write as with Go's default handler, or with the handler that a cell sets.
func TestSlog(t *testing.T) {
	var out, own bytes.Buffer
	logger := log.New(&out, "", 0)
	u := WithReceivers(nil)
	u.bindSlog(logger)
	f := func(name string) any { return u.bound["log/slog"][name].Interface() }
	write := func(name string) func(string, ...any) { return f(name).(func(string, ...any)) }
	info, debug, with := write("Info"), write("Debug"), f("With").(func(...any) *slog.Logger)
	replace := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	for _, c := range []struct {
		do        func()
		want, own string
	}{
		{func() { info("a", "k", 1, "t", "x y") }, "INFO a k=1 t=\"x y\"\n", ""},
		{func() { write("Error")("b") }, "ERROR b\n", ""},
		{func() { info("c", "msg", "v", "level", 3, "time", 4) }, "INFO c msg=v level=3 time=4\n", ""},
		{func() { with("k", 1, "msg", 2).WithGroup("g").Info("d", "e", 3, "msg", 4) },
			"INFO d k=1 msg=2 g.e=3 g.msg=4\n", ""},
		{func() { debug("e") }, "", ""},
		{func() {
			if old := f("SetLogLoggerLevel").(func(slog.Level) slog.Level)(slog.LevelDebug); old != slog.LevelInfo {
				t.Errorf("the level was %v", old)
			}
			debug("f")
		}, "DEBUG f\n", ""},
		{func() { logger.Print("g") }, "g\n", ""},
		{func() {
			options := &slog.HandlerOptions{ReplaceAttr: replace}
			f("SetDefault").(func(*slog.Logger))(slog.New(slog.NewTextHandler(&own, options)))
			info("h", "k", 1)
		}, "", "level=INFO msg=h k=1\n"},
		{func() { f("Default").(func() *slog.Logger)().Warn("i") }, "", "level=WARN msg=i\n"},
		{func() { debug("j") }, "", ""},
		{func() { logger.Print("k") }, "", ""}, // at the level that was set, which the handler does not take
		{func() {
			f("SetLogLoggerLevel").(func(slog.Level) slog.Level)(slog.LevelWarn)
			logger.Print("l")
		}, "", "level=WARN msg=l\n"},
		{func() {
			newLogger := f("NewLogLogger").(func(slog.Handler, slog.Level) *log.Logger)
			newLogger(slog.NewTextHandler(&own, &slog.HandlerOptions{AddSource: true, ReplaceAttr: replace}), slog.LevelError).
				Print("m")
		}, "", "level=ERROR msg=m\n"}, // without the position of the call in the kernel
	} {
		out.Reset()
		own.Reset()
		if c.do(); out.String() != c.want || own.String() != c.own {
			t.Errorf("%q and %q, want %q and %q", out.String(), own.String(), c.want, c.own)
		}
	}
}
