//go:build linux && amd64 && !nopjrt

package main

import (
	"bufio"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// sampleStep is the distance between the rows that are compiled.
const sampleStep = 97

// TestRowsOnXLA compares a sample of the rows, which contains every operation, with the
// results of XLA's programs.
func TestRowsOnXLA(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "xla"})
	defer c.Close()
	defer computeIn(c)()
	listed, n := disagreements(t), 0
	for _, file := range []string{"arith", "cast_values"} {
		lines := bufio.NewScanner(open(t, "testdata/"+file+".jsonl.gz"))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if n++; n%sampleStep != 0 || isInexact(lines.Text()) {
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

// isInexact reports whether a row has a subnormal number, which XLA's programs for CPUs
// flush to 0, or a function that they do not round correctly.
func isInexact(row string) bool {
	for _, part := range []string{"e-40", "e-41", `"exp"`, `"log"`} {
		if strings.Contains(row, part) {
			return true
		}
	}
	return false
}
