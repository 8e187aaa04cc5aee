package anvil

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Einsum returns the sum of products given by subscripts, at the common dtype of xs: "ij,jk->ik" means result[i,k] =
// sum over j of x[i,j]*y[j,k]. Each letter names an axis; a letter that occurs twice in one operand takes the
// diagonal. Axes whose letters are not right of the arrow are summed over. Without an arrow the result has the letters
// that occur once, in alphabetical order. "..." stands for axes without a letter, which are broadcast; without an arrow
// they come first in the result.
func (l *Lib) Einsum(subscripts string, xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("Einsum", xs...)
	e := c.subscripts(subscripts, len(xs))
	t := c.common(xs...)
	terms := make([]term, len(xs))
	for i, x := range xs {
		terms[i] = c.label(c.at(x, t.DType), e.in[i])
	}
	c.equalizeLengths(terms)
	out := c.outLabels(e, terms)
	for i := range terms {
		terms[i] = c.takeDiagonals(terms[i])
	}
	r := terms[0]
	for i, next := range terms[1:] {
		needed := slices.Clone(out) // the labels of the result and of the terms after next
		for _, later := range terms[i+2:] {
			needed = append(needed, later.labels...)
		}
		left := c.sumUnneeded(r, slices.Concat(needed, next.labels))
		right := c.sumUnneeded(next, slices.Concat(needed, r.labels))
		r = c.multiplyTerms(left, right, needed)
	}
	r = c.sumUnneeded(r, out)
	order := make([]int, len(out))
	for i, label := range out {
		order[i] = slices.Index(r.labels, label)
	}
	return c.result(c.Permute(r.a, order...), t.Ambiguous)
}

// A term is an operand of Einsum, or a product of operands, with a label for each axis. The label of an axis with a
// letter is the letter. The labels of the axes that "..." stands for are negative; the last of these axes has -1.
type term struct {
	a      expr.Value
	labels []rune
}

// An einsum holds the parsed subscripts of Einsum.
type einsum struct {
	in    []string // the letters of each operand
	out   string   // the letters of the result, if there is an arrow
	arrow bool
}

// dots stands for "..." in the strings of an einsum.
const dots = '.'

// subscripts parses s, the subscripts of the given number of operands.
func (c *call) subscripts(s string, operands int) einsum {
	s = strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "...", string(dots))
	in, out, arrow := strings.Cut(s, "->")
	e := einsum{strings.Split(in, ","), out, arrow}
	if len(e.in) != operands {
		c.fail(fmt.Sprintf("the subscripts %q are for %s, and the number of operands is %d",
			strings.ReplaceAll(s, string(dots), "..."), plural(len(e.in), "operand", "operands"), operands),
			`give letters for each operand, with a comma between operands: "ij,jk->ik"`)
	}
	for _, side := range append(slices.Clone(e.in), e.out) {
		for _, r := range side {
			if r != dots && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
				c.fail(fmt.Sprintf("the subscripts have %q", r),
					`write letters, commas, "..." and one arrow: "ij,jk->ik"`)
			}
		}
		if strings.Count(side, string(dots)) > 1 {
			c.fail(`"..." occurs twice in one operand`, "write it once, for all axes without a letter")
		}
	}
	for i, r := range e.out {
		if strings.ContainsRune(e.out[:i], r) {
			c.fail(fmt.Sprintf("%q occurs twice after the arrow", r), "each letter is one axis of the result")
		}
		if r != dots && !strings.ContainsRune(in, r) {
			c.fail(fmt.Sprintf("%q occurs only after the arrow", r),
				"each letter of the result must name an axis of an operand")
		}
	}
	return e
}

// label returns a with the labels that subscript, the letters of one operand, gives its axes (see term).
func (c *call) label(a expr.Value, subscript string) term {
	s, named := a.Shape(), len(strings.ReplaceAll(subscript, string(dots), ""))
	rest, hasDots := len(s)-named, named < len(subscript)
	if rest < 0 || rest > 0 && !hasDots {
		hint := `write "..." for axes without a letter`
		if rest < 0 {
			hint = "leave out letters: each stands for one axis"
		}
		c.fail(fmt.Sprintf("the subscripts %q name %d axes, and the operand of shape %s has %d",
			strings.ReplaceAll(subscript, string(dots), "..."), named, s, len(s)), hint)
	}
	var labels []rune
	for _, r := range subscript {
		if r != dots {
			labels = append(labels, r)
			continue
		}
		for i := range rest {
			labels = append(labels, rune(i-rest))
		}
	}
	return term{a, labels}
}

// equalizeLengths broadcasts the axes of "..." in all terms. It fails if a letter names axes of different lengths.
func (c *call) equalizeLengths(terms []term) {
	lengths := map[rune]int{}
	for _, t := range terms {
		for i, n := range t.a.Shape() {
			label := t.labels[i]
			m, seen := lengths[label]
			switch {
			case !seen || label < 0 && m == 1:
				lengths[label] = n
			case m == n || label < 0 && n == 1:
			case label < 0:
				c.fail(fmt.Sprintf(`axes of "..." have lengths %d and %d`, m, n), "lengths must be equal or 1")
			default:
				c.fail(fmt.Sprintf("axes %q have lengths %d and %d", label, m, n),
					"axes with the same letter must have the same length")
			}
		}
	}
	for i, t := range terms {
		s := t.a.Shape().Clone()
		for k, label := range t.labels {
			s[k] = lengths[label]
		}
		terms[i].a = c.to(t.a, s)
	}
}

// outLabels returns the labels of the result. Without an arrow the labels of "..." come first.
func (c *call) outLabels(e einsum, terms []term) (out []rune) {
	var dotted []rune
	count := map[rune]int{}
	for _, t := range terms {
		for _, label := range t.labels {
			if count[label]++; label < 0 && count[label] == 1 {
				dotted = append(dotted, label)
			}
		}
	}
	slices.Sort(dotted)
	if e.arrow {
		for _, r := range e.out {
			if r == dots {
				out = append(out, dotted...)
			} else {
				out = append(out, r)
			}
		}
		if len(dotted) > 0 && !strings.ContainsRune(e.out, dots) {
			c.fail(`"..." stands for axes and is missing after the arrow`,
				`write "..." there; axes to sum over need letters`)
		}
		return out
	}
	for label, n := range count {
		if label > 0 && n == 1 {
			out = append(out, label)
		}
	}
	slices.Sort(out)
	return append(dotted, out...)
}

// takeDiagonals replaces two axes of t with the same label by their diagonal, until each label names one axis.
func (c *call) takeDiagonals(t term) term {
	for i, label := range t.labels {
		j := slices.Index(t.labels[:i], label)
		if j < 0 {
			continue
		}
		order := slices.Delete(slices.Delete(upTo(len(t.labels)), i, i+1), j, j+1)
		labels := make([]rune, 0, len(t.labels))
		for _, k := range order {
			labels = append(labels, t.labels[k])
		}
		a := c.diagonal(c.Permute(t.a, append(order, j, i)...), 0)
		return c.takeDiagonals(term{a, append(labels, label)})
	}
	return t
}

// sumUnneeded sums t over the axes whose labels are not needed.
func (c *call) sumUnneeded(t term, needed []rune) term {
	var unneeded []ReduceOption
	var labels []rune
	for i, label := range t.labels {
		if slices.Contains(needed, label) {
			labels = append(labels, label)
		} else {
			unneeded = append(unneeded, Axis(i))
		}
	}
	if len(unneeded) == 0 {
		return t
	}
	code := ir.ReduceSum
	if t.a.DType() == dtype.I1 {
		code = ir.ReduceOr
	}
	return term{c.fold(code, t.a, unneeded), labels}
}

// multiplyTerms returns the product of two terms, summed over the labels that both terms have and that are not needed.
func (c *call) multiplyTerms(x, y term, needed []rune) term {
	var xBatch, yBatch, xContract, yContract []int
	var both, left, right []rune // the labels in x and y, in x only, and in y only
	for i, label := range x.labels {
		j := slices.Index(y.labels, label)
		switch {
		case j < 0:
			left = append(left, label)
		case slices.Contains(needed, label):
			xBatch, yBatch, both = append(xBatch, i), append(yBatch, j), append(both, label)
		default:
			xContract, yContract = append(xContract, i), append(yContract, j)
		}
	}
	for _, label := range y.labels {
		if !slices.Contains(x.labels, label) {
			right = append(right, label)
		}
	}
	attrs := ir.DotAttrs{
		LhsBatch: shape.DimsOf(xBatch...), RhsBatch: shape.DimsOf(yBatch...),
		LhsContract: shape.DimsOf(xContract...), RhsContract: shape.DimsOf(yContract...),
	}
	return term{c.Do(ir.DotGeneral, attrs, x.a, y.a), slices.Concat(both, left, right)}
}
