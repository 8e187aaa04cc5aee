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

// columnOf returns the values of an array. Integers and bools with missing values become
// floats; lists of the same length become rows with a shape; values without a kind
// (dates, structs, lists of different lengths) become texts.
func columnOf(a arrow.Array) (c table.Column) {
	if !fill(&c, a) || !markMissing(&c, missing(a)) {
		return texts(a)
	}
	return c
}

// fill sets c to the values of a, with arbitrary values for missing ones. It reports
// whether they have a kind.
func fill(c *table.Column, a arrow.Array) bool {
	if row, ok := numbers[a.DataType().ID()]; ok {
		c.DType = row.dtype
		row.take(c, a)
		return true
	}
	switch a := a.(type) {
	case array.StringLike:
		c.Kind, c.Texts = table.Texts, collect(a.Len(), a.Value)
	case *array.Dictionary:
		return fillDictionary(c, a)
	case array.ListLike:
		return fillLists(c, a)
	case *array.Null:
		c.Kind, c.Floats = table.Floats, make([]float64, a.Len())
	case *array.Decimal32, *array.Decimal64, *array.Decimal128, *array.Decimal256:
		c.Kind, c.DType, c.Floats = table.Floats, dtype.F64, collect(a.Len(), func(i int) float64 {
			v, _ := strconv.ParseFloat(a.ValueStr(i), 64)
			return v
		})
	default:
		return false
	}
	return true
}

// collect returns at(0) to at(n-1).
func collect[T any](n int, at func(int) T) []T {
	xs := make([]T, n)
	for i := range xs {
		xs[i] = at(i)
	}
	return xs
}

// fillDictionary is fill for a dictionary-encoded array.
func fillDictionary(c *table.Column, a *array.Dictionary) bool {
	values := columnOf(a.Dictionary())
	if values.Shape != nil {
		return false
	}
	c.Kind, c.DType, c.Origin = values.Kind, values.DType, values.Origin
	at := func(i int) int {
		if a.IsNull(i) {
			return -1
		}
		return a.GetValueIndex(i)
	}
	switch c.Kind {
	case table.Bools:
		c.Bools = gather(a.Len(), values.Bools, at)
	case table.Ints:
		c.Ints = gather(a.Len(), values.Ints, at)
	case table.Floats:
		c.Floats = gather(a.Len(), values.Floats, at)
	default:
		c.Texts = gather(a.Len(), values.Texts, at)
	}
	return true
}

// gather returns xs[at(0)] to xs[at(n-1)], with zeros for negative indices.
func gather[T any](n int, xs []T, at func(int) int) []T {
	return collect(n, func(i int) (x T) {
		if k := at(i); k >= 0 {
			x = xs[k]
		}
		return x
	})
}

// fillLists is fill for lists of the same length, of numbers or of such lists.
func fillLists(c *table.Column, a array.ListLike) bool {
	each := -1
	for i := range a.Len() {
		from, to := a.ValueOffsets(i)
		if a.IsNull(i) && to == from {
			return false // lists of variable length have no values for a missing row
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
	inner.Missing = 0 // markMissing counts again
	*c = inner
	return true
}

// missing returns a function that reports whether a value of an array is missing. If a
// list is missing, all its values are.
func missing(a arrow.Array) func(value int) bool {
	lists, ok := a.(array.ListLike)
	if !ok {
		dictionary, _ := a.(*array.Dictionary)
		all := a.DataType().ID() == arrow.NULL
		return func(i int) bool {
			return all || a.IsNull(i) ||
				dictionary != nil && dictionary.Dictionary().IsNull(dictionary.GetValueIndex(i))
		}
	}
	inner, each := missing(elements(lists)), valuesPerRow(a)
	return func(i int) bool { return a.IsNull(i/each) || inner(i) }
}

// elements returns the elements of all lists, which have the same length.
func elements(a array.ListLike) arrow.Array {
	if a.Len() == 0 {
		return array.NewSlice(a.ListValues(), 0, 0)
	}
	from, to := a.ValueOffsets(0)
	return array.NewSlice(a.ListValues(), from, from+int64(a.Len())*(to-from))
}

// valuesPerRow returns the number of single values in an element of an array.
func valuesPerRow(a arrow.Array) int {
	lists, ok := a.(array.ListLike)
	if !ok || a.Len() == 0 {
		return 1
	}
	values := elements(lists)
	return values.Len() / a.Len() * valuesPerRow(values)
}

// markMissing replaces missing values by NaN or "", after converting bools and integers
// to floats. It reports whether that is exact.
func markMissing(c *table.Column, missing func(i int) bool) bool {
	var at []int
	for i := range c.Len() * c.RowSize() {
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

// toFloats converts bools and integers to floats. It reports whether that is exact.
func toFloats(c *table.Column, missing func(i int) bool) bool {
	switch c.Kind {
	case table.Bools:
		c.Floats = collect(len(c.Bools), func(i int) (v float64) {
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
		c.Floats = collect(len(c.Ints), func(i int) float64 { return float64(c.Ints[i]) })
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
	c.Texts = collect(a.Len(), func(i int) string {
		if a.IsNull(i) {
			return ""
		}
		return a.ValueStr(i)
	})
	return c
}

// A number is an Arrow type that corresponds to a dtype.
type number struct {
	dtype dtype.DType
	arrow arrow.DataType
	take  func(*table.Column, arrow.Array)   // sets the values of the column
	build func(*table.Column, array.Builder) // appends the values of the column
}

// numbers has the Arrow types that correspond to dtypes.
var numbers = map[arrow.Type]number{
	arrow.BOOL:    {dtype.I1, arrow.FixedWidthTypes.Boolean, takeBools, buildBools},
	arrow.INT8:    {dtype.I8, arrow.PrimitiveTypes.Int8, takeInts[int8], buildInts[int8]},
	arrow.INT16:   {dtype.I16, arrow.PrimitiveTypes.Int16, takeInts[int16], buildInts[int16]},
	arrow.INT32:   {dtype.I32, arrow.PrimitiveTypes.Int32, takeInts[int32], buildInts[int32]},
	arrow.INT64:   {dtype.I64, arrow.PrimitiveTypes.Int64, takeInts[int64], buildInts[int64]},
	arrow.UINT8:   {dtype.U8, arrow.PrimitiveTypes.Uint8, takeInts[uint8], buildInts[uint8]},
	arrow.UINT16:  {dtype.U16, arrow.PrimitiveTypes.Uint16, takeInts[uint16], buildInts[uint16]},
	arrow.UINT32:  {dtype.U32, arrow.PrimitiveTypes.Uint32, takeInts[uint32], buildInts[uint32]},
	arrow.UINT64:  {dtype.U64, arrow.PrimitiveTypes.Uint64, takeInts[uint64], buildInts[uint64]},
	arrow.FLOAT16: {dtype.F16, arrow.FixedWidthTypes.Float16, takeHalves, buildHalves},
	arrow.FLOAT32: {dtype.F32, arrow.PrimitiveTypes.Float32, takeFloats[float32], buildFloats[float32]},
	arrow.FLOAT64: {dtype.F64, arrow.PrimitiveTypes.Float64, takeFloats[float64], buildFloats[float64]},
}

type valued[T any] interface{ Value(i int) T }

func takeBools(c *table.Column, a arrow.Array) {
	c.Kind, c.Bools = table.Bools, collect(a.Len(), a.(valued[bool]).Value)
}

func takeInts[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](c *table.Column, a arrow.Array) {
	v := a.(valued[T])
	c.Kind, c.Ints = table.Ints, collect(a.Len(), func(i int) int64 { return int64(v.Value(i)) })
}

func takeFloats[T float32 | float64](c *table.Column, a arrow.Array) {
	v := a.(valued[T])
	c.Kind, c.Floats = table.Floats, collect(a.Len(), func(i int) float64 { return float64(v.Value(i)) })
}

func takeHalves(c *table.Column, a arrow.Array) {
	v := a.(valued[float16.Num])
	c.Kind, c.Floats = table.Floats, collect(a.Len(), func(i int) float64 { return float64(v.Value(i).Float32()) })
}
