package promote

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// The rules of jax.join and jax.joinAll. jaxKind is the name of each rule in jaxKindRules.
var (
	jaxSame = Rule{"same dtype", "the operands agree; one of them is known, so the result is known"}
	jaxOne  = Rule{"one operand", "there is nothing to promote"}
	jaxWeak = Rule{"all weak",
		"every operand is weak (?), as plain numbers are: the result is the least upper bound of their dtypes as if " +
			"none were weak, and is weak too (a bool never is)"}
	jaxBound = Rule{"least upper bound", "the lowest dtype of JAX's lattice that is above, or equal to, every operand"}
	jaxKind  = "weak kind"
)

// jaxKindRules holds the rules of a least upper bound that is a weak kind, that is, one of
// the nodes i*, f* and c*, which have no width.
var jaxKindRules = map[string]Rule{
	"i*": {jaxKind,
		"the least upper bound is i*, JAX's integer without a width: the result is the default integer, weak (?)"},
	"f*": {jaxKind, "the least upper bound is f*, JAX's float without a width: the result is the default float, weak (?)"},
	"c*": {jaxKind,
		"the least upper bound is c*, JAX's complex number without a width: the result is the default complex dtype, " +
			"weak (?)"},
}

// join is joinAll for two operands. It allocates only for an error.
func (j jax) join(a, b Operand) (dtype.Typed, Rule, error) {
	x, y := j.canonicalTyped(a), j.canonicalTyped(b)
	if x.DType == y.DType && !(x.Ambiguous && y.Ambiguous) {
		return Known(x.DType), jaxSame, nil
	}
	if x.Ambiguous && y.Ambiguous && !j.strict {
		t, _, err := j.bound(j.lattice.join(j.lattice.node[0][x.DType], j.lattice.node[0][y.DType]), Known(x.DType),
			Known(y.DType))
		return weak(t.DType), jaxWeak, err
	}
	return j.bound(j.lattice.join(j.lattice.at(x), j.lattice.at(y)), x, y)
}

// bound returns the dtype of node, the join of xs in the lattice, and the rule that gives this dtype. It returns an
// error if node is none.
func (j jax) bound(node uint8, xs ...dtype.Typed) (dtype.Typed, Rule, error) {
	if node == none {
		return dtype.Typed{}, Rule{}, j.refusal(xs...)
	}
	t := j.nodeDType(node)
	if j.lattice.typed[node].Ambiguous {
		return t, jaxKindRules[j.lattice.nodes[node]], nil
	}
	return t, jaxBound, nil
}

// nodeDType returns the dtype of a node of the lattice. The dtype of a weak kind is the
// kind's default dtype, weak.
func (j jax) nodeDType(node uint8) dtype.Typed {
	t := j.lattice.typed[node]
	if t.Ambiguous {
		return weak(j.canonical(jaxKindDTypes[j.lattice.nodes[node]]))
	}
	return t
}

// jaxKindDTypes are the default dtypes of the weak kinds.
var jaxKindDTypes = map[string]dtype.DType{"i*": dtype.I64, "f*": dtype.F64, "c*": dtype.C128}

// weak returns d as a weak dtype; a bool is never weak.
func weak(d dtype.DType) dtype.Typed {
	return dtype.Typed{DType: d, Ambiguous: d != dtype.I1 && d != dtype.Invalid}
}

// resolve joins all operands at once, so that the result does not depend on their order.
func (j jax) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	ts := make([]dtype.Typed, len(xs))
	for i, x := range xs {
		ts[i] = j.canonicalTyped(x)
	}
	steps := j.narrowSteps(xs)
	t, r, err := j.joinAll(ts)
	if err != nil {
		return t, steps, err
	}
	steps = append(steps, j.climbSteps(ts, r)...)
	return t, append(steps, Step{listed(ts), t, r}), nil
}

// climbSteps returns the steps up the lattice from ts to their join by rule r, or nil if
// r does not use the lattice.
func (j jax) climbSteps(ts []dtype.Typed, r Rule) []Step {
	if r != jaxBound && r != jaxWeak && r.Name != jaxKind {
		return nil
	}
	joined, nodes := slices.Clone(ts), make([]uint8, len(ts))
	for i, t := range ts {
		if r == jaxWeak { // the rule joins operands as if none were weak
			joined[i] = Known(t.DType)
		}
		nodes[i] = j.lattice.at(joined[i])
	}
	return j.climb(nodes, j.lattice.joinAll(joined))
}

// climbRule returns the rule of a path up the lattice.
func climbRule(path []string) Rule {
	r := Rule{"climb",
		"JAX orders the dtypes in a lattice, which display.Lattice draws; this is a shortest path up from one operand " +
			"to the least upper bound of all"}
	var weak []string
	for _, node := range path {
		if jaxKindDTypes[node] != dtype.Invalid {
			weak = append(weak, node)
		}
	}
	if n := len(weak); n == 1 {
		r.Doc += "; " + weak[0] + " has no width: it stands for weak (ambiguous) dtypes"
	} else if n > 1 {
		r.Doc += "; " + strings.Join(weak[:n-1], ", ") + " and " + weak[n-1] + " have no width: they stand for weak " +
			"(ambiguous) dtypes"
	}
	if strings.Contains(strings.Join(path, " "), "ui32 i32") {
		r.Doc += "; i32 stands where i64 would, as 64-bit dtypes are off"
	}
	return r
}

// climb returns the steps from nodes of the lattice up to their join: a shortest path from
// each distinct node other than the join itself.
func (j jax) climb(nodes []uint8, join uint8) (steps []Step) {
	if join == none {
		return nil
	}
	seen := map[uint8]bool{join: true}
	for _, node := range nodes {
		if seen[node] || node == none {
			continue
		}
		seen[node] = true
		path := j.lattice.path(node, join)
		rule := climbRule(path)
		if !j.wide && slices.Contains(path, "i64") {
			rule.Doc += "; i64 is on the path even while 64-bit dtypes are off"
		}
		steps = append(steps, Step{strings.Join(path, " -> "), j.nodeDType(join), rule})
	}
	return steps
}

var jax64Off = Rule{"64-bit dtypes are off",
	"without jax_enable_x64, i64, ui64 and f64 become 32-bit dtypes, and c128 becomes c64"}

// narrowSteps returns a step for each operand whose dtype is replaced by its canonical dtype.
func (j jax) narrowSteps(xs []Operand) (steps []Step) {
	for _, x := range xs {
		if t := j.canonicalTyped(x); t != x.Typed {
			steps = append(steps, Step{x.Typed.String(), t, jax64Off})
		}
	}
	return steps
}

// joinAll returns the common dtype of ts, which are canonical, and the rule that gives it.
func (j jax) joinAll(ts []dtype.Typed) (dtype.Typed, Rule, error) {
	same := !slices.ContainsFunc(ts, func(t dtype.Typed) bool { return t.DType != ts[0].DType })
	strong := slices.ContainsFunc(ts, func(t dtype.Typed) bool { return !t.Ambiguous })
	switch {
	case len(ts) == 1:
		return ts[0], jaxOne, nil
	case same && strong:
		return Known(ts[0].DType), jaxSame, nil
	case !strong && !j.strict:
		known := make([]dtype.Typed, len(ts))
		for i, t := range ts {
			known[i] = Known(t.DType)
		}
		t, _, err := j.bound(j.lattice.joinAll(known), known...)
		return weak(t.DType), jaxWeak, err
	}
	return j.bound(j.lattice.joinAll(ts), ts...)
}

// refusal returns the error that ts have no common dtype.
func (j jax) refusal(ts ...dtype.Typed) error {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = jaxSpell(t)
	}
	end, advice := jaxRefusalEnding(ts)
	if j.strict {
		end, advice = " when jax_numpy_dtype_promotion=strict.",
			" Try explicitly casting inputs to the desired output type, or set jax_numpy_dtype_promotion=standard."
	}
	return withRest(noCommonDType.refuse("result_type", "TypePromotionError",
		"Input dtypes (%s) have no available implicit dtype promotion path%s", strings.Join(words, ", "), end), advice)
}

// jaxRefusalEnding returns the end of the reason in JAX's error for ts, and the advice that
// follows the reason. Both depend on the narrow dtypes among ts.
func jaxRefusalEnding(ts []dtype.Typed) (end, advice string) {
	has := func(k dtype.Kind, bits ...int) bool {
		return slices.ContainsFunc(ts, func(t dtype.Typed) bool {
			return !t.Ambiguous && t.DType.Is(k) && slices.Contains(bits, t.DType.Bits()) && t.DType != dtype.I1
		})
	}
	narrow, wide := "", "float32"
	switch { // JAX names only the first of these that ts has
	case has(dtype.Floating, 8):
		narrow = "8-bit floats"
	case has(dtype.Floating, 4):
		narrow = "4-bit floats"
	case has(dtype.Integral, 1, 2, 4):
		narrow, wide = "1-bit, 2-bit and 4-bit integers", "int32"
	default:
		return ".", " Try explicitly casting inputs to the desired output type."
	}
	return ". To avoid unintended promotion, " + narrow + " do not support implicit promotion.",
		" If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. " +
			"x.astype('" + wide + "')"
}

// jaxSpell returns the name of t in JAX's errors.
func jaxSpell(t dtype.Typed) string {
	switch {
	case !t.Ambiguous:
		return "'" + t.DType.Long() + "'"
	case t.DType.Is(dtype.Floating):
		return "\"<class 'float'>\""
	case t.DType.Is(dtype.Complex):
		return "\"<class 'complex'>\""
	}
	return "\"<class 'int'>\""
}

// JAXResultType returns the result of jax.dtypes.result_type for xs under s: the common
// dtype, or the default dtype of its kind if it is weak.
func JAXResultType(s *System, xs ...any) (dtype.Typed, error) {
	ops, err := s.Operands(xs...)
	if err != nil {
		return dtype.Typed{}, err
	}
	t, err := s.Resolve(ops...)
	if err != nil || !t.Ambiguous {
		return t, err
	}
	if t.DType.Is(dtype.Integral) && t.DType.Bits() < 8 {
		// JAX looks up the dtype by 'V', its kind code in NumPy, and has no entry for it.
		return t, noCommonDType.refuse("result_type", "KeyError", "'V'")
	}
	d := jax{wide: s == JAX64 || s == JAXStrict64}.defaultOfKind(t.DType)
	return weak(d), nil
}

// JAXExplainResult returns the steps of result_type (see JAXResultType).
func JAXExplainResult(s *System, xs ...any) Explanation {
	e := s.Explain(xs...)
	if e.Err != nil {
		return e
	}
	t, err := JAXResultType(s, xs...)
	if err == nil && t != e.Result {
		e.Steps = append(e.Steps,
			Step{e.Result.String(), t,
				Rule{"weak default", "result_type reports a weak dtype as the default of its kind"}})
	}
	e.Result, e.Err = t, err
	return e
}

// JAXPromoteTypes returns the result of jax.numpy.promote_types under s, one of JAX's
// systems: the join of a and b in the lattice, with 64-bit dtypes enabled, never weak.
func JAXPromoteTypes(s *System, a, b dtype.DType) (dtype.DType, error) {
	e := JAXExplainTypes(s, a, b)
	return e.Result.DType, e.Err
}

// JAXExplainTypes returns the steps of promote_types (see JAXPromoteTypes).
func JAXExplainTypes(s *System, a, b dtype.DType) Explanation {
	if !strings.HasPrefix(s.Framework(), "jax") {
		return Explanation{System: s, Err: &dtype.Error{Op: "promote_types", Operands: s.Name(),
			Reason: "the system is not one of JAX's", Hint: "give promote.JAX, JAX64, JAXStrict or JAXStrict64"}}
	}
	j := jax{lattice: s.Lattice(), wide: true, strict: s == JAXStrict || s == JAXStrict64}
	x, y := Operand{Typed: Known(a), Rank: 1}, Operand{Typed: Known(b), Rank: 1}
	t, r, err := j.join(x, y)
	e := Explanation{System: s, Operands: []Operand{x, y}, Result: Known(t.DType), Err: err}
	climbs := j.climbSteps([]dtype.Typed{Known(a), Known(b)}, r)
	if r.Name == jaxKind {
		for i := range climbs {
			climbs[i].Rule.Name = "climb in 64 bits"
		}
		r = Rule{"weak kind in 64 bits",
			"the least upper bound is i*, f* or c*, which has no width: promote_types returns the 64-bit dtype of that kind"}
	}
	if err == nil {
		e.Steps = append(climbs, Step{a.String() + " with " + b.String(), t, r})
		if t.Ambiguous {
			e.Steps = append(e.Steps, kernelStep("table", t, e.Result))
		}
	}
	return e
}
