package display

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// fewElements is the greatest number of elements of a tensor that is shown without a summary.
const fewElements = 10

// manyElements is the greatest number of elements of a tensor that is summarized without being asked for. Larger
// tensors take seconds.
const manyElements = 1 << 24

// summaryHTML returns a line about the distribution of the elements of x. Collapsed below the line stands what casts to
// narrower dtypes would lose. For a tensor of few elements summaryHTML returns "".
func summaryHTML(x nv.Tensor) (string, error) {
	if x.Size() <= fewElements {
		return "", nil
	}
	if x.Size() > manyElements {
		return fmt.Sprintf("<div>%d elements; <code>x.Summary()</code> describes them</div>", x.Size()), nil
	}
	s, err := x.Summary()
	if err != nil {
		return "", err
	}
	line := summaryLine(s, x.DType())
	if len(s.Casts) == 0 || s.NaN+s.Infinite == s.Count {
		return "<div>" + line + "</div>", nil
	}
	var b strings.Builder
	b.WriteString("<details><summary>" + line + "</summary>")
	for _, c := range s.Casts {
		fmt.Fprintf(&b, "<div>cast to <code>%v</code>: %s</div>", c.DType, castText(c))
	}
	b.WriteString("</details>")
	return b.String(), nil
}

// summaryLine returns the number of elements and their statistics.
func summaryLine(s nv.Summary, d dtype.DType) string {
	parts := []string{plural(s.Count, "element")}
	if s.NaN > 0 {
		parts = append(parts, strconv.Itoa(s.NaN)+" NaN")
	}
	if s.Infinite > 0 {
		parts = append(parts, strconv.Itoa(s.Infinite)+" infinite")
	}
	prefix := ""
	if d.Is(dtype.Complex) {
		prefix = "magnitude "
	}
	switch {
	case d == dtype.I1:
		parts = append(parts, fmt.Sprintf("%.0f true", s.Mean*float64(s.Count)))
	case math.IsNaN(s.Min):
	case s.Min == s.Max:
		parts = append(parts, prefix+"all "+summaryNumber(s.Min))
	default:
		parts = append(parts, prefix+summaryNumber(s.Min)+" to "+summaryNumber(s.Max),
			"mean "+summaryNumber(s.Mean), "deviation "+summaryNumber(s.Deviation), histogram(s.Bins[:]))
	}
	return strings.Join(parts, " &middot; ")
}

// summaryNumber returns v with four significant digits, or with all digits if v is an integer below 1e9.
func summaryNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// histogram returns a block character for each bin, in eighths of the height of the fullest bin, and a blank for an
// empty bin.
func histogram(bins []int) string {
	most := 1
	for _, n := range bins {
		most = max(most, n)
	}
	var b strings.Builder
	for _, n := range bins {
		if n == 0 {
			b.WriteString("&nbsp;")
		} else {
			b.WriteRune('▁' + rune(math.Ceil(8*float64(n)/float64(most))) - 1)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// castText returns how many elements a cast changes, and how.
func castText(c nv.CastLoss) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.Overflow, "overflowed"}, {c.Flush, "flushed to 0"}, {c.Round, "rounded"}} {
		if p.n > 0 {
			parts = append(parts, strconv.Itoa(p.n)+" "+p.what)
		}
	}
	if parts == nil {
		return "exact"
	}
	return strings.Join(parts, ", ")
}
