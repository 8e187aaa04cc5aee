package oracle_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/goanvil/notebook/anvil/promote/oracle"
)

// A line is one packed row; origin says of a row that no generator makes where
// it comes from.
type line struct {
	oracle.Question
	Origin string `json:"origin"`
}

// eachLine calls f for every packed row.
func eachLine(t *testing.T, f func(line)) {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.jsonl.gz")
	for _, path := range files {
		lines := bufio.NewScanner(open(t, path))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var l line
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			f(l)
		}
	}
}

// TestRowsThatAreGivenSaySo: R's anvil and Julia are not run by a generator, and
// the file that compares the systems is of the rows of the others.
func TestRowsThatAreGivenSaySo(t *testing.T) {
	eachLine(t, func(l line) {
		given := l.File == "anvil" || l.File == "compare" || l.Row["system"] == "julia"
		if given != (l.Origin != "") {
			t.Fatalf("origin %q of %v", l.Origin, l.Question)
		}
	})
}

// TestListsAreWhole: a list of operations on two dtypes has each operation with
// each pair of its dtypes, once.
func TestListsAreWhole(t *testing.T) {
	whole := map[string]bool{"pairs": true, "binary_ops": true, "can_cast": true, "array_plus_numpy_scalar": true}
	type group struct{ file, list, op, mode string }
	pairs := map[group]map[[2]any]int{}
	eachLine(t, func(l line) {
		if !whole[l.List] || l.File == "compare" {
			return
		}
		r := l.Row
		precise, _ := r["precise"].(bool) // Ivy's pairs have an answer of that name
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
	for g, of := range pairs {
		as, bs := map[any]bool{}, map[any]bool{}
		for p, n := range of {
			if as[p[0]], bs[p[1]] = true, true; n != 1 {
				t.Errorf("%v: %v stands %d times", g, p, n)
			}
		}
		if len(of) != len(as)*len(bs) {
			t.Errorf("%v: %d pairs of %d and %d dtypes", g, len(of), len(as), len(bs))
		}
	}
}
