package backend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Casting is a set of modes in which operations take dtypes that they are
// declared not to support, by casting arguments to one that they do.
type Casting uint8

// The modes, in the order in which they are tried.
const (
	Crosscast Casting = 1 << iota // of all integers to the default float, of all floats to the default integer
	Upcast                        // to the next higher supported dtype of the kind
	Downcast                      // to the next lower one

	CastAll = Crosscast | Upcast | Downcast
)

var castingRules = []struct {
	mode Casting
	rule promote.Rule
	to   func(*casting) (dtype.DType, bool)
}{
	{Crosscast, promote.Rule{Name: "crosscast", Doc: "the operation supports no integers, or no floats: the default dtype of the other kind"}, (*casting).across},
	{Upcast, promote.Rule{Name: "upcast", Doc: "the next higher dtype of the kind that the operation supports"}, (*casting).up},
	{Downcast, promote.Rule{Name: "downcast", Doc: "the next lower dtype of the kind that the operation supports"}, (*casting).down},
}

// String returns the names of the modes: "crosscast upcast".
func (c Casting) String() string {
	var names []string
	for _, r := range castingRules {
		if c&r.mode != 0 {
			names = append(names, r.rule.Name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// ladders are the kinds within which dtypes are cast up and down, each from low
// to high. That bf16 is below f16 is Ivy's order: they are as wide, and f16 has
// the more digits.
var ladders = [][]dtype.DType{
	{dtype.I8, dtype.I16, dtype.I32, dtype.I64},
	{dtype.U8, dtype.U16, dtype.U32, dtype.U64},
	{dtype.BF16, dtype.F16, dtype.F32, dtype.F64},
	{dtype.C64, dtype.C128},
}

// A casting is the search for a dtype.
type casting struct {
	at       dtype.DType
	lacks    []dtype.DType // what the operation does not take, for whatever reason
	profile  Profile
	defaults State
}

// up returns the next higher dtype that is supported.
func (c *casting) up() (dtype.DType, bool) {
	rung, ladder := c.rung()
	for _, d := range ladder[min(rung+1, len(ladder)):] {
		if !slices.Contains(c.lacks, d) {
			return d, true
		}
	}
	return c.at, false
}

// down returns the next lower dtype that is supported.
func (c *casting) down() (dtype.DType, bool) {
	rung, ladder := c.rung()
	for i := rung - 1; i >= 0; i-- {
		if !slices.Contains(c.lacks, ladder[i]) {
			return ladder[i], true
		}
	}
	return c.at, false
}

func (c *casting) rung() (int, []dtype.DType) {
	for _, ladder := range ladders {
		if i := slices.Index(ladder, c.at); i >= 0 {
			return i, ladder
		}
	}
	return 0, nil
}

// across returns the default dtype of the other kind, where none of its own is
// supported. It may itself not be.
func (c *casting) across() (dtype.DType, bool) {
	switch {
	case c.at.Is(dtype.Integral) && c.lacksAll(dtype.Integral):
		return c.defaults.Default(Float), true
	case c.at.Is(dtype.Floating) && c.lacksAll(dtype.Floating):
		return c.defaults.Default(Int), true
	}
	return c.at, false
}

func (c *casting) lacksAll(k dtype.Kind) bool {
	return !slices.ContainsFunc(c.profile.Valid(k), func(d dtype.DType) bool { return !slices.Contains(c.lacks, d) })
}

// run tries the modes in their order until the operation supports the dtype.
func (c *casting) run(modes Casting) (steps []promote.Step) {
	for _, r := range castingRules {
		if !slices.Contains(c.lacks, c.at) {
			break
		}
		if modes&r.mode == 0 {
			continue
		}
		if to, ok := r.to(c); ok {
			steps = append(steps, promote.Step{Operands: c.at.String(), Result: promote.Known(to), Rule: r.rule})
			c.at = to
		}
	}
	return steps
}

// reals are the functions of reals that take integers on every backend.
var reals = strings.Fields(`acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10
	log1p log2 reciprocal rsqrt sigmoid sin sinh sqrt tan tanh`)

var superset = promote.Rule{Name: "superset", Doc: "some frameworks take integers here, so all do: at the default float"}

// superset takes an integer that the framework does not let into a function of
// reals as the default float. No mode has to be on.
func (c *casting) superset(op string) []promote.Step {
	if !c.at.Is(dtype.Integral) || !slices.Contains(reals, op) {
		return nil
	}
	to := c.defaults.Default(Float)
	step := promote.Step{Operands: c.at.String(), Result: promote.Known(to), Rule: superset}
	c.at = to
	return []promote.Step{step}
}

// A Cast is the dtype in which an operation takes an argument, and the steps
// to it: none where it takes the argument as it is.
type Cast struct {
	From, To dtype.DType
	Steps    []promote.Step
}

// String returns the dtypes on the way: "f16 -crosscast-> i32".
func (c Cast) String() string {
	s := c.From.String()
	for _, step := range c.Steps {
		s += fmt.Sprintf(" -%s-> %s", step.Rule.Name, step.Result)
	}
	return s
}
