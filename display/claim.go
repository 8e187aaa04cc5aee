package display

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A tag is what a learner may predict of a value: dtype and flag, and for a tensor its
// shape and elements.
type tag struct {
	typed  dtype.Typed
	tensor nv.Tensor // valid where it is one
}

// tagOf returns the tag of a tensor or of a dtype.
func tagOf(v any) (tag, bool) {
	switch v := v.(type) {
	case nv.Tensor:
		if !v.Valid() {
			return tag{}, false
		}
		return tag{v.Typed(), v}, true
	case dtype.Typed:
		return tag{typed: v}, true
	case dtype.DType:
		return tag{typed: dtype.Typed{DType: v}}, true
	}
	return tag{}, false
}

// String returns "f32?{2,3}".
func (t tag) String() string {
	if t.tensor.Valid() {
		return t.typed.String() + t.tensor.Shape().String()
	}
	return t.typed.String()
}

// A claim is a parsed answer of a learner: "f32?", "i16{2}", "4 as i16",
// "[ CPUf32{} ]", "error".
type claim struct {
	fails   bool
	dtypes  []dtype.Typed
	shapes  []string
	numbers []float64
	strange bool // it has words that are not understood
}

// tagWord matches a dtype, with or without the platform and the shape of a print.
var tagWord = regexp.MustCompile(`^(?:cpu|cuda|reference|rocm|tpu|metal)?([a-z][a-z0-9_]*)(\??)(\{[0-9,]*\})?$`)

// fillers are words that are ignored.
var fillers = []string{"a", "an", "as", "the", "it", "is", "of", "and", "with", "dtype", "value", "shape", "ambiguous"}

func claimOf(given string) (c claim) {
	given = strings.ToLower(given)
	given = strings.NewReplacer("[", " ", "]", " ", ";", " ", ", ", " ").Replace(given)
	for _, w := range strings.Fields(given) {
		c.add(strings.Trim(w, `.,:!"'`+"`"))
	}
	if slices.Contains(strings.Fields(given), "ambiguous") {
		for i := range c.dtypes {
			c.dtypes[i].Ambiguous = true
		}
	}
	return c
}

func (c *claim) add(w string) {
	if w == "error" || w == "fails" || w == "panic" {
		c.fails = true
		return
	}
	if x, err := strconv.ParseFloat(w, 64); err == nil {
		c.numbers = append(c.numbers, x)
		return
	}
	if m := tagWord.FindStringSubmatch(w); m != nil {
		if d, ok := parseDType(m[1]); ok {
			c.dtypes = append(c.dtypes, dtype.Typed{DType: d, Ambiguous: m[2] != ""})
			c.shapes = append(c.shapes, m[3])
			return
		}
	}
	c.strange = c.strange || w != "" && !slices.Contains(fillers, w)
}

func parseDType(name string) (dtype.DType, bool) {
	if d, ok := promote.Named(name); ok {
		return d, true
	}
	d, err := dtype.Parse(name)
	return d, err == nil
}

// tagged reports whether the claim names a dtype or an error.
func (c claim) tagged() bool { return !c.strange && (c.fails || len(c.dtypes) > 0) }

// verdict compares the claim with t. A claim of the elements alone, or with the wrong
// flag, is nearly right.
func (c claim) verdict(t tag) promote.Verdict {
	if c.strange || len(c.dtypes) > 1 || len(c.dtypes)+len(c.numbers) == 0 {
		return promote.Unreadable
	}
	if len(c.numbers) > 0 && !slices.EqualFunc(c.numbers, t.elements(len(c.numbers)), sameNumber) {
		return promote.Wrong
	}
	if len(c.dtypes) == 0 {
		return promote.NearlyRight
	}
	if c.dtypes[0].DType != t.typed.DType || c.shapes[0] != "" && c.shapes[0] != shapeText(t) {
		return promote.Wrong
	}
	if c.dtypes[0].Ambiguous != t.typed.Ambiguous {
		return promote.NearlyRight
	}
	return promote.Right
}

func shapeText(t tag) string {
	if t.tensor.Valid() {
		return t.tensor.Shape().String()
	}
	return ""
}

// elements returns the elements of the tensor if there are n of them.
func (t tag) elements(n int) []float64 {
	if !t.tensor.Valid() || t.tensor.Shape().Size() != n || t.typed.DType.Is(dtype.Complex) {
		return nil
	}
	var found []float64
	_ = nv.Try(func() { found = nv.Values[float64](t.tensor.AsType(nv.F64)) }) // without them every claim of elements is wrong
	return found
}

// sameNumber compares numbers up to the digits that a print leaves out.
func sameNumber(said, is float64) bool {
	if is == math.Trunc(is) {
		return said == is
	}
	return math.IsNaN(said) && math.IsNaN(is) || math.Abs(said-is) <= 1e-4*math.Abs(is)
}

// kindOf returns "number" or "bool" if text is one, and "" otherwise.
func kindOf(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return "number"
	}
	if text == "true" || text == "false" {
		return "bool"
	}
	return ""
}

// sameText reports whether two texts are equal up to case, blanks, quotes and the
// spelling of a number.
func sameText(said, shown string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(strings.Trim(s, "\"`' ")), " ") }
	a, b := plain(said), plain(shown)
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return strings.EqualFold(a, b) || err == nil && err2 == nil && sameNumber(x, y)
}
