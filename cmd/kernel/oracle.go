package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/goanvil/notebook/anvil/promote/oracle"
)

// oracleCommand returns the command that answers rows of questions about the
// promotion systems (see docs/oracle.md).
func oracleCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "oracle",
		Short: "Answer rows of JSON about the promotion systems, one a line",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return askOracle(cmd.InOrStdin(), cmd.OutOrStdout()) },
	}
}

// askOracle writes an answer for each line of in, in order.
func askOracle(in io.Reader, out io.Writer) error {
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
		if err := answers.Encode(oracle.Answer(q)); err != nil {
			return err
		}
	}
}
