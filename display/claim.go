package display

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A tag holds what a learner may predict about a value: the dtype, whether the dtype is ambiguous, and for a tensor the
// shape and the elements.
type tag struct {
	typed  dtype.Typed
	tensor nv.Tensor // the value if it is a tensor, otherwise the zero Tensor
}

// tagOf returns the tag of v, and reports whether v is a tensor or a dtype.
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

// String returns the dtype, with "?" if it is ambiguous, and the shape, such as "f32?{2,3}".
func (t tag) String() string {
	if t.tensor.Valid() {
		return t.typed.String() + t.tensor.Shape().String()
	}
	return t.typed.String()
}

// A claim is a parsed answer of a learner: "f32?", "i16{2}", "4 as i16", "{2,3}",
// "[ CPUf32{} ]", "error".
type claim struct {
	fails      bool // the learner expects an error
	dtypes     []dtype.Typed
	shapes     []string // "{2,3}"
	values     []string
	unreadable bool // the answer has words that parseClaim does not know
}

// tagWord matches a dtype, with or without the platform and the shape that a printed tensor has.
var tagWord = regexp.MustCompile(`^(?:cpu|cuda|reference|rocm|tpu|metal)?([a-z][a-z0-9_]*)(\??)(\{[0-9,]*\})?$`)

// shapeWord matches a shape, in Go's or in Python's spelling.
var shapeWord = regexp.MustCompile(`[{(]((?: *[0-9]+ *,)* *[0-9]* *)[})]`)

// fillers are words that parseClaim ignores.
var fillers = []string{"a", "an", "as", "the", "it", "is", "of", "and", "with", "dtype", "value", "values", "shape",
	"ambiguous", "anviltensor"}

// parseClaim parses the answer given by a learner.
func parseClaim(given string) (c claim) {
	given = shapeWord.ReplaceAllStringFunc(strings.ToLower(given), func(s string) string {
		inside := strings.ReplaceAll(shapeWord.FindStringSubmatch(s)[1], " ", "")
		return "{" + strings.TrimSuffix(inside, ",") + "} "
	})
	given = strings.NewReplacer("[", " ", "]", " ", ";", " ", ", ", " ").Replace(given)
	ambiguous := false
	for _, w := range strings.Fields(given) {
		w = strings.TrimLeft(w, `,:!"'`+"`") // a number may begin with a point
		w = strings.TrimRight(w, `.,:!"'`+"`")
		ambiguous = ambiguous || w == "ambiguous"
		c.add(w)
	}
	if ambiguous {
		for i := range c.dtypes {
			c.dtypes[i].Ambiguous = true
		}
	}
	return c
}

// add parses w, a word of the answer, and adds it to c.
func (c *claim) add(w string) {
	switch {
	case w == "error" || w == "fails" || w == "panic":
		c.fails = true
		return
	case shapeWord.FindString(w) == w && w != "":
		c.shapes = append(c.shapes, w)
		return
	case isValue(w):
		c.values = append(c.values, w)
		return
	}
	if m := tagWord.FindStringSubmatch(w); m != nil {
		if d, ok := parseDType(m[1]); ok {
			c.dtypes = append(c.dtypes, dtype.Typed{DType: d, Ambiguous: m[2] != ""})
			if m[3] != "" {
				c.shapes = append(c.shapes, m[3])
			}
			return
		}
	}
	c.unreadable = c.unreadable || w != "" && !slices.Contains(fillers, w)
}

// parseDType returns the dtype called name in this library or in another one.
func parseDType(name string) (dtype.DType, bool) {
	if d, ok := promote.Named(name); ok {
		return d, true
	}
	d, err := dtype.Parse(name)
	return d, err == nil
}

// tagged reports whether all words of the claim are known, and one of them names a dtype or an error.
func (c claim) tagged() bool { return !c.unreadable && (c.fails || len(c.dtypes) > 0) }

// verdict compares the claim with t, and returns a sentence for each part that is missing or wrong. A claim
// without a dtype, or with the wrong ambiguity, is at best nearly right.
func (c claim) verdict(t tag) (v promote.Verdict, reasons []string) {
	if c.unreadable || len(c.dtypes) > 1 || len(c.shapes) > 1 || len(c.dtypes)+len(c.shapes)+len(c.values) == 0 {
		return promote.Unreadable, nil
	}
	v = promote.Right
	lower := func(to promote.Verdict, reason string) { // better verdicts are greater
		v, reasons = min(v, to), append(reasons, reason)
	}
	switch {
	case len(c.dtypes) == 0:
		lower(promote.NearlyRight, "say the dtype too")
	case c.dtypes[0].DType != t.typed.DType:
		lower(promote.Wrong, fmt.Sprintf("the dtype is %s, not %s", t.typed, c.dtypes[0].DType))
	case t.typed.Ambiguous && !c.dtypes[0].Ambiguous:
		lower(promote.NearlyRight, "it is ambiguous: write ?")
	case c.dtypes[0].Ambiguous && !t.typed.Ambiguous:
		lower(promote.NearlyRight, "it is not ambiguous")
	}
	switch {
	case len(c.shapes) > 0 && !t.tensor.Valid():
		lower(promote.Wrong, "a dtype has no shape")
	case len(c.shapes) > 0 && c.shapes[0] != t.tensor.Shape().String():
		lower(promote.Wrong, fmt.Sprintf("the shape is %s, not %s", t.tensor.Shape(), c.shapes[0]))
	}
	switch {
	case len(c.values) == 0:
	case !t.tensor.Valid():
		lower(promote.Wrong, "a dtype has no elements")
	default:
		if difference := t.firstDifference(c.values); difference != "" {
			lower(promote.Wrong, difference)
		}
	}
	return v, reasons
}

// maxComparedElements is the greatest number of elements that a claim is compared with.
const maxComparedElements = 1000

// elements returns the elements of the tensor in their shortest exact form, or nil if the tensor cannot be read.
func (t tag) elements() (texts []string) {
	x := t.tensor
	_ = nv.Try(func() { // after an error, texts is nil
		switch d := t.typed.DType; {
		case d == dtype.Bool:
			texts = textsOf(nv.Values[bool](x))
		case d.Is(dtype.Signed):
			texts = textsOf(nv.Values[int64](x.AsType(nv.I64)))
		case d.Is(dtype.Unsigned):
			texts = textsOf(nv.Values[uint64](x.AsType(nv.U64)))
		case d.Is(dtype.Complex):
			texts = textsOf(nv.Values[complex128](x.AsType(nv.C128)))
		default:
			texts = textsOf(nv.Values[float64](x.AsType(nv.F64)))
		}
	})
	return texts
}

func textsOf[T any](xs []T) []string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = fmt.Sprint(x)
	}
	return texts
}

// firstDifference compares the elements of the tensor with said, those of the answer. It returns "" if they are
// equal. Otherwise it returns a sentence that names the first wrong element, says that the number of elements is
// wrong, or says why they cannot be compared.
func (t tag) firstDifference(said []string) string {
	switch n := t.tensor.Shape().Size(); { // checked first, since reading a large tensor takes long
	case len(said) != n:
		return fmt.Sprintf("it has %d elements, and you said %d", n, len(said))
	case n > maxComparedElements:
		return fmt.Sprintf("more than %d elements are not compared", maxComparedElements)
	}
	actual := t.elements()
	if len(actual) != len(said) {
		return "its elements cannot be read"
	}
	for i := range said {
		if !sameValue(said[i], actual[i]) {
			if len(said) == 1 {
				return fmt.Sprintf("the value is %s, not %s", actual[i], said[i])
			}
			return fmt.Sprintf("element %d is %s, not %s", i, actual[i], said[i])
		}
	}
	return ""
}

// isValue reports whether a word is a number, true or false.
func isValue(w string) bool {
	_, err := strconv.ParseComplex(w, 128)
	return err == nil || w == "true" || w == "false"
}

// tolerance is the relative error that a number in an answer may have. Whole numbers must
// be exact.
const tolerance = 1e-3

// wholeNumber matches an integer.
var wholeNumber = regexp.MustCompile(`^[+-]?[0-9]+$`)

// sameValue reports whether said, an element of the answer, equals the actual element up to tolerance. A bool may be
// answered as 1 or 0.
func sameValue(said, actual string) bool {
	if actual == "true" || actual == "false" {
		return strings.EqualFold(said, actual) || said == map[string]string{"true": "1", "false": "0"}[actual]
	}
	// Integers of up to 15 digits are exact as float64s; longer ones are compared as text.
	if len(actual) > 15 && wholeNumber.MatchString(actual) && wholeNumber.MatchString(said) {
		return strings.TrimPrefix(said, "+") == actual
	}
	x, err := strconv.ParseComplex(said, 128)
	y, err2 := strconv.ParseComplex(strings.Trim(actual, "()"), 128)
	if err != nil || err2 != nil {
		return false
	}
	return sameNumber(real(x), real(y)) && sameNumber(imag(x), imag(y))
}

// sameNumber reports whether said equals actual, up to tolerance.
func sameNumber(said, actual float64) bool {
	if said == actual || math.IsNaN(said) && math.IsNaN(actual) {
		return true
	}
	return actual != math.Trunc(actual) && math.Abs(said-actual) <= tolerance*math.Abs(actual)
}

// kindOf returns "number" if text is a number, "bool" if it is true or false, and "" otherwise.
func kindOf(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "true" || text == "false" {
		return "bool"
	}
	if isValue(text) {
		return "number"
	}
	return ""
}

// sameText reports whether two texts have the same words and numbers. It ignores case, blanks, quotes, brackets and
// commas, and compares numbers up to tolerance.
func sameText(said, shown string) bool {
	a, b := textWords(said), textWords(shown)
	if len(a)+len(b) == 0 {
		return strings.TrimSpace(said) == strings.TrimSpace(shown)
	}
	return slices.EqualFunc(a, b, func(x, y string) bool { return strings.EqualFold(x, y) || sameValue(x, y) })
}

// sliceType matches the beginning of a slice or array in Go's syntax, such as "[]int{".
var sliceType = regexp.MustCompile(`(?:\[[0-9]*\])+[\w.]+\{`)

// textWords splits s at blanks, quotes, brackets and commas, after removing the types of slices and arrays.
func textWords(s string) []string {
	return strings.FieldsFunc(sliceType.ReplaceAllString(s, "{"), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"`'[]{}(),", r)
	})
}
