package promote_test

import (
	"io/fs"
	"os"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestTablesAreSmall: what the program holds of other systems is dtype tables,
// not answers: 64 KB at most in all.
func TestTablesAreSmall(t *testing.T) {
	total := int64(0)
	files, err := fs.Glob(os.DirFS("tables"), "*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, name := range files {
		info, err := os.Stat("tables/" + name)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 64<<10 {
		t.Errorf("the tables take %d bytes", total)
	}
}

// TestCommonDoesNotAllocate, in any system.
func TestCommonDoesNotAllocate(t *testing.T) {
	for _, s := range promote.Systems() {
		a, b := promote.Known(dtype.F32), promote.Known(dtype.F32)
		if s.Name() != "tensorflow" && s.Name() != "jaxstrict" && s.Name() != "jaxstrict64" {
			b = promote.Known(dtype.F64)
		}
		s.Common(a, b)
		if n := testing.AllocsPerRun(100, func() { s.Common(a, b) }); n != 0 {
			t.Errorf("%s: %v allocations", s, n)
		}
	}
}

// TestEverySystemStands: every system has a name of its own, and is commutative
// and idempotent on the dtypes that its tables show.
func TestEverySystemStands(t *testing.T) {
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

func BenchmarkCommon(b *testing.B) {
	for _, s := range promote.Systems() {
		x, y := promote.Known(dtype.F32), promote.Known(dtype.F32)
		b.Run(s.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Common(x, y)
			}
		})
	}
}
