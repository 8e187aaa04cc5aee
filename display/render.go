package display

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"gonum.org/v1/plot"
)

// A type determines how its values are shown with the method Display, or with one or more of the methods of the
// other interfaces. With the latter, the text form is that of String or Error, or that of the value's parts.
type (
	// A Displayer is a value with a method that returns all its forms.
	Displayer interface{ Display() Bundle }
	// An HTMLer is a value with a form in HTML.
	HTMLer interface{ HTML() string }
	// A Markdowner is a value with a form in Markdown.
	Markdowner interface{ Markdown() string }
	// A LaTeXer is a value with a form in LaTeX.
	LaTeXer interface{ LaTeX() string }
	// An SVGer is a value with a drawing.
	SVGer interface{ SVG() string }
	// A PNGer is a value with a picture.
	PNGer interface{ PNG() ([]byte, error) }
)

// Render returns vs, one below the other, in all forms between which a front end can choose. The elements of
// a slice of tensors have their indices above them. A *Handle, or no value, gives an empty Bundle.
func (o Options) Render(vs ...any) Bundle {
	switch len(vs) {
	case 0:
		return Bundle{}
	case 1:
		return o.value(vs[0])
	}
	if o.R {
		b, _ := o.list("", vs, nil)
		return b
	}
	b, _ := o.stacked(vs, nil, nil)
	return b
}

func (o Options) value(v any) Bundle { return o.element(v, nil) }

// element renders a value. around holds the lists that contain it, outermost first.
func (o Options) element(v any, around [][]any) Bundle {
	switch v := v.(type) {
	case *Handle:
		return Bundle{}
	case Displayer:
		return v.Display()
	case []any:
		if len(around) > maxDepth {
			return TextBundle("...")
		}
		if holds(around, v) {
			return TextBundle("[...]")
		}
		around = append(around, v)
		if b, long := o.list("", v, around); o.R || long {
			return b
		}
		// a list of short values is shown on one line, as other slices are
	case promote.Table:
		return tableBundle(v)
	case *promote.System:
		return systemBundle(v)
	case promote.Explanation:
		return explanationBundle(v)
	case []promote.Puzzler:
		return puzzlersBundle(v)
	case *ir.Graph:
		return graphBundle(v)
	case *plot.Plot:
		return Plots{1, []*plot.Plot{v}}.Display()
	case image.Image:
		return imageBundle(v)
	}
	if b, ok := o.tensors(v); ok {
		return b
	}
	if b, ok := promoteResult(v); ok {
		return b
	}
	if m, ok := matrixOf(v); ok {
		return o.gonum(m)
	}
	return forms(v)
}

// forms returns the forms that v has methods for.
func forms(v any) Bundle {
	b := TextBundle(valueText(v))
	if page := recordsHTML(v); page != "" {
		b = b.with(MIMEHTML, page)
	}
	if f, ok := v.(HTMLer); ok {
		b = b.with(MIMEHTML, f.HTML())
	}
	if f, ok := v.(Markdowner); ok {
		b = b.with(MIMEMarkdown, f.Markdown())
	}
	if f, ok := v.(LaTeXer); ok {
		b = b.with(MIMELaTeX, f.LaTeX())
	}
	if f, ok := v.(SVGer); ok {
		b = b.with(MIMESVG, f.SVG())
	}
	if f, ok := v.(PNGer); ok {
		if data, err := f.PNG(); err == nil {
			b = b.withPNG(data)
		}
	}
	return b
}

// list returns the elements of a list one below the other, each below its index: [0], or [0][1] in a list within the
// list. With Options.R the indices are [[1]] and [[1]][[2]]. prefix is the index of the list itself, or "". long reports
// whether an element has several lines.
func (o Options) list(prefix string, vs []any, around [][]any) (b Bundle, long bool) {
	head := func(i int) string { return fmt.Sprintf("%s[%d]", prefix, i) }
	if o.R {
		head = func(i int) string { return fmt.Sprintf("%s[[%d]]", prefix, i+1) }
	}
	return o.stacked(vs, around, head)
}

// holds reports whether v is one of lists.
func holds(lists [][]any, v []any) bool {
	return slices.ContainsFunc(lists, func(l []any) bool { return len(l) == len(v) && len(v) > 0 && &l[0] == &v[0] })
}

// maxListText limits the text of a list in bytes: once it is reached, the remaining elements are omitted.
const maxListText = 1 << 20

// stacked returns values one below the other, each below its heading if head is not nil, and reports whether one of
// them has several lines. around holds the lists that contain the values. In HTML, drawings stand side by side.
func (o Options) stacked(vs []any, around [][]any, head func(i int) string) (b Bundle, long bool) {
	if len(vs) == 0 {
		return TextBundle("list()"), false // as R shows an empty list
	}
	var text strings.Builder
	var pages []string
	drawings := true                   // all values are drawings
	apart := false                     // the previous value needs a blank line after it
	shown := min(len(vs), maxElements) // the number of values shown
	for i, v := range vs[:shown] {
		if text.Len() > maxListText {
			shown = i
			break
		}
		title := ""
		if head != nil {
			title = head(i)
		}
		var element Bundle
		var isLong bool
		if inner, ok := v.([]any); ok && title != "" && len(around) <= maxDepth && !holds(around, inner) {
			element, isLong = o.list(title, inner, append(around, inner))
			title = ""
		} else {
			element = o.element(v, around)
			isLong = strings.Contains(element.Text(), "\n")
		}
		long = long || isLong
		drawings = drawings && element.Data[MIMEHTML] == nil && element.Data[MIMESVG] != nil
		part, page := element.Text(), element.page()
		if title != "" {
			part, page = title+"\n"+part, "<div>"+title+"</div>"+page
		}
		multiline := strings.Contains(part, "\n")
		switch {
		case i > 0 && (multiline || apart):
			text.WriteString("\n\n")
		case i > 0:
			text.WriteString("\n")
		}
		text.WriteString(part)
		pages, apart = append(pages, page), multiline
	}
	var page string
	if drawings && len(pages) > 1 {
		page = `<div style="display:flex;flex-wrap:wrap;gap:2em"><div>` + strings.Join(pages, "</div><div>") + "</div></div>"
	} else {
		page = strings.Join(pages, "")
	}
	if more := len(vs) - shown; more > 0 {
		fmt.Fprintf(&text, "\n\n... %d more", more)
		page += fmt.Sprintf("<div>&hellip; %d more</div>", more)
	}
	return TextBundle(text.String()).with(MIMEHTML, page), long
}

// page returns b as a part of an HTML page with other values.
func (b Bundle) page() string {
	switch {
	case b.Data[MIMEHTML] != nil:
		return fmt.Sprint(b.Data[MIMEHTML])
	case b.Data[MIMESVG] != nil:
		// on a page the drawing has the colour of the text around it
		return strings.Replace(fmt.Sprint(b.Data[MIMESVG]), inkAttribute, "", 1)
	case b.Data[MIMEPNG] != nil:
		return imageHTML("png", fmt.Sprint(b.Data[MIMEPNG]), b.alt())
	}
	return pre(b.Text())
}

// maxPixels is the greatest number of pixels of a shown image.
const maxPixels = 1 << 27

func imageBundle(img image.Image) Bundle {
	var buf bytes.Buffer
	size := img.Bounds().Size()
	b := TextBundle(fmt.Sprintf("image %d x %d", size.X, size.Y))
	if float64(size.X)*float64(size.Y) > maxPixels {
		return TextBundle(fmt.Sprintf("%s: too large to show, with more than %d pixels", b.Text(), maxPixels))
	}
	if err := png.Encode(&buf, enlarged(img)); err != nil {
		return TextBundle(b.Text() + ": " + err.Error())
	}
	return b.withPNG(buf.Bytes())
}

// minPixels bounds the longer side of an image that enlarged scales up.
const minPixels = 256

// enlarged returns a small image with each pixel enlarged to a square.
func enlarged(img image.Image) image.Image {
	from := img.Bounds()
	n := minPixels / max(1, from.Dx(), from.Dy())
	if n <= 1 || from.Empty() {
		return img
	}
	large := image.NewNRGBA(image.Rect(0, 0, n*from.Dx(), n*from.Dy()))
	for y := range n * from.Dy() {
		for x := range n * from.Dx() {
			large.Set(x, y, img.At(from.Min.X+x/n, from.Min.Y+y/n))
		}
	}
	return large
}
