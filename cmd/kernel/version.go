package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "goanvil", version()) },
	}
}

// released is the version of this source.
const released = "0.1.0"

// version returns the version of the program. It is the module's version if the program was installed
// by "go install" with a version, and otherwise released, followed by the commit if it was recorded.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return released
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return released + "+" + s.Value[:12]
		}
	}
	return released
}
