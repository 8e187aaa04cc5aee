package ops

import (
	"math"
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/expr"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// reduce holds the rows of the operation table for reductions and Sort. The reference evaluator combines elements in
// row-major order. Integers wrap; f64 and complex numbers are computed in f64, other floats in f32, and the result is
// rounded to the operand's dtype once, at the end. XLA chooses its own order.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var reduce = append(defs(folds), []Def{
	argFold(ir.ArgMax, "ArgMax", ir.GT, "ArgMax returns the position of the greatest element along an axis, the first of equal elements, or the first NaN if there is one."),
	argFold(ir.ArgMin, "ArgMin", ir.LT, "ArgMin returns the position of the least element along an axis, the first of equal elements, or the first NaN if there is one."),
	{Code: ir.Sort, Name: "Sort", HLO: "sort", Params: []string{"inputs"}, Accepts: []dtype.Kind{dtype.Any}, Variadic: true,
		Doc: "Sort returns the first input sorted along an axis, and the other inputs permuted in the same way. " +
			"Equal elements keep their order; NaN is the greatest; complex numbers are ordered by real, then imaginary part.",
		Infer: inferSort, Lower: widened(lowerSort), Eval: evalSort},
	{Code: ir.Reduce, Name: "Reduce", HLO: "reduce", Params: []string{"operand", "init_value"}, Accepts: []dtype.Kind{dtype.Any, dtype.Any},
		Doc: "Reduce returns the elements along axes combined two at a time by a region, in any order. " +
			"init_value must be the identity of the region: it may be combined any number of times, or not at all.",
		Infer: inferFold, Lower: lowerFold, Eval: evalFold},
}...)

// A fold is the row of a reduction that combines elements by an operation of two operands.
type fold struct {
	code    ir.Code
	name    string
	accepts dtype.Kind
	init    float64 // the identity: an infinity means the least or greatest value of the dtype, -1 all bits set
	binary  ir.Code // the operation
	bound   Bound
	doc     string
}

var folds = []fold{
	{ir.ReduceSum, "ReduceSum", dtype.Any, 0, ir.Add, Bound{ULP: 64, Sum: true, AnyZero: true},
		"ReduceSum returns the sum of the elements along axes; of booleans, whether any is true."},
	{ir.ReduceProd, "ReduceProd", dtype.Any, 1, ir.Mul, Bound{ULP: 64},
		"ReduceProd returns the product of the elements along axes; of booleans, whether all are true."},
	{ir.ReduceMax, "ReduceMax", dtype.Any, math.Inf(-1), ir.Max, Bound{AnyZero: true},
		"ReduceMax returns the greatest of the elements along axes; NaN if any is NaN."},
	{ir.ReduceMin, "ReduceMin", dtype.Any, math.Inf(1), ir.Min, Bound{AnyZero: true},
		"ReduceMin returns the least of the elements along axes; NaN if any is NaN."},
	{ir.ReduceAnd, "ReduceAnd", dtype.Bits, -1, ir.And, Bound{},
		"ReduceAnd returns whether all elements along axes are true; of integers, the bitwise and."},
	{ir.ReduceOr, "ReduceOr", dtype.Bits, 0, ir.Or, Bound{},
		"ReduceOr returns whether any element along axes is true; of integers, the bitwise or."},
	{ir.ReduceXor, "ReduceXor", dtype.Bits, 0, ir.Xor, Bound{},
		"ReduceXor returns whether an odd number of elements along axes is true; of integers, the bitwise exclusive or."},
}

func (r fold) def() Def {
	return Def{Code: r.code, Name: r.name, Params: []string{"operand"}, Accepts: []dtype.Kind{r.accepts}, Doc: r.doc,
		Infer: inferReduce, Lower: r.lower, Eval: r.eval, Bound: r.bound}
}

// foldOf returns the row of the reduction with code c.
func foldOf(c ir.Code) fold {
	for _, f := range folds {
		if f.code == c {
			return f
		}
	}
	return fold{}
}

// identity returns the identity of the reduction for dtype d, in host form (see array.Array).
func (r fold) identity(d dtype.DType) string {
	b := make([]byte, d.Size())
	switch {
	case d.Is(dtype.Complex):
		imag := 0.0
		if math.IsInf(r.init, 0) {
			imag = r.init
		}
		dtype.PutComplex(b, d, complex(r.init, imag))
	case d.Is(dtype.Boolean):
		dtype.PutBool(b, d, r.init > 0 || r.init == -1) // -1: all bits set
	case d.Is(dtype.Unsigned) && r.init == -1:
		dtype.PutUint(b, d, math.MaxUint64>>(64-d.Bits()))
	case d.Is(dtype.Floating) && math.IsInf(r.init, 0):
		dtype.PutFloat(b, d, limitOf(d, r.init))
	default: // for integers, an infinity becomes the least or greatest value
		dtype.PutFloat(b, d, r.init)
	}
	return string(b)
}

// start returns the value with which the reference begins to combine floats of dtype d. It does
// not call identity, since f8e8m0fnu cannot represent the 0 with which a sum begins.
func (r fold) start(d dtype.DType) float64 {
	if math.IsInf(r.init, 0) {
		return limitOf(d, r.init)
	}
	return r.init
}

// Identity returns the identity of a reduction for dtype d, in host form (see array.Array).
func Identity(reduction ir.Code, d dtype.DType) []byte { return []byte(foldOf(reduction).identity(d)) }

// limitOf returns the value of d nearest to inf, an infinity: inf itself if d has
// infinities.
func limitOf(d dtype.DType, inf float64) float64 {
	if d.Bits() > 8 {
		return inf
	}
	best := dtype.Decode(d, 0)
	for bits := range uint64(1) << d.Bits() {
		x := dtype.Decode(d, bits)
		if inf > 0 && x > best || inf < 0 && x < best { // false for NaN
			best = x
		}
	}
	return best
}

// inferReduce: (C4), (C5) the axes are axes of the operand, each given once; the result has
// (C7) the other axes and (C8) the operand's dtype.
func inferReduce(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.AxesAttrs)
	if !ok {
		return nil, fault("no axes are given", "")
	}
	if err := checkAxes(a.Axes, len(args[0].Shape)); err != nil {
		return nil, err
	}
	kept, _ := array.Without(args[0].Shape, a.Axes)
	return []shape.Type{{DType: args[0].DType, Shape: kept}}, nil
}

// checkAxes returns an error if an axis is out of range or occurs twice.
func checkAxes(axes shape.Dims, rank int) error {
	seen := make([]bool, rank)
	for _, x := range axes.All() {
		if err := checkAxis(x, rank); err != nil {
			return err
		}
		if seen[x] {
			return fault("axis "+strconv.Itoa(x)+" is given twice", "give each axis once")
		}
		seen[x] = true
	}
	return nil
}

// checkAxis returns an error if axis x is out of range.
func checkAxis(x, rank int) error {
	if x < 0 || x >= rank {
		return fault("axis "+strconv.Itoa(x)+" is out of range for rank "+strconv.Itoa(rank), axesHint(rank))
	}
	return nil
}

// axesHint says which axes a tensor of the given rank has.
func axesHint(rank int) string {
	switch rank {
	case 0:
		return "a tensor of rank 0 has no axes"
	case 1:
		return "the only axis is 0"
	}
	return "axes are 0 to " + strconv.Itoa(rank-1)
}

func (r fold) lower(w *stablehlo.Writer, n *ir.Node) {
	x := n.Args[0]
	if _, ok := bitsOfFloat[x.Type.DType]; ok && r.isExtreme() {
		r.lowerByBits(w, n)
		return
	}
	r.lowerPlainly(w, n)
}

// lowerPlainly writes a reduction of the elements themselves; lowerByBits instead reduces integers made from them.
func (r fold) lowerPlainly(w *stablehlo.Writer, n *ir.Node) {
	x := n.Args[0]
	scalar := shape.Type{DType: x.Type.DType}
	init := w.Constant(scalar, r.identity(scalar.DType))
	inRegion := scalar.DType.Is(dtype.Complex) && r.isExtreme() // see extreme
	w.Op(n).Str("stablehlo.reduce(").Value(x).Str(" init: ").Name(init).Str(")")
	if !inRegion {
		w.Str(" applies stablehlo.").Str(r.hlo())
	}
	w.Str(" across dimensions = ").Dims(n.Attrs.(ir.AxesAttrs).Axes).
		Str(" : (").Type(x.Type).Str(", ").Type(scalar).Str(") -> ").Type(n.Results[0].Type).Str("\n")
	if inRegion {
		x, y := w.Fresh(), w.Fresh()
		w.Line().Str(" reducer(").Param(x, scalar).Str(", ").Param(y, scalar).Str(") {\n")
		lowerScalars(w, extreme(r.binary), scalar, x, y)
		w.Line().Str("}\n")
	}
}

// hlo returns StableHLO's name of the operation that combines two elements.
func (r fold) hlo() string { return table[r.binary].HLO }

// isExtreme reports whether r is a maximum or minimum.
func (r fold) isExtreme() bool { return r.binary == ir.Max || r.binary == ir.Min }

// eval evaluates a reduction over axes or under a window.
func (r fold) eval(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	t, x := n.Results[0].Type, args[0]
	op, _ := binaryOf(r.binary)
	init := array.Array{Type: shape.Type{DType: t.DType}, Data: []byte(r.identity(t.DType))}
	switch t.DType.Kind() {
	case dtype.Boolean:
		return oneResult(foldElements(e, n, x, array.Load[bool](init)[0], op.b))
	case dtype.Signed:
		return oneResult(foldElements(e, n, x, array.Load[int64](init)[0], op.i))
	case dtype.Unsigned:
		return oneResult(foldElements(e, n, x, array.Load[uint64](init)[0], op.u))
	case dtype.Complex:
		return oneResult(foldElements(e, n, x, array.Load[complex128](init)[0], op.c))
	}
	return oneResult(foldElements(e, n, x, r.start(t.DType), inF32(t.DType, op.f)))
}

// foldElements combines elements of x by f, beginning with init. According to the attributes
// of n, these are the elements along axes or under each position of a window.
func foldElements[T array.Elem](e Evaluator, n *ir.Node, x array.Array, init T, f func(x, y T) T) (array.Array, error) {
	t := n.Results[0].Type
	a, ok := n.Attrs.(ir.WindowAttrs)
	if !ok {
		return array.Fold(e.Context(), t, x, n.Attrs.(ir.AxesAttrs).Axes, init, f)
	}
	windows, err := windowsOf(a, x.Type.Shape)
	if err != nil {
		return array.Array{}, err
	}
	return array.FoldWindows(e.Context(), t, x, windows, init, f)
}

// inF32 returns f with its results rounded to f32, or f itself if d is wider than f32.
func inF32(d dtype.DType, f func(x, y float64) float64) func(x, y float64) float64 {
	if d.Bits() > 32 {
		return f
	}
	return func(x, y float64) float64 { return float64(float32(f(x, y))) }
}

// binaryOf returns the elementwise row of code c, and whether there is one.
func binaryOf(c ir.Code) (binaryRow, bool) {
	for _, r := range binaries {
		if r.code == c {
			return r, true
		}
	}
	return binaryRow{}, false
}

// argFold returns the row of ArgMax or ArgMin.
func argFold(c ir.Code, name string, d ir.Direction, doc string) Def {
	return Def{Code: c, Name: name, Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Ordered}, Doc: doc,
		Infer: inferArg, Lower: widened(lowerArg(d)), Eval: evalArg(d)}
}

// inferArg: the result has the axes that are not reduced. Its dtype is a.DType, the dtype of positions.
func inferArg(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.ArgAttrs)
	if !ok || !a.DType.Is(dtype.Integral) {
		return nil, fault("the position needs an integer dtype", "use i32 or i64")
	}
	x := args[0].Shape
	if err := checkAxis(a.Axis, len(x)); err != nil {
		return nil, err
	}
	if x[a.Axis] == 0 {
		return nil, fault("axis "+strconv.Itoa(a.Axis)+" is empty", "give at least one element")
	}
	kept, _ := array.Without(x, shape.DimsOf(a.Axis))
	return []shape.Type{{DType: a.DType, Shape: kept}}, nil
}

// lowerArg writes a reduction of (value, position) pairs: the better value wins, NaN wins over every number,
// and for equal values the lower position wins.
func lowerArg(d ir.Direction) LowerFunc {
	return func(w *stablehlo.Writer, n *ir.Node) {
		a, x := n.Attrs.(ir.ArgAttrs), n.Args[0]
		v, p := shape.Type{DType: x.Type.DType}, shape.Type{DType: a.DType}
		positions := shape.Type{DType: a.DType, Shape: x.Type.Shape}
		worst := fold{init: math.Inf(-1)}
		if d == ir.LT {
			worst.init = math.Inf(1)
		}
		iota := w.Temp()
		w.Str("stablehlo.iota dim = ").Int(a.Axis).Str(" : ").Type(positions).Str("\n")
		initV, initP := w.Constant(v, worst.identity(v.DType)), w.Splat(0, p)
		_, position := w.TempPair()
		w.Str("stablehlo.reduce(").Value(x).Str(" init: ").Name(initV).Str("), (").Name(iota).Str(" init: ").Name(initP).
			Str(") across dimensions = [").Int(a.Axis).Str("] : (").Type(x.Type).Str(", ").Type(positions).Str(", ").
			Type(v).Str(", ").Type(p).Str(") -> (").Type(shape.Type{DType: v.DType, Shape: n.Results[0].Type.Shape}).
			Str(", ").Type(n.Results[0].Type).Str(")\n")
		argBody(w, v, p, d)
		w.Rename(n.Results[0], position)
	}
}

// argBody writes the reducer of values x and y with the positions i and j. The reducer
// returns x and i if x is better, or as good as y and i < j, and otherwise y and j. NaN is
// better than any number, and as good as NaN.
func argBody(w *stablehlo.Writer, v, p shape.Type, d ir.Direction) {
	x, y, i, j := w.Fresh(), w.Fresh(), w.Fresh(), w.Fresh()
	w.Line().Str(" reducer(").Param(x, v).Str(", ").Param(y, v).Str(") (").Param(i, p).Str(", ").Param(j, p).Str(") {\n")
	w.Region(expr.Graph(Infer, []shape.Type{v, v, p, p}, func(b expr.Builder, args []expr.Value) []expr.Value {
		x, y, i, j := args[0], args[1], args[2], args[3]
		wins, tie := b.Compare(d, x, y), b.Eq(x, y)
		if x.DType().Is(dtype.Floating) {
			nanX, nanY := b.IsNaN(x), b.IsNaN(y)
			wins = b.Or(wins, b.And(nanX, b.Not(nanY)))
			tie = b.Or(tie, b.And(nanX, nanY))
		}
		wins = b.Or(wins, b.And(tie, b.Lt(i, j)))
		return []expr.Value{b.Where(wins, x, y), b.Where(wins, i, j)}
	}), []stablehlo.Name{x, y, i, j})
	w.Line().Str("}\n")
}

func evalArg(d ir.Direction) EvalFunc {
	return func(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
		t, x, axis := n.Results[0].Type, args[0], n.Attrs.(ir.ArgAttrs).Axis
		switch x.DType().Kind() {
		case dtype.Boolean:
			better := relation[uint64](d)
			return oneResult(array.ArgFold(e.Context(), t, x, axis, func(x, best bool) bool {
				return better(fromBool(x), fromBool(best))
			}))
		case dtype.Signed:
			return oneResult(array.ArgFold(e.Context(), t, x, axis, relation[int64](d)))
		case dtype.Unsigned:
			return oneResult(array.ArgFold(e.Context(), t, x, axis, relation[uint64](d)))
		}
		better := relation[float64](d)
		return oneResult(array.ArgFold(e.Context(), t, x, axis, func(x, best float64) bool {
			return better(x, best) || math.IsNaN(x) && !math.IsNaN(best)
		}))
	}
}
