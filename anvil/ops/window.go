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

// window holds the rows of convolution and of reductions over windows. The evaluator of
// convolution adds products of floats in f64 and rounds once. Reductions over windows use the evaluator of reductions
// over axes.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var window = append(defs(windowFolds), Def{
	Code: ir.Convolution, Name: "Convolution", HLO: "convolution", Params: []string{"lhs", "rhs"}, Accepts: []dtype.Kind{dtype.Any, dtype.Any},
	Doc: "Convolution returns the sum of the elements of lhs under a window times the weights rhs, for each position " +
		"of the window: result[b, o, i] = sum over f, k of lhs[b, f, i*stride+k]*rhs[o, f, k].",
	Infer: inferConv, Lower: widened(lowerConv), Eval: evalConv, Bound: Bound{ULP: 64, Sum: true, AnyZero: true},
})

// windowsOf returns the window along each axis of s. It returns an error unless each list of numbers in
// a has a valid number for each axis.
func windowsOf(a ir.WindowAttrs, s shape.Shape) ([]array.Window, error) {
	ws := make([]array.Window, len(s))
	for _, list := range []struct {
		name  string
		from  shape.Dims
		to    func(w *array.Window) *int // the field of w for a number of from
		least int                        // the least valid number
	}{
		{"the window", a.Size, func(w *array.Window) *int { return &w.Size }, 1},
		{"the stride", a.Strides, func(w *array.Window) *int { return &w.Stride }, 1},
		{"the low padding", a.Low, func(w *array.Window) *int { return &w.Low }, -maxLength},
		{"the high padding", a.High, func(w *array.Window) *int { return &w.High }, -maxLength},
		{"the input dilation", a.BaseDilation, func(w *array.Window) *int { return &w.Base }, 1},
		{"the window dilation", a.Dilation, func(w *array.Window) *int { return &w.Dilation }, 1},
	} {
		if n := list.from.Len(); n != len(s) {
			return nil, fault(list.name+" has "+strconv.Itoa(n)+" numbers, but the window moves along "+
				strconv.Itoa(len(s))+" axes", "give one number per axis")
		}
		for i, x := range list.from.All() {
			*list.to(&ws[i]) = x
			if x < list.least || x > maxLength {
				return nil, fault(list.name+" is "+strconv.Itoa(x)+" along axis "+strconv.Itoa(i),
					"sizes, strides and dilations must be at least 1, and no number may exceed 2147483647 in magnitude")
			}
		}
	}
	for i, w := range ws {
		if w.Span() > maxLength || w.Padded(s[i]) > maxLength || w.Padded(s[i]) < 0 {
			return nil, fault("axis "+strconv.Itoa(i)+" of length "+strconv.Itoa(s[i])+" has length "+
				strconv.Itoa(w.Padded(s[i]))+" with dilation and padding, and the window has length "+
				strconv.Itoa(w.Span())+" with dilation",
				"no length may exceed 2147483647, and negative padding must not remove more elements than there are")
		}
	}
	return ws, nil
}

// maxLength bounds lengths and strides, so that the product of two of them does not overflow.
const maxLength = math.MaxInt32

// windowCounts returns the number of positions of the windows along each axis of s.
func windowCounts(s shape.Shape, ws []array.Window) shape.Shape {
	r := shape.Shape{}
	for i, n := range s {
		r = append(r, ws[i].Count(n))
	}
	return r
}

// A windowFold is the row of a reduction over windows.
type windowFold struct {
	code      ir.Code
	reduction ir.Code // the reduction over axes that combines elements in the same way
	doc       string
}

var windowFolds = []windowFold{
	{ir.ReduceWindowSum, ir.ReduceSum, "ReduceWindowSum returns the sum of the elements under a window, for each of its positions."},
	{ir.ReduceWindowProd, ir.ReduceProd, "ReduceWindowProd returns the product of the elements under a window, for each of its positions."},
	{ir.ReduceWindowMax, ir.ReduceMax, "ReduceWindowMax returns the greatest of the elements under a window, for each of its positions; NaN if any is NaN."},
	{ir.ReduceWindowMin, ir.ReduceMin, "ReduceWindowMin returns the least of the elements under a window, for each of its positions; NaN if any is NaN."},
}

func (r windowFold) def() Def {
	f := foldOf(r.reduction)
	return Def{Code: r.code, Name: r.code.String(), HLO: "reduce_window", Params: []string{"operand"}, Accepts: []dtype.Kind{f.accepts}, Doc: r.doc,
		Infer: inferWindow, Lower: f.lowerWindow, Eval: f.eval, Bound: f.bound}
}

// inferWindow: (C4) to (C12) there are a size, a stride, dilations and padding for each axis, all positive except the
// padding; (C15) the result has an element for each position of the window, and (C16) the dtype of the operand.
func inferWindow(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.WindowAttrs)
	ws, err := windowsOf(a, args[0].Shape)
	if err != nil {
		return nil, err
	}
	return []shape.Type{{DType: args[0].DType, Shape: windowCounts(args[0].Shape, ws)}}, nil
}

// lowerWindow writes n, the reduction r over windows.
func (r fold) lowerWindow(w *stablehlo.Writer, n *ir.Node) {
	d := n.Args[0].Type.DType
	widened(func(w *stablehlo.Writer, n *ir.Node) { r.writeWindow(w, n, d) })(w, n)
}

// writeWindow writes n, whose dtype may be wider than d, the dtype of the original operand.
// The initial value is the identity for d, since this is the result for a window that covers
// nothing but padding.
func (r fold) writeWindow(w *stablehlo.Writer, n *ir.Node, d dtype.DType) {
	a, x := n.Attrs.(ir.WindowAttrs), n.Args[0]
	scalar, narrow := shape.Type{DType: x.Type.DType}, shape.Type{DType: d}
	init := convert(w, w.Constant(narrow, r.identity(d)), narrow, scalar)
	w.Op(n).Str(`"stablehlo.reduce_window"(`).Value(x).Str(", ").Name(init).Str(") <{window_dimensions = ").Array(a.Size).
		Str(", window_strides = ").Array(a.Strides).Str(", base_dilations = ").Array(a.BaseDilation).
		Str(", window_dilations = ").Array(a.Dilation).Str(", padding = dense<")
	pairs(w, a.Low, a.High).Str("> : tensor<").Int(a.Low.Len()).Str("x2xi64>}> ({\n")
	p, q := w.Fresh(), w.Fresh()
	w.Line().Str("^bb0(").Param(p, scalar).Str(", ").Param(q, scalar).Str("):\n")
	w.Region(expr.Graph(Infer, []shape.Type{scalar, scalar}, func(b expr.Builder, x []expr.Value) []expr.Value {
		return []expr.Value{b.Binary(r.binary, x[0], x[1])}
	}), []stablehlo.Name{p, q})
	w.Line().Str("}) : (").Type(x.Type).Str(", ").Type(scalar).Str(") -> ").Type(n.Results[0].Type).Str("\n")
}

// separator returns the text before element i of a list: open before element 0, and a comma before the others.
func separator(i int, open string) string {
	if i == 0 {
		return open
	}
	return ", "
}

// pairs writes the elements of low and high as "[[1, 2], [0, 0]]". If there are none, it writes
// nothing, which is the form of a dense attribute without elements.
func pairs(w *stablehlo.Writer, low, high shape.Dims) *stablehlo.Writer {
	highs := high.Ints()
	for i, x := range low.All() {
		w.Str(separator(i, "[")).Str("[").Int(x).Str(", ").Int(highs[i]).Str("]")
	}
	if len(highs) > 0 {
		w.Str("]")
	}
	return w
}

// inferConv: (C1) lhs and rhs have the same rank; (C2) to (C8) there are a stride, dilations and padding for each
// spatial axis, all positive except the padding; (C10), (C11), (C15), (C16) lengths are multiples of the groups; (C12),
// (C13), (C17) to (C20) each axis is named once; (C14) input features agree; (C21) to (C23) FeatureGroups and
// BatchGroups are at least 1, and at most one of them is greater; (C25) the result has the batch, the output
// features, and an element for each position of the window; (C27) the dtypes of lhs and rhs agree.
func inferConv(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.ConvAttrs)
	lhs, rhs := args[0], args[1]
	if lhs.DType != rhs.DType {
		return nil, fault("dtypes differ", "convert one with AsType")
	}
	rank := len(lhs.Shape)
	if len(rhs.Shape) != rank || rank < 2 {
		return nil, fault("lhs has rank "+strconv.Itoa(rank)+", rhs "+strconv.Itoa(len(rhs.Shape)),
			"both must have a batch or output axis, a feature axis, and the same number of spatial axes")
	}
	for _, axes := range []shape.Dims{a.Lhs, a.Rhs, a.Out} {
		if err := checkAxes(axes, rank); err != nil {
			return nil, err
		}
		if axes.Len() != rank {
			return nil, fault("not every axis is named", "name each axis once")
		}
	}
	if d := convDType(a, lhs.DType); d.Kind() != lhs.DType.Kind() {
		return nil, fault("products of "+lhs.DType.String()+" cannot be summed in "+d.String(),
			"convert the operands with AsType first")
	}
	x, k := lengths(lhs.Shape, a.Lhs), lengths(rhs.Shape, a.Rhs)
	if err := checkGroups(a, x, k); err != nil {
		return nil, err
	}
	ws, err := convWindows(a, x[2:], k[2:])
	if err != nil {
		return nil, err
	}
	ordered := append(shape.Shape{x[0] / a.BatchGroups, k[0]}, windowCounts(x[2:], ws)...)
	s := make(shape.Shape, rank)
	for i, axis := range a.Out.All() {
		s[axis] = ordered[i]
	}
	return []shape.Type{{DType: convDType(a, lhs.DType), Shape: s}}, nil
}

// convDType returns the dtype of the result for operands of dtype d.
func convDType(a ir.ConvAttrs, d dtype.DType) dtype.DType {
	return dotDType(ir.DotAttrs{DType: a.DType}, d)
}

// checkGroups checks that the groups divide the lengths of x (batch, features, ...) and k
// (output features, input features, ...).
func checkGroups(a ir.ConvAttrs, x, k shape.Shape) error {
	f, b := a.FeatureGroups, a.BatchGroups
	switch {
	case f < 1 || b < 1 || f > 1 && b > 1:
		return fault("FeatureGroups is "+strconv.Itoa(f)+" and BatchGroups is "+strconv.Itoa(b),
			"neither may be less than 1, and only one may be greater than 1")
	case x[1]%f != 0 || x[0]%b != 0 || k[0]%(f*b) != 0:
		return fault("batch "+strconv.Itoa(x[0])+", input features "+strconv.Itoa(x[1])+" and output features "+
			strconv.Itoa(k[0])+" cannot be divided into "+strconv.Itoa(f*b)+" groups",
			"FeatureGroups must divide the input features, BatchGroups the batch, and both the output features")
	case k[1] != x[1]/f:
		return fault("lhs has "+strconv.Itoa(x[1])+" input features in "+strconv.Itoa(f)+" groups, rhs has weights for "+
			strconv.Itoa(k[1]), "rhs must have weights for the input features of one group")
	}
	return nil
}

// convWindows returns the windows of the spatial axes. input has the lengths of lhs along these axes, and size
// the lengths of rhs.
func convWindows(a ir.ConvAttrs, input, size shape.Shape) ([]array.Window, error) {
	w := ir.WindowAttrs{Size: size.Dims(), Strides: a.Strides, Low: a.Low, High: a.High,
		BaseDilation: a.LhsDilation, Dilation: a.RhsDilation}
	ws, err := windowsOf(w, input)
	if err != nil {
		return nil, err
	}
	for _, d := range a.Reversal.All() {
		if d < 0 || d >= len(ws) {
			return nil, fault("spatial axis "+strconv.Itoa(d)+" cannot be reversed: the number of spatial axes is "+
				strconv.Itoa(len(ws)), "")
		}
		ws[d].Reverse = true
	}
	return ws, nil
}

func lowerConv(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.ConvAttrs)
	w.Op(n).Str("stablehlo.convolution(").Values(n.Args...).Str(") dim_numbers = ")
	axisNames(w, a.Lhs, "b", "f").Str("x")
	axisNames(w, a.Rhs, "o", "i").Str("->")
	axisNames(w, a.Out, "b", "f").Str(", window = {stride = ").Dims(a.Strides).Str(", pad = ")
	if a.Low == "" { // pairs writes nothing
		w.Str("[]")
	}
	pairs(w, a.Low, a.High)
	w.Str(", lhs_dilate = ").Dims(a.LhsDilation).Str(", rhs_dilate = ").Dims(a.RhsDilation).Str(", reverse = [")
	for d := range a.Strides.Len() {
		w.Comma(d).Str(strconv.FormatBool(a.Reversal.Has(d)))
	}
	precision := "#stablehlo<precision " + a.Precision.String() + ">"
	w.Str("]} {batch_group_count = ").Int(a.BatchGroups).Str(" : i64, feature_group_count = ").Int(a.FeatureGroups).
		Str(" : i64, precision_config = [").Str(precision).Str(", ").Str(precision).Str("]}").EndFunc(n)
}

// axisNames writes the name of each axis: "[b, 0, 1, f]". axes has the position of the axis named first, that of the
// axis named second, and those of the spatial axes, which are numbered.
func axisNames(w *stablehlo.Writer, axes shape.Dims, first, second string) *stablehlo.Writer {
	names := make([]string, axes.Len())
	for i, axis := range axes.All() {
		switch i {
		case 0:
			names[axis] = first
		case 1:
			names[axis] = second
		default:
			names[axis] = strconv.Itoa(i - 2)
		}
	}
	for i, name := range names {
		w.Str(separator(i, "[")).Str(name)
	}
	return w.Str("]")
}

func evalConv(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a, t := n.Attrs.(ir.ConvAttrs), n.Results[0].Type
	x, err := permuted(e, args[0], a.Lhs)
	if err != nil {
		return nil, err
	}
	k, err := permuted(e, args[1], a.Rhs)
	if err != nil {
		return nil, err
	}
	ws, err := convWindows(a, x.Type.Shape[2:], k.Type.Shape[2:])
	if err != nil {
		return nil, err
	}
	r, err := convolve(e, shape.Type{DType: t.DType, Shape: lengths(t.Shape, a.Out)}, x, k, ws, a)
	if err != nil {
		return nil, err
	}
	back := make([]int, len(t.Shape))
	for i, axis := range a.Out.All() {
		back[axis] = i
	}
	return oneResult(permuted(e, r, shape.DimsOf(back...)))
}

// convolve returns the convolution of x and k, computed in the widest numbers of their
// dtype's kind.
func convolve(e Evaluator, t shape.Type, x, k array.Array, ws []array.Window, a ir.ConvAttrs) (array.Array, error) {
	switch x.DType().Kind() {
	case dtype.Boolean: // a sum of booleans is true if any of them is true
		x.Type.DType, k.Type.DType = dtype.U8, dtype.U8
		counts, err := convolve(e, shape.Type{DType: dtype.U64, Shape: t.Shape}, x, k, ws, a)
		if err != nil {
			return array.Array{}, err
		}
		return array.Map1(e.Context(), t, counts, func(x uint64) bool { return x > 0 })
	case dtype.Signed:
		return array.Convolve[int64](e.Context(), t, x, k, ws, a.FeatureGroups, a.BatchGroups)
	case dtype.Unsigned:
		return array.Convolve[uint64](e.Context(), t, x, k, ws, a.FeatureGroups, a.BatchGroups)
	case dtype.Complex:
		return array.Convolve[complex128](e.Context(), t, x, k, ws, a.FeatureGroups, a.BatchGroups)
	}
	return array.Convolve[float64](e.Context(), t, x, k, ws, a.FeatureGroups, a.BatchGroups)
}
