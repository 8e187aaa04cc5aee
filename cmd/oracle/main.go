// Command oracle answers questions about the promotion systems, rows of JSON on
// its standard input: which dtype or value an operation of another framework has,
// or what that framework says instead. docs/oracle.md describes the rows.
//
// It computes by package promote and, for values, by the library under a system,
// as a cell does; it holds no answers.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	explain := flag.Bool("explain", false, "add the steps to each dtype, with the rule of each")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: oracle [--explain] < rows, one JSON object a line")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := answerLines(os.Stdin, os.Stdout, *explain); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// answerLines writes one answer for each line of in, in order and as soon as the
// line is there; with explain, the steps to it as well.
func answerLines(in io.Reader, out io.Writer, explain bool) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == nil || len(line) > 0 { // the last line may have no end
			if _, err := out.Write(append(answerLine(line, explain), '\n')); err != nil {
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
