package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/xla"
)

func setupCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "setup [" + strings.Join(xla.Targets(), " | ") + "]",
		Short: "Fetch the XLA plugin for a kind of device (default: cpu)",
		Long: `Installs a PJRT plugin with pip into the kernel's own data folder, checks that it
is the expected file, and tries it. No Python is needed afterwards.`,
		Args:      setupTarget,
		ValidArgs: xla.Targets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			target := "cpu"
			if len(args) > 0 {
				target = args[0]
			}
			if what := xla.Lacks(target); what != "" && !force {
				const format = "%s needs %s; goanvil setup %s --force fetches the plugin anyway (several GB)"
				return fmt.Errorf(format, target, what, target)
			}
			p := &progress{w: cmd.ErrOrStderr()}
			plugin, err := p.setup(cmd.Context(), target)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", plugin.Path)
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "fetch the plugin even if this machine lacks the kind of device")
	return cmd
}

// setupTarget returns an error unless args is empty or contains just the name of a target.
func setupTarget(_ *cobra.Command, args []string) error {
	switch {
	case len(args) > 0 && !slices.Contains(xla.Targets(), args[0]):
		const format = "setup has no plugin for %s, only for %s. " +
			"To use another PJRT plugin, name its file in GOANVIL_PJRT_PLUGIN or --plugin"
		return fmt.Errorf(format, args[0], strings.Join(xla.Targets(), ", "))
	case len(args) > 1:
		return fmt.Errorf("setup fetches one plugin at a time: goanvil setup %s", args[0])
	}
	return nil
}

// A progress prints indented lines below a title. The title is printed just before the first line.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	title string // "" if there is none or it has been printed
}

// setupInterval is the interval at which setup prints how long it has taken.
var setupInterval = 5 * time.Second

// setup calls xla.Setup. It prints the lines that Setup reports, and the elapsed time every setupInterval.
func (p *progress) setup(ctx context.Context, target string) (xla.Candidate, error) {
	begin := time.Now()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(setupInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.line("still fetching after " + time.Since(begin).Round(time.Second).String())
			case <-stop:
				return
			}
		}
	}()
	defer func() {
		close(stop)
		<-stopped
	}()
	return xla.Setup(ctx, target, p.line)
}

// line prints a line. It is safe for concurrent use.
func (p *progress) line(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.title != "" {
		fmt.Fprintln(p.w, p.title)
		p.title = ""
	}
	fmt.Fprintln(p.w, "  "+line)
}

// ensurePlugin fetches the CPU plugin if b needs a plugin and none is found. On systems without a CPU
// plugin it does nothing: the kernel then uses the reference evaluator, and says so.
func ensurePlugin(ctx context.Context, b backend, stderr io.Writer) error {
	if b.reference() || len(xla.Discover(b.plugin)) > 0 {
		return nil
	}
	p := &progress{w: stderr, title: "no XLA plugin is installed; fetching the one for the CPU (this is done once)"}
	_, err := p.setup(ctx, "cpu")
	var unsupported *xla.UnsupportedError
	if errors.As(err, &unsupported) {
		return nil
	}
	return err
}
