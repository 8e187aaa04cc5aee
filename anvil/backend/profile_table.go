package backend

import (
	"fmt"
	"html"
	"strings"
)

// A ProfileTable shows which of Ivy's dtypes are valid on each backend: a row for
// each dtype, a column for each backend.
type ProfileTable []Profile

// Profiles returns the profiles of all backends.
func Profiles() ProfileTable { return append(ProfileTable(nil), profiles...) }

// rows returns the rows of the table as cells, beginning with the row of headings.
func (t ProfileTable) rows() [][]string {
	head := []string{"dtype"}
	for _, p := range t {
		head = append(head, p.Name)
	}
	rows := [][]string{head}
	for _, d := range ivyAll {
		row := []string{d.String()}
		for _, p := range t {
			cell := "-"
			if p.Has(d) {
				cell = "valid"
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// String returns the table in columns, with "-" for dtypes that are not valid.
func (t ProfileTable) String() string {
	rows := t.rows()
	var b strings.Builder
	for i, row := range rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		line := ""
		for j, cell := range row {
			line += fmt.Sprintf("%-*s ", max(len(rows[0][j]), 5), cell)
		}
		b.WriteString(strings.TrimRight(line, " "))
	}
	return b.String()
}

// HTML returns the table as HTML. The cells of invalid dtypes have a border.
func (t ProfileTable) HTML() string {
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto"><table style="color:inherit;font-family:monospace">`)
	for i, row := range t.rows() {
		b.WriteString("<tr>")
		for j, cell := range row {
			tag, style := "td", "text-align:left"
			if i == 0 || j == 0 {
				tag = "th"
			} else if cell == "-" {
				style += ";border:1px solid rgba(128,128,128,1)"
			}
			fmt.Fprintf(&b, `<%s style="%s">%s</%s>`, tag, style, html.EscapeString(cell), tag)
		}
		b.WriteString("</tr>")
	}
	return b.String() + "</table></div>"
}
