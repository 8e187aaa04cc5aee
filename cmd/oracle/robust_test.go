package main

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TestEveryQuestionIsAnswered tests that a row with any dtypes has an answer: a
// result, an error, or the reason why it is unsupported.
func TestEveryQuestionIsAnswered(t *testing.T) {
	names := []string{"pybool", "pyint", "pyfloat", "pycomplex", "no dtype", "i32?", "f64?"}
	for _, d := range append(dtype.All(), dtype.Foreign()...) {
		names = append(names, d.String())
	}
	type form struct{ file, list, op, mode string }
	asked := map[form]bool{}
	files, _ := filepath.Glob("testdata/*.jsonl.gz")
	for _, path := range files {
		lines := bufio.NewScanner(open(t, path))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var q question
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			op, _ := q.Row["op"].(string)
			mode, _ := q.Row["mode"].(string)
			if f := (form{q.File, q.List, op, mode}); asked[f] {
				continue
			} else {
				asked[f] = true
			}
			firsts := names
			if _, ok := q.Row["a"]; !ok || q.File == "arith" { // the row has no a, or a is a value
				firsts = names[:5]
			}
			for i, a := range firsts {
				for _, b := range []string{"", "i1", "f32", "ui16", "pyint", names[(i*7+3)%len(names)]} {
					q.Row["a"], q.Row["b"], q.Row["sa"] = a, b, "zero"
					if len(answerRow(q)) == 0 {
						t.Fatalf("no answer to %v", q)
					}
				}
			}
		}
	}
}
