package nn

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// textTable returns rows as lines with aligned columns. The first row is the header. A column is
// aligned to the right if its last cell is a number.
func textTable(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for k, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if isNumber(rows[len(rows)-1][i]) {
				line.WriteString(pad + cell + "  ")
			} else {
				line.WriteString(cell + pad + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		if k < len(rows)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// htmlTable returns rows as an HTML table, aligned as by textTable.
func htmlTable(rows [][]string) string {
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto"><table style="color:inherit">`)
	for k, row := range rows {
		b.WriteString("<tr>")
		for i, cell := range row {
			tag, align := "td", "left"
			if k == 0 {
				tag = "th"
			}
			if isNumber(rows[len(rows)-1][i]) {
				align = "right"
			}
			b.WriteString("<" + tag + ` style="text-align:` + align + `">` + html.EscapeString(cell) + "</" + tag + ">")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table></div>")
	return b.String()
}

// isNumber reports whether a cell is a number as grouped formats it.
func isNumber(cell string) bool { return cell != "" && strings.Trim(cell, "0123456789 ") == "" }

// grouped returns n, which is not negative, with its digits in groups of three: "12 345".
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
