package promote

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// jaxHasse is JAX's promotion lattice where 64-bit dtypes are enabled. The
// narrowest integers and floats have nothing above them: they meet numbers and
// what lies below, never each other.
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

// jaxStrictHasse lets numbers promote and nothing else.
const jaxStrictHasse = `
i* -> f* ui1 ui2 ui4 ui8 ui16 ui32 ui64 i1_int i2 i4 i8 i16 i32 i64
f* -> c* f4e2m1fn float6_e2m3fn float6_e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz bf16 f16 f32 f64
c* -> c64 c128
i1
`

var (
	jaxLattice64 = NewLattice(jaxHasse)
	// Without 64-bit dtypes ui32 meets the signed integers in i32.
	jaxLattice       = NewLattice(strings.Replace(jaxHasse, "ui32 -> i64", "ui32 -> i32", 1))
	jaxStrictLattice = NewLattice(jaxStrictHasse)
)

var jaxDTypes = []dtype.DType{dtype.I1, dtype.U8, dtype.U16, dtype.U32, dtype.I8, dtype.I16, dtype.I32,
	dtype.BF16, dtype.F16, dtype.F32, dtype.C64}

var jaxDTypes64 = []dtype.DType{dtype.I1, dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// JAX's systems. Ambiguous is what JAX calls weakly typed.
var (
	// JAX is JAX as it starts: 64-bit dtypes become those of 32 bits.
	JAX = newJAX("jax", "JAX: least upper bound in a lattice; numbers and what is born of them are weak", jaxDTypes, jax{lattice: jaxLattice})
	// JAX64 is JAX with 64-bit dtypes (jax_enable_x64).
	JAX64 = newJAX("jax64", "JAX with 64-bit dtypes", jaxDTypes64, jax{lattice: jaxLattice64, wide: true})
	// JAXStrict lets Python's numbers promote and nothing else.
	JAXStrict = newJAX("jaxstrict", "JAX where only numbers promote", jaxDTypes, jax{lattice: jaxStrictLattice, strict: true})
	// JAXStrict64 is JAXStrict with 64-bit dtypes.
	JAXStrict64 = newJAX("jaxstrict64", "JAX with 64-bit dtypes where only numbers promote", jaxDTypes64, jax{lattice: jaxStrictLattice, strict: true, wide: true})
)

// jax is what varies between JAX's systems.
type jax struct {
	lattice      *Lattice
	strict, wide bool
}

func newJAX(name, doc string, ds []dtype.DType, j jax) *System {
	return New(name, doc, ds, Rules{
		Literal: j.literal,
		Convert: j.convert,
		Lattice: j.lattice,
		Join:    j.join,
		Resolve: j.resolve,
		Divide:  j.divide,
		Reduce:  j.reduce,
		Operate: j.operate,
		Values:  jaxValues,
	})
}

// jaxNarrow is what 64-bit dtypes become where they are not enabled.
var jaxNarrow = map[dtype.DType]dtype.DType{dtype.I64: dtype.I32, dtype.U64: dtype.U32, dtype.F64: dtype.F32, dtype.C128: dtype.C64}

// Canonical returns d, or what JAX without 64-bit dtypes takes for it.
func (j jax) canonical(d dtype.DType) dtype.DType {
	if !j.wide && d.Bits() >= 64 {
		if n, ok := jaxNarrow[d]; ok {
			return n
		}
	}
	return d
}

// defaultOf returns the dtype that a weak dtype of d's kind stands for.
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

func (j jax) literal(v any) (dtype.Typed, error) {
	switch v := v.(type) {
	case bool:
		return Known(dtype.I1), nil
	case int:
		d := j.canonical(dtype.I64)
		if _, err := dtype.Fit(v, d); err != nil {
			return dtype.Typed{}, refuse("jax", "OverflowError", "Python int %d too large to convert to %s", v, d.Long())
		}
		return Amb(d), nil
	case float64:
		return Amb(j.canonical(dtype.F64)), nil
	case complex128:
		return Amb(j.canonical(dtype.C128)), nil
	}
	return dtype.OfLiteral(v)
}

// convert: a number wraps where it does not fit, but it is an argument of a
// program first, and must fit the default integer.
func (j jax) convert(v any, d dtype.DType) (any, error) {
	if n, ok := v.(int); ok {
		if _, err := dtype.Fit(n, j.canonical(dtype.I64)); err != nil && d.Is(dtype.Integral) {
			return nil, refuse("jit", "OverflowError", "An overflow was encountered while parsing an argument to a jitted computation. Got <class 'int'> with value %d", n)
		}
	}
	return dtype.Cast(v, d)
}

var (
	jaxSame  = Rule{"same dtype", "all are the same, and not all weak"}
	jaxOne   = Rule{"one operand", "it has the dtype that it has"}
	jaxWeak  = Rule{"all weak", "the join of what they would be if they were not weak, made weak"}
	jaxBound = Rule{"least upper bound", "the lowest node of the lattice that lies above all, or is one of them"}
	jaxKind  = "weak kind"
)

// jaxKindOf are the rules of a least upper bound that is a weak kind.
var jaxKindOf = map[string]Rule{
	"i*": {jaxKind, "the least upper bound in the lattice is i*, a weak kind: its default dtype, weak"},
	"f*": {jaxKind, "the least upper bound in the lattice is f*, a weak kind: its default dtype, weak"},
	"c*": {jaxKind, "the least upper bound in the lattice is c*, a weak kind: its default dtype, weak"},
}

func (j jax) join(a, b Operand) (dtype.Typed, Rule, error) {
	x, y := a.Typed, b.Typed
	x.DType, y.DType = j.canonical(x.DType), j.canonical(y.DType)
	if x.DType == y.DType && !(x.Ambiguous && y.Ambiguous) {
		return Known(x.DType), jaxSame, nil
	}
	if x.Ambiguous && y.Ambiguous && !j.strict {
		t, _, err := j.bound(j.lattice.join(j.lattice.node[0][x.DType], j.lattice.node[0][y.DType]), Known(x.DType), Known(y.DType))
		return weak(t.DType), jaxWeak, err
	}
	return j.bound(j.lattice.join(j.lattice.at(x), j.lattice.at(y)), x, y)
}

// bound returns the dtype of a node of the lattice.
func (j jax) bound(node uint8, xs ...dtype.Typed) (dtype.Typed, Rule, error) {
	if node == none {
		return dtype.Typed{}, Rule{}, j.refusal(xs...)
	}
	t := j.lattice.typed[node]
	if t.Ambiguous {
		kind := j.lattice.nodes[node]
		return weak(j.canonical(jaxKinds[kind])), jaxKindOf[kind], nil
	}
	return t, jaxBound, nil
}

// jaxKinds are the dtypes that the weak kinds stand for.
var jaxKinds = map[string]dtype.DType{"i*": dtype.I64, "f*": dtype.F64, "c*": dtype.C128}

// weak returns d as weak; a bool is never weak.
func weak(d dtype.DType) dtype.Typed {
	return dtype.Typed{DType: d, Ambiguous: d != dtype.I1 && d != dtype.Invalid}
}

// resolve joins all operands at once: unlike a fold it does not depend on
// their order.
func (j jax) resolve(xs []Operand) (dtype.Typed, []Step, error) {
	ts := make([]dtype.Typed, len(xs))
	for i, x := range xs {
		ts[i] = dtype.Typed{DType: j.canonical(x.DType), Ambiguous: x.Ambiguous}
	}
	steps := j.narrowed(xs)
	t, r, err := j.joinAll(ts)
	if err != nil {
		return t, steps, err
	}
	steps = append(steps, j.climbs(ts, r)...)
	return t, append(steps, Step{typedWords(ts), t, r}), nil
}

// climbs are the steps up the lattice to a join by rule r.
func (j jax) climbs(ts []dtype.Typed, r Rule) []Step {
	if r != jaxBound && r != jaxWeak && r.Name != jaxKind {
		return nil
	}
	nodes, known := make([]uint8, len(ts)), make([]dtype.Typed, len(ts))
	for i, t := range ts {
		if r == jaxWeak {
			t = Known(t.DType)
		}
		known[i], nodes[i] = t, j.lattice.at(t)
	}
	return j.climb(nodes, j.lattice.joinAll(known))
}

var jaxOff = Rule{"64-bit dtypes are off", "without jax_enable_x64 a 64-bit dtype is taken to be that of 32 bits"}

// narrowed are the steps of the operands whose dtypes are not enabled.
func (j jax) narrowed(xs []Operand) (steps []Step) {
	for _, x := range xs {
		if d := j.canonical(x.DType); d != x.DType {
			steps = append(steps, Step{x.Typed.String(), dtype.Typed{DType: d, Ambiguous: x.Ambiguous}, jaxOff})
		}
	}
	return steps
}

// typedWords returns ts in words.
func typedWords(ts []dtype.Typed) string {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = t.String()
	}
	return strings.Join(words, ", ")
}

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

func (j jax) refusal(ts ...dtype.Typed) error {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = jaxSpell(t)
	}
	end, advice := jaxUnpromoted(ts)
	if j.strict {
		end, advice = " when jax_numpy_dtype_promotion=strict.", " Try explicitly casting inputs to the desired output type, or set jax_numpy_dtype_promotion=standard."
	}
	return goingOn(refuse("result_type", "TypePromotionError", "Input dtypes (%s) have no available implicit dtype promotion path%s", strings.Join(words, ", "), end), advice)
}

// jaxUnpromoted is the end of a refusal, and its advice: narrow dtypes do not
// promote on purpose.
func jaxUnpromoted(ts []dtype.Typed) (end, advice string) {
	has := func(k dtype.Kind, bits ...int) bool {
		return slices.ContainsFunc(ts, func(t dtype.Typed) bool {
			return !t.Ambiguous && t.DType.Is(k) && slices.Contains(bits, t.DType.Bits()) && t.DType != dtype.I1
		})
	}
	narrow, wide := "", "float32"
	switch {
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

// JAXResultType returns what jax.dtypes.result_type reports for xs under s: the
// common dtype, where a weak one becomes the default of its kind.
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
		return t, refuse("result_type", "KeyError", "'V'") // these have no kind of NumPy's
	}
	d := jax{wide: s == JAX64 || s == JAXStrict64}.defaultOf(t.DType)
	return weak(d), nil
}

// JAXExplainResult returns how result_type comes to its dtype (see
// JAXResultType).
func JAXExplainResult(s *System, xs ...any) Explanation {
	e := s.Explain(xs...)
	if e.Err != nil {
		return e
	}
	t, err := JAXResultType(s, xs...)
	if err == nil && t != e.Result {
		e.Steps = append(e.Steps, Step{e.Result.String(), t, Rule{"weak default", "result_type reports a weak dtype as the default of its kind"}})
	}
	e.Result, e.Err = t, err
	return e
}

// JAXPromoteTypes returns what jax.numpy.promote_types gives under s: the join
// in the lattice of a and b as they are, 64-bit dtypes too, and never weak.
func JAXPromoteTypes(s *System, a, b dtype.DType) (dtype.DType, error) {
	j := jax{lattice: s.Lattice(), wide: true, strict: s == JAXStrict || s == JAXStrict64}
	t, _, err := j.join(Operand{Typed: Known(a)}, Operand{Typed: Known(b)})
	return t.DType, err
}

// JAXExplainTypes returns how promote_types comes to its dtype (see
// JAXPromoteTypes).
func JAXExplainTypes(s *System, a, b dtype.DType) Explanation {
	j := jax{lattice: s.Lattice(), wide: true, strict: s == JAXStrict || s == JAXStrict64}
	x, y := Operand{Typed: Known(a), Rank: 1}, Operand{Typed: Known(b), Rank: 1}
	t, r, err := j.join(x, y)
	e := Explanation{System: s, Operands: []Operand{x, y}, Result: Known(t.DType), Err: err}
	climbs := j.climbs([]dtype.Typed{Known(a), Known(b)}, r)
	if r.Name == jaxKind {
		for i := range climbs {
			climbs[i].Rule.Name = "climb in 64 bits"
		}
		r = Rule{"weak kind in 64 bits", "the least upper bound is a weak kind: its default dtype, and promote_types knows those of 64 bits"}
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
		return t, Rule{"division", "computed in the common dtype"}
	}
	return r, Rule{"true division", "integers are divided in the float of their width, at least f32"}
}

// jaxReductions are the operations that stand for the families of reductions.
var jaxReductions = [...]string{Sum: "sum", Extreme: "max", Mean: "mean", Logical: "all", Index: "argmax", Compare: "isnan"}

func (j jax) reduce(r Reduction, t dtype.Typed) (dtype.Typed, Rule) {
	d, err := j.compute("unary", jaxReductions[r], t)
	if r == Compare {
		d = dtype.Typed{DType: dtype.I1, Ambiguous: t.Ambiguous}
	} else if err != nil {
		d = t
	}
	return d, kernelRule(t, d)
}

var jaxKernels = sync.OnceValue(func() map[string]section { return sections("jax") })

// compute returns the result of an operation at the common dtype t. The table
// has weak dtypes at their defaults; a weak dtype of another width has the
// result of its known one, weak where the default's is.
func (j jax) compute(part, op string, t dtype.Typed) (dtype.Typed, error) {
	k, ok := jaxKernels()[part][op]
	if !ok {
		return dtype.Typed{}, unnamed("jax", op)
	}
	at := Known(t.DType)
	if like, ok := k.like(at.DType); ok {
		return j.narrow(k, op, t, like)
	}
	r, err := k.at(op, at, dtype.DType.Long)
	if err != nil {
		return r, jaxAdvises(err)
	}
	if t.Ambiguous {
		d, ok := k.result[Amb(jaxWeakColumn(t.DType))]
		if op == "median" || op == "quantile" || op == "relu" && t.DType.Is(dtype.Integral) { // computed with a weak number
			r = d
		}
		r.Ambiguous = ok && d.Ambiguous || t.DType == dtype.I1 && slices.Contains(jaxElements, op)
	}
	r.DType = j.canonical(r.DType)
	return r, nil
}

// jaxAdvises adds what JAX says behind a refusal of narrow integers.
func jaxAdvises(err error) error {
	if strings.HasSuffix(err.Error(), "integers do not support implicit promotion.") {
		_, advice := jaxUnpromoted([]dtype.Typed{Known(dtype.I2)})
		return goingOn(err, advice)
	}
	return err
}

// jaxElements are the functions of elements that give bools for bools: these stay
// weak, as a comparison of weak numbers made them.
var jaxElements = []string{"abs", "floor", "ceil", "trunc", "invert", "logical_not", "isnan", "isfinite", "conjugate", "real", "imag", "sort"}

// like returns the dtype as which the narrow d is computed where the table has
// nothing of d itself: its narrowest relative.
func (k *kernel) like(d dtype.DType) (dtype.DType, bool) {
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

// narrow is compute for a dtype that is computed as its relative: what gives
// that dtype gives this one.
func (j jax) narrow(k *kernel, op string, t dtype.Typed, like dtype.DType) (dtype.Typed, error) {
	r, err := k.at(op, Known(like), dtype.DType.Long)
	if err == nil && r.DType == like {
		r.DType = t.DType
	}
	r.DType = j.canonical(r.DType)
	return r, err
}

// jaxWeakColumn returns the dtype at which the table has d's kind as weak.
func jaxWeakColumn(d dtype.DType) dtype.DType {
	if d.Is(dtype.Unsigned) {
		d = dtype.I64
	}
	return jax{wide: true}.defaultOf(d)
}

func (j jax) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	part := ""
	if len(xs) == 1 {
		part = "unary"
	} else if op == "ldexp" {
		return j.ldexp(xs[0], xs[1])
	}
	if strings.HasPrefix(op, "lax.") && part == "" {
		if err := j.position(op, xs); err != nil {
			return dtype.Typed{}, nil, err
		}
	}
	if strings.HasPrefix(op, "lax.") && part == "" && j.canonical(xs[0].DType) != j.canonical(xs[1].DType) {
		return dtype.Typed{}, nil, jaxMixed(op, xs[0].DType, xs[1].DType)
	}
	if op == "power" && len(xs) == 2 && jaxInteger(xs[1].Literal) {
		r, steps := j.integerPower(xs)
		return r, steps, nil
	}
	if op == "clamp" {
		return j.clamp(xs)
	}
	if _, ok := jaxKernels()[part][op]; !ok {
		return dtype.Typed{}, nil, unnamed("jax", op)
	}
	t, steps, err := j.resolve(xs)
	if err != nil {
		return t, steps, err
	}
	if doc := j.defaults(op, t); doc != "" {
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
		if err := j.sumsNarrower(xs, t.DType); err != nil {
			return t, steps, err
		}
	}
	if op == "power" && len(xs) == 2 && xs[1].DType.Is(dtype.Integral) && xs[0].DType.Is(dtype.Inexact) {
		own := dtype.Typed{DType: j.canonical(xs[0].DType), Ambiguous: xs[0].Ambiguous && xs[1].Ambiguous}
		rule := Rule{"float to an integer, known", "a float to the power of an integer is computed without promotion, and is weak only where both are"}
		if own.Ambiguous {
			rule.Name = "float to an integer, weak"
		}
		steps = append(steps, Step{"power of " + jaxBase(j, xs[0]), own, rule})
		t = own
	}
	r, err := j.compute(part, op, t)
	if err != nil {
		return r, steps, err
	}
	if op == "logaddexp" && t.Ambiguous && t.DType.Is(dtype.Complex) { // the turn of its angle makes arrays known
		r.Ambiguous = !slices.ContainsFunc(xs, func(x Operand) bool { return x.Rank > 0 })
	}
	if slices.Contains(jaxWithZero, op) && t.Ambiguous && t.DType == j.defaultOf(t.DType) && !t.DType.Is(dtype.Unsigned) {
		r.Ambiguous = !slices.ContainsFunc(xs, func(x Operand) bool { return x.Rank > 0 })
	}
	return r, append(steps, kernelStep(op, t, r)), nil
}

// jaxWithZero are the functions that put a 0 beside their operand. A scalar whose
// dtype is the default one stays weak beside it, as that 0 is Python's.
var jaxWithZero = []string{"logical_not", "gcd", "lcm"}

// defaults returns why an operation makes its weak operands what their kind
// defaults to, "" where it does not.
func (j jax) defaults(op string, t dtype.Typed) string {
	switch {
	case !t.Ambiguous:
	case op == "matmul" || op == "dot":
		return "a product of weak arrays is added up in the default dtype of their kind"
	case op == "floor_divide" && t.DType.Is(dtype.Signed|dtype.Floating):
		return "1 is taken off where signs differ, a number of Python: beside it a weak array takes the default dtype of its kind"
	case op == "trunc" && j.strict && t.DType.Is(dtype.Floating):
		return "a choice between two weak floats is f*, the default one"
	}
	return ""
}

// clamp is the maximum of x and low, and then the minimum of that and high, as
// jax.numpy.clip computes it.
func (j jax) clamp(xs []Operand) (dtype.Typed, []Step, error) {
	if slices.ContainsFunc(xs, func(x Operand) bool { return x.DType.Is(dtype.Complex) }) {
		return dtype.Typed{}, nil, refuse("clip", "ValueError", "Clip received a complex value either through the input or the min/max keywords. Complex values have no ordering and cannot be clipped. "+
			"Please convert to a real value or array by taking the real or imaginary components via jax.numpy.real/imag respectively.")
	}
	t, steps, err := j.operate("maximum", []Operand{xs[1], xs[0]})
	if err != nil {
		return t, steps, err
	}
	t, more, err := j.operate("minimum", []Operand{xs[2], {Typed: t, Rank: xs[0].Rank}})
	return t, append(steps, more...), err
}

// sumsNarrower: a product of matrices takes them as they are and adds up in their
// common dtype, which a weak operand may be wider than. Floats may.
func (j jax) sumsNarrower(xs []Operand, t dtype.DType) error {
	for _, x := range xs {
		d := j.canonical(x.DType)
		kind := d.Is(dtype.Integral) && t.Is(dtype.Integral) || d.Is(dtype.Complex) && t.Is(dtype.Complex)
		if kind && t.Bits() < d.Bits() {
			return refuse("dot_general", "TypeError", "`preferred_element_type` must not be narrower than the original type, got preferred_element_type of %s for result type of %s.", t.Long(), d.Long())
		}
	}
	return nil
}

// jaxPromoting are the functions of jax.numpy that promote, by the primitives
// that do not.
var jaxPromoting = map[string]string{"lax.add": "add", "lax.sub": "subtract", "lax.mul": "multiply", "lax.div": "divide", "lax.rem": "remainder",
	"lax.pow": "float_power", "lax.max": "maximum", "lax.min": "minimum", "lax.atan2": "arctan2", "lax.select": "where"}

// jaxMixed: a primitive was given two dtypes.
func jaxMixed(op string, first, second dtype.DType) error {
	if op == "lax.select" { // its cases are those for false and true
		first, second = second, first
	}
	err := refuse(op, "TypeError", "%s requires arguments to have the same dtypes, got %s, %s.", op, first.Long(), second.Long())
	if name, ok := jaxPromoting[op]; ok {
		return goingOn(err, " (Tip: jnp."+name+" is a similar function that does automatic type promotion on inputs).")
	}
	return err
}

// position: a primitive asks of each operand whether it takes its dtype before it
// asks whether they are the same.
func (j jax) position(op string, xs []Operand) error {
	for i, x := range xs {
		_, err := j.compute("", op, Known(x.DType))
		var no *Refusal
		if errors.As(err, &no) {
			return &Refusal{Op: no.Op, Kind: no.Kind, Reason: strings.ReplaceAll(no.Reason, "position 0", "position "+strconv.Itoa(i))}
		}
	}
	return nil
}

func jaxInteger(v any) bool {
	switch v.(type) {
	case int, bool:
		return true
	}
	return false
}

// integerPower: a power whose exponent is a Python integer is multiplied out in
// the dtype of its base. A bool is multiplied out in i32.
// Source: jax/_src/numpy/ufuncs.py power.
func (j jax) integerPower(xs []Operand) (dtype.Typed, []Step) {
	t := dtype.Typed{DType: j.canonical(xs[0].DType), Ambiguous: xs[0].Ambiguous}
	if t.DType == dtype.I1 {
		t = Known(dtype.I32)
	}
	return t, append(j.narrowed(xs[:1]), Step{"power of " + jaxBase(j, xs[0]), t, Rule{"integer power", "a Python integer as exponent: the base's dtype, i32 for a bool"}})
}

func jaxBase(j jax, x Operand) string {
	return dtype.Typed{DType: j.canonical(x.DType), Ambiguous: x.Ambiguous}.String()
}

// jaxRepr is NumPy's repr of d: a dtype of ml_dtypes has no quotes.
func jaxRepr(d dtype.DType) string {
	if d == dtype.BF16 {
		return "dtype(bfloat16)"
	}
	return "dtype('" + d.Long() + "')"
}

// ldexp: the second operand is an integer; the first alone gives the dtype.
func (j jax) ldexp(x, exponent Operand) (dtype.Typed, []Step, error) {
	if !exponent.DType.Is(dtype.Bits) || x.DType.Is(dtype.Complex) {
		return dtype.Typed{}, nil, refuse("ldexp", "ValueError", "ldexp not supported for input types (%s, %s)", jaxRepr(x.DType), jaxRepr(exponent.DType))
	}
	t := dtype.Typed{DType: j.canonical(x.DType), Ambiguous: x.Ambiguous}
	r, err := j.compute("", "true_divide", t)
	if err != nil {
		return r, nil, err
	}
	return r, append(j.narrowed([]Operand{x}), Step{t.String() + ", " + exponent.Typed.String(), t, Rule{"first operand", "the first operand's dtype, whatever the exponent's"}}, kernelStep("ldexp", t, r)), nil
}
