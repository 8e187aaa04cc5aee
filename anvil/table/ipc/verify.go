package ipc

import (
	"encoding/binary"
	"errors"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
)

var errDamaged = errors.New("it is damaged: what it says of its columns is not in it")

// verify checks what a file or a stream says of its columns before the library
// reads it, which makes room for as many as it is told.
func verify(f io.ReaderAt, size int64, file bool) error {
	said := head
	if file {
		said = footer
	}
	metadata, slot, err := said(f, size)
	if err != nil {
		return err
	}
	v := &verifier{left: len(metadata) / 4}
	root := flatbuffers.Table{Bytes: metadata, Pos: flatbuffers.GetUOffsetT(metadata)}
	if schema, ok := child(&root, slot); ok && !(v.holds(&schema, schemaMetadata) && v.fields(&schema, schemaFields)) {
		return errDamaged
	}
	return nil
}

// Places of fields in the tables of Arrow's format (Schema.fbs, Message.fbs and
// File.fbs): of field n it is 4 + 2*n.
const (
	footerSchema   = 6
	messageHeader  = 8
	schemaFields   = 6
	schemaMetadata = 8
	fieldChildren  = 14
	fieldMetadata  = 16
)

// footer returns the metadata at the end of a file.
func footer(f io.ReaderAt, size int64) ([]byte, flatbuffers.VOffsetT, error) {
	tail := make([]byte, 4+len(magic))
	if size < int64(len(tail)) {
		return nil, 0, errDamaged
	}
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	metadata, err := part(f, size-int64(len(tail))-int64(binary.LittleEndian.Uint32(tail)), size-int64(len(tail)))
	return metadata, footerSchema, err
}

// head returns the metadata of the first message of a stream.
func head(f io.ReaderAt, size int64) ([]byte, flatbuffers.VOffsetT, error) {
	begin, err := part(f, 0, min(8, size))
	if err != nil || len(begin) < 8 {
		return nil, 0, errors.New("it is neither a file nor a stream of Arrow's")
	}
	from, n := int64(8), binary.LittleEndian.Uint32(begin[4:])
	if first := binary.LittleEndian.Uint32(begin); first != 1<<32-1 { // before format 0.15
		from, n = 4, first
	}
	if from+int64(n) > size {
		return nil, 0, errors.New("it is neither a file nor a stream of Arrow's")
	}
	metadata, err := part(f, from, from+int64(n))
	return metadata, messageHeader, err
}

// part returns the bytes between two places.
func part(f io.ReaderAt, from, to int64) ([]byte, error) {
	if from < 0 || from > to {
		return nil, errDamaged
	}
	data := make([]byte, to-from)
	_, err := f.ReadAt(data, from)
	return data, err
}

// A verifier counts what there is down: no more than the metadata has places for.
type verifier struct{ left int }

// holds checks the length of the list that a table has at a slot.
func (v *verifier) holds(t *flatbuffers.Table, slot flatbuffers.VOffsetT) bool {
	if at := flatbuffers.UOffsetT(t.Offset(slot)); at != 0 {
		v.left -= t.VectorLen(at)
	}
	return v.left >= 0
}

// fields checks the fields that a table has at a slot, and those below.
func (v *verifier) fields(t *flatbuffers.Table, slot flatbuffers.VOffsetT) bool {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return true
	}
	if !v.holds(t, slot) {
		return false
	}
	from := t.Vector(at)
	for i := range t.VectorLen(at) {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(from + flatbuffers.UOffsetT(4*i))}
		if !v.holds(&field, fieldMetadata) || !v.fields(&field, fieldChildren) {
			return false
		}
	}
	return true
}

// child returns the table that another has at a slot.
func child(t *flatbuffers.Table, slot flatbuffers.VOffsetT) (flatbuffers.Table, bool) {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return flatbuffers.Table{}, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + t.Pos)}, true
}
