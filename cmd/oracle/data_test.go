package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// eachLine calls f for every line of the files in testdata.
func eachLine(t *testing.T, f func(line []byte)) {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.jsonl.gz")
	for _, path := range files {
		lines := bufio.NewScanner(open(t, path))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			f(lines.Bytes())
		}
	}
}

// packedQuestion returns the question in a line of testdata.
func packedQuestion(t *testing.T, line []byte) (q question) {
	t.Helper()
	if err := json.Unmarshal(line, &q); err != nil {
		t.Fatal(err)
	}
	return q
}

// has reports whether a line contains any of the texts.
func has(line []byte, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(line, []byte(text)) })
}

// TestRowsThatAreGivenSaySo tests that rows have the field origin if no generator has
// measured them: those of R anvil and Julia, and those of the file that compares the
// systems, which is made from the other rows.
func TestRowsThatAreGivenSaySo(t *testing.T) {
	eachLine(t, func(line []byte) {
		if has(line, `"file":"anvil"`, `"file":"compare"`, `"system":"julia"`) != has(line, `"origin":"given`) {
			t.Fatalf("%s", line)
		}
	})
}

// TestListsAreWhole tests that a list of operations on two dtypes has each operation
// with each pair of its dtypes once.
func TestListsAreWhole(t *testing.T) {
	type group struct{ file, list, op, mode string }
	pairs := map[group]map[[2]any]int{}
	eachLine(t, func(line []byte) {
		if has(line, `"file":"compare"`) || !has(line, `"list":"pairs"`, `"list":"binary_ops"`, `"list":"can_cast"`, `"list":"array_plus_numpy_scalar"`) {
			return
		}
		l := packedQuestion(t, line)
		r := l.Row
		precise, _ := r["precise"].(bool) // in Ivy's pairs this field is a dtype: part of the answer
		g := group{l.File, l.List, fmt.Sprint(r["op"]), fmt.Sprint(r["mode"], r["x64"], precise)}
		if pairs[g] == nil {
			pairs[g] = map[[2]any]int{}
		}
		if l.List == "can_cast" {
			pairs[g][[2]any{r["from"], r["to"]}]++
		} else {
			pairs[g][[2]any{r["a"], r["b"]}]++
		}
	})
	for g, counts := range pairs {
		as, bs := map[any]bool{}, map[any]bool{}
		for p, n := range counts {
			if as[p[0]], bs[p[1]] = true, true; n != 1 {
				t.Errorf("%v: %v occurs %d times", g, p, n)
			}
		}
		if len(counts) != len(as)*len(bs) {
			t.Errorf("%v: %d pairs of %d and %d dtypes", g, len(counts), len(as), len(bs))
		}
	}
}
