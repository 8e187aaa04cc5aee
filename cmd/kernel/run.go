package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/kernelspec"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

func runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run NOTEBOOK",
		Short: "Run a notebook through a real kernel and print it",
		Long: `Starts a kernel, runs the notebook's code cells through it, and prints code and
outputs. An error ends the run with exit status 1, unless its cell has the tag
"raises-exception".`,
		Args: oneNotebook,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the notebook with its outputs to this file")
	cmd.Flags().StringArrayVar(&o.params, "param", nil,
		"name=value, set after the cell tagged \"parameters\"; may be repeated")
	o.backend.flags(cmd)
	return cmd
}

// oneNotebook returns an error unless args has one element.
func oneNotebook(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("run: no notebook is named; write goanvil run NOTEBOOK.ipynb")
	case len(args) > 1:
		return fmt.Errorf("run: %d notebooks; run one at a time: goanvil run %s", len(args), args[0])
	}
	return nil
}

// runOptions are the flags of run.
type runOptions struct {
	backend backend
	output  string
	params  []string
}

// run runs the notebook at path. With -o it writes the notebook even after an error.
func (o runOptions) run(ctx context.Context, path string, stdout, stderr io.Writer) error {
	if err := o.backend.check(); err != nil {
		return err
	}
	nb, err := readNotebook(path)
	if err != nil {
		return err
	}
	if err := setParameters(nb, o.params); err != nil {
		return err
	}
	if err := ensurePlugin(ctx, o.backend, stderr); err != nil {
		return err
	}
	output := o.output
	if output != "" { // made absolute, since cells may change the current folder
		if output, err = filepath.Abs(output); err != nil {
			return err
		}
	}
	err = runNotebook(ctx, nb, o.backend, stdout)
	if output != "" {
		err = errors.Join(err, writeNotebook(nb, output))
	}
	return err
}

// setParameters adds a cell to nb that sets the parameters of the --param flags.
func setParameters(nb *notebook, flags []string) error {
	var params []parameter
	for _, flag := range flags {
		p, err := parseParameter(flag)
		if err != nil {
			return err
		}
		params = append(params, p)
	}
	nb.inject(params)
	return nil
}

func writeNotebook(nb *notebook, path string) error {
	data, err := nb.text()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// runNotebook runs the code cells of nb up to the first unexpected error.
func runNotebook(ctx context.Context, nb *notebook, b backend, out io.Writer) error {
	k, err := startLoopback(ctx, b)
	if err != nil {
		return err
	}
	defer k.close()
	info, err := k.client.KernelInfo(ctx)
	if err != nil {
		return err
	}
	nb.setKernel(kernelspec.DefaultName, kernelspec.DefaultDisplayName, languageInfo(info.LanguageInfo))
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	r := &runner{client: k.client, out: out, shown: map[string][]map[string]any{}, interrupts: interrupts}
	for _, c := range nb.cells {
		if c.kind() != "code" {
			continue
		}
		c.clear()
		if strings.TrimSpace(c.source()) == "" || c.hasTag("skip-execution") {
			continue
		}
		if err := r.run(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// languageInfo returns l in the form of a notebook's metadata.
func languageInfo(l wire.LanguageInfo) map[string]any {
	return map[string]any{
		"name": l.Name, "version": l.Version, "mimetype": l.MIMEType, "file_extension": l.FileExtension,
		"pygments_lexer": l.PygmentsLexer, "codemirror_mode": l.CodeMirrorMode,
		"nbconvert_exporter": l.NBConvertExporter,
	}
}

// A runner runs cells, prints them, and stores their outputs in the notebook.
type runner struct {
	client     *client.Client
	out        io.Writer
	interrupts <-chan os.Signal
	shown      map[string][]map[string]any // the stored outputs of all cells by display id
}

// run runs one cell. It ignores an error of a cell with the tag "raises-exception".
func (r *runner) run(ctx context.Context, c *nbCell) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	go r.forwardInterrupts(ctx)
	stored := &recorder{cell: c, shown: r.shown}
	p := &printer{w: r.out}
	reply, err := r.client.Execute(ctx, client.Execution{
		Code:   c.source(),
		Output: func(o client.Output) { stored.record(o); p.print(o) },
	})
	if err != nil {
		return err
	}
	c.raw["execution_count"] = reply.ExecutionCount
	for _, page := range reply.Payload {
		p.page(page)
	}
	p.end()
	if reply.Status != wire.StatusOK && !c.hasTag("raises-exception") {
		return printedError{fmt.Errorf("cell %d: %s", reply.ExecutionCount, reply.Status)}
	}
	return nil
}

// forwardInterrupts forwards interrupts of this program to the running cell until ctx is done.
func (r *runner) forwardInterrupts(ctx context.Context) {
	for {
		select {
		case <-r.interrupts:
			_ = r.client.Interrupt(ctx) // if this fails, the client's Execute fails too
		case <-ctx.Done():
			return
		}
	}
}
