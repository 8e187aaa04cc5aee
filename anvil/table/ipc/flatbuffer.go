package ipc

import flatbuffers "github.com/google/flatbuffers/go"

// A record is a table of a flatbuffer. Its methods take the position of a field in the
// declaration of the table in Arrow's Schema.fbs, Message.fbs or File.fbs. They return 0 or
// another default if the field is absent, and panic if an offset is out of range.
type record struct{ flatbuffers.Table }

// The positions of fields in their tables. A field of a union type takes two positions: the number of
// the type, then the value. A constant that ends in Fields, such as messageFields, is the number of
// positions of its table.
const (
	messageVersion    = 0
	messageHeaderType = 1
	messageHeader     = 2
	messageBodyLength = 3
	messageFields     = 5

	batchLength         = 0
	batchNodes          = 1
	batchBuffers        = 2
	batchCompression    = 3
	batchVariadicCounts = 4
	batchFields         = 5

	dictionaryID      = 0
	dictionaryData    = 1
	dictionaryIsDelta = 2

	footerVersion      = 0
	footerSchema       = 1
	footerDictionaries = 2
	footerBatches      = 3
	footerFields       = 5

	schemaEndianness = 0
	schemaFieldList  = 1
	schemaFields     = 4

	fieldName       = 0
	fieldNullable   = 1
	fieldTypeID     = 2
	fieldType       = 3
	fieldDictionary = 4
	fieldChildren   = 5
	fieldFields     = 7

	encodingID        = 0 // of DictionaryEncoding
	encodingIndexType = 1
	encodingIsOrdered = 2
)

// The sizes of structs in bytes.
const (
	nodeSize   = 16 // FieldNode: two 64-bit integers
	bufferSize = 16 // Buffer: two 64-bit integers
	blockSize  = 24 // Block: an offset, the length of the metadata with padding, and the length of the body
)

// root returns the main table of a flatbuffer, whose offset is at the beginning.
func root(data []byte) record {
	return record{flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}}
}

// slot returns the offset of a field in the vtable of its table. A vtable has two 16-bit lengths and then a
// 16-bit entry for each field.
func slot(field int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*field) }

func (r record) byte(field int) byte               { return r.GetByteSlot(slot(field), 0) }
func (r record) bool(field int) bool               { return r.GetBoolSlot(slot(field), false) }
func (r record) int16(field int, absent int16) int { return int(r.GetInt16Slot(slot(field), absent)) }
func (r record) int32(field int, absent int32) int { return int(r.GetInt32Slot(slot(field), absent)) }
func (r record) int64(field int) int64             { return r.GetInt64Slot(slot(field), 0) }

// at returns the offset of a field in the flatbuffer, or 0 if the field is absent.
func (r record) at(field int) flatbuffers.UOffsetT {
	if at := r.Offset(slot(field)); at != 0 {
		return r.Pos + flatbuffers.UOffsetT(at)
	}
	return 0
}

// text returns a field that is a string.
func (r record) text(field int) string {
	if at := r.at(field); at != 0 {
		return string(r.ByteVector(at))
	}
	return ""
}

// record returns a field that is a table, and whether it is present.
func (r record) record(field int) (record, bool) {
	at := r.at(field)
	if at == 0 {
		return record{}, false
	}
	return record{flatbuffers.Table{Bytes: r.Bytes, Pos: r.Indirect(at)}}, true
}

// records returns a field that is a list of tables.
func (r record) records(field int) []record {
	from, n := r.list(field, 4)
	list := make([]record, n)
	for i := range list {
		at := flatbuffers.UOffsetT(from + 4*i)
		list[i] = record{flatbuffers.Table{Bytes: r.Bytes, Pos: r.Indirect(at)}}
	}
	return list
}

// structs returns the bytes of a field that is a list of elements of the given size.
func (r record) structs(field, size int) []byte {
	from, n := r.list(field, size)
	return r.Bytes[from : from+n*size]
}

// list returns the offset and the length of a field that is a list of elements of the given size.
func (r record) list(field, size int) (from, n int) {
	at := r.at(field)
	if at == 0 {
		return 0, 0
	}
	from = int(r.Indirect(at)) + 4
	n = int(flatbuffers.GetUOffsetT(r.Bytes[from-4:]))
	_ = r.Bytes[from : from+n*size] // panics if the list does not fit in the flatbuffer
	return from, n
}
