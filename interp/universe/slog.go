package universe

import (
	"bytes"
	"context"
	"log"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// bindSlog binds the functions of package slog to the session's default logger. Until a cell sets another default, this
// logger writes to logger, the session's default logger of package log.
func (u *Universe) bindSlog(logger *log.Logger) {
	var level slog.LevelVar
	var current atomic.Pointer[slog.Logger]
	current.Store(slog.New(&logHandler{logger: logger, level: &level}))
	functions := map[string]any{
		"Default": current.Load,
		"NewLogLogger": func(h slog.Handler, level slog.Level) *log.Logger {
			return log.New(&recordWriter{h, level}, "", 0)
		},
		"SetDefault": func(l *slog.Logger) {
			current.Store(l)
			if _, ok := l.Handler().(*logHandler); !ok {
				logger.SetOutput(&recordWriter{l.Handler(), &level})
				logger.SetFlags(0)
			}
		},
		"SetLogLoggerLevel": func(l slog.Level) slog.Level {
			old := level.Level()
			level.Set(l)
			return old
		},
	}
	for name := range methodsOf(current.Load()) {
		if functions[name] == nil {
			functions[name] = callCurrent(&current, name)
		}
	}
	u.bind("log/slog", current.Load(), functions)
}

// callCurrent returns a function that calls the named method of the logger that current holds at the time of the call.
func callCurrent(current *atomic.Pointer[slog.Logger], name string) any {
	t := reflect.ValueOf(current.Load()).MethodByName(name).Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		f := misuse.Method(reflect.ValueOf(current.Load()), name)
		if t.IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	}).Interface()
}

// A recordWriter is the output of a logger of package log. It passes each line to a handler, like the writer that
// slog.SetDefault installs, but in records without a position: that of the call is in a file of the kernel.
type recordWriter struct {
	handler slog.Handler
	level   slog.Leveler
}

// Write passes a line to the handler as the message of a record.
func (w *recordWriter) Write(line []byte) (int, error) {
	ctx := context.Background()
	if !w.handler.Enabled(ctx, w.level.Level()) {
		return 0, nil
	}
	text := string(bytes.TrimSuffix(line, []byte("\n")))
	return len(line), w.handler.Handle(ctx, slog.NewRecord(time.Now(), w.level.Level(), text, 0))
}

// A logHandler writes records to a logger of package log, as slog's default handler does: the level, the message,
// and the attributes as text.
type logHandler struct {
	logger *log.Logger
	level  *slog.LevelVar
	with   []func(slog.Handler) slog.Handler // add the attributes and groups to a handler, in order
}

func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.level.Level()
}

// Handle implements slog.Handler. A text handler writes the attributes, and the logger adds the time.
func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	var text strings.Builder
	skip := 0 // the number of attributes to omit: the level and the message come before the author's attributes
	onlyAttrs := func(_ []string, a slog.Attr) slog.Attr {
		if skip > 0 {
			skip--
			return slog.Attr{}
		}
		return a
	}
	var attrs slog.Handler = slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: onlyAttrs})
	for _, f := range h.with {
		attrs = f(attrs)
	}
	skip = 2
	r.Time = time.Time{} // a text handler omits the zero time
	if err := attrs.Handle(ctx, r); err != nil {
		return err
	}
	return h.logger.Output(2, strings.TrimSpace(r.Level.String()+" "+r.Message+" "+text.String()))
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.adding(func(to slog.Handler) slog.Handler { return to.WithAttrs(attrs) })
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	return h.adding(func(to slog.Handler) slog.Handler { return to.WithGroup(name) })
}

// adding returns a copy of h with f added to h.with.
func (h *logHandler) adding(f func(slog.Handler) slog.Handler) slog.Handler {
	return &logHandler{h.logger, h.level, append(slices.Clip(h.with), f)}
}
