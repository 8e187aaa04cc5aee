package display

import (
	"cmp"
	"fmt"
	"math"

	nv "github.com/goanvil/notebook/anvil"
)

// A DTypeRun is the result of running code with DType as the default dtype of floats and layers.
type DTypeRun struct {
	DType nv.DType
	Curve []float64      // the numbers that the code returned, such as losses; nil for another result
	Value string         // the text of another result
	Err   string         // the text of the error, if the code failed
	Lost  nv.Observation // what overflowed or was rounded away
}

// DTypeRuns are runs of the same code at several dtypes. They are shown as a table with a row for each run:
// the first and the last number of the curve, and what overflowed or was rounded away.
type DTypeRuns []DTypeRun

var dtypeRunHeads = []string{"dtype", "first", "last", "overflowed", "NaN", "rounded to 0", "sums that change nothing"}

// Display returns the table as text and as HTML.
func (rs DTypeRuns) Display() Bundle {
	var rows [][]string
	note := ""
	for _, r := range rs {
		rows = append(rows, r.cells())
		if r.Lost.Partial {
			note = "overflow, NaN and rounding were observed only at the beginning of the runs"
		}
	}
	return runTable(dtypeRunHeads, rows, note)
}

// cells returns the row of r, with a text for each of dtypeRunHeads.
func (r DTypeRun) cells() []string {
	row := []string{r.DType.String(), "", cmp.Or(r.Err, r.Value)}
	if n := len(r.Curve); n > 0 && r.Err == "" {
		row[1], row[2] = shortNumber(r.Curve[0]), shortNumber(r.Curve[n-1])
		for i, y := range r.Curve {
			if math.IsNaN(y) || math.IsInf(y, 0) {
				row[2] += fmt.Sprintf(", first %s at %d", shortNumber(y), i)
				break
			}
		}
	}
	return append(row, cmp.Or(r.Lost.Overflow, "no"), cmp.Or(r.Lost.NaN, "no"),
		percentage(r.Lost.Underflows, r.Lost.Products, r.Lost.Underflow),
		percentage(r.Lost.Absorptions, r.Lost.Sums, r.Lost.Absorbed))
}

func shortNumber(v float64) string { return fmt.Sprintf("%.4g", v) }

// percentage returns n as a percentage of all, followed by the first of the n operations, or "no" if n is 0.
func percentage(n, all int, first string) string {
	if n == 0 {
		return "no"
	}
	percent := fmt.Sprintf("%.2g", 100*float64(n)/float64(all))
	if 10*n >= all { // %.2g would write 100 as 1e+02
		percent = fmt.Sprint(100 * n / all)
	}
	return percent + " %, first " + first
}
