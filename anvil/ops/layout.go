package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// layout holds the rows of constants, conversions of dtypes, and operations that move elements.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.
var layout = []Def{
	{Code: ir.Constant, Name: "Constant", HLO: "constant", Accepts: nil,
		Doc:   "Constant returns a value known when the program is written.",
		Infer: inferConstant, Lower: lowerConstant, Eval: evalConstant},
	{Code: ir.Iota, Name: "Iota", HLO: "iota",
		Doc:   "Iota returns an array whose elements are their own positions along an axis.",
		Infer: inferIota, Lower: lowerIota, Eval: evalIota},
	{Code: ir.Convert, Name: "Convert", HLO: "convert", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc: "Convert returns operand at another dtype. Floats round to nearest even; from a float to an integer, elements are " +
			"truncated and saturate, and NaN becomes 0; integers keep their low bits; to a boolean, nonzero is true.",
		Infer: inferConvert, Lower: lowerConvert, Eval: evalConvert},
	{Code: ir.BitcastConvert, Name: "BitcastConvert", HLO: "bitcast_convert", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc: "BitcastConvert returns operand with its bits read as another dtype. If the widths differ, a last axis is added or removed, " +
			"low bits first.",
		Infer: inferBitcast, Lower: lowerWithTypes("bitcast_convert"), Eval: evalBitcast},
	{Code: ir.Reshape, Name: "Reshape", HLO: "reshape", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc:   "Reshape returns the elements of operand, in row-major order, in another shape of the same size.",
		Infer: inferReshape, Lower: widened(lowerWithTypes("reshape")), Eval: evalReshape},
	{Code: ir.BroadcastInDim, Name: "BroadcastInDim", HLO: "broadcast_in_dim", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc:   "BroadcastInDim returns operand repeated along axes that are new or of length 1.",
		Infer: inferBroadcast, Lower: widened(lowerBroadcast), Eval: evalBroadcast},
	{Code: ir.Transpose, Name: "Transpose", HLO: "transpose", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc:   "Transpose returns operand with axis i of the result being axis permutation[i] of operand.",
		Infer: inferTranspose, Lower: widened(lowerTranspose), Eval: evalTranspose},
	{Code: ir.Slice, Name: "Slice", HLO: "slice", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc:   "Slice returns the elements from start up to, but not including, limit in steps of strides, along each axis.",
		Infer: inferSlice, Lower: widened(lowerSlice), Eval: evalSlice},
	{Code: ir.Concatenate, Name: "Concatenate", HLO: "concatenate", Params: []string{"inputs"}, Accepts: []dtype.Kind{dtype.Any}, Variadic: true,
		Doc:   "Concatenate returns the inputs joined along an axis.",
		Infer: inferConcatenate, Lower: widened(lowerConcatenate), Eval: evalConcatenate},
	{Code: ir.Pad, Name: "Pad", HLO: "pad", Params: []string{"operand", "padding_value"}, Accepts: []dtype.Kind{dtype.Any, dtype.Any},
		Doc:   "Pad returns operand with padding_value before, after and between its elements along each axis; negative padding removes elements.",
		Infer: inferPad, Lower: widened(lowerPad), Eval: evalPad},
	{Code: ir.Reverse, Name: "Reverse", HLO: "reverse", Params: []string{"operand"}, Accepts: []dtype.Kind{dtype.Any},
		Doc:   "Reverse returns operand with the order of its elements reversed along axes.",
		Infer: inferReverse, Lower: widened(lowerReverse), Eval: evalReverse},
}

// inferConstant: (C1) the result has the value's type. Data has either all elements or a single one that is repeated.
func inferConstant(_ []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.ConstantAttrs)
	if !ok || !a.DType.Valid() {
		return nil, fault("no value is given", "")
	}
	t := shape.Type{DType: a.DType, Shape: a.Shape.Shape()}
	if n := len(a.Data); n != t.Bytes() && n != a.DType.Size() {
		return nil, fault("the value has "+strconv.Itoa(n)+" bytes, but "+t.String()+" takes "+strconv.Itoa(t.Bytes()), "")
	}
	return []shape.Type{t}, nil
}

func lowerConstant(w *stablehlo.Writer, n *ir.Node) {
	a, t := n.Attrs.(ir.ConstantAttrs), n.Results[0].Type
	w.Op(n).Str("stablehlo.constant ").Dense(a.DType, t.Shape, a.Data).End(n)
}

func evalConstant(_ Evaluator, n *ir.Node, _ []array.Array) ([]array.Array, error) {
	a, out := n.Attrs.(ir.ConstantAttrs), array.New(n.Results[0].Type)
	for i := 0; i < len(out.Data); i += len(a.Data) {
		copy(out.Data[i:], a.Data)
	}
	return oneResult(out, nil)
}

// inferIota: (C1) the axis is an axis of the result.
func inferIota(_ []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.IotaAttrs)
	if !ok || !a.DType.Is(dtype.Numeric) {
		return nil, fault("the dtype must be that of integers, floats or complex numbers", "convert the result")
	}
	return []shape.Type{{DType: a.DType, Shape: a.Shape.Shape()}}, checkAxis(a.Axis, a.Shape.Len())
}

func lowerIota(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.iota dim = ").Int(n.Attrs.(ir.IotaAttrs).Axis).End(n)
}

func evalIota(e Evaluator, n *ir.Node, _ []array.Array) ([]array.Array, error) {
	a, out := n.Attrs.(ir.IotaAttrs), array.New(n.Results[0].Type)
	size, steps := a.DType.Size(), make([]int, a.Shape.Len())
	steps[a.Axis] = 1
	err := array.Walk(e.Context(), out.Type.Shape, 0, steps, func(i, at int) {
		dtype.PutInt(out.Data[i*size:], a.DType, int64(at))
	})
	return oneResult(out, err)
}

// inferConvert: (C1) shape(operand) = shape(result).
func inferConvert(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.DTypeAttrs)
	if !ok || !a.DType.Valid() {
		return nil, fault("no dtype is given", "")
	}
	return []shape.Type{{DType: a.DType, Shape: args[0].Shape}}, nil
}

func evalConvert(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, out := args[0], array.New(n.Results[0].Type)
	from, to := x.DType(), out.DType()
	err := array.Walk(e.Context(), x.Type.Shape, 0, array.Strides(x.Type.Shape), func(i, _ int) {
		dtype.Convert(out.Data[i*to.Size():], to, x.Data[i*from.Size():], from)
	})
	return oneResult(out, err)
}

// inferBitcast: (C1) a dtype of the same width keeps the shape, a narrower dtype adds a last axis, and a
// wider dtype removes the last axis; (C2) complex numbers can be read only as complex numbers.
func inferBitcast(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.DTypeAttrs)
	if !ok || !a.DType.Valid() {
		return nil, fault("no dtype is given", "")
	}
	x := args[0]
	if x.DType.Is(dtype.Complex) != a.DType.Is(dtype.Complex) {
		return nil, fault("the bits of real and complex numbers cannot be read as each other",
			"use nv.Real and nv.Imag, or nv.Complex")
	}
	if (x.DType == dtype.I1) != (a.DType == dtype.I1) {
		return nil, fault("the bits of a boolean cannot be read as another dtype", "use Convert")
	}
	from, to, r := x.DType.Bits(), a.DType.Bits(), len(x.Shape)
	switch {
	case from == to:
		return []shape.Type{{DType: a.DType, Shape: x.Shape}}, nil
	case x.DType.Is(dtype.Complex):
		return nil, fault("c64 and c128 cannot be read as each other", "use Convert")
	case from > to && from%to == 0:
		return []shape.Type{{DType: a.DType, Shape: append(x.Shape.Clone(), from/to)}}, nil
	case from < to && r > 0 && x.Shape[r-1]*from == to:
		return []shape.Type{{DType: a.DType, Shape: x.Shape[:r-1]}}, nil
	}
	hint := "convert the values with AsType"
	if to%from == 0 {
		hint = "the last axis must have length " + strconv.Itoa(to/from) + ", the parts of one element"
	}
	reason := "elements of " + strconv.Itoa(from) + " bits cannot be read as elements of " + strconv.Itoa(to) + " bits"
	return nil, fault(reason, hint)
}

func evalBitcast(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, out := args[0], array.New(n.Results[0].Type)
	from, to := x.DType(), out.DType()
	if from.Bits() >= 8 && to.Bits() >= 8 {
		copy(out.Data, x.Data)
		return oneResult(out, e.Context().Err())
	}
	bits := bitReader{data: x.Data, width: from.Bits(), size: from.Size()}
	for i := 0; i < len(out.Data); i += to.Size() {
		bits.next(out.Data[i:i+to.Size()], to)
	}
	return oneResult(out, e.Context().Err())
}

// A bitReader reads elements of width bits, stored in size bytes each, as one sequence of
// bits, low bits first.
type bitReader struct {
	data        []byte
	width, size int
	at          int // the number of bits that have been read
}

// next reads the bits of dst, an element of dtype d.
func (r *bitReader) next(dst []byte, d dtype.DType) {
	for i := range d.Bits() {
		element, bit := r.at/r.width, r.at%r.width
		b := r.data[element*r.size+bit/8] >> (bit % 8) & 1
		dst[i/8] |= b << (i % 8)
		r.at++
	}
	if d.Is(dtype.Signed) && d.Bits() < 8 {
		dst[0] = byte(signed(uint64(dst[0]), d.Bits()))
	}
}

// inferReshape: (C1) dtypes agree; (C2) sizes agree.
func inferReshape(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.ReshapeAttrs)
	s := a.Shape.Shape()
	for _, n := range s {
		if n < 0 {
			return nil, fault("shape "+s.String()+" has a negative length", "")
		}
	}
	if s.Size() != args[0].Shape.Size() {
		return nil, fault(s.String()+" has "+strconv.Itoa(s.Size())+" elements, not "+strconv.Itoa(args[0].Shape.Size()),
			"the number of elements must stay the same")
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

func evalReshape(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	return oneResult(array.Array{Type: n.Results[0].Type, Data: args[0].Data}, e.Context().Err())
}

// inferBroadcast: (C2) Axes has an axis of the result for each axis of the operand; (C3), (C4)
// each occurs once; (C5) the operand's length is that of the result or 1.
func inferBroadcast(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.BroadcastAttrs)
	x, s := args[0].Shape, a.Shape.Shape()
	if a.Axes.Len() != len(x) {
		return nil, fault("each axis of the operand needs an axis of the result", "")
	}
	if err := checkAxes(a.Axes, len(s)); err != nil {
		return nil, err
	}
	for i, axis := range a.Axes.All() {
		if x[i] != 1 && x[i] != s[axis] {
			return nil, fault("axis "+strconv.Itoa(i)+" of length "+strconv.Itoa(x[i])+" does not broadcast to "+strconv.Itoa(s[axis]),
				"only axes of length 1 are repeated")
		}
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

func lowerBroadcast(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.broadcast_in_dim ").Values(n.Args...).Str(", dims = ").Dims(n.Attrs.(ir.BroadcastAttrs).Axes).EndFunc(n)
}

func evalBroadcast(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	x, s := args[0], n.Results[0].Type.Shape
	from, steps := array.Strides(x.Type.Shape), make([]int, len(s))
	for i, axis := range n.Attrs.(ir.BroadcastAttrs).Axes.All() {
		if x.Type.Shape[i] != 1 {
			steps[axis] = from[i]
		}
	}
	return oneResult(array.Read(e.Context(), s, x, 0, steps))
}

// inferTranspose: (C2) the axes are a permutation; (C3) the lengths of the result are the operand's, permuted.
func inferTranspose(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.AxesAttrs)
	x := args[0].Shape
	if a.Axes.Len() != len(x) {
		return nil, fault("the permutation has length "+strconv.Itoa(a.Axes.Len())+
			", but the operand has rank "+strconv.Itoa(len(x)), "name each axis once")
	}
	if err := checkAxes(a.Axes, len(x)); err != nil {
		return nil, err
	}
	s := make(shape.Shape, len(x))
	for i, axis := range a.Axes.All() {
		s[i] = x[axis]
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

func lowerTranspose(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.transpose ").Values(n.Args...).Str(", dims = ").Dims(n.Attrs.(ir.AxesAttrs).Axes).EndFunc(n)
}

func evalTranspose(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	from, s := array.Strides(args[0].Type.Shape), n.Results[0].Type.Shape
	steps := make([]int, len(s))
	for i, axis := range n.Attrs.(ir.AxesAttrs).Axes.All() {
		steps[i] = from[axis]
	}
	return oneResult(array.Read(e.Context(), s, args[0], 0, steps))
}

// inferReverse: (C2), (C3) the axes are axes of the operand, each once.
func inferReverse(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.AxesAttrs)
	return args[:1:1], checkAxes(a.Axes, len(args[0].Shape))
}

func lowerReverse(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.reverse ").Values(n.Args...).Str(", dims = ").Dims(n.Attrs.(ir.AxesAttrs).Axes).End(n)
}

func evalReverse(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	s := args[0].Type.Shape
	steps, offset := array.Strides(s), 0
	for _, axis := range n.Attrs.(ir.AxesAttrs).Axes.All() {
		offset += (s[axis] - 1) * steps[axis]
		steps[axis] = -steps[axis]
	}
	return oneResult(array.Read(e.Context(), s, args[0], offset, steps))
}
