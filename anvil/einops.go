package anvil

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
)

// Sizes are lengths of named axes.
type Sizes map[string]int

// EinopsReduce returns x reduced over the axes whose names are only on the left of the pattern's arrow. how is "sum",
// "mean", "max", "min" or "prod". The pattern "(h p) w -> w h" splits the first axis into h and p, reduces over p and
// orders the rest. sizes gives lengths that do not follow from the shape of x. A number in place of a name is the
// length of an axis that is reduced: "(a 2) (b 3) -> a b". Parentheses right of the arrow join axes, 1 is an axis of
// length 1, and ... stands for all axes without a name.
func (l *Lib) EinopsReduce(x any, pattern, how string, sizes ...Sizes) Tensor {
	c := l.call("EinopsReduce", x)
	r, ok := einopsReductions[how]
	if !ok {
		c.fail(fmt.Sprintf("unknown reduction %q", how), "give sum, mean, max, min or prod")
	}
	from := c.typed(x)
	t := c.sys.Reduction(r.rule, from)
	a := c.cast(c.at(x, from.DType), t.DType)
	e := c.einops(pattern, len(a.Shape()))
	a = c.reshape(a, e.split(c, a.Shape(), sizes))
	var reduced []ReduceOption
	for i, name := range e.leftNames() {
		if !slices.Contains(e.rightNames(), name) {
			reduced = append(reduced, Axis(i))
		}
	}
	if len(reduced) > 0 {
		before := a.Shape().Size()
		a = c.fold(r.code, a, reduced)
		if after := a.Shape().Size(); how == "mean" && after > 0 {
			count := c.literal(float64(before/after), a.DType())
			a = c.Div(a, c.to(count, a.Shape()))
		}
	}
	return c.result(c.reshape(c.Permute(a, e.order()...), e.join()), t.Ambiguous)
}

// Rearrange returns the elements of x rearranged by a pattern: "(h p) w c -> w h (p c)" splits the first axis into h
// and p, reorders the axes, and joins p and c. sizes gives lengths that do not follow from the shape of x; ... stands
// for all axes without a name. Every axis must occur on both sides of the arrow.
func (l *Lib) Rearrange(x any, pattern string, sizes ...Sizes) Tensor {
	c, a, amb := l.layout("Rearrange", x)
	e := c.einops(pattern, len(a.Shape()))
	for _, name := range e.leftNames() {
		if !slices.Contains(e.rightNames(), name) {
			c.fail(fmt.Sprintf("axis %s is not on the right of the pattern", name),
				"add it there, or reduce it with nv.EinopsReduce")
		}
	}
	a = c.reshape(a, e.split(c, a.Shape(), sizes))
	return c.result(c.reshape(c.Permute(a, e.order()...), e.join()), amb)
}

// einopsReductions maps the names of the reductions of EinopsReduce to the code that reduces, which is a sum for
// "mean", and to the rule for the dtype of the result.
var einopsReductions = map[string]struct {
	code ir.Code
	rule promote.Reduction
}{
	"sum": {ir.ReduceSum, promote.Sum}, "prod": {ir.ReduceProd, promote.Sum}, "mean": {ir.ReduceSum, promote.Mean},
	"max": {ir.ReduceMax, promote.Extreme}, "min": {ir.ReduceMin, promote.Extreme},
}

// An einops is a parsed pattern of EinopsReduce or Rearrange.
type einops struct {
	left, right [][]string // the names in each axis on the left and on the right of the arrow
	sizes       Sizes      // the length of each name
}

// einops parses a pattern for a tensor of the given rank.
func (c *call) einops(pattern string, rank int) *einops {
	left, right, ok := strings.Cut(pattern, "->")
	if !ok {
		c.fail(fmt.Sprintf("the pattern %q has no arrow", pattern), `write it like "a b -> a"`)
	}
	if strings.Contains(left, "...") {
		names := " " // names for the axes that "..." stands for: " ...0 ...1 "
		for i := range rank - len(c.patternAxes(strings.ReplaceAll(left, "...", " "))) {
			names += fmt.Sprintf("...%d ", i)
		}
		left, right = strings.ReplaceAll(left, "...", names), strings.ReplaceAll(right, "...", names)
	}
	e := &einops{left: c.patternAxes(left), right: c.patternAxes(right), sizes: Sizes{}}
	for _, names := range e.left {
		for k, name := range names {
			if n, err := strconv.Atoi(name); err == nil && n > 1 {
				for e.sizes[names[k]] > 0 { // an earlier axis is named by the same number: make this name unique
					names[k] += "'"
				}
				e.sizes[names[k]] = n
			}
		}
	}
	for _, name := range e.rightNames() {
		if !slices.Contains(e.leftNames(), name) {
			c.fail(fmt.Sprintf("axis %s is not on the left of the pattern", name),
				"write it there too, or write 1 for a new axis of length 1")
		}
	}
	for _, side := range [][]string{e.leftNames(), e.rightNames()} {
		for i, name := range side {
			if slices.Contains(side[:i], name) {
				c.fail(fmt.Sprintf("axis %s is given twice", name), "give each axis a name of its own")
			}
		}
	}
	return e
}

// patternAxes returns the names in each axis of one side of a pattern: [h p] [w] [] for "(h p) w 1".
func (c *call) patternAxes(side string) (axes [][]string) {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(side))
	var group []string
	inside := false
	for _, w := range words {
		switch {
		case w == "(" && !inside:
			inside, group = true, []string{}
		case w == ")" && inside:
			inside, axes = false, append(axes, group)
		case w == "(" || w == ")":
			c.fail("parentheses do not match in the pattern", "")
		case w == "1" && !inside:
			axes = append(axes, nil)
		case w == "1": // in parentheses, a length of 1 changes nothing
		case inside:
			group = append(group, w)
		default:
			axes = append(axes, []string{w})
		}
	}
	if inside {
		c.fail("parentheses do not match in the pattern", "")
	}
	return axes
}

func (e *einops) leftNames() []string  { return slices.Concat(e.left...) }
func (e *einops) rightNames() []string { return slices.Concat(e.right...) }

// split determines the length of every name from s, the shape of the operand, and the given sizes. It returns the shape
// of the operand in which each name is an axis of its own.
func (e *einops) split(c *call, s Shape, given []Sizes) Shape {
	if len(s) != len(e.left) {
		c.fail("the left of the pattern has "+plural(len(e.left), "axis", "axes")+", and the tensor has "+itoa(len(s)),
			"write one name, or one group in parentheses, for each axis; \"...\" stands for any number of axes")
	}
	for _, m := range given {
		for name, n := range m {
			if !slices.Contains(e.leftNames(), name) {
				c.fail(fmt.Sprintf("there is no axis %s, to which sizes give length %d", name, n),
					"give lengths of axes on the left of the pattern")
			}
			e.sizes[name] = n
		}
	}
	lengths := Shape{}
	for i, names := range e.left {
		free, known := "", 1 // the name of unknown length, and the product of the known lengths
		for _, name := range names {
			if n, ok := e.sizes[name]; ok {
				known *= n
			} else if free == "" {
				free = name
			} else {
				c.fail(fmt.Sprintf("the lengths of %s and %s are not known", free, name),
					fmt.Sprintf("give one: nv.Sizes{%q: 2}", name))
			}
		}
		if free != "" && known > 0 {
			e.sizes[free] = s[i] / known
			known *= e.sizes[free]
		}
		if known != s[i] {
			c.fail(fmt.Sprintf("axis %d of length %d cannot be split into (%s)", i, s[i], strings.Join(names, " ")),
				fmt.Sprintf("the product of the lengths in parentheses must be %d", s[i]))
		}
		for _, name := range names {
			lengths = append(lengths, e.sizes[name])
		}
	}
	return lengths
}

// order returns, for each name on the right, the position of its axis among the axes that are not reduced.
func (e *einops) order() []int {
	left := slices.DeleteFunc(e.leftNames(), func(name string) bool { return !slices.Contains(e.rightNames(), name) })
	order := make([]int, 0, len(left))
	for _, name := range e.rightNames() {
		order = append(order, slices.Index(left, name))
	}
	return order
}

// join returns the shape of the result, in which the names in a pair of parentheses are one axis.
func (e *einops) join() Shape {
	s := Shape{}
	for _, names := range e.right {
		n := 1
		for _, name := range names {
			n *= e.sizes[name]
		}
		s = append(s, n)
	}
	return s
}
