package ops

import (
	"strconv"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// Inference, lowering and evaluation of Slice, Concatenate and Pad. Their rows are in layout.go.
//
// (C1), (C2), ... in comments are the constraints of the operation in the StableHLO specification.

// inferSlice: (C2) there are bounds for each axis; (C3) 0 <= start <= limit <=
// length; (C4) strides are positive; (C5) lengths are rounded up.
func inferSlice(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.SliceAttrs)
	x := args[0].Shape
	start, limit, strides := a.Start.Ints(), a.Limit.Ints(), a.Strides.Ints()
	if len(start) != len(x) || len(limit) != len(x) || len(strides) != len(x) {
		return nil, fault("bounds are given for "+strconv.Itoa(len(start))+" axes, but the operand has "+strconv.Itoa(len(x)), "")
	}
	s := make(shape.Shape, len(x))
	for i := range x {
		if start[i] < 0 || start[i] > limit[i] || limit[i] > x[i] {
			return nil, fault("["+strconv.Itoa(start[i])+":"+strconv.Itoa(limit[i])+"] is out of range for axis "+
				strconv.Itoa(i)+" of length "+strconv.Itoa(x[i]), "")
		}
		if strides[i] < 1 {
			return nil, fault("stride "+strconv.Itoa(strides[i])+" is not positive", "use Reverse to go backwards")
		}
		s[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i]
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

func lowerSlice(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.SliceAttrs)
	limit, strides := a.Limit.Ints(), a.Strides.Ints()
	w.Op(n).Str("stablehlo.slice ").Values(n.Args...).Str(" [")
	for i, start := range a.Start.All() {
		w.Comma(i).Int(start).Str(":").Int(limit[i])
		if strides[i] != 1 {
			w.Str(":").Int(strides[i])
		}
	}
	w.Str("]").EndFunc(n)
}

func evalSlice(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a := n.Attrs.(ir.SliceAttrs)
	steps, offset := array.Strides(args[0].Type.Shape), 0
	for i, start := range a.Start.All() {
		offset += start * steps[i]
	}
	for i, stride := range a.Strides.All() {
		steps[i] *= stride
	}
	return oneResult(array.Read(e.Context(), n.Results[0].Type.Shape, args[0], offset, steps))
}

// inferConcatenate: (C1) dtypes agree; (C2) shapes agree except along the axis; (C3)
// there is an input; (C4) the axis is an axis of the inputs; (C6) lengths along the axis are added.
func inferConcatenate(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, ok := attrs.(ir.AxisAttrs)
	if !ok || len(args) == 0 {
		return nil, fault("no tensor is given", "")
	}
	if err := checkAxis(a.Axis, len(args[0].Shape)); err != nil {
		return nil, err
	}
	s := args[0].Shape.Clone()
	for _, x := range args[1:] {
		if x.DType != args[0].DType {
			return nil, fault("dtypes differ", "convert one with AsType")
		}
		if len(x.Shape) != len(s) {
			return nil, fault("shapes "+args[0].Shape.String()+" and "+x.Shape.String()+" have "+strconv.Itoa(len(s))+
				" and "+strconv.Itoa(len(x.Shape))+" axes", "nv.ExpandDims adds an axis of length 1")
		}
		if !equalExcept(a.Axis, x.Shape, s) {
			return nil, fault("shapes differ along an axis other than "+strconv.Itoa(a.Axis),
				"cut the longer one with At, or extend the shorter one with Pad")
		}
		s[a.Axis] += x.Shape[a.Axis]
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

// equalExcept reports whether s and t, of the same rank, are equal except for the length of one axis.
func equalExcept(axis int, s, t shape.Shape) bool {
	for i := range s {
		if i != axis && s[i] != t[i] {
			return false
		}
	}
	return true
}

func lowerConcatenate(w *stablehlo.Writer, n *ir.Node) {
	w.Op(n).Str("stablehlo.concatenate ").Values(n.Args...).Str(", dim = ").Int(n.Attrs.(ir.AxisAttrs).Axis).EndFunc(n)
}

func evalConcatenate(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	out, axis := array.New(n.Results[0].Type), n.Attrs.(ir.AxisAttrs).Axis
	steps, offset := array.Strides(out.Type.Shape), 0
	for _, x := range args {
		if err := array.Write(e.Context(), out, x, offset, steps); err != nil {
			return nil, err
		}
		offset += x.Type.Shape[axis] * steps[axis]
	}
	return oneResult(out, nil)
}

// maxPadding is more than the length of any axis.
const maxPadding = 1 << 42

// inferPad: (C1) dtypes agree; (C2) there are numbers for each axis; (C3)
// interior is not negative; (C4) the lengths of the result include the padding.
func inferPad(args []shape.Type, attrs any, _ []*ir.Graph) ([]shape.Type, error) {
	a, _ := attrs.(ir.PadAttrs)
	x, low, high, interior := args[0].Shape, a.Low.Ints(), a.High.Ints(), a.Interior.Ints()
	if args[1].DType != args[0].DType || len(args[1].Shape) > 0 {
		return nil, fault("padding_value is "+args[1].String(), "it must be "+args[0].DType.String()+" of rank 0")
	}
	if len(low) != len(x) || len(high) != len(x) || len(interior) != len(x) {
		return nil, fault("padding is given for "+strconv.Itoa(len(low))+" axes, but the operand has "+strconv.Itoa(len(x)), "")
	}
	s := make(shape.Shape, len(x))
	for i := range x {
		greatest := max(low[i], -low[i]-1, high[i], -high[i]-1)                        // -1: the least int cannot be negated
		if greatest > maxPadding || interior[i] > 0 && x[i] > maxPadding/interior[i] { // the sum below could overflow
			return nil, fault("axis "+strconv.Itoa(i)+" would have "+strconv.Itoa(low[i])+" elements of padding before, "+
				strconv.Itoa(high[i])+" after and "+strconv.Itoa(interior[i])+" between elements", "no axis can be that long")
		}
		s[i] = x[i] + low[i] + high[i] + max(x[i]-1, 0)*interior[i]
		if interior[i] < 0 || s[i] < 0 {
			return nil, fault("axis "+strconv.Itoa(i)+" would have a negative length",
				"interior padding must not be negative, and negative padding must not remove more elements than there are")
		}
	}
	return []shape.Type{{DType: args[0].DType, Shape: s}}, nil
}

func lowerPad(w *stablehlo.Writer, n *ir.Node) {
	a := n.Attrs.(ir.PadAttrs)
	w.Op(n).Str("stablehlo.pad ").Values(n.Args...).Str(", low = ").Dims(a.Low).Str(", high = ").Dims(a.High).
		Str(", interior = ").Dims(a.Interior).EndFunc(n)
}

// evalPad fills the result with the padding value, and then writes each element that negative padding does not remove.
func evalPad(e Evaluator, n *ir.Node, args []array.Array) ([]array.Array, error) {
	a, x, fill := n.Attrs.(ir.PadAttrs), args[0], args[1].Data
	out := array.New(n.Results[0].Type)
	for i := 0; i < len(out.Data); i += len(fill) {
		copy(out.Data[i:], fill)
	}
	low, interior, size := a.Low.Ints(), a.Interior.Ints(), x.DType().Size()
	s, steps := x.Type.Shape, array.Strides(out.Type.Shape)
	err := array.Walk(e.Context(), s, 0, array.Strides(s), func(i, at int) {
		to, inside := 0, true
		for k, rest := len(s)-1, i; k >= 0; k-- {
			p := low[k] + rest%s[k]*(1+interior[k])
			rest /= s[k]
			inside = inside && p >= 0 && p < out.Type.Shape[k]
			to += p * steps[k]
		}
		if inside {
			copy(out.Data[to*size:(to+1)*size], x.Data[i*size:])
		}
	})
	return oneResult(out, err)
}
