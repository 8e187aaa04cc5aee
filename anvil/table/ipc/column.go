package ipc

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

// column returns the values of an array as a column of a table. Integers and bools with
// missing values become floats; lists of the same length become rows with a shape; values
// without a table.Kind (dates, structs, lists of different lengths) become texts.
func (a *array) column() table.Column {
	c, missing, ok := a.flat()
	if !ok || !markMissing(&c, missing) {
		return a.formatted()
	}
	return c
}

// flat returns the values of an array, and which of them are missing. For lists it returns the
// values of all their elements. ok is false if the values have no table.Kind.
func (a *array) flat() (c table.Column, missing []bool, ok bool) {
	switch {
	case a.layout == nulls:
		c.Kind, c.Floats = table.Floats, make([]float64, len(a.missing))
		return c, a.missing, true
	case a.layout == lists || a.layout == listViews || a.layout == fixedLists:
		return a.flatLists()
	case a.layout == fixed && a.dtype == dtype.F64 && a.text != nil: // decimals
		c.Kind, c.DType, c.Floats = table.Floats, a.dtype, make([]float64, len(a.texts))
		for i, text := range a.texts {
			c.Floats[i], _ = strconv.ParseFloat(text, 64)
		}
		return c, a.missing, true
	case a.layout == structs || a.json || a.text != nil:
		return c, nil, false
	}
	c = table.Column{Kind: a.kind(), DType: a.dtype, Bools: a.bools, Ints: a.ints, Floats: a.floats, Texts: a.texts}
	return c, a.missing, true
}

// flatLists implements flat for lists of numbers, and for lists of such lists. ok is false for
// other elements, and if the lengths of the lists differ.
func (a *array) flatLists() (c table.Column, missing []bool, ok bool) {
	length := a.size
	for i := range a.missing {
		from, to := a.bounds(i)
		if a.missing[i] && from == to {
			return c, nil, false // a missing list of variable length has no elements
		}
		if i == 0 {
			length = to - from
		} else if to-from != length {
			return c, nil, false
		}
	}
	if length == 0 {
		return c, nil, false
	}
	c, elements, ok := a.children[0].flat()
	if !ok || c.Kind == table.Texts {
		return c, nil, false
	}
	c.Shape = append([]int{length}, c.Shape...)
	missing = make([]bool, len(elements))
	for i := range missing {
		missing[i] = elements[i] || a.missing[i/c.RowSize()]
	}
	return c, missing, true
}

// markMissing replaces missing values by NaN or "". If any value is missing, it first converts bools
// and integers to floats. It returns false if an integer has no exact float.
func markMissing(c *table.Column, missing []bool) bool {
	for _, m := range missing {
		if m {
			c.Missing++
		}
	}
	if c.Missing > 0 && !toFloats(c, missing) {
		return false
	}
	for i, m := range missing {
		switch {
		case !m:
		case c.Kind == table.Texts:
			c.Texts[i] = ""
		default:
			c.Floats[i] = math.NaN()
		}
	}
	return true
}

// toFloats converts bools and integers to floats. It returns false if the conversion would change a
// value that is not missing.
func toFloats(c *table.Column, missing []bool) bool {
	switch c.Kind {
	case table.Bools:
		c.Floats = make([]float64, len(c.Bools))
		for i, v := range c.Bools {
			if v {
				c.Floats[i] = 1
			}
		}
		c.DType, c.Bools = dtype.Invalid, nil
	case table.Ints:
		c.Floats = make([]float64, len(c.Ints))
		for i, v := range c.Ints {
			if exact := -1<<53 <= v && v <= 1<<53 && (v >= 0 || c.DType != dtype.U64); !exact && !missing[i] {
				return false
			}
			c.Floats[i] = float64(v)
		}
		c.DType, c.Ints = dtype.F64, nil
	default:
		return true
	}
	c.Kind = table.Floats
	return true
}

// formatted returns the values of any array as texts.
func (a *array) formatted() table.Column {
	c := table.Column{Kind: table.Texts, Origin: a.name, Texts: make([]string, len(a.missing))}
	for i := range c.Texts {
		switch v := a.value(i).(type) {
		case nil:
			c.Missing++
		case string:
			c.Texts[i] = v
		case json.RawMessage:
			c.Texts[i] = string(v)
		default:
			c.Texts[i] = marshal(v)
		}
	}
	return c
}
