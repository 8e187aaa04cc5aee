package ir

import (
	"fmt"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

// The attributes of each operation are a comparable struct of its own; an
// operation not named here has none (nil). Four things differ from StableHLO:
//
//   - Reductions take the operand alone; the initial value is the identity of
//     what they do.
//   - ArgMax and ArgMin are operations; Sort has no comparator.
//   - If takes (pred, operands...) and two regions, each a graph whose parameters
//     are the operands: a region sees nothing of the graph around it.
//   - While takes the initial values of what the loop carries and two regions
//     over them: cond, which returns an i1 of rank 0, and body.
type (
	// ConstantAttrs is the value of Constant: all elements in host form, or a
	// single one that fills the shape.
	ConstantAttrs struct {
		DType dtype.DType
		Shape shape.Dims
		Data  string
	}
	// IotaAttrs says what Iota counts along: result[..., i, ...] = i.
	IotaAttrs struct {
		DType dtype.DType
		Shape shape.Dims
		Axis  int
	}
	// DTypeAttrs is the dtype that Convert and BitcastConvert make.
	DTypeAttrs struct{ DType dtype.DType }
	// ReshapeAttrs is the shape that Reshape makes.
	ReshapeAttrs struct{ Shape shape.Dims }
	// BroadcastAttrs says that axis i of the operand is axis Axes[i] of Shape.
	BroadcastAttrs struct{ Shape, Axes shape.Dims }
	// AxesAttrs names axes: those that a reduction takes away, those that
	// Reverse turns round, or for Transpose all of them in their new order.
	AxesAttrs struct{ Axes shape.Dims }
	// AxisAttrs names the one axis that Concatenate joins along.
	AxisAttrs struct{ Axis int }
	// SliceAttrs says per axis: from Start, below Limit, by Strides.
	SliceAttrs struct{ Start, Limit, Strides shape.Dims }
	// DynamicSliceAttrs is the shape of what DynamicSlice cuts out.
	DynamicSliceAttrs struct{ Sizes shape.Dims }
	// GatherAttrs is the specification's dimension_numbers, and slice_sizes.
	GatherAttrs struct {
		OffsetDims, CollapsedSliceDims           shape.Dims
		OperandBatchingDims, IndicesBatchingDims shape.Dims
		StartIndexMap                            shape.Dims
		IndexVectorDim                           int
		SliceSizes                               shape.Dims
		IndicesAreSorted                         bool
	}
	// ScatterAttrs is the specification's dimension_numbers. Combine is the code
	// of the operation that makes one element of the old and the new; Invalid
	// means that the new one stays, or the region where there is one.
	ScatterAttrs struct {
		UpdateWindowDims, InsertedWindowDims     shape.Dims
		OperandBatchingDims, IndicesBatchingDims shape.Dims
		ScatterDimsToOperandDims                 shape.Dims
		IndexVectorDim                           int
		IndicesAreSorted, UniqueIndices          bool
		Combine                                  Code
	}
	// PadAttrs says per axis how much is added before, after, and between.
	PadAttrs struct{ Low, High, Interior shape.Dims }
	// CompareAttrs is the relation that Compare tests.
	CompareAttrs struct{ Direction Direction }
	// ArgAttrs says along which axis ArgMax and ArgMin look, and of which
	// integer dtype the position is.
	ArgAttrs struct {
		Axis  int
		DType dtype.DType
	}
	// DotAttrs says which axes DotGeneral pairs. DType is the dtype of result and
	// accumulation; Invalid means the operands'.
	DotAttrs struct {
		LhsBatch, RhsBatch       shape.Dims
		LhsContract, RhsContract shape.Dims
		DType                    dtype.DType
		Precision                Precision
	}
	// SortAttrs says along which axis Sort orders, and which way. The sort is
	// always stable, by the first operand; NaN is the greatest value.
	SortAttrs struct {
		Axis       int
		Descending bool
	}
	// TriangularAttrs says what TriangularSolve solves: op(a)*x = b, or with
	// Right x*op(a) = b, where a is lower triangular, or Upper; with Unit its
	// diagonal counts as ones and is not read.
	TriangularAttrs struct {
		Right, Upper, Unit bool
		Op                 MatrixOp
	}
	// FullAttrs says whether the orthogonal factors of QR and SVD are square, and
	// not only as wide as the other factor needs.
	FullAttrs struct{ Full bool }
	// ConvAttrs says how a window moves over the spatial axes of lhs. Lhs and Out
	// name the axes (batch, feature, spatial...) of lhs and result, Rhs those
	// (output feature, input feature, spatial...) of rhs; the other lists have a
	// number per spatial axis. Output features fall into FeatureGroups, each of
	// a part of the input features, or BatchGroups, each of a part of the batch.
	// DType is the dtype of result and accumulation; Invalid means the operands'.
	ConvAttrs struct {
		Lhs, Rhs, Out              shape.Dims
		Strides, Low, High         shape.Dims
		LhsDilation, RhsDilation   shape.Dims
		Reversal                   shape.Dims // the spatial axes, counted among themselves, along which the window is turned round
		FeatureGroups, BatchGroups int
		DType                      dtype.DType
		Precision                  Precision
	}
	// WindowAttrs says per axis how a window moves over it: of Size elements,
	// Dilation apart, by Strides, over elements that are BaseDilation apart, with
	// Low positions before and High behind them.
	WindowAttrs struct{ Size, Strides, Low, High, BaseDilation, Dilation shape.Dims }
	// FFTAttrs is the lengths of the last axes, one to three, as they are in the
	// longer of operand and result: those that a Fourier transform is along.
	FFTAttrs struct{ Lengths shape.Dims }
)

// A MatrixOp is what stands for a matrix: itself, its transpose, or its conjugate
// transpose.
type MatrixOp uint8

// The operations.
const (
	AsIs MatrixOp = iota
	Transposed
	Adjoint
)

// String returns StableHLO's name.
func (o MatrixOp) String() string {
	if int(o) >= len(matrixOpNames) {
		return "invalid"
	}
	return matrixOpNames[o]
}

var matrixOpNames = [...]string{AsIs: "NO_TRANSPOSE", Transposed: "TRANSPOSE", Adjoint: "ADJOINT"}

// A Direction is the relation of a comparison, by StableHLO's name.
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

// String returns StableHLO's name.
func (d Direction) String() string {
	if int(d) >= len(directionNames) {
		return "invalid"
	}
	return directionNames[d]
}

var directionNames = [...]string{EQ: "EQ", NE: "NE", LT: "LT", LE: "LE", GT: "GT", GE: "GE"}

// A Precision is how exactly a matrix product is to be computed. The zero value
// is the dtype's full precision.
type Precision uint8

// The precisions: all of the dtype's bits, or fewer where the device is then
// faster (TF32, bf16).
const (
	HighestPrecision Precision = iota
	HighPrecision
	DefaultPrecision
)

// String returns StableHLO's name.
func (p Precision) String() string {
	if int(p) >= len(precisionNames) {
		return "invalid"
	}
	return precisionNames[p]
}

var precisionNames = [...]string{HighestPrecision: "HIGHEST", HighPrecision: "HIGH", DefaultPrecision: "DEFAULT"}

// String returns the value: "2" for one element, "6 values" for several.
func (a ConstantAttrs) String() string {
	if len(a.Data) == a.DType.Size() {
		return fmt.Sprint(dtype.Get([]byte(a.Data), a.DType))
	}
	return strconv.Itoa(len(a.Data)/a.DType.Size()) + " values"
}

// CompilerAttrs asks for a function as the device's compiler has it, where that of
// the row is more exact: whoever wants another library's bits wants its errors.
type CompilerAttrs struct{}
