package ipc

import (
	"encoding/binary"
	"errors"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
)

var (
	errDamaged  = errors.New("the file is damaged: its schema is incomplete")
	errNotArrow = errors.New("it is not an Arrow file or stream")
)

// verify checks the schema of a file or stream before the library reads it: the library
// allocates memory for as many columns as the schema claims.
func verify(f io.ReaderAt, size int64, file bool) error {
	readMetadata := streamMetadata
	if file {
		readMetadata = fileMetadata
	}
	metadata, slot, err := readMetadata(f, size)
	if err != nil {
		return err
	}
	v := &verifier{left: len(metadata) / 4}
	root := flatbuffers.Table{Bytes: metadata, Pos: flatbuffers.GetUOffsetT(metadata)}
	if schema, ok := child(&root, slot); ok && !(v.list(&schema, schemaMetadata) && v.fields(&schema, schemaFields)) {
		return errDamaged
	}
	return nil
}

// Slots of fields in the flatbuffers of Arrow's format (Schema.fbs, Message.fbs and
// File.fbs): the slot of field n is 4 + 2*n.
const (
	footerSchema   = 6
	messageHeader  = 8
	schemaFields   = 6
	schemaMetadata = 8
	fieldChildren  = 14
	fieldMetadata  = 16
)

// fileMetadata returns the footer of a file, and the slot of the schema in it.
func fileMetadata(f io.ReaderAt, size int64) ([]byte, flatbuffers.VOffsetT, error) {
	tail := make([]byte, 4+len(magic))
	if size < int64(len(tail)) {
		return nil, 0, errDamaged
	}
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	end := size - int64(len(tail))
	metadata, err := readRange(f, end-int64(binary.LittleEndian.Uint32(tail)), end)
	return metadata, footerSchema, err
}

// streamMetadata returns the metadata of the first message of a stream, and the slot of
// the schema in it.
func streamMetadata(f io.ReaderAt, size int64) ([]byte, flatbuffers.VOffsetT, error) {
	begin, err := readRange(f, 0, min(8, size))
	if err != nil || len(begin) < 8 {
		return nil, 0, errNotArrow
	}
	from, n := int64(8), binary.LittleEndian.Uint32(begin[4:])
	// Before version 0.15 of the format there is no continuation marker.
	if first := binary.LittleEndian.Uint32(begin); first != 1<<32-1 {
		from, n = 4, first
	}
	if from+int64(n) > size {
		return nil, 0, errNotArrow
	}
	metadata, err := readRange(f, from, from+int64(n))
	return metadata, messageHeader, err
}

// readRange returns the bytes from one offset to another.
func readRange(f io.ReaderAt, from, to int64) ([]byte, error) {
	if from < 0 || from > to {
		return nil, errDamaged
	}
	data := make([]byte, to-from)
	_, err := f.ReadAt(data, from)
	return data, err
}

// A verifier checks that the elements of all lists fit into the metadata. left is the
// number of elements for which there is room left.
type verifier struct{ left int }

// list checks the length of the list in a slot of a table.
func (v *verifier) list(t *flatbuffers.Table, slot flatbuffers.VOffsetT) bool {
	if at := flatbuffers.UOffsetT(t.Offset(slot)); at != 0 {
		v.left -= t.VectorLen(at)
	}
	return v.left >= 0
}

// fields checks the list of fields in a slot of a table, and their children.
func (v *verifier) fields(t *flatbuffers.Table, slot flatbuffers.VOffsetT) bool {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return true
	}
	if !v.list(t, slot) {
		return false
	}
	from := t.Vector(at)
	for i := range t.VectorLen(at) {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(from + flatbuffers.UOffsetT(4*i))}
		if !v.list(&field, fieldMetadata) || !v.fields(&field, fieldChildren) {
			return false
		}
	}
	return true
}

// child returns the table in a slot of a table, if any.
func child(t *flatbuffers.Table, slot flatbuffers.VOffsetT) (flatbuffers.Table, bool) {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return flatbuffers.Table{}, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + t.Pos)}, true
}
