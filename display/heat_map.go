package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A HeatMap counts the different answers of several systems for each pair of dtypes. An answer is the common dtype or
// an error.
type HeatMap struct {
	Systems []*promote.System
	DTypes  []dtype.DType
	Counts  [][]int // 0 where fewer than two systems have both dtypes
}

// Heat returns the HeatMap of systems, or of all systems if none are given, over the dtypes that at least two
// of them have. It omits floats of 8 bits, and dtypes of fewer than 8 bits except i1.
func Heat(systems ...*promote.System) HeatMap {
	if len(systems) == 0 {
		systems = promote.Systems()
	}
	h := HeatMap{Systems: systems}
	for _, d := range dtype.All() {
		support := 0 // the number of systems that have d
		for _, s := range systems {
			if slices.Contains(s.DTypes(), d) {
				support++
			}
		}
		if support > 1 && !narrow(d) {
			h.DTypes = append(h.DTypes, d)
		}
	}
	for _, a := range h.DTypes {
		row := make([]int, len(h.DTypes))
		for j, b := range h.DTypes {
			row[j] = h.count(a, b)
		}
		h.Counts = append(h.Counts, row)
	}
	return h
}

// narrow reports whether d is a float of 8 bits, or a dtype of fewer than 8 bits other than i1. These dtypes exist for
// accelerators.
func narrow(d dtype.DType) bool {
	return d != dtype.I1 && (d.Bits() < 8 || d.Bits() == 8 && d.Is(dtype.Inexact))
}

// count returns the number of different answers for a and b, or 0 if fewer than two systems have both dtypes.
func (h HeatMap) count(a, b dtype.DType) int {
	answers := Answers(h.Systems).answersTo(promote.AskCommon(a, b))
	asked := 0
	for _, answer := range answers {
		if answer != notAsked {
			asked++
		}
	}
	if asked < 2 {
		return 0
	}
	return len(distinct(answers))
}

// Disagreements returns the number of unordered pairs of dtypes with more than one answer, and the number of pairs for
// which at least two systems have both dtypes.
func (h HeatMap) Disagreements() (n, pairs int) {
	for i, row := range h.Counts {
		for _, count := range row[:i+1] {
			if count > 0 {
				pairs++
			}
			if count > 1 {
				n++
			}
		}
	}
	return n, pairs
}

func (h HeatMap) title() string {
	n, pairs := h.Disagreements()
	return fmt.Sprintf("%s: number of different answers; %d of %d pairs have more than one",
		strings.Join(systemNames(h.Systems), ", "), n, pairs)
}

// countText returns the text of a count; a dot stands for agreement.
func countText(count int) string {
	switch count {
	case 0:
		return ""
	case 1:
		return "."
	}
	return fmt.Sprint(count)
}

func (h HeatMap) grid() [][]string {
	labels := axisLabels(h.DTypes, false)
	return crossGrid(labels, labels, func(i, j int) string { return countText(h.Counts[i][j]) })
}

// String returns the counts as text.
func (h HeatMap) String() string { return h.title() + "\n" + align(h.grid()) }

// Display returns the counts as text and as HTML. In HTML, cells with more answers are darker.
func (h HeatMap) Display() Bundle {
	t := table{`style="` + gridStyle + `"`, h.title(), "<th></th>", make([]string, len(h.DTypes))}
	for i, d := range h.DTypes {
		t.heads += cell("th", "padding:1px 5px;text-align:center", d.String())
		t.rows[i] = cell("th", "padding:1px 5px", d.String())
		for _, count := range h.Counts[i] {
			opacity := min(.18*float64(max(count-1, 0)), .75) // darker for each further answer, but the text stays readable
			style := fmt.Sprintf("padding:1px 5px;text-align:center;background:rgba(234,67,53,%.2f)", opacity)
			t.rows[i] += cell("td", style, countText(count))
		}
	}
	return TextBundle(h.String()).with(MIMEHTML, t.html())
}
