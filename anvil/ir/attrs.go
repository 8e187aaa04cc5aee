package ir

import (
	"fmt"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// The attributes of an operation are one of these comparable structs, or nil if there is none for the
// operation. The operations differ from StableHLO's; for example:
//
//   - Reductions have no operand for the initial value: it is the identity element.
//   - ArgMax and ArgMin are operations; Sort has no comparator.
//   - If has the operands (pred, args...) and two regions whose parameters are
//     args. A region cannot use values of the enclosing graph.
//   - While has the initial values of the loop-carried values as operands, and two regions
//     with these as parameters: cond, which returns an i1 of rank 0, and body.
//   - Scan is an operation: a loop with a static number of steps, which takes one element
//     of its inputs at each step and stacks results of the steps. See ScanAttrs.
type (
	// ConstantAttrs has the value of Constant. Data has all elements in host form (see
	// array.Array), or one element that fills the shape.
	ConstantAttrs struct {
		DType dtype.DType
		Shape shape.Dims
		Data  string
	}
	// IotaAttrs has the axis along which Iota counts: result[..., i, ...] = i.
	IotaAttrs struct {
		DType dtype.DType
		Shape shape.Dims
		Axis  int
	}
	// DTypeAttrs has the result dtype of Convert and BitcastConvert.
	DTypeAttrs struct{ DType dtype.DType }
	// ReshapeAttrs has the result shape of Reshape.
	ReshapeAttrs struct{ Shape shape.Dims }
	// BroadcastAttrs says that axis i of the operand is axis Axes[i] of Shape.
	BroadcastAttrs struct{ Shape, Axes shape.Dims }
	// AxesAttrs has axes: those that a reduction removes, those that Reverse
	// reverses, or for Transpose all axes in their new order.
	AxesAttrs struct{ Axes shape.Dims }
	// AxisAttrs has the axis along which Concatenate joins.
	AxisAttrs struct{ Axis int }
	// SliceAttrs has, for each axis, the range [Start, Limit) and the stride.
	SliceAttrs struct{ Start, Limit, Strides shape.Dims }
	// DynamicSliceAttrs has the result shape of DynamicSlice.
	DynamicSliceAttrs struct{ Sizes shape.Dims }
	// GatherAttrs has the dimension_numbers and slice_sizes of the specification.
	GatherAttrs struct {
		OffsetDims, CollapsedSliceDims           shape.Dims
		OperandBatchingDims, IndicesBatchingDims shape.Dims
		StartIndexMap                            shape.Dims
		IndexVectorDim                           int
		SliceSizes                               shape.Dims
		IndicesAreSorted                         bool
	}
	// ScatterAttrs has the dimension_numbers of the specification. Combine is the code of the operation that
	// combines the old and the new element. If Combine is Invalid, the region combines them; without a
	// region, the new element replaces the old one.
	ScatterAttrs struct {
		UpdateWindowDims, InsertedWindowDims     shape.Dims
		OperandBatchingDims, IndicesBatchingDims shape.Dims
		ScatterDimsToOperandDims                 shape.Dims
		IndexVectorDim                           int
		IndicesAreSorted, UniqueIndices          bool
		Combine                                  Code
	}
	// PadAttrs has, for each axis, the number of elements added before, after, and
	// between the elements.
	PadAttrs struct{ Low, High, Interior shape.Dims }
	// CompareAttrs has the relation of Compare.
	CompareAttrs struct{ Direction Direction }
	// ArgAttrs has the axis of ArgMax and ArgMin, and the integer dtype of the
	// result.
	ArgAttrs struct {
		Axis  int
		DType dtype.DType
	}
	// DotAttrs has the batching and contracting axes of DotGeneral. DType is the dtype of result and
	// accumulation; Invalid means the operands' dtype.
	DotAttrs struct {
		LhsBatch, RhsBatch       shape.Dims
		LhsContract, RhsContract shape.Dims
		DType                    dtype.DType
		Precision                Precision
	}
	// SortAttrs has the axis and the direction of Sort. The elements of the first operand are sorted, with NaN
	// as the greatest value; those of the other operands are moved in the same way. The sort is stable.
	SortAttrs struct {
		Axis       int
		Descending bool
	}
	// TriangularAttrs has the form of the equation that TriangularSolve solves:
	// op(a)*x = b, or x*op(a) = b if Right is true. a is lower triangular, or upper
	// triangular if Upper is true. If Unit is true, the diagonal of a is assumed to be
	// ones.
	TriangularAttrs struct {
		Right, Upper, Unit bool
		Op                 MatrixOp
	}
	// FullAttrs are the attributes of QR, SVD and Eigh. If Full is true, the orthogonal factors of QR and SVD
	// are square; otherwise they are only as wide as the other factor needs. Coupled is true for an SVD or
	// Eigh if package autodiff has already added to the program the terms that its derivative needs for equal
	// singular values or eigenvalues.
	FullAttrs struct{ Full, Coupled bool }
	// ConvAttrs describes how the window of Convolution moves over the spatial axes of lhs. Lhs and Out have
	// the axes (batch, feature, spatial...) of lhs and result, Rhs has the axes (output feature, input
	// feature, spatial...) of rhs; Strides, Low, High, LhsDilation and RhsDilation have a number for each
	// spatial axis. Output features are divided into FeatureGroups groups, each of which depends on a part of
	// the input features, or into BatchGroups groups, each of which depends on a part of the batch. DType is
	// the dtype of result and accumulation; Invalid means the operands' dtype.
	ConvAttrs struct {
		Lhs, Rhs, Out              shape.Dims
		Strides, Low, High         shape.Dims
		LhsDilation, RhsDilation   shape.Dims
		Reversal                   shape.Dims // indices of the spatial axes along which the window is reversed
		FeatureGroups, BatchGroups int
		DType                      dtype.DType
		Precision                  Precision
	}
	// WindowAttrs describes a window for each axis. The window has Size elements at distances of Dilation, and
	// moves by Strides. The elements over which it moves are at distances of BaseDilation, with Low positions of
	// padding before them and High after them.
	WindowAttrs struct{ Size, Strides, Low, High, BaseDilation, Dilation shape.Dims }
	// ScanAttrs describes a Scan of Length steps. The operands of Scan are the initial values of the loop-carried
	// values (as many as Carried says), values that all steps see (as many as Shared says), and inputs whose
	// first axis has Length elements. The region
	// has as parameters the carried values, the shared ones, and the element of each input at the step; it
	// returns the next carried values and any number of further results. Scan returns the last carried
	// values, and each further result stacked along a new first axis of Length elements. If Reverse is true,
	// the steps go from the last element to the first; the results of a step are stacked at the index of the
	// input elements of that step.
	ScanAttrs struct {
		Length, Carried, Shared int
		Reverse                 bool
	}
	// CumulativeAttrs has the axis along which CumSum, CumProd, CumMax and CumMin go: from the last element
	// to the first if Reverse is true. DType is the integer dtype of the second result of CumMax and CumMin,
	// the positions, and Invalid for CumSum and CumProd.
	CumulativeAttrs struct {
		Axis    int
		Reverse bool
		DType   dtype.DType
	}
	// FFTAttrs has the lengths of the transformed axes, which are the last axis, or the last two or three. Where
	// the lengths of an axis in operand and result differ, Lengths has the larger one.
	FFTAttrs struct{ Lengths shape.Dims }
)

// A MatrixOp is an operation on a matrix operand: none, transpose, or conjugate
// transpose.
type MatrixOp uint8

// The operations.
const (
	AsIs MatrixOp = iota
	Transposed
	Adjoint
)

// String returns the name of o in StableHLO.
func (o MatrixOp) String() string {
	if int(o) >= len(matrixOpNames) {
		return "invalid"
	}
	return matrixOpNames[o]
}

var matrixOpNames = [...]string{AsIs: "NO_TRANSPOSE", Transposed: "TRANSPOSE", Adjoint: "ADJOINT"}

// A Direction is the relation that Compare tests. StableHLO calls it comparison_direction.
type Direction uint8

// The directions.
const (
	EQ Direction = iota
	NE
	LT
	LE
	GT
	GE
)

// String returns the name of d in StableHLO.
func (d Direction) String() string {
	if int(d) >= len(directionNames) {
		return "invalid"
	}
	return directionNames[d]
}

var directionNames = [...]string{EQ: "EQ", NE: "NE", LT: "LT", LE: "LE", GT: "GT", GE: "GE"}

// A Precision is the precision of a matrix product. The zero value is the full precision
// of the dtype.
type Precision uint8

// HighestPrecision uses all bits of the dtype. With the other precisions a device may use fewer bits where that is
// faster, such as those of TF32 or bf16.
const (
	HighestPrecision Precision = iota
	HighPrecision
	DefaultPrecision
)

// String returns the name of p in StableHLO.
func (p Precision) String() string {
	if int(p) >= len(precisionNames) {
		return "invalid"
	}
	return precisionNames[p]
}

var precisionNames = [...]string{HighestPrecision: "HIGHEST", HighPrecision: "HIGH", DefaultPrecision: "DEFAULT"}

// String returns the value as text: "2" for one element, "6 values" for several.
func (a ConstantAttrs) String() string {
	if len(a.Data) == a.DType.Size() {
		return fmt.Sprint(dtype.Get([]byte(a.Data), a.DType))
	}
	return strconv.Itoa(len(a.Data)/a.DType.Size()) + " values"
}

// CompilerAttrs selects the compiler's implementation of a function instead of the more accurate
// implementation in package ops, to reproduce the bits of another library.
type CompilerAttrs struct{}

// CallAttrs says how Call is differentiated.
type CallAttrs struct {
	// Rule says that a second region computes the derivative: it takes the operands, the results and the
	// operands' tangents, and returns the results' tangents.
	Rule bool
	// Recompute says that reverse mode computes the results again instead of keeping them.
	Recompute bool
	// Elementwise says that the region is an elementwise function of floats with one result. The tangent of
	// the result is a sum with a term for each operand: the partial derivative, which forward mode computes, times
	// the operand's tangent. So the call has a derivative in reverse mode even if it has loops without a bound. A
	// second region, if there is one, computes the partial derivative with respect to the last operand.
	Elementwise bool
	// Reason, if not empty, is why the call has no derivative; Hint says what to do.
	Reason, Hint string
}
