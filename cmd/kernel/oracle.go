package main

import (
	"bufio"
	"io"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/promote/oracle"
)

// oracleCommand returns the command that answers rows of questions about the
// promotion systems (see docs/oracle.md).
func oracleCommand() *cobra.Command {
	explain := false
	c := &cobra.Command{
		Use:   "oracle",
		Short: "Answer rows of JSON about the promotion systems, one a line",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return askOracle(cmd.InOrStdin(), cmd.OutOrStdout(), explain)
		},
	}
	c.Flags().BoolVar(&explain, "explain", false, "add the steps to each dtype, with the rule of each")
	return c
}

// askOracle writes one answer for each line of in, in order and as soon as the
// line is there; with explain, the steps to it as well.
func askOracle(in io.Reader, out io.Writer, explain bool) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == nil || len(line) > 0 { // the last line may have no end
			if _, err := out.Write(append(oracle.AnswerLine(line, explain), '\n')); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
