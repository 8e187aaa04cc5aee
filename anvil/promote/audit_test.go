package promote_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// An associativityRow is a measurement of how many triples a real system joins differently
// in different orders.
type associativityRow struct {
	System, Over string
	DTypes       []string
	Dependent    int `json:"order_dependent_triples"`
	Of           int
	Example      *struct{ Triple, Results []string }
}

// auditJoin returns the join of dtypes without flags that testdata/associativity.json has
// measurements of.
func auditJoin(t *testing.T, name string) promote.JoinFunc {
	s, err := promote.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return func(a, b dtype.Typed) (dtype.Typed, error) {
		if strings.HasPrefix(name, "jax") {
			d, err := promote.JAXPromoteTypes(s, a.DType, b.DType)
			return promote.Known(d), err
		}
		r, err := s.Join(promote.Operand{Typed: a, Rank: 1}, promote.Operand{Typed: b, Rank: 1})
		return promote.Known(r.DType), err
	}
}

// TestAuditRediscovers compares audits with measurements of the real systems.
func TestAuditRediscovers(t *testing.T) {
	data, err := os.ReadFile("testdata/associativity.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []associativityRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		t.Run(row.System, func(t *testing.T) {
			f := promote.AuditJoin(row.System, auditJoin(t, row.System), knowns(t, row.DTypes)...)
			if len(f.Dependent) != row.Dependent || f.Triples != row.Of || len(f.Asymmetric) != 0 {
				t.Errorf("%d of %d triples, want %d of %d; %d asymmetric", len(f.Dependent), f.Triples, row.Dependent, row.Of, len(f.Asymmetric))
			}
			if row.Example != nil && !slices.ContainsFunc(f.Dependent, row.isExample) {
				t.Errorf("%v is not among %v", *row.Example, f.Dependent)
			}
		})
	}
}

// isExample reports whether the triple is the row's example, in any order.
func (row associativityRow) isExample(f promote.Triple) bool {
	names := []string{f.X[0].String(), f.X[1].String(), f.X[2].String()}
	want := slices.Clone(row.Example.Triple)
	slices.Sort(names)
	slices.Sort(want)
	return slices.Equal(names, want) && slices.Equal(f.Distinct(), row.Example.Results)
}

// knowns returns the dtypes with the given names.
func knowns(t *testing.T, names []string) (ts []dtype.Typed) {
	for _, name := range names {
		d, ok := promote.Named(name)
		if !ok {
			t.Fatal(name)
		}
		ts = append(ts, promote.Known(d))
	}
	return ts
}

// TestAuditAnvilStates checks that R anvil's join does not depend on order, over all
// 22 states with repetition.
func TestAuditAnvilStates(t *testing.T) {
	f := promote.AuditStates(promote.Anvil, elevenStates()...)
	if f.Triples+f.Repeats != 2024 || len(f.Dependent)+len(f.Repeated) != 0 || len(f.Asymmetric) != 0 || f.Undefined != 0 {
		t.Errorf("%s", f)
	}
}

// TestAuditWithoutFlags checks that JAX's join does not depend on order, because i64 with ui64 is weak, and that it
// would depend on order if every result counted as known.
func TestAuditWithoutFlags(t *testing.T) {
	f := promote.Audit(promote.JAX64)
	if len(f.Dependent) != 0 || len(f.Unflagged) != 16 || f.Triples != 455 || !strings.Contains(f.String(), "order of three matters in 16 of 455") {
		t.Errorf("%s", f)
	}
	if f := promote.Audit(promote.NumPy); len(f.Unflagged) != len(f.Dependent) || strings.Contains(f.String(), "counts as known") {
		t.Errorf("%s", f)
	}
}

// TestAuditFinds audits a rule that is neither symmetric nor associative.
func TestAuditFinds(t *testing.T) {
	first := func(a, b dtype.Typed) (dtype.Typed, error) { return a, nil }
	f := promote.AuditJoin("first", first, knowns(t, []string{"i8", "i16", "f32"})...)
	if len(f.Asymmetric) != 3 || len(f.Dependent) != 1 {
		t.Errorf("%s", f)
	}
	if want := "i8 with i16 gives i8, i16 with i8 gives i16"; f.Asymmetric[0].String() != want {
		t.Errorf("%s, want %s", f.Asymmetric[0], want)
	}
}

// TestLosses checks that the operand holds the number and the result does not.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		s          *promote.System
		a, b, text string
	}{
		{promote.Anvil, "i32", "f32", "i32 with f32 gives f32, in which 16777217 of i32 becomes 16777216"},
		{promote.Anvil, "i64", "ui64", "i64 with ui64 gives i64, whose range (-9223372036854775808 to 9223372036854775807) lacks 9223372036854775809 of ui64"},
		{promote.Torch, "i16", "bf16", "i16 with bf16 gives bf16, in which 257 of i16 becomes 256"},
		{promote.NumPy, "i64", "f64", "i64 with f64 gives f64, in which 9007199254740993 of i64 becomes 9007199254740992"},
		{promote.NumPy, "i32", "f32", ""}, // f64 holds all numbers of both
	} {
		ts := knowns(t, []string{c.a, c.b})
		f := promote.AuditStates(c.s, ts...)
		got := ""
		for _, l := range f.Losses {
			got = l.String()
		}
		if got != c.text {
			t.Errorf("%s: %q, want %q", c.s, got, c.text)
		}
	}
}

// TestDiff compares the differences with the systems' own answers.
func TestDiff(t *testing.T) {
	d := promote.Diff(promote.NumPy, promote.Torch)
	if text := d.String(); !strings.Contains(text, "i32 with f32: numpy f64, torch f32") || strings.Contains(text, "i32 with f64:") {
		t.Errorf("%s", text)
	}
	if len(d.Found) == 0 || d.Questions <= len(d.Found) || len(d.OnlyA) == 0 || len(d.OnlyB) == 0 {
		t.Errorf("%s", d.Title())
	}
	for _, s := range promote.Systems() {
		if d := promote.Diff(s, s); len(d.Found) != 0 {
			t.Errorf("%s differs from itself: %s", s, d)
		}
	}
}
