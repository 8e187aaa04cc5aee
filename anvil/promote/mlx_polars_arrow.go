package promote

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// The systems of other libraries, which are only tables of dtypes for comparison (see OnlyTable).
var (
	// MLX is Apple's MLX: JAX's rules, except that ui64 with a signed integer is f32.
	MLX = newCompared(&comparedSystem{name: "mlx", kind: "ValueError", spell: spellMLX, ops: mlxOps, float: dtype.F32,
		widths: &widths{beyond: dtype.F32, onlyC64: true, ruleBeyond: beyondRule(dtype.F32)}},
		"MLX: much as JAX, but ui64 with a signed integer is f32", mlxDTypes)
	// Polars is the promotion of Polars' addition. PolarsSupertype gives the dtype of a column that holds values of
	// both dtypes.
	Polars = newCompared(&comparedSystem{name: "polars", kind: "InvalidOperationError", spell: dtype.DType.Long,
		ops: polarsOps, float: dtype.F64, byValue: true, boolSum: dtype.U32, widths: polarsWidths},
		"Polars: the sum of two columns; i64 with ui64 is i128", polarsDTypes)
	PolarsSupertype = newCompared(&comparedSystem{name: "polars-supertype", kind: "SchemaError", spell: dtype.DType.Long,
		float: dtype.F64, widths: polarsWidths},
		"Polars: the dtype of a column that holds both", polarsDTypes)
	// Arrow is the promotion of PyArrow's addition. ArrowUnify gives the dtype of a field when two schemas are
	// unified.
	Arrow = newCompared(&comparedSystem{name: "arrow", kind: "ArrowNotImplementedError", spell: spellArrow, ops: arrowOps,
		float: dtype.F64, notAdded: arrowNotComputed, widths: newWidths(dtype.I64, false)},
		"Arrow: the sum of two arrays; a float keeps its width, bools cannot be added", arrowDTypes)
	ArrowUnify = newCompared(&comparedSystem{name: "arrow-unify", kind: "ArrowTypeError", spell: spellArrow,
		float: dtype.F64, boolAlone: true, widths: newWidths(dtype.I64, true)},
		"Arrow: the field of two schemas, permissively unified", arrowDTypes)
)

// mlxDTypes are TensorFlow's dtypes without c128, the last of them.
var mlxDTypes = tensorflowDTypes[:len(tensorflowDTypes)-1]

var polarsWidths = newWidths(dtype.I128, true)

var arrowDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64,
	dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.F16, dtype.F32, dtype.F64}

var polarsDTypes = append(arrowDTypes[:len(arrowDTypes):len(arrowDTypes)], dtype.I128, dtype.U128)

// A comparedSystem holds the parameters of the systems for comparison; its methods are their
// rules.
type comparedSystem struct {
	*widths
	name      string
	kind      string                   // the kind of the system's errors
	spell     func(dtype.DType) string // returns the name of a dtype in the system's errors
	ops       map[string]comparedOp
	float     dtype.DType   // the default dtype of float numbers
	byValue   bool          // a number counts as a wider dtype if the other operand's dtype does not hold it
	boolSum   dtype.DType   // the dtype of the sum of two bools; Invalid stands for i1
	notAdded  []dtype.DType // dtypes that cannot be added
	boolAlone bool          // a bool joins only with bools
}

// newCompared returns the system with the parameters c, whose tables show ds.
func newCompared(c *comparedSystem, doc string, ds []dtype.DType) *System {
	r := Rules{
		Literal: func(v any) (dtype.Typed, error) { return numberDType(v, dtype.I32, c.float, dtype.C64) },
		Convert: torchConvert,
		Join:    c.join,
		Divide:  divideInCommon,
		Reduce:  rdataReduce,
	}
	if c.ops != nil {
		r.Operate, r.ByValue = c.operate, c.byValue
	}
	return New(c.name, doc, ds, r)
}

var (
	comparedNumber = Rule{"number",
		"a number of the same or a lower kind (bool < integer < float < complex) takes the other operand's dtype"}
	comparedNarrowest = Rule{"number that does not fit",
		"a number that the other operand's dtype does not hold counts as the narrowest dtype that holds it"}
	comparedBoolSum = Rule{"bools are counted", "the sum of two bools is ui32"}
)

// join returns the dtype of the sum of a and b, and the rule that gives it.
func (c *comparedSystem) join(a, b Operand) (dtype.Typed, Rule, error) {
	if !c.canAdd(a.DType) || !c.canAdd(b.DType) {
		return dtype.Typed{}, Rule{}, c.refusal("add", a.DType, b.DType)
	}
	return c.joinFor("add", a, b)
}

// canAdd reports whether values of dtype d can be added.
func (c *comparedSystem) canAdd(d dtype.DType) bool {
	return !slices.Contains(c.notAdded, d) && (kindRank(d) > 0 || d == dtype.I1)
}

// joinFor returns the common dtype of two operands of op, and the rule that gives it.
func (c *comparedSystem) joinFor(op string, a, b Operand) (dtype.Typed, Rule, error) {
	a, b = knownFirst(a, b)
	x, y := a.DType, b.DType
	switch {
	case b.Ambiguous && !a.Ambiguous && kindRank(y) <= kindRank(x) && y != dtype.I1:
		if v, ok := b.Literal.(int); ok && c.byValue && x.Is(dtype.Integral) && !holdsInt(x, v) {
			d, _ := c.widths.join(x, narrowest(v, x))
			return Known(d), comparedNarrowest, nil
		}
		return Known(x), comparedNumber, nil
	case x == dtype.I1 && y == dtype.I1 && (op == "add" || op == "add literal") && c.boolSum != dtype.Invalid:
		return Known(c.boolSum), comparedBoolSum, nil
	case c.boolAlone && x != y && (x == dtype.I1 || y == dtype.I1):
		return dtype.Typed{}, Rule{}, c.refusal(op, x, y)
	}
	d, r := c.widths.join(x, y)
	if d == dtype.Invalid {
		return dtype.Typed{}, Rule{}, c.refusal(op, x, y)
	}
	return Known(d), r, nil
}

// refusal returns the error that op does not take operands of dtypes ds.
func (c *comparedSystem) refusal(op string, ds ...dtype.DType) error {
	words := make([]string, len(ds))
	for i, d := range ds {
		words[i] = c.spell(d)
	}
	switch {
	case c.kind == "ArrowTypeError":
		return noCommonDType.refuse(op, c.kind, "Unable to merge: Field x has incompatible types: %s",
			strings.Join(words, " vs "))
	case c.kind == "ArrowNotImplementedError":
		if op == "max" || op == "min" {
			op = "min_max"
		}
		return refuse(op, c.kind, "Function '%s' has no kernel matching input types (%s)", op,
			strings.Join(words, ", "))
	case op == "negative":
		return refuse(op, c.kind, "[negative] Not supported for bool, use logical_not instead.")
	case len(ds) == 1:
		return refuse(op, c.kind, "[%s] Not supported for %s.", op, ds[0].Long())
	case op == "floor_divide":
		err := refuse(op, c.kind, "floor_div operation not supported for dtype `%s`", words[0])
		return withRest(err, "\n\nThis error occurred in the following expression:\n\t[(col(\"a\")) // (col(\"b\"))]")
	case op == "pow" && len(ds) == 2:
		part := "exponent"
		if ds[0] == dtype.I1 {
			part = "base"
		}
		err := refuse(op, c.kind, "`pow` operation not supported for dtype `bool` as %s", part)
		return withRest(err, "\n\nThis error occurred in the following expression:\n\tcol(\"a\").pow([col(\"b\")])")
	}
	why := notDefined
	if c.kind == "SchemaError" { // PolarsSupertype has no operations, only common dtypes
		why = noCommonDType
	}
	return why.refuse(op, c.kind, "`%s` operation not supported for dtype `%s`", op, strings.Join(words, "` with `"))
}

// holdsInt reports whether the integer dtype d holds v.
func holdsInt(d dtype.DType, v int) bool {
	width := bits.Len64(uint64(v)) // without the sign
	if v < 0 {
		width = bits.Len64(uint64(^v))
	}
	if d.Is(dtype.Unsigned) {
		return v >= 0 && width <= d.Bits()
	}
	return width < d.Bits()
}

// narrowest returns the narrowest integer dtype that holds v: an unsigned one if otherDType,
// the dtype of the other operand, is unsigned and v is not negative, else a signed one.
func narrowest(v int, otherDType dtype.DType) dtype.DType {
	ds := []dtype.DType{dtype.I8, dtype.I16, dtype.I32, dtype.I64}
	if otherDType.Is(dtype.Unsigned) && v >= 0 {
		ds = []dtype.DType{dtype.U8, dtype.U16, dtype.U32, dtype.U64}
	}
	for _, d := range ds {
		if holdsInt(d, v) {
			return d
		}
	}
	return dtype.I64
}

// A comparedOp is an operation of a system for comparison.
type comparedOp struct {
	result        func(dtype.DType) dtype.DType // returns the dtype of the result, given the common dtype
	undefined     []dtype.DType                 // dtypes of operands for which the operation is not defined
	onlyForCommon bool                          // undefined applies to the common dtype, not to the operands' dtypes
	keepsFirst    bool                          // the first operand's dtype is kept unless the second has a higher kind
	boolAlone     bool                          // a bool joins only with bools
}

// sameDType is the result function of operations that keep the common dtype.
func sameDType(d dtype.DType) dtype.DType { return d }

// always returns a function that returns r.
func always(r dtype.DType) func(dtype.DType) dtype.DType {
	return func(dtype.DType) dtype.DType { return r }
}

// integersAs returns a function that returns r for bools and integers, and other dtypes
// unchanged.
func integersAs(r dtype.DType) func(dtype.DType) dtype.DType {
	return func(d dtype.DType) dtype.DType {
		if d.Is(dtype.Bits) {
			return r
		}
		return d
	}
}

// sumOf returns the result function of a sum. Integers narrower than signed and unsigned,
// which have one width, are summed in the dtype of their signedness, and bools in signed.
func sumOf(signed, unsigned dtype.DType) func(dtype.DType) dtype.DType {
	return func(d dtype.DType) dtype.DType {
		switch {
		case d.Bits() >= signed.Bits() || !d.Is(dtype.Bits):
			return d
		case d.Is(dtype.Unsigned):
			return unsigned
		}
		return signed
	}
}

// mlxOps are MLX's operations, by their names in MLX.
var mlxOps = map[string]comparedOp{
	"add": {result: sameDType}, "divide": {result: integersAs(dtype.F32)},
	"sum": {result: sumOf(dtype.I32, dtype.U32)}, "prod": {result: sumOf(dtype.I32, dtype.U32)},
	"mean": {result: integersAs(dtype.F32)}, "exp": {result: integersAs(dtype.F32)},
	"sqrt": {result: integersAs(dtype.F32)}, "max": {result: sameDType}, "square": {result: sameDType},
	"abs": {result: elem}, "argmax": {result: always(dtype.U32)},
	"negative": {result: sameDType, undefined: []dtype.DType{dtype.I1}},
	"floor":    {result: sameDType, undefined: []dtype.DType{dtype.C64}},
}

// polarsSum returns the dtype of a sum: ui32 for bools, i64 for integers of less than 32 bits.
func polarsSum(d dtype.DType) dtype.DType {
	switch {
	case d == dtype.I1:
		return dtype.U32
	case d.Bits() < 32 && d.Is(dtype.Integral):
		return dtype.I64
	}
	return d
}

// polarsProduct returns the dtype of a product: i64 for bools and for integers that i64 holds.
func polarsProduct(d dtype.DType) dtype.DType {
	if d.Is(dtype.Bits) && (d.Bits() < 64 || d == dtype.I64) {
		return dtype.I64
	}
	return d
}

// polarsOps are Polars' operations; "add literal" is the sum of a column and a number.
var polarsOps = map[string]comparedOp{
	"add": {result: sameDType}, "add literal": {result: sameDType}, "true_divide": {result: integersAs(dtype.F64)},
	"floor_divide": {result: sameDType, onlyForCommon: true, undefined: []dtype.DType{dtype.I1}},
	"pow":          {result: sameDType, keepsFirst: true, undefined: []dtype.DType{dtype.I1}},
	"sum":          {result: polarsSum}, "cum_sum": {result: polarsSum}, "product": {result: polarsProduct},
	"max":  {result: sameDType},
	"mean": {result: integersAs(dtype.F64)}, "std": {result: integersAs(dtype.F64)},
}

// arrowNotComputed are the dtypes for which arithmetic is not defined, and arrowNotReduced
// those for which reductions and comparisons are not defined.
var (
	arrowNotComputed = []dtype.DType{dtype.I1, dtype.F16}
	arrowNotReduced  = []dtype.DType{dtype.F16}
)

// arrowSum returns the dtype of a sum: i64 for signed integers, ui64 for unsigned integers
// and bools, and f64 for floats.
func arrowSum(d dtype.DType) dtype.DType {
	switch {
	case d.Is(dtype.Signed):
		return dtype.I64
	case d.Is(dtype.Bits):
		return dtype.U64
	}
	return dtype.F64
}

// arrowOps are PyArrow's compute functions.
var arrowOps = map[string]comparedOp{
	"add":    {result: sameDType, undefined: arrowNotComputed},
	"divide": {result: sameDType, undefined: arrowNotComputed},
	"power":  {result: sameDType, undefined: arrowNotComputed},
	"equal":  {result: always(dtype.I1), undefined: arrowNotReduced, boolAlone: true},
	"sum":    {result: arrowSum, undefined: arrowNotReduced},
	"mean":   {result: always(dtype.F64), undefined: arrowNotReduced},
	"max":    {result: sameDType, undefined: arrowNotReduced},
}

// operate returns the dtype of the result of op on one or two operands. It checks the
// operands' dtypes, joins two operands, and applies the operation's result function to the
// common dtype.
func (c *comparedSystem) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	def, ok := c.ops[op]
	if !ok || len(xs) == 0 || len(xs) > 2 {
		return dtype.Typed{}, nil, noSuchOperation(c.name, op)
	}
	ds := make([]dtype.DType, len(xs))
	for i, x := range xs {
		ds[i] = x.DType
	}
	isUndefined := func(d dtype.DType) bool { return slices.Contains(def.undefined, d) }
	if !def.onlyForCommon && slices.ContainsFunc(ds, isUndefined) {
		return dtype.Typed{}, nil, c.refusal(op, ds...)
	}
	at, steps := xs[0].Typed, []Step(nil)
	if len(xs) == 2 {
		var rule Rule
		var err error
		if at, rule, err = c.joinOperands(def, op, xs[0], xs[1]); err != nil {
			return at, nil, err
		}
		steps = []Step{{listed(xs), at, rule}}
	}
	if isUndefined(at.DType) {
		return dtype.Typed{}, steps, c.refusal(op, ds...)
	}
	r := Known(def.result(at.DType))
	if op == "divide" && r.DType.Is(dtype.Integral) {
		return r, append(steps, Step{op + " of " + at.String(), r, ruleTruncated}), nil
	}
	return r, appendKernelStep(steps, op, at, r), nil
}

var comparedFirst = Rule{"first operand",
	"the base keeps its dtype: a float base always, an integer base with an integer exponent"}

// joinOperands returns the dtype in which op, defined by def, is computed, and the rule
// that gives it.
func (c *comparedSystem) joinOperands(def comparedOp, op string, a, b Operand) (dtype.Typed, Rule, error) {
	switch {
	case def.keepsFirst && kindRank(b.DType) <= kindRank(a.DType):
		return Known(a.DType), comparedFirst, nil
	case def.keepsFirst: // a float exponent makes the power of an integer a float
		return Known(b.DType), ruleOver, nil
	case def.boolAlone && (a.DType == dtype.I1) != (b.DType == dtype.I1):
		return dtype.Typed{}, Rule{}, c.refusal(op, a.DType, b.DType)
	}
	return c.joinFor(op, a, b)
}

// spellMLX returns the name of d in MLX's errors.
func spellMLX(d dtype.DType) string { return "mlx.core." + d.Long() }

// arrowNames are Arrow's names of dtypes where they differ from the long names.
var arrowNames = map[dtype.DType]string{dtype.F16: "halffloat", dtype.F32: "float", dtype.F64: "double"}

// spellArrow returns the name of d in Arrow's errors.
func spellArrow(d dtype.DType) string {
	if name, ok := arrowNames[d]; ok {
		return name
	}
	return d.Long()
}
