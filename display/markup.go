package display

// Text that is shown as what it is written in, not as a Go string.
type (
	HTML     string
	Markdown string
	LaTeX    string
	SVG      string
	PNG      []byte
)

// Display returns the text as HTML.
func (s HTML) Display() Bundle { return textBundle(string(s)).with(MIMEHTML, string(s)) }

// Display returns the text as Markdown.
func (s Markdown) Display() Bundle { return textBundle(string(s)).with(MIMEMarkdown, string(s)) }

// Display returns the text as LaTeX; it has its own delimiters: $x^2$.
func (s LaTeX) Display() Bundle { return textBundle(string(s)).with(MIMELaTeX, string(s)) }

// Display returns the drawing.
func (s SVG) Display() Bundle { return textBundle("image/svg+xml").with(MIMESVG, string(s)) }

// Display returns the picture.
func (p PNG) Display() Bundle { return textBundle("image/png").withPNG(p) }
