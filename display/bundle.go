// Package display turns values into the representations that a notebook shows: tensors in R anvil's printed
// form and as HTML with their dtype, promotion tables, graphs, plots, and any Go value.
package display

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The MIME types that a Bundle may hold.
const (
	MIMEText     = "text/plain"
	MIMEHTML     = "text/html"
	MIMEMarkdown = "text/markdown"
	MIMELaTeX    = "text/latex"
	MIMESVG      = "image/svg+xml"
	MIMEPNG      = "image/png"
)

// A Bundle holds several forms of one value, by MIME type. A front end shows the richest form that it supports. Binary
// data is in base64, as Jupyter requires.
type Bundle struct {
	Data     map[string]any
	Metadata map[string]any
}

// Text returns the text/plain form.
func (b Bundle) Text() string {
	s, _ := b.Data[MIMEText].(string)
	return s
}

// Empty reports whether there is nothing to show.
func (b Bundle) Empty() bool { return len(b.Data) == 0 }

// TextBundle returns a Bundle of plain text.
func TextBundle(text string) Bundle { return Bundle{Data: map[string]any{MIMEText: text}} }

// ErrorBundle returns a Bundle for an error that does not end the cell. text is the error's message. The HTML form
// also shows kind, the error's kind.
func ErrorBundle(kind, text string) Bundle {
	return TextBundle("error: "+text).with(MIMEHTML, "<div><b>error</b> ("+escape(kind)+")</div>"+pre(text))
}

// with sets the form of MIME type mime to data, unless data is empty.
func (b Bundle) with(mime, data string) Bundle {
	if data != "" {
		b.Data[mime] = data
	}
	return b
}

// withPNG adds a picture, unless png is empty. The picture's alternative text is the text of b.
func (b Bundle) withPNG(png []byte) Bundle {
	if len(png) > 0 {
		b.Data[MIMEPNG] = base64.StdEncoding.EncodeToString(png)
		b.Metadata = map[string]any{MIMEPNG: map[string]any{"alt": b.alt()}}
	}
	return b
}

// withSVG adds a drawing. The text of b becomes the title of the drawing, unless the drawing has a role already.
func (b Bundle) withSVG(svg string) Bundle {
	before, rest, found := strings.Cut(svg, "<svg")
	head, body, closed := strings.Cut(rest, ">")
	if found && closed && !strings.Contains(head, "role=") {
		svg = before + `<svg role="img"` + head + "><title>" + escape(b.alt()) + "</title>" + body
	}
	return b.with(MIMESVG, svg)
}

// WithAlt adds an HTML form that shows the drawing or picture of b with an alternative text. It returns b unchanged if
// b has neither drawing nor picture, or has an HTML, Markdown or LaTeX form already. JupyterLab and nbconvert show no
// alternative text for drawings and pictures that are not HTML.
func (b Bundle) WithAlt() Bundle {
	for _, mime := range []string{MIMEHTML, MIMEMarkdown, MIMELaTeX} {
		if b.Data[mime] != nil {
			return b
		}
	}
	page := ""
	if svg, ok := b.Data[MIMESVG].(string); ok {
		page = imageHTML("svg+xml", base64.StdEncoding.EncodeToString([]byte(svg)), b.alt())
	} else if png, ok := b.Data[MIMEPNG].(string); ok {
		page = imageHTML("png", png, b.alt())
	}
	if page == "" {
		return b
	}
	return Bundle{maps.Clone(b.Data), b.Metadata}.with(MIMEHTML, page)
}

// imageHTML returns a picture as HTML. Its MIME type is "image/" followed by format. data is in base64.
func imageHTML(format, data, alt string) string {
	return fmt.Sprintf(`<img alt="%s" src="data:image/%s;base64,%s">`, escape(alt), format, data)
}

// maxAlt is the greatest number of characters of an alternative text that is not cut.
const maxAlt = 300

// alt returns the text of b on one line, as an alternative text. A text of more than maxAlt characters is cut and ends
// in " ...".
func (b Bundle) alt() string {
	line := []rune(strings.Join(strings.Fields(b.Text()), " "))
	if len(line) > maxAlt {
		return string(line[:maxAlt]) + " ..."
	}
	return string(line)
}

type (
	// HTML is a text that a front end shows as HTML: display.HTML("<b>bold</b>").
	HTML string

	// Markdown is a text that a front end shows as Markdown: display.Markdown("**bold**").
	Markdown string

	// LaTeX is a text that a front end typesets: display.LaTeX(`\frac{1}{2}`). A text without
	// delimiters is a displayed formula.
	LaTeX string

	// SVG is a drawing in the SVG format: display.SVG(`<svg ...>...</svg>`).
	SVG string

	// PNG is a picture in the PNG format, such as the content of a file.
	PNG []byte
)

// Display returns the text as HTML.
func (s HTML) Display() Bundle { return TextBundle(string(s)).with(MIMEHTML, string(s)) }

// Display returns the text as Markdown.
func (s Markdown) Display() Bundle { return TextBundle(string(s)).with(MIMEMarkdown, string(s)) }

// Display returns the text as LaTeX. A text without delimiters, such as x^2, is put between $$.
func (s LaTeX) Display() Bundle {
	text := string(s)
	occurs := func(delimiter string) bool { return strings.Contains(text, delimiter) }
	if !slices.ContainsFunc([]string{"$", `\(`, `\[`, `\begin{`}, occurs) {
		text = "$$" + text + "$$"
	}
	return TextBundle(string(s)).with(MIMELaTeX, text)
}

// Display returns the drawing.
func (s SVG) Display() Bundle { return TextBundle("image/svg+xml").with(MIMESVG, string(s)) }

// Display returns the picture.
func (p PNG) Display() Bundle { return TextBundle("image/png").withPNG(p) }
