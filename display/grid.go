package display

import (
	"fmt"
	"strings"
)

// The functions in this file write grids: rows of texts that are shown as a table.

// align returns the rows of a grid, one per line, with its columns aligned. Lines have no trailing blanks.
func align(grid [][]string) string {
	width := map[int]int{}
	for _, row := range grid {
		for i, word := range row {
			width[i] = max(width[i], len(word))
		}
	}
	lines := make([]string, len(grid))
	for i, row := range grid {
		var b strings.Builder
		for j, word := range row {
			fmt.Fprintf(&b, "%-*s ", width[j], word)
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(lines, "\n")
}

// crossGrid returns a grid with a heading for each row and each column. cell returns the text in row i and column j.
func crossGrid(rows, cols []string, cell func(i, j int) string) [][]string {
	grid := [][]string{append([]string{""}, cols...)}
	for i, label := range rows {
		line := []string{label}
		for j := range cols {
			line = append(line, cell(i, j))
		}
		grid = append(grid, line)
	}
	return grid
}

// oneLine returns row with each text on one line: each run of white space becomes a blank. An empty text becomes "-".
func oneLine(row []string) []string {
	flat := make([]string, len(row))
	for i, text := range row {
		flat[i] = strings.Join(strings.Fields(text), " ")
		if flat[i] == "" {
			flat[i] = "-"
		}
	}
	return flat
}

// padLeft changes grid: it puts blanks before the words of each column to make them equally long. It returns grid.
func padLeft(grid [][]string) [][]string {
	width := make([]int, len(grid[0]))
	for _, row := range grid {
		for j, word := range row {
			width[j] = max(width[j], len(word))
		}
	}
	for _, row := range grid {
		for j, word := range row {
			row[j] = strings.Repeat(" ", width[j]-len(word)) + word
		}
	}
	return grid
}

// disagreementColor is the background of cells that end in disagreementMark.
const disagreementColor = "rgba(234,67,53,.3)"

// gridCellStyle is the style of a cell. It sets the alignment since front ends align cells to the right by default.
const gridCellStyle = "padding:1px 6px;text-align:left"

// gridHTML returns grid as an HTML table with a caption. The first row and the first column are headings. Cells that
// end in disagreementMark are coloured and bold.
func gridHTML(caption string, grid [][]string) string {
	var rows []string
	for _, row := range grid[1:] {
		line := cell("th", gridCellStyle, row[0])
		for _, w := range row[1:] {
			switch {
			case strings.HasSuffix(w, disagreementMark):
				line += fmt.Sprintf(`<td style="background:%s;%s">%s</td>`, disagreementColor, gridCellStyle, bold(w))
			case strings.Contains(w, " "): // a sentence
				line += cell("td", "font-family:sans-serif;"+gridCellStyle, w)
			default:
				line += cell("td", gridCellStyle, w)
			}
		}
		rows = append(rows, line)
	}
	return table{`style="` + gridStyle + `;text-align:left"`, caption, cells("th", gridCellStyle, grid[0]), rows}.html()
}

// gridStyle is the style of tables that have a cell for each pair of dtypes, or for each question and system.
const gridStyle = "color:inherit;border-collapse:separate;border-spacing:1px;font-family:monospace"

// A table is an HTML table. Its heads and each of its rows are the HTML of cells.
type table struct {
	attributes string
	caption    string // plain text, or ""
	heads      string
	rows       []string
}

func (t table) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<table %s>`, t.attributes)
	if t.caption != "" {
		fmt.Fprintf(&b, `<caption style="text-align:left">%s</caption>`, escape(t.caption))
	}
	fmt.Fprintf(&b, `<thead><tr>%s</tr></thead><tbody>`, t.heads)
	for _, row := range t.rows {
		b.WriteString("<tr>" + row + "</tr>")
	}
	b.WriteString(`</tbody></table>`)
	return b.String()
}

// cell returns a text as a cell of an HTML table. element is td or th.
func cell(element, style, text string) string {
	return fmt.Sprintf(`<%s style="%s">%s</%s>`, element, style, escape(text), element)
}

// cells returns the cells of a row.
func cells(element, style string, texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(cell(element, style, text))
	}
	return b.String()
}

// recordTable returns a table of data, which scrolls if it is wide.
func recordTable(heads string, rows []string) string {
	const attributes = `cellpadding="4" style="color:inherit;border-collapse:collapse;text-align:right"`
	return `<div style="overflow-x:auto">` + table{attributes, "", heads, rows}.html() + `</div>`
}

// runTable returns the rows of Outcomes or DTypeRuns, and a note below them if there is one.
func runTable(heads []string, rows [][]string, note string) Bundle {
	grid, page := [][]string{heads}, []string{}
	for _, row := range rows {
		grid = append(grid, oneLine(row))
		page = append(page, runCells(row))
	}
	text := align(grid)
	rich := table{`style="color:inherit;text-align:left"`, "", cells("th", "text-align:left", heads), page}.html()
	if note != "" {
		text += "\n" + note
		rich += "<div>" + escape(note) + "</div>"
	}
	return TextBundle(text).with(MIMEHTML, rich)
}

// runCells returns the cells of a row of runTable as HTML. The second and the third (tag and value, or first and last
// number) are shown as code.
func runCells(row []string) string {
	var b strings.Builder
	for i, text := range row {
		wrap := "pre-wrap"
		if i == 1 {
			wrap = "nowrap"
		}
		if (i == 1 || i == 2) && text != "" {
			fmt.Fprintf(&b, `<td style="text-align:left"><code style="white-space:%s">%s</code></td>`, wrap, escape(text))
		} else {
			b.WriteString(cell("td", "text-align:left", text))
		}
	}
	return b.String()
}
