package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Comparison holds the promotion tables of several systems over the dtypes that all of them have. It is shown as the
// tables followed by a list of the disagreements.
type Comparison struct {
	Systems []*promote.System
	DTypes  []dtype.DType
	tables  []promote.Table
	brief   bool // the tables are not shown
}

// Compare returns the tables of systems. Results on which the systems disagree are marked. Without arguments, Compare
// compares all systems and shows only the disagreements.
func Compare(systems ...*promote.System) Comparison {
	all := len(systems) == 0
	if all {
		systems = promote.Systems()
	}
	c := Comparison{Systems: systems, DTypes: promote.Shared(systems...), brief: all}
	for _, s := range systems {
		c.tables = append(c.tables, s.TableOf(c.DTypes))
	}
	return c
}

// disagreementMark follows a result on which the systems disagree.
const disagreementMark = "*"

// A disagreement is a pair of dtypes with each system's answer.
type disagreement struct {
	a, b    dtype.DType
	answers []string
}

// agree reports whether all systems give the same result for row i and column j.
func (c Comparison) agree(i, j int) bool {
	for _, t := range c.tables[1:] {
		if cellText(t.Cells[i][j]) != cellText(c.tables[0].Cells[i][j]) {
			return false
		}
	}
	return true
}

// disagreements returns the pairs on which the systems disagree. If they disagree on both orders of a pair, such as
// i8 with f32 and f32 with i8, it returns only the order in which the dtypes stand in c.DTypes.
func (c Comparison) disagreements() (ds []disagreement) {
	for i, a := range c.DTypes {
		for j, b := range c.DTypes {
			alreadyListed := j < i && !c.agree(j, i)
			if c.agree(i, j) || alreadyListed {
				continue
			}
			d := disagreement{a: a, b: b}
			for _, t := range c.tables {
				d.answers = append(d.answers, cellText(t.Cells[i][j]))
			}
			ds = append(ds, d)
		}
	}
	return ds
}

// Disagreements returns the number of pairs of dtypes on which the systems disagree, and the number of all pairs.
func (c Comparison) Disagreements() (n, pairs int) {
	return len(c.disagreements()), len(c.DTypes) * (len(c.DTypes) + 1) / 2
}

func (c Comparison) title() string {
	n, pairs := c.Disagreements()
	title := fmt.Sprintf("%s: %d of %d pairs disagree", strings.Join(systemNames(c.Systems), ", "), n, pairs)
	if c.brief {
		return title
	}
	return title + "; they are marked with " + disagreementMark
}

func systemNames(systems []*promote.System) []string {
	names := make([]string, len(systems))
	for i, s := range systems {
		names[i] = s.Name()
	}
	return names
}

// notCompared returns a note on the dtypes that are not compared because a system lacks them, or "".
func (c Comparison) notCompared() string {
	var words []string
	for _, s := range c.Systems {
		for _, d := range s.DTypes() {
			if !slices.Contains(c.DTypes, d) && !slices.Contains(words, d.String()) {
				words = append(words, d.String())
			}
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "not compared, because not all systems have them: " + strings.Join(words, " ")
}

// Display returns the tables and the disagreements as text and as HTML.
func (c Comparison) Display() Bundle {
	return TextBundle(c.String()).with(MIMEHTML, c.html())
}

// String returns the tables and the disagreements as text.
func (c Comparison) String() string {
	parts := []string{c.title()}
	if note := c.notCompared(); note != "" {
		parts[0] += "\n" + note
	}
	for k, t := range c.shown() {
		parts = append(parts, t.System.Name()+"\n"+align(c.grid(k)))
	}
	if n, _ := c.Disagreements(); n > 0 {
		parts = append(parts, "disagreements\n"+align(c.listing()))
	}
	return strings.Join(parts, "\n\n")
}

// shown returns the tables to show. It returns none if c is brief.
func (c Comparison) shown() []promote.Table {
	if c.brief {
		return nil
	}
	return c.tables
}

// grid returns table k as a grid of texts with headings.
func (c Comparison) grid(k int) [][]string {
	labels := axisLabels(c.DTypes, false)
	return crossGrid(labels, labels, func(i, j int) string { return cellText(c.tables[k].Cells[i][j]) + c.mark(i, j) })
}

// mark returns disagreementMark if the systems disagree on row i and column j, and "" otherwise.
func (c Comparison) mark(i, j int) string {
	if c.agree(i, j) {
		return ""
	}
	return disagreementMark
}

// listing returns the disagreements as a grid of texts, with a row for each disagreement and a column for each system.
func (c Comparison) listing() [][]string {
	grid := [][]string{append([]string{"pair"}, systemNames(c.Systems)...)}
	for _, d := range c.disagreements() {
		grid = append(grid, append([]string{d.a.String() + " with " + d.b.String()}, d.answers...))
	}
	return grid
}

func (c Comparison) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div><div><b>%s</b></div>`, escape(c.title()))
	if note := c.notCompared(); note != "" {
		fmt.Fprintf(&b, `<div>%s</div>`, escape(note))
	}
	b.WriteString(`<div style="display:flex;flex-wrap:wrap;gap:16px;margin:8px 0">`)
	for k, t := range c.shown() {
		b.WriteString(`<div style="overflow-x:auto">` + gridHTML(t.System.Name(), c.grid(k)) + `</div>`)
	}
	b.WriteString(`</div>`)
	if n, _ := c.Disagreements(); n > 0 {
		b.WriteString(gridHTML("disagreements", c.listing()))
	}
	b.WriteString(`</div>`)
	return b.String()
}
