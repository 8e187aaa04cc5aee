package complete

import (
	"go/doc/comment"
	"html"
	"strings"
)

// A Page is the result of an inspection, in three formats.
type Page struct{ Text, Markdown, HTML string }

// newPage returns the page with a declaration, documentation in Go's comment syntax, more
// lines, and source. All but the declaration may be empty.
func newPage(declaration, doc, more, source string) Page {
	parsed := parseDoc(doc)
	print := &comment.Printer{HeadingLevel: 4}
	text := &comment.Printer{TextWidth: 80}
	p := Page{
		Text:     declaration + "\n",
		Markdown: fence(declaration),
		HTML:     pre(declaration),
	}
	if doc != "" {
		p.Text += "\n" + string(text.Text(parsed))
		p.Markdown += "\n" + string(print.Markdown(parsed))
		p.HTML += string(print.HTML(parsed))
	}
	for _, block := range []string{more, source} {
		if block != "" {
			p.Text += "\n" + block + "\n"
			p.Markdown += "\n" + fence(block)
			p.HTML += pre(block)
		}
	}
	return p
}

// parseDoc parses a comment. It replaces links to other symbols by their text, as a page in
// a front end has nothing to link to.
func parseDoc(text string) *comment.Doc {
	p := comment.Parser{LookupSym: func(string, string) bool { return true }}
	d := p.Parse(text)
	for _, b := range d.Content {
		unlinkBlock(b)
	}
	return d
}

func unlinkBlock(b comment.Block) {
	switch b := b.(type) {
	case *comment.Paragraph:
		b.Text = unlink(b.Text)
	case *comment.Heading:
		b.Text = unlink(b.Text)
	case *comment.List:
		for _, item := range b.Items {
			for _, inner := range item.Content {
				unlinkBlock(inner)
			}
		}
	}
}

func unlink(texts []comment.Text) []comment.Text {
	var plain []comment.Text
	for _, t := range texts {
		if link, ok := t.(*comment.DocLink); ok {
			plain = append(plain, link.Text...)
			continue
		}
		plain = append(plain, t)
	}
	return plain
}

func fence(code string) string {
	ticks := "```"
	for strings.Contains(code, ticks) {
		ticks += "`"
	}
	return ticks + "go\n" + strings.TrimRight(code, "\n") + "\n" + ticks + "\n"
}

func pre(code string) string {
	return "<pre>" + html.EscapeString(strings.TrimRight(code, "\n")) + "</pre>\n"
}
