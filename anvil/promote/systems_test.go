package promote_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestTablesAreSmall checks that the tables of other systems, with those of package
// backend, take at most 64 KB, so that they cannot hold the answers for all operands.
func TestTablesAreSmall(t *testing.T) {
	total := int64(0)
	for _, pattern := range []string{"tables/*.txt", "../backend/tables/*.txt"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no tables in", pattern, err)
		}
		for _, name := range files {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			total += info.Size()
		}
	}
	if total > 64<<10 {
		t.Errorf("the tables take %d bytes", total)
	}
}

// TestOnlyTablesAreEmbedded checks that the packages that reproduce other systems embed no
// files but these tables.
func TestOnlyTablesAreEmbedded(t *testing.T) {
	allowed := map[string]string{"kernel.go": "tables/*.txt", "tables.go": "tables/support.txt"}
	for _, pattern := range []string{"*.go", "*/*.go", "../backend/*.go", "../../cmd/oracle/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no sources in", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				what, ok := strings.CutPrefix(line, "//go:"+"embed ")
				if ok && allowed[filepath.Base(name)] != strings.TrimSpace(what) {
					t.Errorf("%s embeds %s", name, what)
				}
			}
		}
	}
}

// TestCommonDoesNotAllocate checks all pairs of dtypes of every system.
func TestCommonDoesNotAllocate(t *testing.T) {
	for _, s := range promote.Systems() {
		pairs := joined(s)
		if n := testing.AllocsPerRun(10, func() {
			for _, p := range pairs {
				s.Common(p[0], p[1])
			}
		}); n != 0 || len(pairs) == 0 {
			t.Errorf("%s: %v allocations for %d pairs", s, n, len(pairs))
		}
	}
}

// TestTwoAreResolvedAsJoined checks that Resolve of two operands, among them tensors of rank
// 0 and 1 and numbers, gives the result of Explain.
func TestTwoAreResolvedAsJoined(t *testing.T) {
	for _, s := range promote.Systems() {
		var all []promote.Operand
		for _, d := range s.DTypes() {
			all = append(all, promote.Operand{Typed: promote.Known(d), Rank: 1}, promote.Operand{Typed: promote.Known(d)}, promote.Operand{Typed: promote.Amb(d), Rank: 1})
		}
		numbers, err := s.Operands(true, 1, 1.5, 1i)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range append(all, numbers...) {
			for _, b := range all {
				e := s.Explain(a, b)
				got, err := s.Resolve(a, b)
				if (err == nil) != (e.Err == nil) || err == nil && got != e.Result {
					t.Errorf("%s: %v with %v: %v, %v; explained %v, %v", s, a, b, got, err, e.Result, e.Err)
				}
			}
		}
	}
}

// joined returns the pairs of the system's dtypes that have a common dtype.
func joined(s *promote.System) (pairs [][2]dtype.Typed) {
	for _, a := range s.DTypes() {
		for _, b := range s.DTypes() {
			x, y := promote.Known(a), promote.Known(b)
			if _, err := s.Join(promote.Operand{Typed: x, Rank: 1}, promote.Operand{Typed: y, Rank: 1}); err == nil {
				pairs = append(pairs, [2]dtype.Typed{x, y})
			}
		}
	}
	return pairs
}

// TestEverySystem checks that every system has its own name and is commutative on its
// dtypes, and that each common dtype has a rule.
func TestEverySystem(t *testing.T) {
	names := map[string]bool{}
	for _, s := range promote.Systems() {
		if names[s.Name()] {
			t.Errorf("two systems are called %s", s)
		}
		names[s.Name()] = true
		table := s.Table()
		for i, row := range table.Cells {
			for j, c := range row {
				if d := table.Cells[j][i]; c.Result != d.Result || (c.Err == nil) != (d.Err == nil) {
					t.Errorf("%s: %s with %s is %v, and the other way %v", s, table.Rows[i], table.Cols[j], c.Result, d.Result)
				}
				if c.Err == nil && c.Rule.Name == "" {
					t.Errorf("%s: %s with %s has no rule", s, table.Rows[i], table.Cols[j])
				}
			}
		}
	}
}

// BenchmarkCommon joins all pairs of a system's dtypes.
func BenchmarkCommon(b *testing.B) {
	for _, s := range promote.Systems() {
		pairs := joined(s)
		b.Run(s.Name(), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.Common(pairs[i][0], pairs[i][1])
				if i++; i == len(pairs) {
					i = 0
				}
			}
		})
	}
}
