package ir

import (
	"encoding/binary"

	"github.com/goanvil/notebook/anvil/shape"
)

// The attributes append their fields to the key of a program: numbers as varints, strings
// after their length.

func num[T ~int | ~uint8](dst []byte, x T) []byte { return binary.AppendVarint(dst, int64(x)) }

func str[T ~string](dst []byte, s T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// AppendKey implements ir.Keyed.
func (a ConstantAttrs) AppendKey(dst []byte) []byte {
	dst = num(dst, a.DType)
	dst = str(dst, a.Shape)
	return str(dst, a.Data)
}

// AppendKey implements ir.Keyed.
func (a IotaAttrs) AppendKey(dst []byte) []byte {
	dst = num(dst, a.DType)
	dst = str(dst, a.Shape)
	return num(dst, a.Axis)
}

// AppendKey implements ir.Keyed.
func (a DTypeAttrs) AppendKey(dst []byte) []byte {
	return num(dst, a.DType)
}

// AppendKey implements ir.Keyed.
func (a ReshapeAttrs) AppendKey(dst []byte) []byte {
	return str(dst, a.Shape)
}

// AppendKey implements ir.Keyed.
func (a BroadcastAttrs) AppendKey(dst []byte) []byte {
	dst = str(dst, a.Shape)
	return str(dst, a.Axes)
}

// AppendKey implements ir.Keyed.
func (a AxesAttrs) AppendKey(dst []byte) []byte {
	return str(dst, a.Axes)
}

// AppendKey implements ir.Keyed.
func (a AxisAttrs) AppendKey(dst []byte) []byte {
	return num(dst, a.Axis)
}

// AppendKey implements ir.Keyed.
func (a SliceAttrs) AppendKey(dst []byte) []byte {
	dst = str(dst, a.Start)
	dst = str(dst, a.Limit)
	return str(dst, a.Strides)
}

// AppendKey implements ir.Keyed.
func (a DynamicSliceAttrs) AppendKey(dst []byte) []byte {
	return str(dst, a.Sizes)
}

// AppendKey implements ir.Keyed.
func (a GatherAttrs) AppendKey(dst []byte) []byte {
	dst = str(dst, a.OffsetDims)
	dst = str(dst, a.CollapsedSliceDims)
	dst = str(dst, a.OperandBatchingDims)
	dst = str(dst, a.IndicesBatchingDims)
	dst = str(dst, a.StartIndexMap)
	dst = num(dst, a.IndexVectorDim)
	dst = str(dst, a.SliceSizes)
	return append(dst, byteOf(a.IndicesAreSorted))
}

// AppendKey implements ir.Keyed.
func (a ScatterAttrs) AppendKey(dst []byte) []byte {
	dst = str(dst, a.UpdateWindowDims)
	dst = str(dst, a.InsertedWindowDims)
	dst = str(dst, a.OperandBatchingDims)
	dst = str(dst, a.IndicesBatchingDims)
	dst = str(dst, a.ScatterDimsToOperandDims)
	dst = num(dst, a.IndexVectorDim)
	dst = append(dst, byteOf(a.IndicesAreSorted), byteOf(a.UniqueIndices))
	return binary.AppendUvarint(dst, uint64(a.Combine))
}

// AppendKey implements ir.Keyed.
func (a PadAttrs) AppendKey(dst []byte) []byte {
	dst = str(dst, a.Low)
	dst = str(dst, a.High)
	return str(dst, a.Interior)
}

// AppendKey implements ir.Keyed.
func (a CompareAttrs) AppendKey(dst []byte) []byte {
	return num(dst, a.Direction)
}

// AppendKey implements ir.Keyed.
func (a ArgAttrs) AppendKey(dst []byte) []byte {
	dst = num(dst, a.Axis)
	return num(dst, a.DType)
}

// AppendKey implements ir.Keyed.
func (a DotAttrs) AppendKey(dst []byte) []byte {
	dst = str(dst, a.LhsBatch)
	dst = str(dst, a.RhsBatch)
	dst = str(dst, a.LhsContract)
	dst = str(dst, a.RhsContract)
	dst = num(dst, a.DType)
	return num(dst, a.Precision)
}

// AppendKey implements ir.Keyed.
func (a SortAttrs) AppendKey(dst []byte) []byte {
	dst = num(dst, a.Axis)
	return append(dst, byteOf(a.Descending))
}

// AppendKey implements ir.Keyed.
func (a TriangularAttrs) AppendKey(dst []byte) []byte {
	dst = append(dst, byteOf(a.Right), byteOf(a.Upper), byteOf(a.Unit))
	return num(dst, a.Op)
}

// AppendKey implements ir.Keyed.
func (a FullAttrs) AppendKey(dst []byte) []byte { return append(dst, byteOf(a.Full)) }

// AppendKey implements ir.Keyed.
func (CompilerAttrs) AppendKey(dst []byte) []byte { return append(dst, 1) }

// AppendKey implements ir.Keyed.
func (a ConvAttrs) AppendKey(dst []byte) []byte {
	for _, d := range []shape.Dims{a.Lhs, a.Rhs, a.Out, a.Strides, a.Low, a.High, a.LhsDilation, a.RhsDilation, a.Reversal} {
		dst = str(dst, d)
	}
	return num(num(num(num(dst, a.FeatureGroups), a.BatchGroups), a.DType), a.Precision)
}

// AppendKey implements ir.Keyed.
func (a WindowAttrs) AppendKey(dst []byte) []byte {
	for _, d := range []shape.Dims{a.Size, a.Strides, a.Low, a.High, a.BaseDilation, a.Dilation} {
		dst = str(dst, d)
	}
	return dst
}

// AppendKey implements ir.Keyed.
func (a FFTAttrs) AppendKey(dst []byte) []byte { return str(dst, a.Lengths) }

func byteOf(b bool) byte {
	if b {
		return 1
	}
	return 0
}
