package main

import (
	"log"
	"log/slog"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	slog.Info("hi", "k", 1)
	slog.Debug("hidden")
	log.Print("plain")
}

// Output:
// INFO hi k=1
// plain
