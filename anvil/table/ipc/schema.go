package ipc

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A layout says how the values of a type are stored in buffers. width and size below are fields of dataType.
type layout uint8

const (
	nulls        layout = iota // nothing is stored
	bits                       // one bit for each value
	fixed                      // width bytes for each value
	texts                      // offsets of width bytes, and the bytes of all values
	views                      // 16 bytes for each value: its bytes, or where they are in the buffers that follow
	lists                      // offsets of width bytes, and the elements of all lists
	listViews                  // offsets and lengths of width bytes, and elements
	fixedLists                 // size elements for each value
	structs                    // the values of all fields
	unions                     // the code of a field for each value, and the values of all fields
	runs                       // the ends of runs, and a value for each
	dictionaries               // the index of each value in a dictionary
)

// A dataType is a type of Arrow's format.
type dataType struct {
	name   string // list<item: int64, nullable>
	layout layout
	width  int                 // the number of bytes to which the layout refers
	size   int                 // the number of elements of a list of fixed length
	fields []field             // the children: elements, fields, or ends and values of runs
	dtype  dtype.DType         // the dtype of numbers
	text   func([]byte) string // formats a value that is neither a number nor UTF-8
	json   bool                // the texts of the values are JSON
	codes  []byte              // the codes of a union's fields
	dense  bool                // a union stores for each value its offset in the child that holds it
	index  *dataType           // the type of indices in a dictionary
	id     int64               // the number of the dictionary in its messages
	values *dataType           // the type of the values of a dictionary or of runs
}

// A field is a column, or a child of a type.
type field struct {
	*dataType
	name     string
	nullable bool
}

// describe returns the name and the type of a field, followed by suffix if it is nullable.
func (f field) describe(suffix string) string {
	if !f.nullable {
		suffix = ""
	}
	return f.name + ": " + f.dataType.name + suffix
}

// The numbers of types, in the order of the union Type in Schema.fbs.
const (
	typeNull byte = iota + 1
	typeInt
	typeFloatingPoint
	typeBinary
	typeUtf8
	typeBool
	typeDecimal
	typeDate
	typeTime
	typeTimestamp
	typeInterval
	typeList
	typeStruct
	typeUnion
	typeFixedSizeBinary
	typeFixedSizeList
	typeMap
	typeDuration
	typeLargeBinary
	typeLargeUtf8
	typeLargeList
	typeRunEndEncoded
	typeBinaryView
	typeUtf8View
	typeListView
	typeLargeListView
)

// types maps the number of a type to the part of its description that does not depend on parameters.
// typeOf completes the description.
var types = [...]dataType{
	typeNull:            {name: "null"},
	typeInt:             {layout: fixed},
	typeFloatingPoint:   {layout: fixed},
	typeBinary:          {name: "binary", layout: texts, width: 4, text: base64.StdEncoding.EncodeToString},
	typeUtf8:            {name: "utf8", layout: texts, width: 4},
	typeBool:            {layout: bits},
	typeDecimal:         {layout: fixed, dtype: dtype.F64},
	typeDate:            {layout: fixed},
	typeTime:            {layout: fixed},
	typeTimestamp:       {layout: fixed, width: 8},
	typeInterval:        {layout: fixed, json: true},
	typeList:            {name: "list", layout: lists, width: 4},
	typeStruct:          {name: "struct", layout: structs},
	typeUnion:           {layout: unions, json: true},
	typeFixedSizeBinary: {name: "fixed_size_binary", layout: fixed, text: base64.StdEncoding.EncodeToString},
	typeFixedSizeList:   {name: "fixed_size_list", layout: fixedLists},
	typeMap:             {name: "map", layout: lists, width: 4},
	typeDuration:        {layout: fixed, width: 8},
	typeLargeBinary:     {name: "large_binary", layout: texts, width: 8, text: base64.StdEncoding.EncodeToString},
	typeLargeUtf8:       {name: "large_utf8", layout: texts, width: 8},
	typeLargeList:       {name: "large_list", layout: lists, width: 8},
	typeRunEndEncoded:   {name: "run_end_encoded", layout: runs},
	typeBinaryView:      {name: "binary_view", layout: views, text: base64.StdEncoding.EncodeToString},
	typeUtf8View:        {name: "string_view", layout: views},
	typeListView:        {name: "list_view", layout: listViews, width: 4},
	typeLargeListView:   {name: "large_list_view", layout: listViews, width: 8},
}

// A number is a type that corresponds to a dtype.
type number struct {
	name   string
	dtype  dtype.DType
	id     byte
	signed bool
}

// numbers has all types that correspond to a dtype.
var numbers = []number{
	{"bool", dtype.I1, typeBool, false},
	{"int8", dtype.I8, typeInt, true},
	{"int16", dtype.I16, typeInt, true},
	{"int32", dtype.I32, typeInt, true},
	{"int64", dtype.I64, typeInt, true},
	{"uint8", dtype.U8, typeInt, false},
	{"uint16", dtype.U16, typeInt, false},
	{"uint32", dtype.U32, typeInt, false},
	{"uint64", dtype.U64, typeInt, false},
	{"float16", dtype.F16, typeFloatingPoint, false},
	{"float32", dtype.F32, typeFloatingPoint, false},
	{"float64", dtype.F64, typeFloatingPoint, false},
}

var (
	errIncomplete = errors.New("the file is damaged: a part that describes its columns is missing or wrong; " +
		"copy or write the file again")
	errInt128 = errors.New(`a column has integers of 128 bits; ` +
		`in polars, use df.cast({"name": pl.Int64}) before writing`)
)

// A schemaReader reads the fields of a schema.
type schemaReader struct {
	left            int                 // how many more fields the flatbuffer has room for; a damaged one claims more
	dictionaryTypes map[int64]*dataType // the types of the values of dictionaries, by id
}

// fields returns the fields that records describe, with their children.
func (s *schemaReader) fields(records []record) []field {
	if s.left -= len(records); s.left < 0 {
		panic(errIncomplete)
	}
	fields := make([]field, len(records))
	for i, r := range records {
		parameters, ok := r.record(fieldType)
		if !ok {
			panic(errIncomplete)
		}
		t := typeOf(r.byte(fieldTypeID), parameters, s.fields(r.records(fieldChildren)))
		if d, ok := r.record(fieldDictionary); ok {
			t = dictionaryType(d, t)
			s.dictionaryTypes[t.id] = t.values
		}
		fields[i] = field{t, r.text(fieldName), r.bool(fieldNullable)}
	}
	return fields
}

// typeOf returns the type with number id, parameters p and children fields. The positions of the parameters follow
// Schema.fbs, which has a table for each type.
func typeOf(id byte, p record, fields []field) *dataType {
	if int(id) >= len(types) {
		panic(fmt.Errorf("a column has an unknown type, number %d in Arrow's Schema.fbs", id))
	}
	t := types[id]
	t.fields = fields
	switch id {
	case typeBool:
		t.setNumber(id, 1, false)
	case typeInt:
		t.setNumber(id, p.int32(0, 0), p.bool(1))
	case typeFloatingPoint:
		t.setNumber(id, 16<<p.int16(0, 0), false) // 0, 1, 2 for 16, 32, 64 bits
	case typeDecimal:
		t.setDecimal(p.int32(0, 0), p.int32(1, 0), p.int32(2, 128))
	case typeFixedSizeBinary:
		t.width = p.int32(0, 0)
		t.name += fmt.Sprintf("[%d]", t.width)
	case typeDate:
		t.setDate(p.int16(0, 1))
	case typeTime:
		t.setTime(p.int16(0, 1), p.int32(1, 32))
	case typeTimestamp:
		t.setTimestamp(p.int16(0, 0), p.text(1))
	case typeDuration:
		t.setDuration(p.int16(0, 1))
	case typeInterval:
		t.setInterval(p.int16(0, 0))
	case typeUnion:
		t.setUnion(p)
	case typeStruct:
		t.name += "<" + join(fields, func(f field) string { return f.describe(" nullable") }) + ">"
	case typeMap:
		t.setMap(p.bool(0))
	case typeRunEndEncoded:
		t.values = fields[1].dataType
		t.name += "<run_ends: " + fields[0].dataType.name + ", values: " + t.values.name + ">"
	case typeFixedSizeList:
		t.size = p.int32(0, 0)
		t.name += fmt.Sprintf("<%s>[%d]", fields[0].describe(", nullable"), t.size)
	case typeList, typeLargeList, typeListView, typeLargeListView:
		t.name += "<" + fields[0].describe(", nullable") + ">"
	}
	if t.width < 0 || t.size < 0 {
		panic(errIncomplete)
	}
	return &t
}

// join returns the descriptions of fields, separated by commas.
func join(fields []field, describe func(field) string) string {
	words := make([]string, len(fields))
	for i, f := range fields {
		words[i] = describe(f)
	}
	return strings.Join(words, ", ")
}

// dictionaryType returns the type of a column of indices in a dictionary of values. d is the DictionaryEncoding.
func dictionaryType(d record, values *dataType) *dataType {
	index := types[typeInt]
	if t, ok := d.record(encodingIndexType); ok {
		index.setNumber(typeInt, t.int32(0, 0), t.bool(1))
	} else {
		index.setNumber(typeInt, 32, true)
	}
	name := fmt.Sprintf("dictionary<values=%s, indices=%s, ordered=%t>",
		values.name, index.name, d.bool(encodingIsOrdered))
	return &dataType{name: name, layout: dictionaries, index: &index, id: d.int64(encodingID), values: values}
}

// setNumber makes t the type in numbers that has the given id, width in bits and sign. signed is false for bools and
// floats.
func (t *dataType) setNumber(id byte, width int, signed bool) {
	for _, n := range numbers {
		if n.id == id && n.dtype.Bits() == width && n.signed == signed {
			t.name, t.dtype, t.width = n.name, n.dtype, width/8
			return
		}
	}
	if width == 128 {
		panic(errInt128)
	}
	panic(fmt.Errorf("a column has numbers of %d bits, which cannot be read", width))
}

// setMap completes the name of a map type. sorted says whether the keys are sorted.
func (t *dataType) setMap(sorted bool) {
	entry := t.fields[0].fields
	t.name += "<" + entry[0].dataType.name + ", " + entry[1].dataType.name
	if sorted {
		t.name += ", keys_sorted"
	}
	if entry[1].nullable {
		t.name += ", items_nullable>"
	} else {
		t.name += ", items_non_nullable>"
	}
}

// setUnion makes t a union type with parameters p.
func (t *dataType) setUnion(p record) {
	t.name, t.dense = "sparse_union", p.int16(0, 0) == 1
	if t.dense {
		t.name = "dense_union"
	}
	ids := p.structs(1, 4)
	for i := range t.fields {
		code := byte(i)
		if len(ids) > 0 {
			code = ids[4*i]
		}
		t.codes = append(t.codes, code)
	}
	i := -1
	t.name += "<" + join(t.fields, func(f field) string {
		i++
		nullable := ""
		if f.nullable {
			nullable = ", nullable"
		}
		return fmt.Sprintf("%s: type=%s%s=%d", f.name, f.dataType.name, nullable, t.codes[i])
	}) + ">"
}
