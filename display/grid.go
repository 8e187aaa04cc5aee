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

// gridHTML writes grid as an HTML table with a caption. The first row and the first column are headings. Cells that end
// in disagreementMark are coloured and bold.
func gridHTML(b *strings.Builder, caption string, grid [][]string) {
	b.WriteString(`<table style="color:inherit;border-collapse:separate;border-spacing:1px;` +
		`font-family:monospace;text-align:left">`)
	fmt.Fprintf(b, `<caption style="text-align:left">%s</caption><thead><tr>`, escape(caption))
	for _, w := range grid[0] {
		fmt.Fprintf(b, `<th style="%s">%s</th>`, gridCellStyle, escape(w))
	}
	b.WriteString(`</tr></thead><tbody>`)
	for _, row := range grid[1:] {
		fmt.Fprintf(b, `<tr><th style="%s">%s</th>`, gridCellStyle, escape(row[0]))
		for _, w := range row[1:] {
			switch {
			case strings.HasSuffix(w, disagreementMark):
				fmt.Fprintf(b, `<td style="background:%s;%s"><b>%s</b></td>`, disagreementColor, gridCellStyle, escape(w))
			case strings.Contains(w, " "): // a sentence
				fmt.Fprintf(b, `<td style="font-family:sans-serif;%s">%s</td>`, gridCellStyle, escape(w))
			default:
				fmt.Fprintf(b, `<td style="%s">%s</td>`, gridCellStyle, escape(w))
			}
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table>`)
}

// cellsHTML returns the cells of a row of Outcomes or DTypeRuns as HTML. The second and the third (tag and value, or
// first and last number) are shown as code.
func cellsHTML(row []string) string {
	var b strings.Builder
	for i, text := range row {
		wrap := "pre-wrap"
		if i == 1 {
			wrap = "nowrap"
		}
		if (i == 1 || i == 2) && text != "" {
			fmt.Fprintf(&b, `<td style="text-align:left"><code style="white-space:%s">%s</code></td>`, wrap, escape(text))
		} else {
			fmt.Fprintf(&b, `<td style="text-align:left">%s</td>`, escape(text))
		}
	}
	return b.String()
}
