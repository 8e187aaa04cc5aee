package display

import (
	"errors"
	"fmt"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/shape"
)

// tensors returns the Bundle of v if v is a tensor, a slice of tensors, or a value of another type of package anvil
// that has its own form. It reports whether v is such a value.
func (o Options) tensors(v any) (Bundle, bool) {
	switch v := v.(type) {
	case nv.Tensor:
		return o.tensor(v), true
	case *nv.Tensor:
		if v != nil {
			return o.tensor(*v), true
		}
	case []nv.Tensor:
		vs := make([]any, len(v))
		for i, x := range v {
			vs[i] = x
		}
		b, _ := o.list("", vs, nil)
		return b, true
	case *nv.Table:
		if v != nil {
			return dataTableBundle(v, o), true
		}
	case *nv.Column:
		if v != nil {
			return columnBundle(v, o), true
		}
	case nv.Reason:
		return reasonBundle(v), true
	case *nv.Lowered:
		return graphBundle(v.Graph()), true
	case []nv.ValueType:
		return valueTypesBundle(v), true
	}
	return Bundle{}, false
}

// maxHTML is the greatest number of elements that are shown as an HTML table.
const maxHTML = 10000

// tensor returns x as text and as HTML. It panics with an *nv.Error if x cannot be computed or waiting is interrupted.
func (o Options) tensor(x nv.Tensor) Bundle {
	if !x.Valid() {
		return TextBundle("Tensor(nil)")
	}
	if x.Traced() {
		return TextBundle("AnvilTensor\n[ traced " + x.Typed().String() + x.Shape().String() + " ]")
	}
	a := arrayOf(x)
	v, err := o.layOut(a)
	if err != nil {
		panic(readError(x, err))
	}
	b := TextBundle(a.text(v))
	if v.elements() > maxHTML {
		return b // a page with a table of that size is slow to scroll
	}
	if v.tail, err = tailOf(x, v); err != nil {
		panic(readError(x, err))
	}
	v.moreRows -= len(v.tail)
	summary, err := summaryHTML(x)
	if err != nil {
		panic(readError(x, err))
	}
	return b.with(MIMEHTML, a.html(v, summary, reasonOf(nv.Why(x))))
}

// maxTail is the greatest number of elements at the end of a long vector that its HTML form shows.
const maxTail = 5

// tailOf returns the texts of the last elements of x, at most maxTail, that v leaves out. It returns nil unless x is a
// vector.
func tailOf(x nv.Tensor, v view) (tail []string, err error) {
	n := min(maxTail, v.moreRows)
	if x.Rank() != 1 || n == 0 || len(v.pages) == 0 {
		return nil, nil
	}
	data, err := x.Window(shape.Shape{x.Size() - n}, x.Shape())
	if err != nil {
		return nil, err
	}
	m := matrix{x.DType(), data, n, 1}
	for i := range n {
		tail = append(tail, v.pages[0].format.token(m.dtype, m.element(i, 0)))
	}
	return tail, nil
}

// readError converts err, an error of reading x, to an *nv.Error.
func readError(x nv.Tensor, err error) *nv.Error {
	var e *nv.Error
	if errors.As(err, &e) {
		return e
	}
	return &nv.Error{Op: "display", Operands: x.Typed().String() + x.Shape().String(), Reason: err.Error(), Err: err}
}

// arrayOf describes x for printing.
func arrayOf(x nv.Tensor) array {
	a := array{typed: x.Typed(), shape: x.Shape(), platform: x.Platform(), device: x.Device()}
	a.read = func(matrices, rows, cols int) ([]byte, error) {
		high := a.windowBounds(matrices, rows, cols)
		data, err := x.Window(make(shape.Shape, len(high)), high)
		if err != nil {
			return nil, err
		}
		return data[:matrices*rows*cols*a.typed.DType.Size()], nil
	}
	return a
}

// windowBounds returns the upper bounds of the smallest window from the origin that contains the first rows and
// columns of the first matrices. In row-major order, the elements of those matrices come first in the window.
func (a array) windowBounds(matrices, rows, cols int) shape.Shape {
	high := a.shape.Clone()
	n := len(high)
	if n > 0 {
		high[max(n-2, 0)] = rows
	}
	if n > 1 {
		high[n-1] = cols
	}
	for i := n - 3; i >= 0; i-- {
		high[i] = min(matrices, a.shape[i])
		matrices = ceilDiv(matrices, max(1, a.shape[i]))
	}
	return high
}

// reasonOf returns the parts of r that the HTML form shows.
func reasonOf(r nv.Reason) reason {
	line, _, _ := strings.Cut(r.String(), "\n")
	if len(r.Operands) == 0 && !r.Result.Ambiguous {
		return reason{system: systemOf(r)} // x was created with a dtype, so there is nothing to explain
	}
	return reason{line, stepTexts(r.Steps), systemOf(r)}
}

// systemOf returns the name of r's promotion system, or "" for the default.
func systemOf(r nv.Reason) string {
	if r.System == nil || r.System == promote.Anvil {
		return ""
	}
	return r.System.Name()
}

func reasonBundle(r nv.Reason) Bundle {
	var b strings.Builder
	why := reasonOf(r)
	b.WriteString("<div>" + badge(r.Result) + " <code>" + escape(why.line) + "</code>")
	orderedList(&b, why.steps)
	if texts := r.ChainTexts(); texts != nil {
		b.WriteString("<div>" + r.ChainTitle() + "</div>")
		orderedList(&b, texts)
	}
	b.WriteString("</div>")
	return TextBundle(r.String()).with(MIMEHTML, b.String())
}

// valueTypesBundle returns a table of the values of a program: name, dtype and shape, and operation.
func valueTypesBundle(vs []nv.ValueType) Bundle {
	var rich strings.Builder
	grid := make([][]string, len(vs))
	rich.WriteString(`<table style="color:inherit;text-align:left">`)
	for i, v := range vs {
		grid[i] = []string{v.Name, v.Typed.String() + v.Type.Shape.String(), v.Op}
		fmt.Fprintf(&rich, "<tr><td><code>%s</code></td><td>%s %s</td><td>%s</td></tr>",
			escape(v.Name), badge(v.Typed), escape(v.Type.Shape.String()), escape(v.Op))
	}
	rich.WriteString("</table>")
	return TextBundle(align(grid)).with(MIMEHTML, rich.String())
}
