package ipc

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

// arrayOf returns a column as an array of its dtype, or of int64, float64, bool or utf8
// if it has no dtype. A column with a shape becomes lists of fixed size.
func arrayOf(c *table.Column) (arrow.Array, error) {
	a, err := flatArray(c)
	if err != nil {
		return nil, err
	}
	for _, n := range slices.Backward(c.Shape) {
		if n == 0 {
			return nil, fmt.Errorf("cannot write an axis of length 0")
		}
		ty := arrow.FixedSizeListOf(int32(n), a.DataType())
		a = array.NewFixedSizeListData(array.NewData(ty, a.Len()/n, []*memory.Buffer{nil}, []arrow.ArrayData{a.Data()}, 0, 0))
	}
	return a, nil
}

// kindTypes has the default dtypes of kinds of columns.
var kindTypes = map[table.Kind]dtype.DType{table.Bools: dtype.I1, table.Ints: dtype.I64, table.Floats: dtype.F64}

// flatArray returns the values of all rows as one array.
func flatArray(c *table.Column) (arrow.Array, error) {
	if c.Kind == table.Texts {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		for _, text := range c.Texts {
			if text == "" && c.Missing > 0 {
				b.AppendNull()
			} else {
				b.Append(text)
			}
		}
		return b.NewArray(), nil
	}
	d := c.DType
	if d == dtype.Invalid {
		d = kindTypes[c.Kind]
	}
	for _, row := range numbers {
		if row.dtype == d {
			b := array.NewBuilder(memory.DefaultAllocator, row.arrow)
			b.Reserve(c.Len() * c.RowSize())
			row.build(c, b)
			return b.NewArray(), nil
		}
	}
	return nil, fmt.Errorf("%s has no type in Arrow; convert it, or write a safetensors file", d)
}

type appender[T any] interface{ Append(v T) }

func buildBools(c *table.Column, b array.Builder) {
	for _, v := range c.Bools {
		b.(appender[bool]).Append(v)
	}
}

func buildInts[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](c *table.Column, b array.Builder) {
	to := b.(appender[T])
	for _, v := range c.Ints {
		to.Append(T(v))
	}
}

func buildFloats[T float32 | float64](c *table.Column, b array.Builder) {
	appendFloats(c, b, func(v float64) T { return T(v) })
}

func buildHalves(c *table.Column, b array.Builder) {
	appendFloats(c, b, func(v float64) float16.Num { return float16.New(float32(v)) })
}

// appendFloats appends the floats of c. If c has missing values, NaNs become nulls.
func appendFloats[T any](c *table.Column, b array.Builder, convert func(float64) T) {
	to := b.(appender[T])
	for _, v := range c.Floats {
		if v != v && c.Missing > 0 {
			b.AppendNull()
		} else {
			to.Append(convert(v))
		}
	}
}
