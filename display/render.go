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

// A type determines how its values are shown by implementing Displayer, or one or more of the other interfaces. The
// other interfaces add forms to the text form, which is the result of String or Error, or else lists the parts of the
// value.
type (
	// Displayer is implemented by values that return all their forms.
	Displayer interface{ Display() Bundle }
	// HTMLer is implemented by values with an HTML form.
	HTMLer interface{ HTML() string }
	// Markdowner is implemented by values with a Markdown form.
	Markdowner interface{ Markdown() string }
	// LaTeXer is implemented by values with a LaTeX form.
	LaTeXer interface{ LaTeX() string }
	// SVGer is implemented by values with a drawing.
	SVGer interface{ SVG() string }
	// PNGer is implemented by values with a picture.
	PNGer interface{ PNG() ([]byte, error) }
)

// Render returns a Bundle that shows vs, one below the other. Each element of a slice of tensors has its index above
// it. For no values, and for a *Handle, the Bundle is empty.
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

// element returns the Bundle of v. around holds the lists that contain v, outermost first.
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
		// A list of short values is shown on one line, like other slices.
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

// forms returns the text form of v, and the forms for which v has methods.
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
// list. With Options.R the indices are [[1]] and [[1]][[2]]. prefix is the index of the list itself, or "". around
// holds the list and the lists that contain it. long reports whether an element has several lines.
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

// stacked returns values one below the other, each below its heading if head is not nil. If all values are drawings,
// they stand side by side in HTML. around holds the lists that contain the values. long reports whether a value has
// several lines.
func (o Options) stacked(vs []any, around [][]any, head func(i int) string) (b Bundle, long bool) {
	if len(vs) == 0 {
		return TextBundle("list()"), false // as R shows an empty list
	}
	var text strings.Builder
	var pages []string
	drawings := true                   // all values are drawings
	apart := false                     // a blank line must follow the previous value
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

// page returns b as HTML that can stand on a page with other values.
func (b Bundle) page() string {
	switch {
	case b.Data[MIMEHTML] != nil:
		return fmt.Sprint(b.Data[MIMEHTML])
	case b.Data[MIMESVG] != nil:
		// Without the attribute, the lines have the colour of the text around the drawing.
		return strings.Replace(fmt.Sprint(b.Data[MIMESVG]), lineColorAttribute, "", 1)
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

// minPixels is the greatest length, in pixels, to which enlarged scales the longer side of an image.
const minPixels = 256

// enlarged returns img with each pixel enlarged to a square of pixels if img is small, and otherwise img itself.
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
