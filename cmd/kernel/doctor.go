package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/kernelspec"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

func doctorCommand() *cobra.Command {
	var b backend
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Print what is installed, and whether it works",
		Long: `Prints the version, folders and plugins in use, starts a kernel, runs cells in it
as a front end would, and prints how long they took. The exit status is 1 if a
cell fails, or if the plugin given by --plugin does not work.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.check(); err != nil {
				return err
			}
			printInstallation(cmd.OutOrStdout(), b)
			askJupyter(cmd.Context(), cmd.OutOrStdout())
			return runTrials(cmd.Context(), cmd.OutOrStdout(), b)
		},
	}
	b.flags(cmd)
	return cmd
}

// printInstallation prints what is installed on this machine.
func printInstallation(w io.Writer, b backend) {
	fmt.Fprintf(w, "goanvil      %s, %s, %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "data         %s\n", xla.DataDir())
	fmt.Fprintf(w, "cache        %s\n", xla.CacheDir())
	for _, o := range []kernelspec.Options{{User: true}, {SysPrefix: true}} {
		if dir, err := o.Dir(); err == nil {
			if spec, err := kernelspec.Read(dir); err == nil {
				fmt.Fprintf(w, "installed    %s (%s)\n", dir, spec.DisplayName)
			}
		}
	}
	candidates := xla.Discover(b.plugin)
	if len(candidates) == 0 {
		fmt.Fprintf(w, "plugin       none found; goanvil setup fetches one\n")
	}
	for _, c := range candidates {
		fmt.Fprintf(w, "plugin       %s\n", c)
	}
}

// jupyterTimeout is how long Jupyter may take to list its kernels. Jupyter has to start Python first.
const jupyterTimeout = 30 * time.Second

// askJupyter prints whether Jupyter lists a kernel that this program installed.
func askJupyter(ctx context.Context, w io.Writer) {
	const label = "jupyter     "
	jupyter, err := exec.LookPath("jupyter")
	if err != nil {
		fmt.Fprintln(w, label, "not found on the PATH; python3 -m pip install jupyterlab installs it")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, jupyterTimeout)
	defer cancel()
	listing, err := exec.CommandContext(ctx, jupyter, "kernelspec", "list", "--json").Output()
	var known struct {
		Kernelspecs map[string]struct {
			Dir  string          `json:"resource_dir"`
			Spec kernelspec.Spec `json:"spec"`
		} `json:"kernelspecs"`
	}
	if err == nil {
		err = json.Unmarshal(listing, &known)
	}
	if err != nil {
		fmt.Fprintf(w, "%s %s does not list its kernels: %v\n", label, jupyter, err)
		return
	}
	found := false
	for name, k := range known.Kernelspecs {
		if kernelspec.Installed(k.Spec, k.Dir) {
			found = true
			fmt.Fprintf(w, "%s %s knows the kernel as %s: %s\n", label, jupyter, name, k.Spec.DisplayName)
		}
	}
	if !found {
		fmt.Fprintf(w, "%s %s does not know the kernel; goanvil install makes it known\n", label, jupyter)
	}
}

// A trial is a cell that doctor runs, with the label of its line.
type trial struct{ name, code string }

// trials are the cells that doctor runs, in this order. The value of the last is the device that computes.
var trials = []trial{
	{"first cell", "1 + 1"},
	{"first tensor", "2 * nv.New([]float64{1, 2, 3}) + 1"},
	{"same again", "2 * nv.New([]float64{1, 2, 3}) + 1"},
	{"computed by", "nv.New([]float64{1}).Device()"},
}

// runTrials starts a kernel, runs the trials, and prints their values and times. It returns an error
// if a trial fails, or if the plugin given by --plugin was not used.
func runTrials(ctx context.Context, w io.Writer, b backend) error {
	begin := time.Now()
	k, err := startLoopback(ctx, b)
	if err != nil {
		return err
	}
	defer k.close()
	if _, err := k.client.KernelInfo(ctx); err != nil {
		return err
	}
	fmt.Fprintf(w, "kernel       answers after %s\n", round(time.Since(begin)))
	var failed error
	var device string // the value of the last trial
	for _, t := range trials {
		shown, err := t.run(ctx, w, k.client)
		failed, device = errors.Join(failed, err), shown
	}
	if failed == nil && b.plugin != "" && !b.reference() && strings.Contains(device, "reference") {
		const format = "--plugin %s: the plugin does not work, and cells were computed by the reference evaluator"
		return fmt.Errorf(format, b.plugin)
	}
	return failed
}

// run runs the cell of t, prints the line of t, and returns the cell's value as text.
func (t trial) run(ctx context.Context, w io.Writer, c *client.Client) (shown string, err error) {
	begin := time.Now()
	reply, err := c.Execute(ctx, client.Execution{Code: t.code, Output: func(o client.Output) {
		switch content := o.Content.(type) {
		case wire.ExecuteResult:
			shown = plain(content.Data)
		case wire.Stream:
			fmt.Fprint(os.Stderr, content.Text)
		}
	}})
	took := time.Since(begin)
	switch {
	case err != nil:
		return "", err
	case reply.Status != wire.StatusOK:
		return "", fmt.Errorf("%s: %s: %s", t.code, reply.Ename, reply.Evalue)
	}
	fmt.Fprintf(w, "%-12s %s in %s: %s\n", t.name, t.code, round(took), strings.Join(strings.Fields(shown), " "))
	return shown, nil
}

// round rounds d to at most four digits.
func round(d time.Duration) time.Duration {
	unit := time.Nanosecond
	for d/unit >= 10_000 {
		unit *= 10
	}
	return d.Round(unit)
}
