package display

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// The HTML in this file has inline styles and the text colour of the page, so that it is readable
// in light and dark themes. Some sites remove styles, so no information depends on them.

// tints are the background colours of dtypes by kind, light enough for light and dark themes.
var tints = map[dtype.Kind]string{
	dtype.Boolean:  "rgba(128,128,128,.25)",
	dtype.Signed:   "rgba(66,133,244,.25)",
	dtype.Unsigned: "rgba(0,172,172,.25)",
	dtype.Floating: "rgba(244,160,0,.25)",
	dtype.Complex:  "rgba(171,71,188,.25)",
}

// badge returns a dtype as a label. The label of an ambiguous dtype has a "?", a dashed border and is italic.
func badge(t dtype.Typed) string {
	border, slant := "1px solid rgba(128,128,128,.6)", ""
	if t.Ambiguous {
		border, slant = "1px dashed rgba(128,128,128,1)", "font-style:italic;"
	}
	return fmt.Sprintf(`<code style="background:%s;border:%s;border-radius:4px;padding:1px 5px;%s">%s</code>`,
		tints[t.DType.Kind()], border, slant, escape(t.String()))
}

// html returns a as HTML: a line with its dtype, shape and device, the elements of v as tables, summary, and the reason
// for the dtype. summary is HTML.
func (a array) html(v view, summary string, why reason) string {
	var b strings.Builder
	b.WriteString(`<div style="line-height:1.4;padding-top:2px">`)
	fmt.Fprintf(&b, `<div>%s`, badge(a.typed))
	if a.typed.Ambiguous {
		b.WriteString(` ambiguous`)
	}
	if why.system != "" {
		fmt.Fprintf(&b, ` under %s`, escape(why.system))
	}
	fmt.Fprintf(&b, ` &middot; shape %s &middot; %s</div>`, escape(a.shape.String()), escape(a.device))
	for _, p := range v.pages {
		p.html(&b, len(a.shape) == 1, v)
	}
	if more := v.more(); more != "" {
		if len(a.shape) == 1 {
			more = strings.Replace(more, "row", "element", 1)
		}
		fmt.Fprintf(&b, `<div>&hellip; %s; <code>display.MaxRows(-1)</code> shows all</div>`, more)
	}
	b.WriteString(summary)
	why.html(&b, a.typed)
	b.WriteString(`</div>`)
	return b.String()
}

// html writes the elements of p, a page of v, as a table. The elements of a vector stand in one row, followed by those
// of v.tail. An ellipsis stands for elements left out between them.
func (p page) html(b *strings.Builder, vector bool, v view) {
	if p.index != nil {
		fmt.Fprintf(b, `<div><code>%s</code></div>`, p.heading())
	}
	if s := p.format.scale(); s != "" {
		fmt.Fprintf(b, `<div><code>%s</code></div>`, s)
	}
	b.WriteString(`<div style="overflow-x:auto"><table cellpadding="4" style="color:inherit;font-family:monospace;` +
		`text-align:right;border-collapse:collapse;margin:4px 0"><tr>`)
	for r := range p.blocks[0].rows {
		if r > 0 && !vector {
			b.WriteString("</tr><tr>")
		}
		for _, block := range p.blocks {
			for _, token := range block.rows[r] {
				p.cell(b, token)
			}
		}
	}
	if len(v.tail) > 0 && v.moreRows > 0 {
		b.WriteString("<td>&hellip;</td>")
	}
	for _, token := range v.tail {
		p.cell(b, token)
	}
	b.WriteString(`</tr></table></div>`)
}

// cell writes one element as a table cell. token is the element's text.
func (p page) cell(b *strings.Builder, token string) {
	if p.matrix.dtype == dtype.Bool {
		token = strconv.FormatBool(token == "1")
	}
	b.WriteString("<td>" + token + "</td>")
}

// A reason explains the dtype of a tensor.
type reason struct {
	line   string   // the operation and its operands; "" if there is nothing to explain
	steps  []string // the applied rules in order
	system string   // the promotion system; "" for the default
}

// html writes r, the reason for the dtype t: the line, and below it the steps, which are collapsed.
func (r reason) html(b *strings.Builder, t dtype.Typed) {
	if r.line == "" {
		return
	}
	fmt.Fprintf(b, `<details><summary>why %s: <code>%s</code></summary>`, escape(t.String()), escape(r.line))
	orderedList(b, r.steps)
	b.WriteString(`</details>`)
}

// orderedList writes a numbered list, or nothing if there are no items.
func orderedList(b *strings.Builder, items []string) {
	if len(items) == 0 {
		return
	}
	b.WriteString("<ol>")
	for _, s := range items {
		b.WriteString("<li>" + strings.ReplaceAll(escape(s), "\n", "<br>") + "</li>")
	}
	b.WriteString("</ol>")
}

// pre returns text as HTML that keeps its line breaks.
func pre(text string) string {
	return `<pre style="margin:0">` + escape(text) + `</pre>`
}

func escape(s string) string { return html.EscapeString(s) }

// bold returns text as bold HTML.
func bold(text string) string { return "<b>" + escape(text) + "</b>" }

// bulletList writes a list without numbers, or nothing if there are no texts.
func bulletList(b *strings.Builder, texts []string) {
	if len(texts) == 0 {
		return
	}
	b.WriteString("<ul>")
	for _, s := range texts {
		b.WriteString("<li>" + escape(s) + "</li>")
	}
	b.WriteString("</ul>")
}
