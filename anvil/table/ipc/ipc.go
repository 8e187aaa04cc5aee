// Package ipc reads and writes tables in Arrow's IPC format: files, also known as
// Feather version 2, and streams.
package ipc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/goanvil/notebook/anvil/table"
)

// magic is the beginning and the end of a file, not of a stream.
const magic = "ARROW1"

// otherFormats has formats that are easily confused with Arrow's, and the errors for their files.
var otherFormats = []struct{ magic, message string }{
	{"PAR1", `it is a Parquet file; in Python, polars.read_parquet(path).write_ipc("t.arrow") ` +
		`converts it to an Arrow file`},
	{"FEA1", `it is a file of Feather version 1; in Python, pyarrow.feather.write_feather(` +
		`pyarrow.feather.read_table(path), "t.arrow") converts it to an Arrow file`},
}

var (
	errNotArrow = errors.New("it is not an Arrow file or stream")
	errRange    = damaged("a length or an offset in it is out of range")
)

// damaged returns an error that says in what way the file is damaged.
func damaged(format string, args ...any) error {
	return fmt.Errorf("the file is damaged: "+format, args...)
}

// Read reads a table from f, an Arrow file or stream of size bytes, compressed or not.
func Read(f io.ReaderAt, size int64) (t *table.Table, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case runtime.Error: // an index or a length is out of range
			t, err = nil, errRange
		case error:
			t, err = nil, e
		default:
			panic(e)
		}
	}()
	r := &reader{file: f, size: size, dictionaryTypes: map[int64]*dataType{}, dictionaries: map[int64]*array{}}
	head := r.bytes(0, min(size, int64(len(magic))))
	for _, other := range otherFormats {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return nil, errors.New(other.message)
		}
	}
	if string(head) == magic {
		r.readFile()
	} else {
		r.readStream()
	}
	return r.table(), nil
}

// A reader reads the messages of a file or stream. Its methods panic with an error if reading
// fails, or with a runtime.Error if a length or an offset is out of range; Read recovers.
type reader struct {
	file    io.ReaderAt
	size    int64
	version int // the version of the format in the last message
	fields  []field
	columns []*array
	rows    int
	zstd    *zstd.Decoder // nil until it is needed

	dictionaryTypes map[int64]*dataType // the types of the values of dictionaries, by id
	dictionaries    map[int64]*array    // the values of dictionaries, by id

	// A damaged file may claim any number of values. Limits on these counts bound the memory used.
	consumed int64 // bytes of messages read
	decoded  int   // bytes of buffers read, decompressed
	repeated int   // values read that have no bytes in the file, or share their bytes with other values
}

const (
	version5 = 4 // the number of version 5 in Schema.fbs

	// The numbers of the types of messages in Message.fbs.
	headerSchema     = 1
	headerDictionary = 2
	headerBatch      = 3

	maxRepeated     = 1 << 24 // how many values may be repeated in a file without buffers
	repeatedPerByte = 64      // how many more values may be repeated for each byte of the buffers read
)

// repeatable returns how many more values may be counted as repeated.
func (r *reader) repeatable() int { return maxRepeated + repeatedPerByte*r.decoded - r.repeated }

// countRepeated counts n values as repeated. It panics if n is more than repeatable allows.
func (r *reader) countRepeated(n int) {
	if n > r.repeatable() {
		panic(damaged("it has too many values for its size"))
	}
	r.repeated += n
}

// bytes returns n bytes of the file that begin at the offset from.
func (r *reader) bytes(from, n int64) []byte {
	if from < 0 || n < 0 || n > r.size-from {
		panic(errRange)
	}
	data := make([]byte, n)
	if _, err := r.file.ReadAt(data, from); err != nil && (err != io.EOF || n > 0) {
		panic(err)
	}
	return data
}

// A message is what Arrow's Message.fbs calls a Message, with the body that follows it in the file.
type message struct {
	kind   byte
	header record
	body   []byte
	end    int64 // the offset of the next message
}

// metadata returns the offset and the length of the metadata of the message at the offset at.
func (r *reader) metadata(at int64) (from, n int64) {
	from, n = at+4, int64(unsigned(r.bytes(at, 4)))
	if n == math.MaxUint32 { // since version 0.15 of the format, this number precedes the length
		from, n = from+4, int64(unsigned(r.bytes(from, 4)))
	}
	return from, n
}

// message reads the message at the offset at. ok is false at the end of a stream.
func (r *reader) message(at int64) (m message, ok bool) {
	if at == r.size {
		return m, false
	}
	from, n := r.metadata(at)
	if n == 0 {
		return m, false
	}
	t := root(r.bytes(from, n))
	r.version = t.int16(messageVersion, 0)
	bodyLength := t.int64(messageBodyLength)
	m.kind, m.end = t.byte(messageHeaderType), from+n+bodyLength
	m.header, ok = t.record(messageHeader)
	if r.consumed += m.end - at; !ok || m.end < at || r.consumed > r.size {
		panic(errRange)
	}
	m.body = r.bytes(from+n, bodyLength)
	return m, true
}

// readStream reads a stream: its schema, and batches up to the end.
func (r *reader) readStream() {
	if r.size < 8 {
		panic(errNotArrow)
	}
	if from, n := r.metadata(0); n > r.size-from {
		panic(errNotArrow)
	}
	m, ok := r.message(0)
	if !ok || m.kind != headerSchema {
		panic(errNotArrow)
	}
	r.readSchema(m.header)
	for {
		if m, ok = r.message(m.end); !ok {
			return
		}
		r.readMessage(m)
	}
}

// readFile reads a file. Its footer has the schema and the offsets of all dictionaries and
// batches; the length of the footer and the magic follow.
func (r *reader) readFile() {
	end := r.size - int64(4+len(magic))
	if end < 0 {
		panic(errIncomplete)
	}
	tail := r.bytes(end, r.size-end) // the length of the footer and the magic
	n := int64(unsigned(tail[:4]))
	if string(tail[4:]) != magic || n > end {
		panic(errIncomplete)
	}
	footer := root(r.bytes(end-n, n))
	schema, ok := footer.record(footerSchema)
	if !ok {
		panic(errIncomplete)
	}
	r.readSchema(schema)
	for _, list := range []int{footerDictionaries, footerBatches} {
		for blocks := footer.structs(list, blockSize); len(blocks) > 0; blocks = blocks[blockSize:] {
			m, ok := r.message(signed(blocks[:8]))
			if !ok {
				panic(errRange)
			}
			r.readMessage(m)
		}
	}
}

// readSchema sets r.fields, and r.columns to empty arrays for them.
func (r *reader) readSchema(schema record) {
	if schema.int16(schemaEndianness, 0) != 0 {
		panic(errors.New("big-endian numbers are not supported"))
	}
	const leastFieldSize = 4 // in the flatbuffer, a field takes at least the 4 bytes of an offset
	s := schemaReader{left: len(schema.Bytes) / leastFieldSize, dictionaryTypes: r.dictionaryTypes}
	r.fields = s.fields(schema.records(schemaFieldList))
	for _, f := range r.fields {
		r.columns = append(r.columns, newArray(f.dataType))
	}
}

// readMessage reads a dictionary or the rows of a batch. It ignores other messages.
func (r *reader) readMessage(m message) {
	switch m.kind {
	case headerDictionary:
		data, _ := m.header.record(dictionaryData)
		id := m.header.int64(dictionaryID)
		t := r.dictionaryTypes[id]
		if t == nil {
			panic(errIncomplete)
		}
		if isDelta := m.header.bool(dictionaryIsDelta); !isDelta || r.dictionaries[id] == nil {
			r.dictionaries[id] = newArray(t)
		}
		r.batch(data, m.body).read(r.dictionaries[id], t)
	case headerBatch:
		rows := int(m.header.int64(batchLength))
		if rows < 0 {
			panic(errRange)
		}
		b := r.batch(m.header, m.body)
		for k, f := range r.fields {
			if n := b.read(r.columns[k], f.dataType); n != rows {
				panic(damaged("column %q has %d values in a batch of %d rows", f.name, n, rows))
			}
		}
		if len(r.fields) == 0 {
			r.countRepeated(rows)
		}
		r.rows += rows
	}
}

// batch returns a reader of a record batch with the given header and body.
func (r *reader) batch(header record, body []byte) *batch {
	b := &batch{
		reader: r, nodes: header.structs(batchNodes, nodeSize), variadic: header.structs(batchVariadicCounts, 8),
	}
	compression, compressed := header.record(batchCompression)
	for list := header.structs(batchBuffers, bufferSize); len(list) > 0; {
		from, n := next(&list), next(&list)
		data := body[from : from+n : from+n]
		if compressed && n > 0 {
			data = r.decompress(compression.byte(0), data)
		} else {
			r.countDecoded(n)
		}
		b.buffers = append(b.buffers, data)
	}
	return b
}

// countDecoded counts n bytes of a buffer, decompressed. It panics if the total exceeds maxDecoded.
func (r *reader) countDecoded(n int) {
	if r.decoded += n; n < 0 || r.decoded > r.maxDecoded() {
		panic(damaged("reading it needs %d bytes", r.decoded))
	}
}

// maxDecoded returns the greatest number of bytes that the decompressed buffers of a file of r.size bytes
// may have: 64 MiB, plus 32 KiB for each byte of the file, since zstd compresses at most 128 KiB to a block of
// 4 bytes.
func (r *reader) maxDecoded() int { return 64<<20 + 32<<10*int(r.size) }

// decompress returns the decompressed bytes of a buffer. The buffer begins with the number of decompressed
// bytes, or with -1 if the bytes that follow are not compressed.
func (r *reader) decompress(codec byte, data []byte) []byte {
	n, data := int(signed(data[:8])), data[8:]
	if n == -1 {
		r.countDecoded(len(data))
		return data
	}
	r.countDecoded(n)
	out, err := make([]byte, n), error(nil)
	switch codec { // CompressionType in Message.fbs
	case 0:
		_, err = io.ReadFull(lz4.NewReader(bytes.NewReader(data)), out)
	case 1:
		if r.zstd == nil {
			limit := zstd.WithDecoderMaxMemory(uint64(r.maxDecoded()))
			r.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), limit)
		}
		if err == nil {
			out, err = r.zstd.DecodeAll(data, out[:0])
		}
	default:
		panic(fmt.Errorf("the file has an unknown compression, codec %d; save it with lz4 or zstd, or uncompressed", codec))
	}
	if err == nil && len(out) != n {
		err = fmt.Errorf("it has %d bytes instead of %d", len(out), n)
	}
	if err != nil {
		panic(damaged("a buffer cannot be decompressed: %v", err))
	}
	return out
}

// table returns the table of all batches.
func (r *reader) table() *table.Table {
	t := &table.Table{Columns: make([]table.Column, len(r.columns)), Rows: r.rows}
	for k, a := range r.columns {
		t.Columns[k] = a.column()
		t.Columns[k].Name = r.fields[k].name
	}
	return t
}
