package ipc

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/table"
)

// Write writes a table as an Arrow file, or if stream is true, as an Arrow stream. All rows are in one batch. Missing
// values become nulls.
func Write(w io.Writer, t *table.Table, stream bool) error {
	var rows body
	for k := range t.Columns {
		if err := rows.add(&t.Columns[k]); err != nil {
			return fmt.Errorf("column %q: %w", t.Columns[k].Name, err)
		}
	}
	var head, tail []byte
	if !stream {
		head = append(head, magic+"\x00\x00"...)
	}
	b := flatbuffers.NewBuilder(1024)
	head = appendMessage(head, b, headerSchema, schemaOf(b, t), 0)
	begin := len(head)
	b.Reset()
	head = appendMessage(head, b, headerBatch, rows.header(b, t.Rows), len(rows.data))
	tail = append(tail, "\xff\xff\xff\xff\x00\x00\x00\x00"...) // a message of length 0 ends a stream
	if !stream {
		b.Reset()
		footer := footerOf(b, t, begin, len(head)-begin, len(rows.data))
		tail = append(tail, footer...)
		tail = binary.LittleEndian.AppendUint32(tail, uint32(len(footer)))
		tail = append(tail, magic...)
	}
	for _, part := range [][]byte{head, rows.data, tail} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// appendMessage appends a message without its body to out. The header of the message, of type kind, has already been
// built in b.
func appendMessage(out []byte, b *flatbuffers.Builder, kind byte, header flatbuffers.UOffsetT, bodyLength int) []byte {
	b.StartObject(messageFields)
	b.PrependInt16Slot(messageVersion, version5, 0)
	b.PrependByteSlot(messageHeaderType, kind, 0)
	b.PrependUOffsetTSlot(messageHeader, header, 0)
	b.PrependInt64Slot(messageBodyLength, int64(bodyLength), 0)
	b.Finish(b.EndObject())
	metadata := pad(b.FinishedBytes())
	out = binary.LittleEndian.AppendUint32(out, math.MaxUint32) // the length follows; see reader.metadata
	out = binary.LittleEndian.AppendUint32(out, uint32(len(metadata)))
	return append(out, metadata...)
}

// pad appends zeros up to a multiple of 8 bytes.
func pad(data []byte) []byte { return append(data, make([]byte, -len(data)&7)...) }

// footerOf returns the footer of a file. The batch begins at the offset begin; metadata and bodyLength are the lengths
// of its metadata and of its body.
func footerOf(b *flatbuffers.Builder, t *table.Table, begin, metadata, bodyLength int) []byte {
	schema := schemaOf(b, t)
	b.StartVector(blockSize, 1, 8)
	b.Prep(8, blockSize)
	b.PrependInt64(int64(bodyLength))
	b.Pad(4)
	b.PrependInt32(int32(metadata))
	b.PrependInt64(int64(begin))
	blocks := b.EndVector(1)
	b.StartObject(footerFields)
	b.PrependInt16Slot(footerVersion, version5, 0)
	b.PrependUOffsetTSlot(footerSchema, schema, 0)
	b.PrependUOffsetTSlot(footerBatches, blocks, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

// schemaOf builds the schema of a table.
func schemaOf(b *flatbuffers.Builder, t *table.Table) flatbuffers.UOffsetT {
	fields := make([]flatbuffers.UOffsetT, len(t.Columns))
	for k := range t.Columns {
		fields[k] = fieldOf(b, &t.Columns[k], t.Columns[k].Name, t.Columns[k].Shape)
	}
	list := b.CreateVectorOfTables(fields)
	b.StartObject(schemaFields)
	b.PrependUOffsetTSlot(schemaFieldList, list, 0)
	return b.EndObject()
}

// fieldOf builds the field of a column whose rows have the given shape. Each axis of the shape is a list of fixed
// length.
func fieldOf(b *flatbuffers.Builder, c *table.Column, name string, shape []int) flatbuffers.UOffsetT {
	var elements []flatbuffers.UOffsetT
	if len(shape) > 0 {
		elements = append(elements, fieldOf(b, c, "item", shape[1:]))
	}
	children, text := b.CreateVectorOfTables(elements), b.CreateString(name)
	id := typeUtf8
	b.StartObject(2) // the parameters of the type; UTF-8 and bool have none
	if len(shape) > 0 {
		id = typeFixedSizeList
		b.PrependInt32Slot(0, int32(shape[0]), 0)
	} else if c.Kind != table.Texts {
		n := numberOf(c)
		id = n.id
		switch id {
		case typeInt:
			b.PrependInt32Slot(0, int32(n.dtype.Bits()), 0)
			b.PrependBoolSlot(1, n.signed, false)
		case typeFloatingPoint:
			b.PrependInt16Slot(0, int16(n.dtype.Bits()/32), 0) // 0, 1, 2 for 16, 32, 64 bits
		}
	}
	parameters := b.EndObject()
	b.StartObject(fieldFields)
	b.PrependUOffsetTSlot(fieldName, text, 0)
	b.PrependBoolSlot(fieldNullable, true, false)
	b.PrependByteSlot(fieldTypeID, id, 0)
	b.PrependUOffsetTSlot(fieldType, parameters, 0)
	b.PrependUOffsetTSlot(fieldChildren, children, 0)
	return b.EndObject()
}

// defaultDTypes maps the kind of a column without a DType to its dtype.
var defaultDTypes = map[table.Kind]dtype.DType{table.Bools: dtype.I1, table.Ints: dtype.I64, table.Floats: dtype.F64}

// numberOf returns the element of numbers for the dtype of a column, or nil if Arrow has no type for the dtype.
func numberOf(c *table.Column) *number {
	d := c.DType
	if d == dtype.Invalid {
		d = defaultDTypes[c.Kind]
	}
	if i := slices.IndexFunc(numbers, func(n number) bool { return n.dtype == d }); i >= 0 {
		return &numbers[i]
	}
	return nil
}

// A body is the bytes of the arrays of a batch.
type body struct {
	nodes   [][2]int // for each array, its length and its number of nulls
	buffers [][2]int // for each buffer, its offset in data and its length
	data    []byte
}

// header builds the header of a batch with the given number of rows.
func (b *body) header(out *flatbuffers.Builder, rows int) flatbuffers.UOffsetT {
	nodes, buffers := pairs(out, b.nodes), pairs(out, b.buffers)
	out.StartObject(batchFields)
	out.PrependInt64Slot(batchLength, int64(rows), 0)
	out.PrependUOffsetTSlot(batchNodes, nodes, 0)
	out.PrependUOffsetTSlot(batchBuffers, buffers, 0)
	return out.EndObject()
}

// pairs builds a vector of pairs of 64-bit integers. It writes them in reverse order, because a Builder builds a
// flatbuffer from its end.
func pairs(b *flatbuffers.Builder, list [][2]int) flatbuffers.UOffsetT {
	b.StartVector(16, len(list), 8)
	for _, p := range slices.Backward(list) {
		b.Prep(8, 16)
		b.PrependInt64(int64(p[1]))
		b.PrependInt64(int64(p[0]))
	}
	return b.EndVector(len(list))
}

// buffer adds data as a buffer.
func (b *body) buffer(data []byte) {
	b.buffers = append(b.buffers, [2]int{len(b.data), len(data)})
	b.data = pad(append(b.data, data...))
}

// add adds the arrays of a column.
func (b *body) add(c *table.Column) error {
	if slices.Contains(c.Shape, 0) {
		return fmt.Errorf("cannot write an axis of length 0")
	}
	n := c.Len()
	for _, length := range c.Shape {
		b.nodes = append(b.nodes, [2]int{n, 0})
		b.buffer(nil)
		n *= length
	}
	values, offsets, err := encode(c)
	if err != nil {
		return err
	}
	valid, nulls := make([]byte, (n+7)/8), 0
	for i := range n {
		if isNull(c, i) {
			nulls++
		} else {
			valid[i/8] |= 1 << (i % 8)
		}
	}
	if nulls == 0 {
		valid = nil
	}
	b.nodes = append(b.nodes, [2]int{n, nulls})
	b.buffer(valid)
	if c.Kind == table.Texts {
		b.buffer(offsets)
	}
	b.buffer(values)
	return nil
}

// isNull reports whether value i is missing. In a column with missing values, every NaN and every
// empty text counts as missing.
func isNull(c *table.Column, i int) bool {
	switch {
	case c.Missing == 0:
		return false
	case c.Kind == table.Floats:
		return math.IsNaN(c.Floats[i])
	}
	return c.Kind == table.Texts && c.Texts[i] == ""
}

// encode returns the bytes of the values of a column, and of the offsets of texts.
func encode(c *table.Column) (values, offsets []byte, err error) {
	if c.Kind == table.Texts {
		offsets = make([]byte, 4)
		for _, text := range c.Texts {
			values = append(values, text...)
			offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(values)))
		}
		if len(values) > math.MaxInt32 {
			err = fmt.Errorf("its texts have %d bytes, and Arrow's type utf8 has at most %d; "+
				"write the rows to several files, or write CSV", len(values), math.MaxInt32)
		}
		return values, offsets, err
	}
	number := numberOf(c)
	if number == nil {
		return nil, nil, fmt.Errorf("there is no Arrow type for %s; "+
			"convert the tensor with AsType(nv.%s), or write it with nv.WriteSafetensors",
			c.DType, map[table.Kind]string{table.Ints: "I8", table.Floats: "F32"}[c.Kind])
	}
	if c.Kind == table.Bools {
		values = make([]byte, (len(c.Bools)+7)/8)
		for i, v := range c.Bools {
			if v {
				values[i/8] |= 1 << (i % 8)
			}
		}
	}
	var word [8]byte
	width := number.dtype.Bits() / 8
	for _, v := range c.Ints {
		binary.LittleEndian.PutUint64(word[:], uint64(v))
		values = append(values, word[:width]...)
	}
	for _, v := range c.Floats {
		binary.LittleEndian.PutUint64(word[:], dtype.Encode(number.dtype, v))
		values = append(values, word[:width]...)
	}
	return values, nil, nil
}
