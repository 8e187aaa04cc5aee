package main

import (
	"cmp"
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/kernelspec"
)

func installCommand() *cobra.Command {
	var o kernelspec.Options
	var b backend
	cmd := &cobra.Command{
		Use:   "install [--user | --sys-prefix | --prefix DIR]",
		Short: "Make the kernel known to Jupyter",
		Long: `Copies this program and a kernel.json to where Jupyter looks for kernels, and
prints the folder. Without flags that is the user's data folder. Installing
again replaces what was there.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.check(); err != nil {
				return err
			}
			o.Args, o.Env = b.args(), xla.TunedEnvironment()
			dir, err := kernelspec.Install(o)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "installed %s\n%s\n", dir, nextStep(o))
			return nil
		},
	}
	placeFlags(cmd, &o)
	cmd.Flags().StringVar(&o.DisplayName, "display-name", kernelspec.DefaultDisplayName,
		"name of the kernel in front ends")
	b.flags(cmd)
	return cmd
}

// nextStep returns a line that says how to use the installed kernel.
func nextStep(o kernelspec.Options) string {
	if _, err := exec.LookPath("jupyter"); err != nil {
		return "next: python3 -m pip install jupyterlab, then jupyter lab"
	}
	return "next: jupyter lab, and choose " + cmp.Or(o.DisplayName, kernelspec.DefaultDisplayName)
}

func uninstallCommand() *cobra.Command {
	var o kernelspec.Options
	cmd := &cobra.Command{
		Use:   "uninstall [--user | --sys-prefix | --prefix DIR]",
		Short: "Remove the installed kernel",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := kernelspec.Uninstall(o)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "removed %s\n", dir)
			return nil
		},
	}
	placeFlags(cmd, &o)
	return cmd
}

// placeFlags adds the flags that set the folder and the name of an installed kernel.
func placeFlags(cmd *cobra.Command, o *kernelspec.Options) {
	f := cmd.Flags()
	f.BoolVar(&o.User, "user", false, "in the user's data folder (default)")
	f.BoolVar(&o.SysPrefix, "sys-prefix", false, "in the active virtual or conda environment")
	f.StringVar(&o.Prefix, "prefix", "", "below this folder's share/jupyter")
	f.StringVar(&o.Name, "name", kernelspec.DefaultName, "name of the kernel on command lines")
}
