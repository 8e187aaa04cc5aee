package complete

import (
	"go/doc/comment"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Page is the result of an inspection, in three formats.
type Page struct{ Text, Markdown, HTML string }

// code adds text as a block of code, with its line breaks.
func (p *Page) code(text string) {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return
	}
	if p.Text != "" {
		p.Text += "\n"
		p.Markdown += "\n"
	}
	p.Text += text + "\n"
	p.Markdown += fence(text)
	p.HTML += pre(text)
}

// prose adds documentation in the syntax of Go's comments.
func (p *Page) prose(doc string) {
	if doc == "" {
		return
	}
	parsed := parseDoc(doc)
	text := &comment.Printer{TextWidth: 80}
	rich := &comment.Printer{HeadingLevel: 4, HeadingID: func(*comment.Heading) string { return "" }}
	p.Text += "\n" + string(text.Text(parsed))
	p.Markdown += "\n" + string(rich.Markdown(parsed))
	p.HTML += string(rich.HTML(parsed))
}

// parseDoc parses a doc comment. It replaces links to other symbols by their text, since a front
// end has no pages that they could link to.
func parseDoc(text string) *comment.Doc {
	p := comment.Parser{LookupSym: func(string, string) bool { return true }}
	d := p.Parse(text)
	for _, b := range d.Content {
		unlinkBlock(b)
	}
	return d
}

// unlinkBlock replaces the links in b by their text.
func unlinkBlock(b comment.Block) {
	switch b := b.(type) {
	case *comment.Paragraph:
		b.Text = unlink(b.Text)
	case *comment.List:
		for _, item := range b.Items {
			for _, inner := range item.Content {
				unlinkBlock(inner)
			}
		}
	}
}

// unlink replaces the links in texts by their text.
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

// fence returns code as a fenced Markdown block. The fence is longer than every fence in the code.
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

// cutSentence splits documentation after its first sentence. If the sentence is the whole first paragraph, first also
// has the code below the paragraph.
func cutSentence(doc string) (first, rest string) {
	paragraph, below, _ := strings.Cut(doc, "\n\n")
	for i := range len(paragraph) - 1 {
		// A sentence ends at a dot that is followed by a capital letter, unless a single letter precedes the dot.
		if paragraph[i] != '.' || i < 2 || !isSpace(paragraph[i+1]) || isSpace(paragraph[i-2]) {
			continue
		}
		after := strings.TrimLeft(paragraph[i+1:], " \n")
		if r, _ := utf8.DecodeRuneInString(after); !unicode.IsUpper(r) && r != '[' {
			continue
		}
		return paragraph[:i+1], strings.TrimRight(after+"\n\n"+below, "\n")
	}
	for strings.HasPrefix(below, "\t") {
		var code string
		code, below, _ = strings.Cut(below, "\n\n")
		paragraph += "\n\n" + code
	}
	return paragraph, below
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' }

// firstSentence returns the first sentence of documentation.
func firstSentence(text string) string {
	plain := &comment.Printer{TextWidth: -1}
	doc := parseDoc(text)
	doc.Content = doc.Content[:min(1, len(doc.Content))]
	text = strings.Join(strings.Fields(string(plain.Text(doc))), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	if before, ok := strings.CutSuffix(text, ":"); ok { // an example follows
		return before + "."
	}
	return text
}
