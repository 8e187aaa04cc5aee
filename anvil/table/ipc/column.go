package ipc

import (
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/float16"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

// columnOf returns the values of an array. Integers and bools of which some are
// missing become floats; lists of one length have a shape; what a table has no
// kind for (dates, structs, lists of several lengths) are texts.
func columnOf(a arrow.Array) (c table.Column) {
	if !fill(&c, a) {
		return texts(a)
	}
	if !settle(&c, missing(a)) {
		return texts(a)
	}
	return c
}

// fill takes over the values, those that are missing too, whatever they are.
func fill(c *table.Column, a arrow.Array) bool {
	if row, ok := numbers[a.DataType().ID()]; ok {
		c.DType = row.dtype
		row.take(c, a)
		return true
	}
	switch a := a.(type) {
	case array.StringLike:
		c.Kind, c.Texts = table.Texts, listed(a.Len(), a.Value)
	case *array.Dictionary:
		return fillCoded(c, a)
	case array.ListLike:
		return fillLists(c, a)
	case *array.Null:
		c.Kind, c.Floats = table.Floats, make([]float64, a.Len())
	case *array.Decimal32, *array.Decimal64, *array.Decimal128, *array.Decimal256:
		c.Kind, c.DType, c.Floats = table.Floats, dtype.F64, listed(a.Len(), func(i int) float64 {
			v, _ := strconv.ParseFloat(a.ValueStr(i), 64)
			return v
		})
	default:
		return false
	}
	return true
}

func listed[T any](n int, at func(int) T) []T {
	xs := make([]T, n)
	for i := range xs {
		xs[i] = at(i)
	}
	return xs
}

// fillCoded takes over values that an array has by their numbers in another.
func fillCoded(c *table.Column, a *array.Dictionary) bool {
	coded := columnOf(a.Dictionary())
	if coded.Shape != nil {
		return false
	}
	c.Kind, c.DType, c.Origin = coded.Kind, coded.DType, coded.Origin
	at := func(i int) int {
		if a.IsNull(i) {
			return -1
		}
		return a.GetValueIndex(i)
	}
	switch c.Kind {
	case table.Bools:
		c.Bools = picked(a.Len(), coded.Bools, at)
	case table.Ints:
		c.Ints = picked(a.Len(), coded.Ints, at)
	case table.Floats:
		c.Floats = picked(a.Len(), coded.Floats, at)
	default:
		c.Texts = picked(a.Len(), coded.Texts, at)
	}
	return true
}

func picked[T any](n int, xs []T, at func(int) int) []T {
	return listed(n, func(i int) (x T) {
		if k := at(i); k >= 0 {
			x = xs[k]
		}
		return x
	})
}

// fillLists takes over lists of one length, of numbers or of such lists.
func fillLists(c *table.Column, a array.ListLike) bool {
	each := -1
	for i := range a.Len() {
		from, to := a.ValueOffsets(i)
		if a.IsNull(i) && to == from {
			return false // a list of several lengths has no values there
		}
		if n := int(to - from); each < 0 {
			each = n
		} else if n != each {
			return false
		}
	}
	if fixed, ok := a.DataType().(*arrow.FixedSizeListType); ok {
		each = int(fixed.Len())
	}
	if each <= 0 {
		return false
	}
	values := elements(a)
	inner := columnOf(values)
	if inner.Kind == table.Texts || inner.Len() != values.Len() {
		return false
	}
	inner.Shape = append([]int{each}, inner.Shape...)
	inner.Missing = 0 // settle counts again
	*c = inner
	return true
}

// missing returns which values of an array are missing: of lists with a row all
// of its values.
func missing(a arrow.Array) func(value int) bool {
	lists, ok := a.(array.ListLike)
	if !ok {
		coded, _ := a.(*array.Dictionary)
		none := a.DataType().ID() == arrow.NULL
		return func(i int) bool {
			return none || a.IsNull(i) || coded != nil && coded.Dictionary().IsNull(coded.GetValueIndex(i))
		}
	}
	inner, each := missing(elements(lists)), eachOf(a)
	return func(i int) bool { return a.IsNull(i/each) || inner(i) }
}

// elements returns what stands in lists of one length, one after the other.
func elements(a array.ListLike) arrow.Array {
	if a.Len() == 0 {
		return array.NewSlice(a.ListValues(), 0, 0)
	}
	from, to := a.ValueOffsets(0)
	return array.NewSlice(a.ListValues(), from, from+int64(a.Len())*(to-from))
}

// eachOf returns how many single values stand in one of an array.
func eachOf(a arrow.Array) int {
	lists, ok := a.(array.ListLike)
	if !ok || a.Len() == 0 {
		return 1
	}
	values := elements(lists)
	return values.Len() / a.Len() * eachOf(values)
}

// settle puts what stands for no value where none is. It fails where a float
// would not be exactly the integer that it has to stand for.
func settle(c *table.Column, missing func(i int) bool) bool {
	var at []int
	for i := range c.Len() * c.Each() {
		if missing(i) {
			at = append(at, i)
		}
	}
	c.Missing = len(at)
	if len(at) > 0 && !toFloats(c, missing) {
		return false
	}
	for _, i := range at {
		if c.Kind == table.Texts {
			c.Texts[i] = ""
		} else {
			c.Floats[i] = math.NaN()
		}
	}
	return true
}

// toFloats makes floats of bools, and of integers where they are exact.
func toFloats(c *table.Column, missing func(i int) bool) bool {
	switch c.Kind {
	case table.Bools:
		c.Floats = listed(len(c.Bools), func(i int) (v float64) {
			if c.Bools[i] {
				v = 1
			}
			return v
		})
		c.DType, c.Bools = dtype.Invalid, nil
	case table.Ints:
		for i, v := range c.Ints {
			if (v < -1<<53 || v > 1<<53) && !missing(i) {
				return false
			}
		}
		c.Floats = listed(len(c.Ints), func(i int) float64 { return float64(c.Ints[i]) })
		c.DType, c.Ints = dtype.F64, nil
	default:
		return true
	}
	c.Kind = table.Floats
	return true
}

// texts returns the values of any array as texts.
func texts(a arrow.Array) table.Column {
	c := table.Column{Kind: table.Texts, Origin: a.DataType().String(), Missing: a.NullN()}
	c.Texts = listed(a.Len(), func(i int) string {
		if a.IsNull(i) {
			return ""
		}
		return a.ValueStr(i)
	})
	return c
}

// A number is a type of Arrow's that is a dtype.
type number struct {
	dtype dtype.DType
	arrow arrow.DataType
	take  func(*table.Column, arrow.Array)
	make  func(*table.Column, array.Builder)
}

// numbers are by their names in Arrow.
var numbers = map[arrow.Type]number{
	arrow.BOOL:    {dtype.I1, arrow.FixedWidthTypes.Boolean, takeBools, makeBools},
	arrow.INT8:    {dtype.I8, arrow.PrimitiveTypes.Int8, takeInts[int8], makeInts[int8]},
	arrow.INT16:   {dtype.I16, arrow.PrimitiveTypes.Int16, takeInts[int16], makeInts[int16]},
	arrow.INT32:   {dtype.I32, arrow.PrimitiveTypes.Int32, takeInts[int32], makeInts[int32]},
	arrow.INT64:   {dtype.I64, arrow.PrimitiveTypes.Int64, takeInts[int64], makeInts[int64]},
	arrow.UINT8:   {dtype.U8, arrow.PrimitiveTypes.Uint8, takeInts[uint8], makeInts[uint8]},
	arrow.UINT16:  {dtype.U16, arrow.PrimitiveTypes.Uint16, takeInts[uint16], makeInts[uint16]},
	arrow.UINT32:  {dtype.U32, arrow.PrimitiveTypes.Uint32, takeInts[uint32], makeInts[uint32]},
	arrow.UINT64:  {dtype.U64, arrow.PrimitiveTypes.Uint64, takeInts[uint64], makeInts[uint64]},
	arrow.FLOAT16: {dtype.F16, arrow.FixedWidthTypes.Float16, takeHalves, makeHalves},
	arrow.FLOAT32: {dtype.F32, arrow.PrimitiveTypes.Float32, takeFloats[float32], makeFloats[float32]},
	arrow.FLOAT64: {dtype.F64, arrow.PrimitiveTypes.Float64, takeFloats[float64], makeFloats[float64]},
}

type valued[T any] interface{ Value(i int) T }

func takeBools(c *table.Column, a arrow.Array) {
	c.Kind, c.Bools = table.Bools, listed(a.Len(), a.(valued[bool]).Value)
}

func takeInts[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](c *table.Column, a arrow.Array) {
	v := a.(valued[T])
	c.Kind, c.Ints = table.Ints, listed(a.Len(), func(i int) int64 { return int64(v.Value(i)) })
}

func takeFloats[T float32 | float64](c *table.Column, a arrow.Array) {
	v := a.(valued[T])
	c.Kind, c.Floats = table.Floats, listed(a.Len(), func(i int) float64 { return float64(v.Value(i)) })
}

func takeHalves(c *table.Column, a arrow.Array) {
	v := a.(valued[float16.Num])
	c.Kind, c.Floats = table.Floats, listed(a.Len(), func(i int) float64 { return float64(v.Value(i).Float32()) })
}
