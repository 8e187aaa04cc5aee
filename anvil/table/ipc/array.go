package ipc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

// An array holds the values of a column, or of a child of a column, of all the batches read. Its type decides
// which of bools, ints, floats, texts and ends holds them; the others are nil. An element that is missing has
// an arbitrary value there.
type array struct {
	*dataType // for dictionaries and runs, the type of their values
	missing   []bool
	bools     []bool
	ints      []int64 // for type uint64, each has the bits of a uint64
	floats    []float64
	texts     []string
	ends      []int // list i is elements ends[i-1] (0 if i is 0) to ends[i]-1 of the child
	children  []*array
}

// newArray returns an empty array for values of type t, or for the values of t's dictionary or runs.
func newArray(t *dataType) *array {
	for t.values != nil {
		t = t.values
	}
	a := &array{dataType: t}
	for _, f := range t.fields {
		a.children = append(a.children, newArray(f.dataType))
	}
	return a
}

// kind returns the kind of column for values of type t, which is not nulls, a list or a struct.
func (t *dataType) kind() table.Kind {
	switch {
	case t.layout == bits:
		return table.Bools
	case t.layout != fixed || t.text != nil:
		return table.Texts
	case t.dtype.Is(dtype.Floating):
		return table.Floats
	}
	return table.Ints
}

// A batch reads the arrays of a record batch, one after the other. Its fields hold the parts that are not read yet.
type batch struct {
	*reader
	nodes    []byte   // for each array, its length and its number of nulls
	buffers  [][]byte // the buffers of all arrays
	variadic []byte   // for each array of views, its number of blocks (see view)
}

// next removes the first of a list of 64-bit integers and returns it.
func next(list *[]byte) int {
	n := int(signed((*list)[:8]))
	*list = (*list)[8:]
	return n
}

// buffer removes the next buffer and returns it.
func (b *batch) buffer() []byte {
	data := b.buffers[0]
	b.buffers = b.buffers[1:]
	return data
}

// values returns the bytes of n values of the given width in bytes from the next buffer.
func (b *batch) values(n, width int) []byte {
	data := b.buffer()
	if width == 0 {
		b.countRepeated(n)
		return nil
	}
	if n > len(data)/width {
		panic(errRange)
	}
	return data[:n*width]
}

// integers returns n integers of type t from the next buffer.
func (b *batch) integers(n int, t *dataType) []int {
	data := b.values(n, t.width)
	list := make([]int, n)
	for i := range list {
		list[i] = int(t.integer(data[i*t.width : (i+1)*t.width]))
	}
	return list
}

// integer returns the integer with the given bytes.
func (t *dataType) integer(data []byte) int64 {
	if t.dtype.Is(dtype.Unsigned) {
		return int64(unsigned(data))
	}
	return signed(data)
}

// offsets returns the offsets at which n values begin and end, from the next buffer.
func (b *batch) offsets(n int, t *dataType) (from, to []int) {
	if n == 0 {
		b.buffer() // may be empty
		return nil, nil
	}
	all := b.integers(n+1, &dataType{width: t.width})
	return all[:n], all[1:]
}

// read appends the values of the next array, which has type t, to a. It returns their number.
func (b *batch) read(a *array, t *dataType) int {
	n, missing := next(&b.nodes), next(&b.nodes)
	if n < 0 {
		panic(errRange)
	}
	isMissing := func(int) bool { return false }
	// Since version 5 of the format, unions and runs have no bitmap.
	if t.layout != nulls && (t.layout != unions && t.layout != runs || b.version < version5) {
		if valid := b.buffer(); missing != 0 && len(valid) > 0 {
			_ = valid[:(n+7)/8] // panics if the bitmap is too short; Read returns errRange
			isMissing = func(i int) bool { return valid[i/8]>>(i%8)&1 == 0 }
		}
	}
	switch t.layout {
	case nulls:
		if n > b.repeatable() {
			panic(fmt.Errorf("a column has only nulls, and %d rows of them, but at most %d can be read; "+
				"save the file without it", n, b.repeatable()))
		}
		b.countRepeated(n)
		isMissing = func(int) bool { return true }
	case bits:
		data := b.buffer()
		_ = data[:(n+7)/8] // panics if the buffer is too short; Read returns errRange
		for i := range n {
			a.bools = append(a.bools, data[i/8]>>(i%8)&1 == 1)
		}
	case fixed:
		a.appendFixed(b.values(n, t.width), n, isMissing)
	case texts:
		from, to := b.offsets(n, t)
		data := string(b.buffer())
		for i := range n {
			a.appendText(data[from[i]:to[i]], isMissing(i))
		}
	case views:
		views := b.values(n, viewSize)
		var blocks []string
		for range next(&b.variadic) {
			blocks = append(blocks, string(b.buffer()))
		}
		for i := range n {
			data := ""
			if !isMissing(i) { // views of missing values are arbitrary
				data = view(views[viewSize*i:viewSize*(i+1)], blocks)
			}
			if a.text != nil { // a.text makes a new string for each view, even where views share their bytes
				b.countRepeated(len(data))
			}
			a.appendText(data, isMissing(i))
		}
	case lists:
		from, to := b.offsets(n, t)
		b.readLists(a, t, from, to)
	case listViews:
		from, to := b.integers(n, &dataType{width: t.width}), b.integers(n, &dataType{width: t.width})
		for i := range to {
			to[i] += from[i]
		}
		b.readLists(a, t, from, to)
	case fixedLists:
		b.readFixedLists(a, t, n)
	case structs:
		for k, f := range t.fields {
			if b.read(a.children[k], f.dataType) != n {
				panic(errRange)
			}
		}
		if len(t.fields) == 0 {
			b.countRepeated(n)
		}
	case unions:
		isMissing = b.readUnion(a, t, n)
	case runs:
		b.readRuns(a, t, n)
		return n
	case dictionaries:
		at := b.integers(n, t.index)
		for i := range at {
			if isMissing(i) {
				at[i] = -1
			}
		}
		dictionary := b.dictionaries[t.id]
		if dictionary == nil {
			dictionary = newArray(t)
		}
		b.take(a, dictionary, at)
		return n
	}
	a.missing = slices.Grow(a.missing, n)
	for i := range n {
		a.missing = append(a.missing, isMissing(i))
	}
	return n
}

// appendFixed appends n values of fixed width.
func (a *array) appendFixed(data []byte, n int, isMissing func(i int) bool) {
	value := func(i int) []byte { return data[i*a.width : (i+1)*a.width] }
	switch a.kind() {
	case table.Ints:
		a.ints = slices.Grow(a.ints, n)
		for i := range n {
			a.ints = append(a.ints, a.integer(value(i)))
		}
	case table.Floats:
		a.floats = slices.Grow(a.floats, n)
		for i := range n {
			a.floats = append(a.floats, dtype.Decode(a.dtype, unsigned(value(i))))
		}
	default:
		for i := range n {
			a.appendText(string(value(i)), isMissing(i))
		}
	}
}

// appendText appends the text of a value with the bytes data, or "" if the value is missing.
func (a *array) appendText(data string, missing bool) {
	switch {
	case missing:
		data = ""
	case a.text != nil:
		data = a.text([]byte(data))
	case !utf8.ValidString(data):
		panic(damaged("a text is not UTF-8"))
	}
	a.texts = append(a.texts, data)
}

const viewSize = 16 // bytes

// view returns the text of the view v. A view begins with the length of its text. A text of at most 12 bytes follows
// in the view itself. For a longer text, the view has the first 4 bytes of the text, the index of one of blocks, and
// the offset of the text in that block.
func view(v []byte, blocks []string) string {
	length := int(signed(v[:4]))
	if length <= viewSize-4 {
		return string(v[4 : 4+length])
	}
	block, from := unsigned(v[8:12]), int(signed(v[12:]))
	return blocks[block][from : from+length]
}

// readLists appends lists of type t to a. The elements of the lists are the next array: list i has elements from[i]
// to to[i]-1.
func (b *batch) readLists(a *array, t *dataType, from, to []int) {
	elements := newArray(t.fields[0].dataType)
	n := b.read(elements, t.fields[0].dataType)
	end, at := len(a.children[0].missing), []int(nil)
	for i := range from {
		if from[i] < 0 || from[i] > to[i] || to[i] > n {
			panic(errRange)
		}
		b.countRepeated(to[i] - from[i]) // lists may share elements
		for k := from[i]; k < to[i]; k++ {
			at = append(at, k)
		}
		a.ends = append(a.ends, end+len(at))
	}
	b.take(a.children[0], elements, at)
}

// readFixedLists appends n lists of t.size elements each to a. The elements are the next array.
func (b *batch) readFixedLists(a *array, t *dataType, n int) {
	end := len(a.children[0].missing)
	elements := b.read(a.children[0], t.fields[0].dataType)
	if t.size == 0 {
		b.countRepeated(n)
	} else if elements%t.size != 0 || elements/t.size != n {
		panic(errRange)
	}
	for i := range n {
		a.ends = append(a.ends, end+(i+1)*t.size)
	}
}

// readUnion appends n values of a union to a, as JSON texts of the form "[code, value]". It returns a
// function that reports whether value i is missing.
func (b *batch) readUnion(a *array, t *dataType, n int) func(i int) bool {
	codes := b.values(n, 1)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	if t.dense {
		at = b.integers(n, &dataType{width: 4})
	}
	fields := make([]*array, len(t.fields))
	for k, f := range t.fields {
		fields[k] = newArray(f.dataType)
		b.read(fields[k], f.dataType)
	}
	fieldOf := func(i int) *array { return fields[bytes.IndexByte(t.codes, codes[i])] }
	for i := range n {
		text := marshal([]any{int8(codes[i]), fieldOf(i).value(at[i])})
		b.countRepeated(len(text))
		a.texts = append(a.texts, text)
	}
	return func(i int) bool { return fieldOf(i).missing[at[i]] }
}

// readRuns appends n values that are stored in runs to a. The next two arrays are the ends of the runs
// and the values of the runs.
func (b *batch) readRuns(a *array, t *dataType, n int) {
	ends, values := newArray(t.fields[0].dataType), newArray(t.values)
	b.read(ends, t.fields[0].dataType)
	b.read(values, t.values)
	b.countRepeated(n)
	var at []int
	for k, end := range ends.ints {
		for len(at) < min(int(end), n) {
			at = append(at, k)
		}
	}
	if len(at) < n {
		panic(errRange)
	}
	b.take(a, values, at)
}

// take appends the elements at[0], at[1], ... of from to a. Both arrays have the same type. A negative index
// appends a missing value.
func (b *batch) take(a, from *array, at []int) {
	for _, i := range at {
		a.missing = append(a.missing, i < 0 || from.missing[i])
	}
	switch a.layout {
	case nulls:
	case structs:
		for k := range a.children {
			b.take(a.children[k], from.children[k], at)
		}
	case lists, listViews, fixedLists:
		elements, inner := a.children[0], []int(nil)
		end := len(elements.missing)
		for _, i := range at {
			if i >= 0 {
				first, last := from.bounds(i)
				b.countRepeated(last - first)
				for k := first; k < last; k++ {
					inner = append(inner, k)
				}
			}
			a.ends = append(a.ends, end+len(inner))
		}
		b.take(elements, from.children[0], inner)
	default:
		switch a.kind() {
		case table.Bools:
			a.bools = appendAt(a.bools, from.bools, at)
		case table.Ints:
			a.ints = appendAt(a.ints, from.ints, at)
		case table.Floats:
			a.floats = appendAt(a.floats, from.floats, at)
		default:
			a.texts = appendAt(a.texts, from.texts, at)
		}
	}
}

// appendAt appends the elements at[0], at[1], ... of from to to. A negative index appends a zero value.
func appendAt[T any](to, from []T, at []int) []T {
	to = slices.Grow(to, len(at))
	for _, i := range at {
		var v T
		if i >= 0 {
			v = from[i]
		}
		to = append(to, v)
	}
	return to
}

// bounds returns the range of the elements of list i in the child: from to to-1.
func (a *array) bounds(i int) (from, to int) {
	if i > 0 {
		from = a.ends[i-1]
	}
	return from, a.ends[i]
}

// value returns value i in a form that package json marshals.
func (a *array) value(i int) any {
	switch {
	case a.missing[i]:
		return nil
	case a.layout == structs:
		m := map[string]any{}
		for k, f := range a.fields {
			m[f.name] = a.children[k].value(i)
		}
		return m
	case len(a.children) > 0 && a.layout != unions:
		list := []any{}
		for from, to := a.bounds(i); from < to; from++ {
			list = append(list, a.children[0].value(from))
		}
		return list
	case a.json:
		return json.RawMessage(a.texts[i])
	}
	switch a.kind() {
	case table.Bools:
		return a.bools[i]
	case table.Ints:
		if a.dtype == dtype.U64 {
			return uint64(a.ints[i])
		}
		return a.ints[i]
	case table.Floats:
		return jsonFloat(a.floats[i], a.dtype)
	}
	return a.texts[i]
}

// jsonFloat returns a float of dtype d, or its name if JSON has no number for it.
func jsonFloat(v float64, d dtype.DType) any {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)
	case d == dtype.F64:
		return v
	}
	return float32(v)
}

// marshal returns v as JSON.
func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // values are of types that can be marshalled
	}
	return string(text)
}
