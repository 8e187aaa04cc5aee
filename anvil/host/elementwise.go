package host

import (
	"context"
	"math"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// This file has the kernels of elementwise operations, and the loops over elements that they run.

type (
	integer interface {
		int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
	}
	float interface{ float32 | float64 }
)

// unary returns the kernel of n, an operation on one operand, or nil if no loop computes n.
func unary(n *ir.Node) kernel {
	d := n.Results[0].Type.DType
	switch c := n.Code; d {
	case dtype.I1:
		if c == ir.Not {
			return map1(notBool)
		}
	case dtype.I8:
		return map1(signed1[int8](c))
	case dtype.I16:
		return map1(signed1[int16](c))
	case dtype.I32:
		return map1(signed1[int32](c))
	case dtype.I64:
		return map1(signed1[int64](c))
	case dtype.U8:
		return map1(integer1[uint8](c))
	case dtype.U16:
		return map1(integer1[uint16](c))
	case dtype.U32:
		return map1(integer1[uint32](c))
	case dtype.U64:
		return map1(integer1[uint64](c))
	case dtype.F32:
		return map1(float1[float32](c))
	case dtype.F64:
		return map1(float1[float64](c))
	case dtype.BF16, dtype.F16:
		return half1(d, float1[float32](c))
	}
	return nil
}

// integer1 returns the loop of the operation c on one operand of integers, or nil if there is none. signed1
// and float1 do the same for signed integers and floats.
func integer1[T integer](c ir.Code) func(out, x []T) {
	switch c {
	case ir.Neg:
		return neg[T]
	case ir.Not:
		return not[T]
	}
	return nil
}

func signed1[T int8 | int16 | int32 | int64](c ir.Code) func(out, x []T) {
	if c == ir.Abs {
		return absInt[T]
	}
	return integer1[T](c)
}

func float1[T float](c ir.Code) func(out, x []T) {
	switch c {
	case ir.Neg:
		return neg[T]
	case ir.Abs:
		return absFloat[T]
	case ir.Sqrt:
		return sqrt[T]
	case ir.Floor:
		return floor[T]
	case ir.Ceil:
		return ceil[T]
	}
	return nil
}

// binary returns the kernel of n, an operation on two operands, or nil if no loop computes n.
func binary(n *ir.Node) kernel {
	d := n.Results[0].Type.DType
	switch c := n.Code; d {
	case dtype.I1:
		return map2(bool2(c))
	case dtype.I8:
		return map2(integer2[int8](c))
	case dtype.I16:
		return map2(integer2[int16](c))
	case dtype.I32:
		return map2(integer2[int32](c))
	case dtype.I64:
		return map2(integer2[int64](c))
	case dtype.U8:
		return map2(integer2[uint8](c))
	case dtype.U16:
		return map2(integer2[uint16](c))
	case dtype.U32:
		return map2(integer2[uint32](c))
	case dtype.U64:
		return map2(integer2[uint64](c))
	case dtype.F32:
		return map2(float2[float32](c))
	case dtype.F64:
		return map2(float2[float64](c))
	case dtype.BF16, dtype.F16:
		return half2(d, float2[float32](c))
	}
	return nil
}

// bool2 returns the loop of the operation c on two operands of bools, stored as 0 or 1, or nil if there is
// none. integer2 and float2 do the same for integers and floats.
func bool2(c ir.Code) func(out, x, y []uint8) {
	switch c {
	case ir.Add, ir.Or, ir.Max:
		return or[uint8]
	case ir.Mul, ir.And, ir.Min:
		return and[uint8]
	case ir.Xor:
		return xor[uint8]
	}
	return nil
}

func integer2[T integer](c ir.Code) func(out, x, y []T) {
	switch c {
	case ir.Add:
		return add[T]
	case ir.Sub:
		return sub[T]
	case ir.Mul:
		return mul[T]
	case ir.Max:
		return maximum[T]
	case ir.Min:
		return minimum[T]
	case ir.And:
		return and[T]
	case ir.Or:
		return or[T]
	case ir.Xor:
		return xor[T]
	}
	return nil // also for Div: division by 0 needs Eval of package ops
}

func float2[T float](c ir.Code) func(out, x, y []T) {
	switch c {
	case ir.Add:
		return add[T]
	case ir.Sub:
		return sub[T]
	case ir.Mul:
		return mul[T]
	case ir.MulNoNaN:
		return mulNoNaN[T]
	case ir.Div:
		return div[T]
	case ir.Max:
		return maximum[T]
	case ir.Min:
		return minimum[T]
	}
	return nil
}

// comparison returns the kernel of Compare.
func comparison(n *ir.Node) kernel {
	d := n.Args[0].Type.DType
	switch c := n.Attrs.(ir.CompareAttrs).Direction; d {
	case dtype.I1, dtype.U8:
		return map2(relation[uint8](c))
	case dtype.I8:
		return map2(relation[int8](c))
	case dtype.I16:
		return map2(relation[int16](c))
	case dtype.I32:
		return map2(relation[int32](c))
	case dtype.I64:
		return map2(relation[int64](c))
	case dtype.U16:
		return map2(relation[uint16](c))
	case dtype.U32:
		return map2(relation[uint32](c))
	case dtype.U64:
		return map2(relation[uint64](c))
	case dtype.F32:
		return map2(relation[float32](c))
	case dtype.F64:
		return map2(relation[float64](c))
	case dtype.BF16, dtype.F16:
		return halfRelation(d, relation[float32](c))
	}
	return nil
}

// relation returns the loop that compares elements by d.
func relation[T array.Number](d ir.Direction) func(out []uint8, x, y []T) {
	return [...]func(out []uint8, x, y []T){ir.EQ: equal[T], ir.NE: notEqual[T], ir.LT: less[T], ir.LE: lessEqual[T],
		ir.GT: greater[T], ir.GE: greaterEqual[T]}[d]
}

// selection returns the kernel of Select.
func selection(n *ir.Node) kernel {
	if len(n.Args[0].Type.Shape) < len(n.Results[0].Type.Shape) {
		return infallible(func(out []byte, in [][]byte) { // the predicate is a scalar
			if in[0][0]&1 != 0 {
				copy(out, in[1])
			} else {
				copy(out, in[2])
			}
		})
	}
	switch n.Results[0].Type.DType.Size() {
	case 1:
		return infallible(choose[uint8])
	case 2:
		return infallible(choose[uint16])
	case 4:
		return infallible(choose[uint32])
	case 8:
		return infallible(choose[uint64])
	}
	return nil
}

// In the loops, operands are resliced to the length of the result so that the compiler
// removes bounds checks.

func notBool(out, x []uint8) {
	for i, x := range x[:len(out)] {
		out[i] = x ^ 1
	}
}

func neg[T array.Number](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = -x
	}
}

func not[T integer](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = ^x
	}
}

func absInt[T int8 | int16 | int32 | int64](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = max(x, -x)
	}
}

func absFloat[T float](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = T(math.Abs(float64(x)))
	}
}

func sqrt[T float](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = T(math.Sqrt(float64(x)))
	}
}

func floor[T float](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = T(math.Floor(float64(x)))
	}
}

func ceil[T float](out, x []T) {
	for i, x := range x[:len(out)] {
		out[i] = T(math.Ceil(float64(x)))
	}
}

func add[T array.Number](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] + y[i]
	}
}

func sub[T array.Number](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] - y[i]
	}
}

func mul[T array.Number](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] * y[i]
	}
}

// mulNoNaN sets out to x*y, or 0 where x is 0, even if y is infinite or NaN.
func mulNoNaN[T array.Number](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		v := x[i]
		if v != 0 {
			v *= y[i]
		} else {
			v = 0
		}
		out[i] = v
	}
}

func div[T float](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] / y[i]
	}
}

func maximum[T array.Number](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = max(x[i], y[i])
	}
}

func minimum[T array.Number](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = min(x[i], y[i])
	}
}

func and[T integer](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] & y[i]
	}
}

func or[T integer](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] | y[i]
	}
}

func xor[T integer](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] ^ y[i]
	}
}

// bit returns 1 for true and 0 for false, without a branch.
func bit(x bool) (b uint8) {
	if x {
		b = 1
	}
	return b
}

func equal[T array.Number](out []uint8, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = bit(x[i] == y[i])
	}
}

func notEqual[T array.Number](out []uint8, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = bit(x[i] != y[i])
	}
}

func less[T array.Number](out []uint8, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = bit(x[i] < y[i])
	}
}

func lessEqual[T array.Number](out []uint8, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = bit(x[i] <= y[i])
	}
}

func greater[T array.Number](out []uint8, x, y []T) { less(out, y, x) }

func greaterEqual[T array.Number](out []uint8, x, y []T) { lessEqual(out, y, x) }

// choose is the loop of Select for a predicate with an element for each result.
func choose[T integer](data []byte, in [][]byte) {
	out := array.View[T](data)
	pred, x, y := in[0][:len(out)], array.View[T](in[1])[:len(out)], array.View[T](in[2])[:len(out)]
	for i := range out {
		v := y[i]
		if pred[i] != 0 {
			v = x[i]
		}
		out[i] = v
	}
}

// conversion returns the kernel of Convert: a loop for the most common pairs of
// dtypes, and dtype.Convert for others.
func conversion(n *ir.Node) kernel {
	from, to := n.Args[0].Type.DType, n.Results[0].Type.DType
	switch {
	case from == to:
		return copyKernel(n)
	case to == dtype.F32 && isHalf(from):
		return infallible(func(out []byte, in [][]byte) { widen(from, array.View[float32](out), array.View[uint16](in[0])) })
	case from == dtype.F32 && isHalf(to):
		return infallible(func(out []byte, in [][]byte) { narrow(to, array.View[uint16](out), array.View[float32](in[0])) })
	}
	if k := conversions[[2]dtype.DType{from, to}]; k != nil {
		return k
	}
	return func(ctx context.Context, out []byte, in [][]byte) error {
		dtype.Convert(out, to, in[0], from)
		return ctx.Err()
	}
}

// conversions has the kernels of Convert by the dtypes of the operand and the result.
var conversions = map[[2]dtype.DType]kernel{
	{dtype.I1, dtype.I32}: map1(convert[uint8, int32]), {dtype.I1, dtype.I64}: map1(convert[uint8, int64]),
	{dtype.I1, dtype.F32}: map1(zeroOrOne[float32]), {dtype.I1, dtype.F64}: map1(zeroOrOne[float64]),
	{dtype.I32, dtype.I64}: map1(convert[int32, int64]), {dtype.I64, dtype.I32}: map1(convert[int64, int32]),
	{dtype.I32, dtype.F32}: map1(convert[int32, float32]), {dtype.I64, dtype.F32}: map1(convert[int64, float32]),
	{dtype.I32, dtype.F64}: map1(convert[int32, float64]), {dtype.I64, dtype.F64}: map1(convert[int64, float64]),
	{dtype.F32, dtype.F64}: map1(convert[float32, float64]), {dtype.F64, dtype.F32}: map1(convert[float64, float32]),
}

func convert[X, R array.Number](out []R, x []X) {
	for i, x := range x[:len(out)] {
		out[i] = R(x)
	}
}

func zeroOrOne[R float](out []R, x []uint8) {
	numbers := [2]R{0, 1}
	for i, x := range x[:len(out)] {
		out[i] = numbers[x&1]
	}
}
