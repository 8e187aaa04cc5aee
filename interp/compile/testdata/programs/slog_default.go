package main

import (
	"fmt"
	"log"
	"log/slog"
	"os"
)

func main() {
	defer slog.SetDefault(slog.Default())
	defer log.SetFlags(log.Flags())
	defer log.SetOutput(log.Writer())
	options := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, options)))
	slog.Info("default", "n", 1)
	slog.Debug("shown")
	slog.With("k", "v").Warn("with")
	log.Print("by log")
	fmt.Println(slog.SetLogLoggerLevel(slog.LevelError), slog.SetLogLoggerLevel(slog.LevelInfo))
	slog.SetLogLoggerLevel(slog.LevelWarn)
	log.Print("warns")
}

// Output:
// level=INFO msg=default n=1
// level=DEBUG msg=shown
// level=WARN msg=with k=v
// level=INFO msg="by log"
// INFO ERROR
// level=WARN msg=warns
