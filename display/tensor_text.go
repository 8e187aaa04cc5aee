package display

import (
	"fmt"
	"strconv"
	"strings"
)

// text returns an array in a form like that of R anvil: a header, the elements, and a line with platform, dtype and
// shape, such as "[ CPUf32{2,3} ]". Unlike in R anvil, the index above each matrix of a tensor with more than two axes
// counts from 0, and lines have no trailing blanks.
func (a array) text(v view) string {
	var b strings.Builder
	b.WriteString("AnvilTensor\n")
	for i, p := range v.pages {
		if i > 0 {
			b.WriteByte('\n')
		}
		p.write(&b)
	}
	if more := v.more(); more != "" {
		b.WriteString("... " + more + "; display.MaxRows(-1) shows all\n")
	}
	b.WriteString("[ " + a.platform + a.typed.String() + a.shape.String() + " ]")
	return b.String()
}

// write writes the elements of a page under the page's index and scale. If a page has several blocks or leaves out
// columns, each block stands under the numbers of its columns, which count from 1 as in R anvil, although the index
// counts from 0.
func (p page) write(b *strings.Builder) {
	if p.index != nil {
		b.WriteString(p.heading() + "\n")
	}
	if s := p.format.scale(); s != "" {
		b.WriteString(s + "\n")
	}
	for _, block := range p.blocks {
		if block.partial {
			fmt.Fprintf(b, "Columns %d to %d\n", block.from+1, block.to)
		}
		for _, row := range block.rows {
			for _, token := range row {
				b.WriteString(strings.Repeat(" ", 1+block.width-len(token)))
				b.WriteString(token)
			}
			b.WriteByte('\n')
		}
	}
}

// heading returns the index of the page in its tensor, such as "[0, :, :]".
func (p page) heading() string {
	var b strings.Builder
	b.WriteByte('[')
	for _, i := range p.index {
		b.WriteString(strconv.Itoa(i) + ", ")
	}
	return b.String() + ":, :]"
}

// more describes what is not shown, such as "970 more rows".
func (v view) more() string {
	var words []string
	if v.moreRows > 0 {
		words = append(words, plural(v.moreRows, "more row"))
	}
	if v.moreCols > 0 {
		words = append(words, plural(v.moreCols, "more column"))
	}
	return strings.Join(words, ", ")
}

// plural returns n followed by noun, to which it adds an s unless n is 1.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
