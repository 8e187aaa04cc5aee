package display

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

const (
	cutTableRows    = 10 // the number of rows shown of a table that has more than Options.MaxRows
	maxTableColumns = 20 // the greatest number of columns shown
)

// rowsShown returns how many rows are shown of a table or column with the given number of rows.
func rowsShown(rows int, o Options) int {
	if o.MaxRows < 0 || rows <= o.MaxRows {
		return rows
	}
	return min(cutTableRows, o.MaxRows)
}

// dataTableBundle returns the first rows and columns of a table of data, below the names and types of the columns.
func dataTableBundle(t *nv.Table, o Options) Bundle {
	shown := rowsShown(t.Rows(), o)
	grid, kinds := dataTableGrid(t, shown)
	footer := plural(t.Rows(), "row") + ", " + plural(len(t.Names()), "column")
	var hidden []string
	if more := t.Rows() - shown; more > 0 {
		hidden = append(hidden, plural(more, "more row")+" (display.MaxRows(-1) shows all)")
	}
	if more := len(t.Names()) - maxTableColumns; more > 0 {
		hidden = append(hidden, plural(more, "more column"))
	}
	if len(hidden) > 0 {
		footer = "... " + strings.Join(hidden, ", ") + "; " + footer
	}
	heads, rows := "", []string{}
	for i, name := range grid[0] {
		heads += fmt.Sprintf(`<th style="text-align:right">%s<br><code>%s</code></th>`, escape(name), escape(kinds[i]))
	}
	for _, row := range grid[1:] {
		rows = append(rows, cells("td", "text-align:right", row))
	}
	rich := recordTable(heads, rows) + `<div>` + escape(footer) + `</div>`
	body := append([][]string{grid[0], kinds}, grid[1:]...)
	for i := range body {
		body[i] = oneLine(body[i])
	}
	return TextBundle(strings.TrimRight(align(body), "\n")+"\n["+footer+"]").with(MIMEHTML, rich)
}

// dataTableGrid returns the names of the first columns and their first rows as a grid, and the types of these columns.
func dataTableGrid(t *nv.Table, rows int) (grid [][]string, kinds []string) {
	names := t.Names()
	grid = append(grid, names[:min(len(names), maxTableColumns)])
	for range rows {
		grid = append(grid, make([]string, len(grid[0])))
	}
	for k, name := range grid[0] {
		c := t.Col(name)
		kinds = append(kinds, columnKind(c))
		for i, text := range headTexts(c, rows) {
			grid[i+1][k] = clip(text)
		}
	}
	return grid, kinds
}

// columnKind describes the type of a column's values, and says how many are missing.
func columnKind(c *nv.Column) string {
	kind := c.Holds()
	if n := c.Missing(); n > 0 {
		kind += fmt.Sprintf(", %d missing", n)
	}
	return kind
}

// headTexts returns the values in the first rows of a column as text.
func headTexts(c *nv.Column, rows int) []string {
	texts := c.Head(rows)
	if c.Kind() == "floats" {
		alignDecimals(texts)
	}
	return texts
}

// maxDecimals is the greatest number of decimals of a number in a table.
const maxDecimals = 6

// alignDecimals rewrites the numbers in texts with the same number of decimals, at most maxDecimals. If one of the
// numbers is very small or very large, all are written with maxDecimals significant digits instead.
func alignDecimals(texts []string) {
	decimals, format := 1, byte('f')
	for _, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(x, 0) {
			continue
		}
		if x != 0 && (math.Abs(x) < 1e-4 || math.Abs(x) >= 1e15) {
			format = 'g'
		}
		rounded := strings.TrimRight(strconv.FormatFloat(x, 'f', maxDecimals, 64), "0")
		_, fraction, _ := strings.Cut(rounded, ".")
		decimals = max(decimals, len(fraction))
	}
	if format == 'g' {
		decimals = maxDecimals
	}
	for i, text := range texts {
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			texts[i] = strconv.FormatFloat(x, format, decimals, 64)
		}
	}
}

// columnBundle returns the first values of a column, below its name, length and type.
func columnBundle(c *nv.Column, o Options) Bundle {
	texts := headTexts(c, rowsShown(c.Len(), o))
	if c.Len() > len(texts) {
		texts = append(texts, "...")
	}
	head := fmt.Sprintf("%s: %d %s", c.Name(), c.Len(), columnKind(c))
	return TextBundle(head + "\n" + strings.Join(texts, "\n"))
}
