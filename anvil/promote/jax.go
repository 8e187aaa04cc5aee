package promote

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// jaxHasse is JAX's promotion lattice where 64-bit dtypes are enabled. The dtypes of at most 8 bits
// with nothing above them join numbers and the dtypes below them, never each other.
// Source: jax/_src/dtypes.py of 0.10.2.
const jaxHasse = `
i1 -> i*
i* -> ui8 ui2 ui4 i8 i2 i4 i1_int ui1
ui8 -> i16 ui16
ui16 -> i32 ui32
ui32 -> i64 ui64
ui64 -> f*
i8 -> i16
i16 -> i32
i32 -> i64
i64 -> f*
f* -> f4e2m1fn float6_e2m3fn float6_e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz bf16 f16 c*
bf16 f16 -> f32
f32 -> f64 c64
f64 -> c128
c* -> c64
c64 -> c128
`

// jaxStrictHasse is the lattice of the strict mode: only numbers promote.
const jaxStrictHasse = `
i* -> f* ui1 ui2 ui4 ui8 ui16 ui32 ui64 i1_int i2 i4 i8 i16 i32 i64
f* -> c* f4e2m1fn float6_e2m3fn float6_e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz bf16 f16 f32 f64
c* -> c64 c128
i1
`

var (
	jaxLattice64 = NewLattice(jaxHasse)
	// Without 64-bit dtypes ui32 and the signed integers join in i32.
	jaxLattice       = NewLattice(strings.Replace(jaxHasse, "ui32 -> i64", "ui32 -> i32", 1))
	jaxStrictLattice = NewLattice(jaxStrictHasse)
)

var jaxDTypes = []dtype.DType{dtype.I1, dtype.U8, dtype.U16, dtype.U32, dtype.I8, dtype.I16, dtype.I32,
	dtype.BF16, dtype.F16, dtype.F32, dtype.C64}

var jaxDTypes64 = []dtype.DType{dtype.I1, dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// JAX's systems. JAX calls ambiguous dtypes weakly typed.
var (
	// JAX is JAX's default: 64-bit dtypes become those of 32 bits.
	JAX = newJAX("jax", "JAX: least upper bound in a lattice; numbers and results of numbers alone are weak", jaxDTypes,
		jax{lattice: jaxLattice})
	// JAX64 is JAX with 64-bit dtypes (jax_enable_x64).
	JAX64 = newJAX("jax64", "JAX with 64-bit dtypes", jaxDTypes64, jax{lattice: jaxLattice64, wide: true})
	// JAXStrict is JAX's strict mode: only Python's numbers promote.
	JAXStrict = newJAX("jaxstrict", "JAX where only numbers promote", jaxDTypes,
		jax{lattice: jaxStrictLattice, strict: true})
	// JAXStrict64 is JAXStrict with 64-bit dtypes.
	JAXStrict64 = newJAX("jaxstrict64", "JAX with 64-bit dtypes where only numbers promote", jaxDTypes64,
		jax{lattice: jaxStrictLattice, strict: true, wide: true})
)

// jax holds the parameters of JAX's systems; its methods are their rules.
type jax struct {
	lattice *Lattice
	strict  bool // only numbers promote
	wide    bool // 64-bit dtypes are enabled
}

// newJAX returns the system with the parameters j, whose tables show ds.
func newJAX(name, doc string, ds []dtype.DType, j jax) *System {
	framework := "jax"
	if j.strict {
		framework = "jaxstrict"
	}
	return New(name, doc, ds, Rules{
		Literal: j.literal,
		Convert: j.convert,
		Lattice: j.lattice,
		Join:    j.join,
		Resolve: j.resolve,
		Divide:  j.divide,
		Reduce:  j.reduce,
		Operate: j.operate,
		NegativePower: negativePower(&Refusal{Op: "power", Kind: "TypeError",
			Reason: "Integers cannot be raised to negative powers, got integer_pow", cause: negativeExponent}),
		Framework: framework,
	})
}

// jaxNarrow maps the dtypes of 64 bits and more to those that replace them if they are
// not enabled.
var jaxNarrow = map[dtype.DType]dtype.DType{dtype.I64: dtype.I32, dtype.U64: dtype.U32, dtype.F64: dtype.F32, dtype.C128: dtype.C64}

// canonical returns d, or the narrower dtype that replaces it if 64-bit dtypes are not
// enabled.
func (j jax) canonical(d dtype.DType) dtype.DType {
	if !j.wide && d.Bits() >= 64 {
		if n, ok := jaxNarrow[d]; ok {
			return n
		}
	}
	return d
}

// canonicalTyped returns the canonical dtype of x, with x's flag.
func (j jax) canonicalTyped(x Operand) dtype.Typed {
	return dtype.Typed{DType: j.canonical(x.DType), Ambiguous: x.Ambiguous}
}

// defaultOf returns the default dtype of d's kind.
func (j jax) defaultOf(d dtype.DType) dtype.DType {
	switch {
	case d.Is(dtype.Signed):
		d = dtype.I64
	case d.Is(dtype.Unsigned):
		d = dtype.U64
	case d.Is(dtype.Floating):
		d = dtype.F64
	case d.Is(dtype.Complex):
		d = dtype.C128
	}
	return j.canonical(d)
}

// literal returns the default dtype of a number, which an int must fit.
func (j jax) literal(v any) (dtype.Typed, error) {
	switch v := v.(type) {
	case bool:
		return Known(dtype.I1), nil
	case int:
		d := j.canonical(dtype.I64)
		if _, err := dtype.Fit(v, d); err != nil {
			return dtype.Typed{}, outOfRange.refuse("jax", "OverflowError", "Python int %d too large to convert to %s",
				v, d.Long())
		}
		return Amb(d), nil
	}
	return defaultOf(v, dtype.I64, j.canonical(dtype.F64), j.canonical(dtype.C128))
}

// convert converts a number to d, wrapping if it does not fit. JAX passes an int to a
// compiled program as its default integer, which an int for an integer dtype must fit.
func (j jax) convert(v any, d dtype.DType) (any, error) {
	if n, ok := v.(int); ok {
		if _, err := dtype.Fit(n, j.canonical(dtype.I64)); err != nil && d.Is(dtype.Integral) {
			return nil, outOfRange.refuse("jit", "OverflowError",
				"An overflow was encountered while parsing an argument to a jitted computation. Got <class 'int'> with value %d", n)
		}
	}
	return dtype.Cast(v, d)
}

// The rules of jax.join and jax.joinAll; jaxKind is the name of those in jaxKindRules.
var (
	jaxSame  = Rule{"same dtype", "the operands agree; one of them is known, so the result is known"}
	jaxOne   = Rule{"one operand", "there is nothing to promote"}
	jaxWeak  = Rule{"all weak", "every operand is weak (?), as plain numbers are: the result is the least upper bound of their dtypes as if none were weak, and is weak too (a bool never is)"}
	jaxBound = Rule{"least upper bound", "the lowest dtype of JAX's lattice that paths up from all operands reach"}
	jaxKind  = "weak kind"
)

// jaxKindRules are the rules of a least upper bound that is a weak kind: a node without
// a width.
var jaxKindRules = map[string]Rule{
	"i*": {jaxKind, "the least upper bound is i*, JAX's integer without a width: the result is the default integer, weak (?)"},
	"f*": {jaxKind, "the least upper bound is f*, JAX's float without a width: the result is the default float, weak (?)"},
	"c*": {jaxKind, "the least upper bound is c*, JAX's complex number without a width: the result is the default complex dtype, weak (?)"},
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

// bound returns the dtype and the rule of node, which is the join of xs in the lattice, or
// an error if node is none.
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

// nodeDType returns the dtype of a node of the lattice. For a weak kind it is the
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

// resolve joins all operands at once: unlike a fold it does not depend on
// their order.
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
	r := Rule{"climb", "JAX orders the dtypes in a lattice, which display.Lattice draws; this is a shortest path up from one operand to the least upper bound of all"}
	var weak []string
	for _, node := range path {
		if jaxKindDTypes[node] != dtype.Invalid {
			weak = append(weak, node)
		}
	}
	if n := len(weak); n == 1 {
		r.Doc += "; " + weak[0] + " has no width: it stands for weak (ambiguous) dtypes"
	} else if n > 1 {
		r.Doc += "; " + strings.Join(weak[:n-1], ", ") + " and " + weak[n-1] + " have no width: they stand for weak (ambiguous) dtypes"
	}
	if strings.Contains(strings.Join(path, " "), "ui32 i32") {
		r.Doc += "; i32 stands where i64 would, as 64-bit dtypes are off"
	}
	return r
}

// climb returns the steps from nodes of the lattice to their join: a shortest path
// for each different node but the join itself.
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

var jaxOff = Rule{"64-bit dtypes are off", "without jax_enable_x64, i64, ui64 and f64 become 32-bit dtypes, and c128 becomes c64"}

// narrowSteps returns the steps of the operands whose dtypes are not enabled.
func (j jax) narrowSteps(xs []Operand) (steps []Step) {
	for _, x := range xs {
		if t := j.canonicalTyped(x); t != x.Typed {
			steps = append(steps, Step{x.Typed.String(), t, jaxOff})
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
	end, advice := jaxUnpromoted(ts)
	if j.strict {
		end, advice = " when jax_numpy_dtype_promotion=strict.",
			" Try explicitly casting inputs to the desired output type, or set jax_numpy_dtype_promotion=standard."
	}
	return withRest(noCommonDType.refuse("result_type", "TypePromotionError",
		"Input dtypes (%s) have no available implicit dtype promotion path%s", strings.Join(words, ", "), end), advice)
}

// jaxUnpromoted returns the end of a refusal's reason and the advice that follows it. They
// depend on the narrow dtypes among ts.
func jaxUnpromoted(ts []dtype.Typed) (end, advice string) {
	has := func(k dtype.Kind, bits ...int) bool {
		return slices.ContainsFunc(ts, func(t dtype.Typed) bool {
			return !t.Ambiguous && t.DType.Is(k) && slices.Contains(bits, t.DType.Bits()) && t.DType != dtype.I1
		})
	}
	narrow, wide := "", "float32"
	switch { // JAX names only the first that applies
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
		" If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('" + wide + "')"
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
		// JAX does not know V, NumPy's kind code of such a dtype.
		return t, noCommonDType.refuse("result_type", "KeyError", "'V'")
	}
	d := jax{wide: s == JAX64 || s == JAXStrict64}.defaultOf(t.DType)
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

// JAXPromoteTypes returns the result of jax.numpy.promote_types under s: the join
// of a and b in the lattice with 64-bit dtypes, never weak.
func JAXPromoteTypes(s *System, a, b dtype.DType) (dtype.DType, error) {
	e := JAXExplainTypes(s, a, b)
	return e.Result.DType, e.Err
}

// JAXExplainTypes returns the steps of promote_types (see JAXPromoteTypes).
func JAXExplainTypes(s *System, a, b dtype.DType) Explanation {
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

func (j jax) divide(t dtype.Typed) (dtype.Typed, Rule) {
	r, err := j.compute("", "true_divide", t)
	if err != nil {
		return t, ruleDivision
	}
	return r, Rule{"true division", "integers are divided in the float of their width, at least f32"}
}

// jaxReductions are the operations that stand for the families of reductions.
var jaxReductions = [...]string{Sum: "sum", Extreme: "max", Mean: "mean", Logical: "all", Index: "argmax", Compare: "isnan"}

// reduce returns the dtype of the operation in jaxReductions. A comparison is weak if its
// operands are.
func (j jax) reduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	d, err := j.compute("unary", jaxReductions[r], t)
	if r == Compare {
		d = dtype.Typed{DType: dtype.I1, Ambiguous: t.Ambiguous}
	} else if err != nil {
		d = t
	}
	return d, kernelRule(jaxReductions[r], t, d)
}

var jaxTable = tableOf("jax")

// compute returns the dtype of an operation's result, computed at the common dtype t. The
// table has weak dtypes only of the default widths: the result for a weak dtype of another
// width is that for the known dtype, and is weak if that for the default width is.
func (j jax) compute(section, op string, t dtype.Typed) (dtype.Typed, error) {
	k, err := jaxTable().kernel(section, op)
	if err != nil {
		return dtype.Typed{}, err
	}
	if like, ok := k.widen(t.DType); ok { // like stands for t in the table
		r, err := k.at(op, Known(like), dtype.DType.Long)
		if err == nil && r.DType == like {
			r.DType = t.DType
		}
		r.DType = j.canonical(r.DType)
		return r, err
	}
	r, err := k.at(op, Known(t.DType), dtype.DType.Long)
	if err != nil {
		if strings.HasSuffix(err.Error(), "integers do not support implicit promotion.") {
			_, advice := jaxUnpromoted([]dtype.Typed{Known(dtype.I2)}) // the same for all narrow integers
			err = withRest(err, advice)
		}
		return r, err
	}
	if t.Ambiguous {
		atDefault, ok := k.result[Amb(jaxWeakColumn(t.DType))]
		if op == "median" || op == "quantile" || op == "relu" && t.DType.Is(dtype.Integral) {
			r = atDefault // these combine their operand with a number of Python
		}
		r.Ambiguous = ok && atDefault.Ambiguous || t.DType == dtype.I1 && slices.Contains(jaxWeakForBools, op)
	}
	r.DType = j.canonical(r.DType)
	return r, nil
}

// jaxWeakForBools are the elementwise functions whose result for weak bools, made by a
// comparison of weak numbers, is weak.
var jaxWeakForBools = []string{"abs", "floor", "ceil", "trunc", "invert", "logical_not", "isnan", "isfinite", "conjugate", "real", "imag", "sort"}

// widen returns the dtype whose result stands for that of d, if d is a narrow dtype that
// the table does not have: the narrowest dtype of d's kind in the table. Otherwise it
// returns d, and ok is false.
func (k *kernel) widen(d dtype.DType) (like dtype.DType, ok bool) {
	_, has := k.result[Known(d)]
	_, fails := k.fail[Known(d)]
	switch {
	case has || fails || d == dtype.I1:
	case d.Is(dtype.Signed) && d.Bits() < 8:
		return dtype.I8, true
	case d.Is(dtype.Unsigned) && d.Bits() < 8:
		return dtype.U8, true
	case d.Is(dtype.Floating) && d.Bits() <= 8:
		return dtype.BF16, true
	}
	return d, false
}

// jaxWeakColumn returns the dtype under which the table has the weak dtypes of d's
// kind.
func jaxWeakColumn(d dtype.DType) dtype.DType {
	if d.Is(dtype.Unsigned) {
		d = dtype.I64
	}
	return jax{wide: true}.defaultOf(d)
}

// operate joins the operands, applies the default dtype to the weak results that JAX gives it
// to, and computes the operation at that dtype. Some operations have rules of their own.
func (j jax) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	section := sectionFor(xs, "")
	switch {
	case section == "" && op == "ldexp":
		return j.ldexp(xs[0], xs[1])
	case section == "" && strings.HasPrefix(op, "lax."):
		if err := j.checkPrimitive(op, xs); err != nil {
			return dtype.Typed{}, nil, err
		}
	case op == "power" && len(xs) == 2 && isPythonInteger(xs[1].Literal):
		r, steps := j.integerPower(xs)
		return r, steps, nil
	case op == "clamp":
		return j.clamp(xs)
	}
	if _, err := jaxTable().kernel(section, op); err != nil {
		return dtype.Typed{}, nil, err
	}
	t, steps, err := j.resolve(xs)
	if err != nil {
		return t, steps, err
	}
	if doc := j.weakDefaultReason(op, t); doc != "" {
		d := weak(j.defaultOf(t.DType))
		if op == "floor_divide" && t.DType.Is(dtype.Floating) && t != d {
			return t, steps, jaxMixed("lax.select", d.DType, t.DType)
		}
		if t != d {
			steps = append(steps, Step{op + " of " + t.String(), d, Rule{"weak default", doc}})
		}
		t = d
	}
	if op == "matmul" || op == "dot" {
		if err := j.checkProduct(xs, t.DType); err != nil {
			return t, steps, err
		}
	}
	if op == "power" && len(xs) == 2 && xs[1].DType.Is(dtype.Integral) && xs[0].DType.Is(dtype.Inexact) {
		base := j.canonicalTyped(xs[0])
		own := dtype.Typed{DType: base.DType, Ambiguous: xs[0].Ambiguous && xs[1].Ambiguous}
		rule := Rule{"float to an integer, known",
			"a float to the power of an integer keeps the float's dtype, and is weak (?) only if both operands are"}
		if own.Ambiguous {
			rule.Name = "float to an integer, weak"
		}
		steps = append(steps, Step{"power of " + base.String(), own, rule})
		t = own
	}
	r, err := j.compute(section, op, t)
	if err != nil {
		return r, steps, err
	}
	complexLogAdd := op == "logaddexp" && t.DType.Is(dtype.Complex) // JAX wraps the angle of its result
	withZero := slices.Contains(jaxWithZero, op) && t.DType == j.defaultOf(t.DType) && !t.DType.Is(dtype.Unsigned)
	if t.Ambiguous && (complexLogAdd || withZero) { // an array becomes known, a scalar stays weak
		r.Ambiguous = !slices.ContainsFunc(xs, func(x Operand) bool { return x.Rank > 0 })
	}
	return r, computed(steps, op, t, r), nil
}

// jaxWithZero are the functions that combine their operand with Python's 0. A weak
// scalar of the default dtype stays weak, an array does not.
var jaxWithZero = []string{"logical_not", "gcd", "lcm"}

// weakDefaultReason returns why op computes operands of the common dtype t in the default
// dtype of their kind, or "" if it does not. Only weak operands are.
func (j jax) weakDefaultReason(op string, t dtype.Typed) string {
	switch {
	case !t.Ambiguous:
	case op == "matmul" || op == "dot":
		return "a product of weak arrays is added up in the default dtype of their kind"
	case op == "floor_divide" && t.DType.Is(dtype.Signed|dtype.Floating):
		return "JAX subtracts Python's number 1 where signs differ: beside it a weak array takes the default dtype of its kind"
	case op == "trunc" && j.strict && t.DType.Is(dtype.Floating):
		return "JAX selects from two weak floats, whose least upper bound is f*, the default float"
	}
	return ""
}

// clamp returns the dtype of jax.numpy.clip: the maximum of x and low, and then the
// minimum of that and high.
func (j jax) clamp(xs []Operand) (dtype.Typed, []Step, error) {
	if anyOf(xs, dtype.Complex) {
		return dtype.Typed{}, nil,
			refuse("clip", "ValueError",
				"Clip received a complex value either through the input or the min/max keywords. Complex values have no ordering and cannot be clipped. "+
					"Please convert to a real value or array by taking the real or imaginary components via jax.numpy.real/imag respectively.")
	}
	t, steps, err := j.operate("maximum", []Operand{xs[1], xs[0]})
	if err != nil {
		return t, steps, err
	}
	t, more, err := j.operate("minimum", []Operand{xs[2], {Typed: t, Rank: xs[0].Rank}})
	return t, append(steps, more...), err
}

// checkProduct returns an error if a matrix product is summed in a dtype t narrower
// than an operand's, which happens with weak operands. Narrower floats are allowed.
func (j jax) checkProduct(xs []Operand, t dtype.DType) error {
	for _, x := range xs {
		d := j.canonical(x.DType)
		sameKind := d.Is(dtype.Integral) && t.Is(dtype.Integral) || d.Is(dtype.Complex) && t.Is(dtype.Complex)
		if sameKind && t.Bits() < d.Bits() {
			return refuse("dot_general", "TypeError",
				"`preferred_element_type` must not be narrower than the original type, got preferred_element_type of %s for result type of %s.", t.Long(), d.Long())
		}
	}
	return nil
}

// jaxPromoting maps primitives, which do not promote, to the similar jax.numpy functions,
// which do.
var jaxPromoting = map[string]string{"lax.add": "add", "lax.sub": "subtract", "lax.mul": "multiply", "lax.div": "divide", "lax.rem": "remainder",
	"lax.pow": "float_power", "lax.max": "maximum", "lax.min": "minimum", "lax.atan2": "arctan2", "lax.select": "where"}

// jaxMixed returns the error of a primitive with operands of two dtypes.
func jaxMixed(op string, first, second dtype.DType) error {
	if op == "lax.select" { // the error names the case for false first
		first, second = second, first
	}
	err := refuse(op, "TypeError", "%s requires arguments to have the same dtypes, got %s, %s.", op, first.Long(),
		second.Long())
	if name, ok := jaxPromoting[op]; ok {
		return withRest(err, " (Tip: jnp."+name+" is a similar function that does automatic type promotion on inputs).")
	}
	return err
}

// checkPrimitive returns an error if a primitive does not take the dtype of an operand,
// or if the operands' dtypes differ.
func (j jax) checkPrimitive(op string, xs []Operand) error {
	for i, x := range xs {
		_, err := j.compute("", op, Known(x.DType))
		var refusal *Refusal
		if errors.As(err, &refusal) {
			reason := strings.ReplaceAll(refusal.Reason, "position 0", "position "+strconv.Itoa(i))
			return &Refusal{Op: refusal.Op, Kind: refusal.Kind, Reason: reason, cause: refusal.cause}
		}
	}
	if j.canonical(xs[0].DType) != j.canonical(xs[1].DType) {
		return jaxMixed(op, xs[0].DType, xs[1].DType)
	}
	return nil
}

// isPythonInteger reports whether v is an int of Python, as a bool is too.
func isPythonInteger(v any) bool {
	switch v.(type) {
	case int, bool:
		return true
	}
	return false
}

// integerPower returns the dtype of a power with a Python integer as exponent: that
// of its base, i32 for a bool. Source: jax/_src/numpy/ufuncs.py power.
func (j jax) integerPower(xs []Operand) (dtype.Typed, []Step) {
	base := j.canonicalTyped(xs[0])
	t := base
	if t.DType == dtype.I1 {
		t = Known(dtype.I32)
	}
	return t, append(j.narrowSteps(xs[:1]),
		Step{"power of " + base.String(), t,
			Rule{"integer power", "a Python integer as exponent: the base's dtype, i32 for a bool"}})
}

// jaxRepr returns NumPy's repr of d; that of a dtype of ml_dtypes has no quotes.
func jaxRepr(d dtype.DType) string {
	if d == dtype.BF16 {
		return "dtype(bfloat16)"
	}
	return "dtype('" + d.Long() + "')"
}

// ldexp returns the dtype of x times 2 to the power of an integer exponent.
func (j jax) ldexp(x, exponent Operand) (dtype.Typed, []Step, error) {
	if !exponent.DType.Is(dtype.Bits) || x.DType.Is(dtype.Complex) {
		return dtype.Typed{}, nil, refuse("ldexp", "ValueError", "ldexp not supported for input types (%s, %s)",
			jaxRepr(x.DType), jaxRepr(exponent.DType))
	}
	t := j.canonicalTyped(x)
	r, err := j.compute("", "true_divide", t)
	if err != nil {
		return r, nil, err
	}
	first := Step{t.String() + ", " + exponent.Typed.String(), t,
		Rule{"first operand", "the first operand's dtype, whatever the exponent's"}}
	return r, append(j.narrowSteps([]Operand{x}), first, kernelStep("ldexp", t, r)), nil
}
