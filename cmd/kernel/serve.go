package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

func kernelCommand() *cobra.Command {
	var b backend
	var file string
	var verbose bool
	cmd := &cobra.Command{
		Use:   "kernel -f CONNECTION_FILE",
		Short: "Serve a kernel (front ends do this)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.check(); err != nil {
				return err
			}
			info, err := wire.ReadConnectionFile(file)
			if err != nil {
				return err
			}
			var logger *log.Logger
			if verbose {
				logger = log.New(cmd.ErrOrStderr(), "kernel: ", log.Ltime|log.Lmicroseconds)
			}
			return serve(cmd.Context(), info, b, logger)
		},
	}
	cmd.Flags().StringVarP(&file, "connection-file", "f", "", "the front end's connection file")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "log refused messages and clients")
	_ = cmd.MarkFlagRequired("connection-file") // the flag exists
	b.flags(cmd)
	return cmd
}

// serve runs a kernel until a front end shuts it down, the kernel receives SIGTERM, or the process that
// started the kernel ends. SIGINT interrupts the running cell, and never ends the kernel.
func serve(ctx context.Context, info messaging.ConnectionInfo, b backend, logger *log.Logger) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchParent(ctx, func() { cancel(errOrphan) })
	server, err := messaging.NewServer(info, messaging.Options{
		HistoryFile: historyFile(),
		Interrupts:  interrupts,
		Subshells:   true,
		Log:         logger,
	})
	if err != nil {
		return err
	}
	session, err := newSession(b)
	if err != nil {
		return err
	}
	err = server.Serve(ctx, session)
	if errors.Is(err, context.Canceled) || errors.Is(err, errOrphan) {
		return nil
	}
	return err
}

// errOrphan is the cause of cancellation after the kernel's parent process has ended.
var errOrphan = errors.New("the front end is gone")

// parentPoll is the interval at which the kernel checks that its parent process is alive.
const parentPoll = time.Second

// watchParent calls gone when the kernel's parent process has ended, after which the kernel has another
// parent. jupyter_client sets JPY_PARENT_PID to its own process id if the kernel must not outlive it. If
// this is not the id of the kernel's parent, watchParent returns at once.
func watchParent(ctx context.Context, gone func()) {
	parent, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || parent <= 1 || parent != os.Getppid() {
		return
	}
	tick := time.NewTicker(parentPoll)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if os.Getppid() != parent {
				gone()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// historyFile returns the path of the file with the history of cells, or "" if its folder cannot be created.
func historyFile() string {
	dir := xla.DataDir()
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, "history.jsonl")
}
