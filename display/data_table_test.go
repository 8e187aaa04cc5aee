package display

import (
	"fmt"
	"math"
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

// TestFrames checks the text and the page of a table, and the text of its columns.
func TestFrames(t *testing.T) {
	long := strings.Repeat("ab", 40)
	table := nv.NewTable([]string{"<n>", "x", "s", "b"}, []int{1, 20, 3}, []float64{0.25, math.NaN(), 1},
		[]string{long, "c\nd", ""}, []bool{true, false, true})
	b := Options{MaxRows: 2}.Render(table)
	cut := long[:60] + "..."
	pad := strings.Repeat(" ", 58)
	want := "<n> x              s     " + pad + "b\n" +
		"i32 f64, 1 missing texts " + pad + "i1\n" +
		"1   0.25           " + cut + " true\n" +
		"20  -              c d   " + pad + "false\n" +
		"[... 1 more row (display.MaxRows(-1) shows all); 3 rows, 4 columns]"
	if got := b.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `<div style="overflow-x:auto"><table cellpadding="4" ` +
		`style="color:inherit;border-collapse:collapse;text-align:right"><thead><tr>` +
		`<th>&lt;n&gt;<br><code>i32</code></th><th>x<br><code>f64, 1 missing</code></th>` +
		`<th>s<br><code>texts</code></th><th>b<br><code>i1</code></th></tr></thead><tbody>` +
		`<tr><td>1</td><td>0.25</td><td>` + cut + `</td><td>true</td></tr>` +
		`<tr><td>20</td><td>-</td><td>c` + "\n" + `d</td><td>false</td></tr></tbody></table></div>` +
		`<div>... 1 more row (display.MaxRows(-1) shows all); 3 rows, 4 columns</div>`
	page := strings.NewReplacer(`<th style="text-align:right">`, "<th>", `<td style="text-align:right">`, "<td>").
		Replace(b.Data[MIMEHTML].(string))
	if page != want {
		t.Errorf("got\n%s\nwant\n%s", page, want)
	}
	for _, c := range []struct {
		most         int
		column, want string
	}{
		{1, "<n>", "<n>: 3 i32\n1\n..."},
		{3, "<n>", "<n>: 3 i32\n1\n20\n3"},
		{2, "x", "x: 3 f64, 1 missing\n0.25\n-\n..."},
		{3, "x", "x: 3 f64, 1 missing\n0.25\n-\n1.00"},
		{1, "s", "s: 3 texts\n" + long + "\n..."},
		{-1, "b", "b: 3 i1\ntrue\nfalse\ntrue"},
	} {
		if got := (Options{MaxRows: c.most}).Render(table.Col(c.column)).Text(); got != c.want {
			t.Errorf("MaxRows %d: %q, want %q", c.most, got, c.want)
		}
	}
}
