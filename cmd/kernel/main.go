// Command goanvil is a Jupyter kernel for Go with tensors. Its subcommands also run
// notebooks, install the kernel for front ends, and fetch an XLA plugin.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/xla"
)

func main() {
	xla.TuneMemory()
	// The errors that libraries log are also returned. Cells have a logger of their own.
	log.SetOutput(io.Discard)
	if len(os.Args) < 2 || os.Args[1] != tryName { // the trial process must not start another one
		xla.TryFlags(tryFlags)
	}
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs a command line and returns the exit status.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var printed printedError
	if !errors.As(err, &printed) {
		fmt.Fprintln(stderr, "goanvil: "+err.Error())
	}
	return 1
}

// A printedError is an error that the command has already printed. execute does not print it again.
type printedError struct{ error }

// rootCommand returns the command goanvil with its subcommands.
func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "goanvil",
		Short:         "A Jupyter kernel that computes with tensors in Go",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("goanvil {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		runCommand(), installCommand(), uninstallCommand(), setupCommand(),
		doctorCommand(), kernelCommand(), tryCommand(), versionCommand(),
	)
	return root
}

// A backend holds the values of the flags --backend and --plugin, which select how to compute. The
// value of a flag that is not given is "".
type backend struct{ name, plugin string }

// flags adds --backend and --plugin to a command.
func (b *backend) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.name, "backend", "",
		"what computes: xla, or reference (plain Go, slow); default: xla if a plugin is found")
	cmd.Flags().StringVar(&b.plugin, "plugin", "", "path of the PJRT plugin to compute with")
}

// args returns the flags as command-line arguments, for kernel.json.
func (b backend) args() []string {
	var args []string
	if b.name != "" {
		args = append(args, "--backend="+b.name)
	}
	if b.plugin != "" {
		args = append(args, "--plugin="+b.plugin)
	}
	return args
}

// reference reports whether the flags select the reference evaluator.
func (b backend) reference() bool {
	return b.name == "reference" || b.name == "" && os.Getenv("GOANVIL_BACKEND") == "reference"
}

// load loads the library of the plugin that the first tensor will use, without creating a client. It
// ignores errors, since the first tensor will report them.
func (b backend) load() {
	if b.reference() {
		return
	}
	if found := xla.Discover(b.plugin); len(found) > 0 {
		_, _ = xla.Load(found[0].Path)
	}
}

// check returns an error if --backend does not name a backend.
func (b backend) check() error {
	switch b.name {
	case "", "xla", "reference":
		return nil
	}
	return fmt.Errorf("--backend=%s: unknown backend; give xla or reference", b.name)
}
