package display

import (
	"strings"
	"testing"
)

// TestFormsOfText checks the forms of the texts that a cell can show.
func TestFormsOfText(t *testing.T) {
	for _, c := range []struct {
		b     Bundle
		forms map[string]any
	}{
		{HTML("<i>x</i>").Display(), map[string]any{MIMEText: "<i>x</i>", MIMEHTML: "<i>x</i>"}},
		{Markdown("*x*").Display(), map[string]any{MIMEText: "*x*", MIMEMarkdown: "*x*"}},
		{Markdown("").Display(), map[string]any{MIMEText: ""}},
		{LaTeX("x^2").Display(), map[string]any{MIMEText: "x^2", MIMELaTeX: "$$x^2$$"}},
		{LaTeX("$x$").Display(), map[string]any{MIMEText: "$x$", MIMELaTeX: "$x$"}},
		{LaTeX(`\(x\)`).Display(), map[string]any{MIMEText: `\(x\)`, MIMELaTeX: `\(x\)`}},
		{LaTeX(`\[x\]`).Display(), map[string]any{MIMEText: `\[x\]`, MIMELaTeX: `\[x\]`}},
		{LaTeX(`\begin{a}`).Display(), map[string]any{MIMEText: `\begin{a}`, MIMELaTeX: `\begin{a}`}},
		{SVG("<svg/>").Display(), map[string]any{MIMEText: "image/svg+xml", MIMESVG: "<svg/>"}},
		{PNG("png").Display(), map[string]any{MIMEText: "image/png", MIMEPNG: "cG5n"}},
		{PNG("").Display(), map[string]any{MIMEText: "image/png"}},
		{TextBundle("x"), map[string]any{MIMEText: "x"}},
		{ErrorBundle("a<b", "x & y"), map[string]any{MIMEText: "error: x & y",
			MIMEHTML: `<div><b>error</b> (a&lt;b)</div><pre style="margin:0">x &amp; y</pre>`}},
		{TextBundle("a\n b").withSVG(`<?xml?><svg width="1"><g/></svg>`), map[string]any{MIMEText: "a\n b",
			MIMESVG: `<?xml?><svg role="img" width="1"><title>a b</title><g/></svg>`}},
		{TextBundle("a").withSVG(`<svg role="img"><g/></svg>`), map[string]any{MIMEText: "a",
			MIMESVG: `<svg role="img"><g/></svg>`}},
		{TextBundle("a").withSVG(`<svg`), map[string]any{MIMEText: "a", MIMESVG: `<svg`}},
		{TextBundle("a").withSVG(`no drawing>`), map[string]any{MIMEText: "a", MIMESVG: `no drawing>`}},
	} {
		if len(c.b.Data) != len(c.forms) || c.b.Empty() {
			t.Errorf("%v, want %v", c.b.Data, c.forms)
		}
		for mime, want := range c.forms {
			if c.b.Data[mime] != want {
				t.Errorf("%s: %v, want %v", mime, c.b.Data[mime], want)
			}
		}
	}
	if text := (Bundle{}).Text(); text != "" || !(Bundle{}).Empty() {
		t.Errorf("an empty bundle has the text %q", text)
	}
}

// TestAlternativeTexts checks that a drawing or a picture without a page of its own gets one with its text.
func TestAlternativeTexts(t *testing.T) {
	for _, c := range []struct {
		b    Bundle
		want any
	}{
		{TextBundle("a <b>\n c").with(MIMESVG, "<svg/>"),
			`<img alt="a &lt;b&gt; c" src="data:image/svg+xml;base64,PHN2Zy8+">`},
		{TextBundle("a").withPNG([]byte("png")), `<img alt="a" src="data:image/png;base64,cG5n">`},
		{TextBundle("a").with(MIMESVG, "<svg/>").withPNG([]byte("png")),
			`<img alt="a" src="data:image/svg+xml;base64,PHN2Zy8+">`},
		{TextBundle("a"), nil},
		{TextBundle("a").with(MIMESVG, "<svg/>").with(MIMEMarkdown, "*a*"), nil},
		{TextBundle("a").with(MIMESVG, "<svg/>").with(MIMELaTeX, "$a$"), nil},
		{TextBundle("a").with(MIMESVG, "<svg/>").with(MIMEHTML, "<i>a</i>"), "<i>a</i>"},
	} {
		before := len(c.b.Data)
		got := c.b.WithAlt()
		if got.Data[MIMEHTML] != c.want || len(c.b.Data) != before {
			t.Errorf("%v: %v, want %v", c.b.Data, got.Data[MIMEHTML], c.want)
		}
		if png := c.b.Data[MIMEPNG] != nil; png != (got.Metadata != nil) {
			t.Errorf("%v: metadata %v", c.b.Data, got.Metadata)
		}
	}
	for n, want := range map[int]string{299: strings.Repeat("é", 299), 300: strings.Repeat("é", 300),
		301: strings.Repeat("é", 300) + " ..."} {
		b := TextBundle(strings.Repeat("é", n)).withPNG([]byte("png"))
		if got := b.Metadata[MIMEPNG].(map[string]any)["alt"]; got != want {
			t.Errorf("the text of %d letters becomes %s", n, got)
		}
	}
}
