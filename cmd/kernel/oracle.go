package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

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

// askOracle writes an answer for each line of in, in order; with explain, the
// steps to it as well.
func askOracle(in io.Reader, out io.Writer, explain bool) error {
	w := bufio.NewWriter(out)
	defer w.Flush()
	lines, answers := json.NewDecoder(in), json.NewEncoder(w)
	answers.SetEscapeHTML(false)
	for n := 1; ; n++ {
		var q oracle.Question
		if err := lines.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("oracle: line %d: %w", n, err)
		}
		answer := oracle.Answer(q)
		if e, ok := oracle.Explain(q); ok && explain {
			answer["steps"] = strings.Split(e.String(), "\n")[1:]
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
}
