//go:build linux && amd64 && !nopjrt

package main

import (
	"bufio"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// sampled is which of the rows are asked where they are compiled.
const sampled = 97

// TestRowsOnXLA: XLA's programs compute what the rows have, as the evaluator in
// plain Go does: a sample of them, which meets every operation.
func TestRowsOnXLA(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "xla"})
	defer c.Close()
	defer computeIn(c)()
	listed, n := disagreements(t), 0
	for _, file := range []string{"arith", "cast_values"} {
		lines := bufio.NewScanner(open(t, "testdata/"+file+".jsonl.gz"))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if n++; n%sampled != 0 || inexact(lines.Text()) {
				continue
			}
			q, err := readQuestion(lines.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			bare, difference := ask(t, q, answerFields[q.File+"/"+q.List])
			if difference != "" && listed[bare] == "" {
				t.Errorf("%s: %s", bare, difference)
			}
		}
	}
}

// inexact reports whether a row has a subnormal number, which is 0 in XLA's
// programs for CPUs, or a function that they do not round right.
func inexact(row string) bool {
	for _, part := range []string{"e-40", "e-41", `"exp"`, `"log"`} {
		if strings.Contains(row, part) {
			return true
		}
	}
	return false
}
