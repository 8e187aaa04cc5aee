package display

import (
	"fmt"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// Table returns the promotion table of a system: the common dtype of every pair of its dtypes. The first flag says
// whether the dtypes of the rows are ambiguous, and the second flag whether those of the columns are. Both are false
// by default.
func Table(s *promote.System, ambiguous ...bool) promote.Table {
	if s == nil {
		panic(&nv.Error{Op: "display.Table", Operands: "nil", Reason: "the promotion system is nil",
			Hint: "write display.Table(promote.Anvil)"})
	}
	return s.Table(ambiguous...)
}

func tableBundle(t promote.Table) Bundle {
	return TextBundle(tableText(t)).with(MIMEHTML, tableHTML(t))
}

// noCommonDType is shown for a pair of dtypes without a common dtype.
const noCommonDType = "-"

func cellText(c promote.Cell) string {
	if c.Err != nil {
		return noCommonDType
	}
	return c.Result.String()
}

// axisLabels returns the headings of the rows or columns of a table.
func axisLabels(ds []dtype.DType, ambiguous bool) []string {
	labels := make([]string, len(ds))
	for i, d := range ds {
		labels[i] = dtype.Typed{DType: d, Ambiguous: ambiguous}.String()
	}
	return labels
}

// tableText returns the caption and, below it, the table in aligned columns.
func tableText(t promote.Table) string {
	grid := crossGrid(axisLabels(t.Rows, t.RowsAmbiguous), axisLabels(t.Cols, t.ColsAmbiguous),
		func(i, j int) string { return cellText(t.Cells[i][j]) })
	return t.Caption() + "\n" + align(grid)
}

func tableHTML(t promote.Table) string {
	heads := "<th></th>" + cells("th", "padding:1px 6px", axisLabels(t.Cols, t.ColsAmbiguous))
	rows := axisLabels(t.Rows, t.RowsAmbiguous)
	for i, label := range rows {
		rows[i] = "<th>" + escape(label) + "</th>"
		for _, c := range t.Cells[i] {
			rows[i] += cellHTML(c)
		}
	}
	return table{`style="` + gridStyle + `;text-align:left"`, t.Caption(), heads, rows}.html()
}

// cellHTML returns a cell in the colour of its dtype's kind. The tooltip is the name of the rule. A cell without a
// common dtype has no colour, and its tooltip is the error.
func cellHTML(c promote.Cell) string {
	if c.Err != nil {
		return fmt.Sprintf(`<td title="%s">%s</td>`, escape(c.Err.Error()), noCommonDType)
	}
	text := escape(c.Result.String())
	if c.Result.Ambiguous {
		text = "<i>" + text + "</i>"
	}
	return fmt.Sprintf(`<td style="background:%s;padding:1px 6px" title="%s">%s</td>`,
		tints[c.Result.DType.Kind()], escape(c.Rule.Name), text)
}

func systemBundle(s *promote.System) Bundle {
	t := s.Table()
	return TextBundle(s.Name()+": "+s.Doc()+"\n"+tableText(t)).
		with(MIMEHTML, "<div><b>"+escape(s.Name())+"</b>: "+escape(s.Doc())+"</div>"+tableHTML(t))
}

func explanationBundle(e promote.Explanation) Bundle {
	var b strings.Builder
	fmt.Fprintf(&b, `<div><b>%s</b>: <code>%s</code>`, escape(e.System.Name()), escape(e.Title()))
	steps := stepTexts(e.Steps)
	if rule, refused := e.Refusal(); refused {
		steps = append(steps, fmt.Sprintf("no result (%s: %s)", rule.Name, rule.Doc))
	}
	orderedList(&b, steps)
	b.WriteString(`</div>`)
	return TextBundle(e.String()).with(MIMEHTML, b.String())
}

func stepTexts(steps []promote.Step) (texts []string) {
	for _, s := range steps {
		texts = append(texts, s.String())
	}
	return texts
}
