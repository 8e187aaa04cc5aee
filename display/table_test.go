package display

import (
	"fmt"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

func TestAlignDecimals(t *testing.T) {
	for _, c := range [][2]string{
		{"5.005999999999999 - 2.0", "5.006 - 2.000"},
		{"1.0 20.0", "1.0 20.0"},
		{"16777217.25 0.5", "16777217.25 0.50"},
		{"0.0000001234567891 1.0", "1.23457e-07 1"},
		{"3.141592653589793 +Inf", "3.141593 +Inf"},
		{"1e300 1.0", "1e+300 1"},
	} {
		texts := strings.Fields(c[0])
		alignDecimals(texts)
		if got := strings.Join(texts, " "); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}

// TestRowsShown checks that a table of more than Options.MaxRows rows shows its first rows and how many there are.
func TestRowsShown(t *testing.T) {
	for _, c := range []struct{ rows, most, want int }{{30, 30, 30}, {31, 30, 10}, {31, -1, 31}, {31, 5, 5}, {3, 5, 3}} {
		text := Options{MaxRows: c.most}.Render(nv.NewTable([]string{"n"}, make([]int, c.rows))).Text()
		got := 0
		for _, word := range strings.Fields(text) {
			if word == "0" {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%d rows of %d, MaxRows %d:\n%s", got, c.rows, c.most, text)
		}
	}
}

// TestWideTable checks that a table with many columns shows the first ones and how many there are.
func TestWideTable(t *testing.T) {
	var names []string
	var columns []any
	for i := range 25 {
		names, columns = append(names, fmt.Sprintf("c%02d", i)), append(columns, make([]int, 12))
	}
	b := Options{MaxRows: 11}.Render(nv.NewTable(names, columns...))
	for _, text := range []string{b.Text(), b.Data[MIMEHTML].(string)} {
		if !strings.Contains(text, "... 2 more rows (display.MaxRows(-1) shows all), 5 more columns; 12 rows, 25 columns") || !strings.Contains(text, "c19") || strings.Contains(text, "c20") {
			t.Error(text)
		}
	}
}
