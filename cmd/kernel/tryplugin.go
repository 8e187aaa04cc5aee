package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/xla"
)

// tryCommand returns the command that loads a plugin and exits. If XLA cannot parse XLA_FLAGS, XLA
// prints a message and ends the process by a signal.
func tryCommand() *cobra.Command {
	return &cobra.Command{
		Use:    tryName + " PLUGIN",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := xla.Load(args[0])
			if err != nil {
				return err
			}
			c, err := p.NewClient(xla.ClientOptions{})
			if err != nil {
				return err
			}
			c.HasOption("xla_embed_ir") // compiles a program
			return c.Close()
		},
	}
}

// tryName is the name of the command that tryFlags runs.
const tryName = "try-plugin"

// tryFlags loads a plugin in another process, since XLA ends the process if a value in XLA_FLAGS does
// not have the type of its flag. tryFlags returns an error only in this case. Other errors occur again
// when this process loads the plugin.
func tryFlags(plugin string) error {
	exe, err := os.Executable()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, exe, tryName, plugin)
	cmd.Stderr = &stderr
	if cmd.Run() == nil || !strings.Contains(stderr.String(), "Flag parsing failed") {
		return nil
	}
	return flagError(os.Getenv("XLA_FLAGS"), flagTypes(stderr.String()))
}

// flagTypes returns the types of flags by their names. usage is the list of flags that XLA prints. Each
// line has --name=default, the type and the purpose, separated by tabs.
func flagTypes(usage string) map[string]string {
	types := map[string]string{}
	for line := range strings.Lines(usage) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if name, _, ok := strings.Cut(fields[0], "="); ok && len(fields) > 1 && strings.HasPrefix(name, "--") {
			types[name[2:]] = strings.TrimSpace(fields[1])
		}
	}
	return types
}

// flagError returns an error that names the words of flags whose values do not have the types in types.
func flagError(flags string, types map[string]string) error {
	var wrong []string
	for _, word := range strings.Fields(flags) {
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if t := types[name]; !isValue(t, value, given) {
			wrong = append(wrong, fmt.Sprintf("%s, where the value must be of type %s", word, t))
		}
	}
	if len(wrong) == 0 {
		return fmt.Errorf("XLA cannot read XLA_FLAGS, which is %q", flags)
	}
	return fmt.Errorf("XLA_FLAGS has %s", strings.Join(wrong, ", and "))
}

// isValue reports whether XLA accepts value for a flag of type t. given is false for a flag without a
// value. For unknown types isValue returns true.
func isValue(t, value string, given bool) bool {
	switch {
	case t == "bool":
		return !given || value == "true" || value == "false" || value == "1" || value == "0"
	case strings.HasPrefix(t, "int"):
		_, err := strconv.ParseInt(value, 10, 64)
		return err == nil
	case t == "float" || t == "double":
		_, err := strconv.ParseFloat(value, 64)
		return err == nil
	}
	return true
}
