package misuse

import (
	"context"
	"log/slog"
	"time"
)

// Package slog prints the values of attributes with package fmt, so these functions make them Printable.

func slogAny(key string, v any) slog.Attr { return slog.Attr{Key: key, Value: slogValue(v)} }

func slogValue(v any) slog.Value { return slog.AnyValue(Printable([]any{v})[0]) }

func slogGroup(key string, args ...any) slog.Attr { return slog.Group(key, Printable(args)...) }

func addAttrs(r *slog.Record, args ...any) { r.Add(Printable(args)...) }

func logWith(l *slog.Logger, args ...any) *slog.Logger { return l.With(Printable(args)...) }

// logAt returns the method of slog.Logger that logs at a level.
func logAt(level slog.Level) func(*slog.Logger, string, ...any) {
	return func(l *slog.Logger, message string, args ...any) {
		logRecord(l, context.Background(), level, message, args...)
	}
}

// logContextAt is logAt for the methods with a context.
func logContextAt(level slog.Level) func(*slog.Logger, context.Context, string, ...any) {
	return func(l *slog.Logger, ctx context.Context, message string, args ...any) {
		logRecord(l, ctx, level, message, args...)
	}
}

// logRecord does what the method Log of slog.Logger does. The record has no position: that of the call is in a file of
// the kernel.
func logRecord(l *slog.Logger, ctx context.Context, level slog.Level, message string, args ...any) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !l.Enabled(ctx, level) {
		return
	}
	r := slog.NewRecord(time.Now(), level, message, 0)
	addAttrs(&r, args...)
	_ = l.Handler().Handle(ctx, r)
}

// logAttrs is logRecord for the method LogAttrs.
func logAttrs(l *slog.Logger, ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	args := make([]any, len(attrs))
	for i, a := range attrs {
		args[i] = a
	}
	logRecord(l, ctx, level, message, args...)
}
