package display

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"golang.org/x/tools/txtar"
)

// A theme has the colours of text and of its background that JupyterLab 4 gives outputs.
type theme struct {
	name    string
	text    colour
	grounds []colour // of the notebook, of every other row of a table, and of code
}

// The values are those of content-font-color1, layout-color0, rendermime-table-row-background
// and layout-color2 in JupyterLab's theme-light-extension and theme-dark-extension.
var themes = []theme{
	{"light", colour{0, 0, 0, .87}, []colour{grey(0xff), grey(0xf5), grey(0xee)}},
	{"dark", grey(0xff), []colour{grey(0x11), grey(0x21), grey(0x42)}},
}

// A colour has red, green and blue from 0 to 255 and opacity from 0 to 1.
type colour [4]float64

func grey(v float64) colour { return colour{v, v, v, 1} }

// over returns c painted over an opaque colour.
func (c colour) over(ground colour) colour {
	for i := range 3 {
		c[i] = c[i]*c[3] + ground[i]*(1-c[3])
	}
	c[3] = 1
	return c
}

// luminance is the relative luminance of WCAG 2.2.
func (c colour) luminance() float64 {
	var l [3]float64
	for i := range l {
		l[i] = c[i] / 255
		if l[i] <= 0.04045 {
			l[i] /= 12.92
		} else {
			l[i] = math.Pow((l[i]+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b colour) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

var (
	cssNumbers = regexp.MustCompile(`^rgba?\(([^)]*)\)$`)
	cssHex     = regexp.MustCompile(`^#([0-9a-f]{3}|[0-9a-f]{6})$`)
)

// parseColour reads a colour of CSS as display writes them.
func parseColour(css string) (c colour, err error) {
	css = strings.ToLower(strings.TrimSpace(css))
	if m := cssNumbers.FindStringSubmatch(css); m != nil {
		c[3] = 1
		for i, part := range strings.Split(m[1], ",") {
			if c[min(i, 3)], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil {
				return c, err
			}
		}
		return c, nil
	}
	if m := cssHex.FindStringSubmatch(css); m != nil {
		digits := m[1]
		if len(digits) == 3 {
			digits = fmt.Sprintf("%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", digits[0], digits[1], digits[2])
		}
		v, err := strconv.ParseUint(digits, 16, 32)
		return colour{float64(v >> 16), float64(v >> 8 & 0xff), float64(v & 0xff), 1}, err
	}
	return c, fmt.Errorf("%q is no colour that the test knows", css)
}

// A painted is an element with its colours, which come from its style, the elements around it, or the theme.
type painted struct {
	tag  string
	text *colour  // nil for the theme's
	back []colour // from outside to inside
}

var (
	pageToken = regexp.MustCompile(`(?s)<(/?)([a-z0-9]+)((?:\s[^>]*)?)>|[^<]+|<`)
	styleText = regexp.MustCompile(`style="([^"]*)"`)
)

// emptyTags are the elements without an end tag.
var emptyTags = []string{"br", "img", "hr", "input", "col", "path", "line", "circle", "rect"}

// svgPart matches a drawing inside a page, which lintSVG checks.
var svgPart = regexp.MustCompile(`(?s)<svg.*?</svg>`)

// lint returns the faults of a page: matches of unfit, and words with less contrast than WCAG requires of text.
func lint(page string) (faults []string) {
	if m := unfit.FindString(page); m != "" {
		faults = append(faults, "it has "+m)
	}
	open := []painted{{}}
	for _, m := range pageToken.FindAllStringSubmatch(svgPart.ReplaceAllString(page, ""), -1) {
		inner := open[len(open)-1]
		switch end, tag := m[1] != "", m[2]; {
		case end:
			if inner.tag != tag {
				return append(faults, fmt.Sprintf("</%s> ends <%s>", tag, inner.tag))
			}
			open = open[:len(open)-1]
		case tag != "":
			inner.tag = tag
			if err := inner.paint(m[3]); err != nil {
				faults = append(faults, err.Error())
			}
			if !slices.Contains(emptyTags, tag) && !strings.HasSuffix(m[3], "/") {
				open = append(open, inner)
			}
		case strings.TrimSpace(m[0]) != "":
			if fault := inner.lowContrast(); fault != "" {
				faults = append(faults, fmt.Sprintf("%q %s", clip(html.UnescapeString(m[0])), fault))
			}
		}
	}
	return faults
}

// paint applies the style attribute among an element's attributes.
func (p *painted) paint(attributes string) error {
	m := styleText.FindStringSubmatch(attributes)
	if m == nil {
		return nil
	}
	for _, declaration := range strings.Split(html.UnescapeString(m[1]), ";") {
		property, value, _ := strings.Cut(declaration, ":")
		switch strings.TrimSpace(property) {
		case "color":
			if value = strings.TrimSpace(value); value == "inherit" || value == "currentColor" {
				continue
			}
			c, err := parseColour(value)
			if err != nil {
				return err
			}
			p.text = &c
		case "background", "background-color":
			c, err := parseColour(value)
			if err != nil {
				return err
			}
			p.back = append(p.back[:len(p.back):len(p.back)], c)
		case "border": // must have a colour: JupyterLab removes borders in currentColor from untrusted notebooks
			if parts := strings.Fields(value); len(parts) == 3 {
				if _, err := parseColour(parts[2]); err != nil {
					return fmt.Errorf("%s: %v", declaration, err)
				}
			}
		case "opacity", "filter", "mix-blend-mode":
			return fmt.Errorf("the test does not know %s", declaration)
		}
	}
	return nil
}

// lowContrast returns a text about a theme in which the contrast of text in p is less than 4.5, or "".
func (p painted) lowContrast() string {
	for _, t := range themes {
		for _, ground := range t.grounds {
			for _, c := range p.back {
				ground = c.over(ground)
			}
			ink := t.text
			if p.text != nil {
				ink = *p.text
			}
			if c := contrast(ink.over(ground), ground); c < 4.5 {
				return fmt.Sprintf("has the contrast %.1f in the %s theme", c, t.name)
			}
		}
	}
	return ""
}

// TestLint checks that the linter finds the faults of pages.
func TestLint(t *testing.T) {
	for page, want := range map[string]string{
		`<p>a &lt; b</p>`: "",
		`<p style="border:1px dashed currentColor">a</p>`:   `border:1px dashed currentColor: "currentcolor" is no colour that the test knows`,
		`<p style="color:#777">a</p>`:                       `"a" has the contrast 4.5 in the light theme`,
		`<p style="background:rgba(0,0,0,.6)"><b>a</b></p>`: `"a" has the contrast`,
		`<p style="color:#000">a</p>`:                       `it has color:#000`,
		`<script>a</script>`:                                `it has <script`,
		`<img src="https://example.org/a.png">`:             `it has src="https://`,
		`<p style="color:teal">a</p>`:                       `"teal" is no colour`,
		`<p><b>a</p></b>`:                                   `</p> ends <b>`,
		`<td style="background:rgba(234,67,53,.3)">a</td><br><i style="color:inherit">b</i>`: "",
	} {
		if got := strings.Join(lint(page), "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q; want %q", page, got, want)
		}
	}
}

// TestPagesAreFit lints the pages of all notebooks and of all goldens of this package.
func TestPagesAreFit(t *testing.T) {
	pages := map[string][]string{}
	notebooks, _ := filepath.Glob("../examples/notebooks/*.ipynb")
	for _, path := range notebooks {
		pages[path] = notebookOutputs(t, path, MIMEHTML)
	}
	goldens, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range goldens {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if strings.Contains(f.Name, "html") {
				pages[path] = append(pages[path], string(f.Data))
			}
		}
	}
	found := 0
	for path, list := range pages {
		for _, page := range list {
			found++
			for _, fault := range lint(page) {
				t.Errorf("%s: %s in %s", path, fault, clip(page))
			}
		}
	}
	if found < 200 {
		t.Errorf("only %d pages are found", found)
	}
}

// notebookOutputs returns the outputs of a notebook with a MIME type.
func notebookOutputs(t *testing.T, path, mime string) (found []string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Outputs []struct {
				Data map[string]json.RawMessage `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &notebook); err != nil {
		t.Fatal(err)
	}
	for _, c := range notebook.Cells {
		for _, o := range c.Outputs {
			var lines []string
			var text string
			switch raw := o.Data[mime]; {
			case raw == nil:
			case json.Unmarshal(raw, &lines) == nil:
				found = append(found, strings.Join(lines, ""))
			case json.Unmarshal(raw, &text) == nil:
				found = append(found, text)
			}
		}
	}
	return found
}

// TestGraphColours checks that the words of a drawing are readable, and that every dtype has a colour of its own.
func TestGraphColours(t *testing.T) {
	ink, err := parseColour(textColor)
	if err != nil {
		t.Fatal(err)
	}
	grounds := map[string]string{boxBackground: "boxes"}
	for d := dtype.Invalid + 1; d.Kind() != 0; d++ {
		if other, taken := grounds[labelBackground(d)]; taken {
			t.Errorf("%v has the colour of %s", d, other)
		}
		grounds[labelBackground(d)] = d.String()
	}
	if len(grounds) < 10 {
		t.Fatalf("%d colours", len(grounds))
	}
	for css, name := range grounds {
		c, err := parseColour(css)
		if err != nil {
			t.Fatal(err)
		}
		if r := contrast(ink, c); r < 4.5 {
			t.Errorf("%s: contrast %.2f", name, r)
		}
	}
}
