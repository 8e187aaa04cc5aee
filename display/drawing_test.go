package display

import (
	"encoding/xml"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A ground is a filled rectangle of a drawing, in front of which words may stand.
type ground struct {
	left, top, right, bottom float64
	fill                     colour
}

// An svgStyle holds the properties that elements inherit. fill is nil if there is no fill, and for words in the
// text colour of the page.
type svgStyle struct {
	fill    *colour
	current bool // fill is the colour of the page's text
	to      affine
}

// An affine maps coordinates of an element to those of the drawing: x to a*x + c*y + e and y
// to b*x + d*y + f.
type affine [6]float64

func (t affine) at(x, y float64) (float64, float64) {
	return t[0]*x + t[2]*y + t[4], t[1]*x + t[3]*y + t[5]
}

// then returns the map that applies a first and t after it.
func (t affine) then(a affine) affine {
	e, f := t.at(a[4], a[5])
	return affine{t[0]*a[0] + t[2]*a[1], t[1]*a[0] + t[3]*a[1], t[0]*a[2] + t[2]*a[3], t[1]*a[2] + t[3]*a[3], e, f}
}

var transformPart = regexp.MustCompile(`(\w+)\(([^)]*)\)`)

// transformed returns t with the functions of a transform attribute applied before it.
func (t affine) transformed(attribute string) affine {
	for _, m := range transformPart.FindAllStringSubmatch(attribute, -1) {
		var v [2]float64
		for i, s := range strings.Split(m[2], ",") {
			v[i], _ = strconv.ParseFloat(strings.TrimSpace(s), 64)
		}
		sin, cos := math.Sincos(v[0] * math.Pi / 180)
		t = t.then(map[string]affine{
			"translate": {1, 0, 0, 1, v[0], v[1]},
			"scale":     {v[0], 0, 0, v[1], 0, 0},
			"rotate":    {cos, sin, -sin, cos, 0, 0},
		}[m[1]])
	}
	return t
}

// An svgLinter finds words with less contrast than WCAG requires of text. Words are text elements, and paths with
// curves, which are the letters of plots.
type svgLinter struct {
	grounds []ground
	styles  []svgStyle
	faults  []string
}

// lintSVG returns the faults of a drawing, on a page or in a file of its own.
func lintSVG(svg string) []string {
	l := &svgLinter{styles: []svgStyle{{fill: &colour{3: 1}, to: affine{0: 1, 3: 1}}}}
	in := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := in.Token()
		if token == nil {
			if err.Error() != "EOF" {
				l.faults = append(l.faults, err.Error())
			}
			return l.faults
		}
		switch e := token.(type) {
		case xml.StartElement:
			l.start(e)
		case xml.EndElement:
			l.styles = l.styles[:len(l.styles)-1]
		}
	}
}

func (l *svgLinter) start(e xml.StartElement) {
	attrs := map[string]string{}
	for _, a := range e.Attr {
		attrs[a.Name.Local] = a.Value
	}
	for _, declaration := range strings.Split(attrs["style"], ";") {
		if property, value, ok := strings.Cut(declaration, ":"); ok {
			attrs[strings.TrimSpace(property)] = strings.TrimSpace(value)
		}
	}
	s := l.styles[len(l.styles)-1]
	switch fill := attrs["fill"]; fill {
	case "":
	case "none":
		s.fill, s.current = nil, false
	case "currentColor":
		s.fill, s.current = nil, true
	default:
		c, err := parseColour(fill)
		if err != nil {
			l.faults = append(l.faults, err.Error())
		}
		s.fill, s.current = &c, false
	}
	if o, err := strconv.ParseFloat(attrs["fill-opacity"], 64); err == nil && s.fill != nil {
		c := *s.fill
		c[3] *= o
		s.fill = &c
	}
	s.to = s.to.transformed(attrs["transform"])
	l.styles = append(l.styles, s)
	number := func(name string) float64 {
		v, _ := strconv.ParseFloat(attrs[name], 64)
		return v
	}
	switch e.Name.Local {
	case "rect":
		x, y := number("x"), number("y")
		l.paint(s, x, y, x+number("width"), y+number("height"))
	case "text":
		l.checkWords(s, number("x"), number("y")-4)
	case "path":
		l.path(s, attrs["d"])
	}
}

func (l *svgLinter) paint(s svgStyle, left, top, right, bottom float64) {
	if s.fill == nil {
		return
	}
	left, top = s.to.at(left, top)
	right, bottom = s.to.at(right, bottom)
	l.grounds = append(l.grounds, ground{min(left, right), min(top, bottom), max(left, right), max(top, bottom), *s.fill})
}

var (
	pathPoint = regexp.MustCompile(`(-?[0-9.]+)[, ](-?[0-9.]+)`)
	pathRect  = regexp.MustCompile(`^M[-0-9., ]+(L[-0-9., ]+){3}Z$`)
)

// path checks a path that is a letter, and records one that is a rectangle as a ground.
func (l *svgLinter) path(s svgStyle, d string) {
	letters := strings.Contains(d, "Q")
	if !letters && !pathRect.MatchString(d) {
		return
	}
	var left, top, right, bottom float64
	for i, m := range pathPoint.FindAllStringSubmatch(d, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		if i == 0 {
			left, top, right, bottom = x, y, x, y
		}
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
	}
	if letters {
		l.checkWords(s, left, top)
		l.checkWords(s, right, bottom)
	} else {
		l.paint(s, left, top, right, bottom)
	}
}

// checkWords checks the contrast of words at (x, y).
func (l *svgLinter) checkWords(s svgStyle, x, y float64) {
	x, y = s.to.at(x, y)
	word := painted{}
	if !s.current {
		word.text = s.fill
	}
	if !s.current && s.fill == nil {
		l.faults = append(l.faults, "words without a fill")
		return
	}
	for _, g := range l.grounds {
		if g.left <= x && x <= g.right && g.top <= y && y <= g.bottom {
			word.back = append(word.back, g.fill)
		}
	}
	if fault := word.lowContrast(); fault != "" {
		l.faults = append(l.faults, fmt.Sprintf("words at %.0f, %.0f: %s", x, y, fault))
	}
}

// TestLintSVG checks that the linter finds the faults of drawings.
func TestLintSVG(t *testing.T) {
	for svg, want := range map[string]string{
		`<svg><text x="5" y="5">a</text></svg>`:                                                                    "contrast 1.1 in the dark theme",
		`<svg fill="none"><text x="5" y="5">a</text></svg>`:                                                        "words without a fill",
		`<svg><text x="5" y="5" fill="currentColor">a</text></svg>`:                                                "",
		`<svg><rect width="9" height="9" fill="#eee"/><text x="5" y="9">a</text></svg>`:                            "",
		`<svg><rect width="9" height="9" fill="#eee"/><text x="15" y="9">a</text></svg>`:                           "contrast 1.1 in the dark theme",
		`<svg><rect width="9" height="9" fill="#777"/><text x="5" y="9">a</text></svg>`:                            "",
		`<svg><rect width="9" height="9" fill="#666"/><text x="5" y="9">a</text></svg>`:                            "contrast 3.7",
		`<svg><path d="M0,0L9,0L9,9L0,9Z" style="fill:#FFFFFF"/><path d="M1,1Q2,3,4,5Z"/></svg>`:                   "",
		`<svg><path d="M0,0L9,0L9,9L0,9Z" style="fill:none"/><path d="M1,1Q2,3,4,5Z"/></svg>`:                      "contrast 1.1",
		`<svg><path d="M0,0L9,0L9,9L0,9Z" style="fill:#FFF"/><path d="M1,1Q2,3,4,5Z" style="fill:#888888"/></svg>`: "contrast 3.5",
	} {
		if got := strings.Join(lintSVG(svg), "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q; want %q", svg, got, want)
		}
	}
}

// TestDrawingsAreFit lints the drawings of all notebooks and of all goldens of this package.
func TestDrawingsAreFit(t *testing.T) {
	drawings := map[string][]string{}
	notebooks, _ := filepath.Glob("../examples/notebooks/*.ipynb")
	for _, path := range notebooks {
		drawings[path] = notebookOutputs(t, path, MIMESVG)
		for _, page := range notebookOutputs(t, path, MIMEHTML) {
			drawings[path] = append(drawings[path], svgPart.FindAllString(page, -1)...)
		}
	}
	goldens, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range goldens {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			drawings[path] = append(drawings[path], svgPart.FindAllString(string(f.Data), -1)...)
		}
	}
	found := 0
	for path, list := range drawings {
		for _, svg := range list {
			found++
			for _, fault := range lintSVG(svg) {
				t.Errorf("%s: %s in %s", path, fault, clip(svg))
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d drawings are found", found)
	}
}
