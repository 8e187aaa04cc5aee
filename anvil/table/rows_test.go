package table

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// people has a missing float and a missing text, equal values, and a column of pairs.
func people(t *testing.T) *Table {
	t.Helper()
	p, err := ReadCSV(strings.NewReader("name,age,score,old\nAnn,30,2.5,true\n,20,1.5,false\nBob,20,,true\nAnn,40,-1,false\n"), CSV{})
	if err != nil {
		t.Fatal(err)
	}
	p.Columns = append(p.Columns, Column{Name: "pair", Kind: Ints, Ints: []int64{1, 2, 3, 4, 5, 6, 7, 8}, Shape: []int{2}})
	return p
}

// columns returns the columns of p with the given names.
func columns(p *Table, names string) []*Column {
	var all []*Column
	for _, name := range strings.Fields(names) {
		all = append(all, p.Column(name))
	}
	return all
}

func TestOrder(t *testing.T) {
	p := people(t)
	for _, c := range []struct {
		by         string
		descending []bool
		want       string
	}{
		{"age", []bool{false}, "[1 2 0 3]"},
		{"age", []bool{true}, "[3 0 1 2]"},
		{"age score", []bool{false, true}, "[1 2 0 3]"},
		{"name", []bool{false}, "[0 3 2 1]"}, // missing values are last
		{"name", []bool{true}, "[2 0 3 1]"},
		{"score", []bool{false}, "[3 1 0 2]"},
		{"score", []bool{true}, "[0 1 3 2]"},
		{"old age", []bool{false, true}, "[3 1 0 2]"},
	} {
		if got := fmt.Sprint(p.Order(columns(p, c.by), c.descending)); got != c.want {
			t.Errorf("by %s, descending %v: %s, want %s", c.by, c.descending, got, c.want)
		}
	}
}

func TestGroups(t *testing.T) {
	p := people(t)
	for by, want := range map[string]string{"name": "[[0 3] [1] [2]]", "age": "[[0] [1 2] [3]]", "old": "[[0 2] [1 3]]",
		"name age": "[[0] [1] [2] [3]]", "score": "[[0] [1] [2] [3]]"} {
		if got := fmt.Sprint(p.Groups(columns(p, by))); got != want {
			t.Errorf("by %s: %s, want %s", by, got, want)
		}
	}
}

func TestMatches(t *testing.T) {
	p := people(t)
	for by, want := range map[string]string{
		"name": "[0 0 2 3 3] [0 3 2 0 3]", // a missing name matches nothing
		"age":  "[0 1 1 2 2 3] [0 1 2 1 2 3]", "name age": "[0 2 3] [0 2 3]", "score": "[0 1 3] [0 1 3]",
	} {
		rows, others := Matches(p, columns(p, by), p, columns(p, by))
		if got := fmt.Sprint(rows, others); got != want {
			t.Errorf("by %s: %s, want %s", by, got, want)
		}
	}
}

// TestEqualNumbers checks that integers of ui64 are compared as unsigned, and floats of any dtype by value.
func TestEqualNumbers(t *testing.T) {
	big := uint64(1) << 63
	u := Column{Kind: Ints, Ints: []int64{int64(big), 1}, DType: dtype.U64}
	i := Column{Kind: Ints, Ints: []int64{int64(big), 1}, DType: dtype.I64}
	f := Column{Kind: Floats, Floats: []float64{0, math.Copysign(0, -1), 0.1}, DType: dtype.F64}
	narrow := Column{Kind: Floats, Floats: []float64{0, float64(float32(0.1))}, DType: dtype.F32}
	table := func(c Column) *Table { return &Table{Columns: []Column{c}, Rows: c.Len()} }
	if got := fmt.Sprint(table(u).Order([]*Column{&u}, []bool{false})); got != "[1 0]" {
		t.Errorf("the order is %s", got)
	}
	if got, _ := u.Numbers(); got[0] != float64(big) {
		t.Errorf("the numbers are %v", got)
	}
	if got := fmt.Sprint(Matches(table(u), []*Column{&u}, table(i), []*Column{&i})); got != "[1] [1]" {
		t.Errorf("ui64 and i64 match at %s", got)
	}
	if got := fmt.Sprint(table(f).Groups([]*Column{&f})); got != "[[0 1] [2]]" {
		t.Errorf("the groups are %s", got)
	}
	if got := fmt.Sprint(Matches(table(f), []*Column{&f}, table(narrow), []*Column{&narrow})); got != "[0 1] [0 0]" {
		t.Errorf("f64 and f32 match at %s", got)
	}
}

func TestTake(t *testing.T) {
	p := people(t).Take([]int{2, 0, 2})
	for name, want := range map[string]string{"name": "Bob Ann Bob", "age": "20 30 20", "score": " 2.5 ", "old": "true true true",
		"pair": "[5 6] [1 2] [5 6]"} {
		c := p.Column(name)
		var texts []string
		for i := range c.Len() {
			texts = append(texts, c.Text(i))
		}
		if got := strings.Join(texts, " "); got != want || p.Rows != 3 {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if missing := fmt.Sprint(p.Column("name").Missing, p.Column("score").Missing); missing != "0 2" {
		t.Errorf("missing values are %s, want 0 2", missing)
	}
	if names := fmt.Sprint(p.Names(), p.Column("none")); names != "[name age score old pair] <nil>" {
		t.Error(names)
	}
}

func TestNumbers(t *testing.T) {
	p := people(t)
	for name, want := range map[string]string{"name": "[] false", "age": "[30 20 20 40] true", "score": "[2.5 1.5 -1] true",
		"old": "[1 0 1 0] true", "pair": "[1 2 3 4 5 6 7 8] true"} {
		numbers, ok := p.Column(name).Numbers()
		if got := fmt.Sprint(numbers, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
