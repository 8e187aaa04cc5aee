// Package ipc reads and writes tables in Arrow's IPC format: files, also known as
// Feather version 2, and streams.
package ipc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/goanvil/notebook/anvil/table"
)

// magic is the beginning of a file, not of a stream.
const magic = "ARROW1"

// otherFormats has formats that are easily confused with Arrow's.
var otherFormats = []struct{ magic, message string }{
	{"PAR1", `it is a Parquet file; in Python, polars.read_parquet(path).write_ipc("t.arrow") converts it to an Arrow file`},
	{"FEA1", `it is a file of Feather version 1; in Python, pyarrow.feather.write_feather(` +
		`pyarrow.feather.read_table(path), "t.arrow") converts it to an Arrow file`},
}

// A File is the interface for reading Arrow files, such as *os.File.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Read reads a table from f, an Arrow file or stream of size bytes, compressed or not.
func Read(f File, size int64) (t *table.Table, err error) {
	defer func() {
		if r := recover(); r != nil { // the library trusts the lengths that it reads
			t, err = nil, fmt.Errorf("the file is damaged: %v", r)
		}
	}()
	head := make([]byte, len(magic))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	for _, other := range otherFormats {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return nil, errors.New(other.message)
		}
	}
	read, file := readStream, bytes.Equal(head, []byte(magic))
	if file {
		read = readFile
	}
	if err := verify(f, size, file); err != nil {
		return nil, err
	}
	allocator := boundedAllocator{memory.DefaultAllocator, size}
	schema, batches, err := read(f, ipc.WithBodySizeLimit(max(size, 1)), ipc.WithAllocator(allocator))
	if err != nil {
		if strings.Contains(err.Error(), "integers with more than 64 bits") { // the library has no type for them
			err = errors.New(`a column has integers of 128 bits; in polars, use df.cast({"name": pl.Int64}) before writing`)
		}
		return nil, err
	}
	for _, b := range batches {
		if err := validate(b); err != nil {
			return nil, fmt.Errorf("the file is damaged: %w", err)
		}
	}
	return tableOf(schema, batches)
}

// validate checks that lengths and offsets of a batch are within its buffers.
func validate(b arrow.RecordBatch) error {
	for _, a := range b.Columns() {
		if nullType.MatchString(a.DataType().String()) {
			continue // the library wants a buffer that these do not have
		}
		if err := array.ValidateFull(a); err != nil {
			return err
		}
	}
	return nil
}

var nullType = regexp.MustCompile(`\bnull\b`)

// A boundedAllocator panics if asked for more memory than decompressing a file of the
// given size can need: damaged files ask for any amount.
type boundedAllocator struct {
	memory.Allocator
	file int64 // size in bytes
}

func (b boundedAllocator) check(size int) {
	if int64(size) > 1<<26+1<<14*b.file {
		panic(fmt.Errorf("reading it needs %d bytes", size))
	}
}

func (b boundedAllocator) Allocate(size int) []byte {
	b.check(size)
	return b.Allocator.Allocate(size)
}

func (b boundedAllocator) Reallocate(size int, old []byte) []byte {
	b.check(size)
	return b.Allocator.Reallocate(size, old)
}

func readFile(f ipc.ReadAtSeeker, limits ...ipc.Option) (*arrow.Schema, []arrow.RecordBatch, error) {
	r, err := ipc.NewFileReader(f, limits...)
	if err != nil {
		return nil, nil, err
	}
	var batches []arrow.RecordBatch
	for i := range r.NumRecords() {
		b, err := r.RecordBatchAt(i)
		if err != nil {
			return nil, nil, err
		}
		batches = append(batches, b)
	}
	return r.Schema(), batches, nil
}

func readStream(f ipc.ReadAtSeeker, limits ...ipc.Option) (*arrow.Schema, []arrow.RecordBatch, error) {
	r, err := ipc.NewReader(bufio.NewReader(f), limits...)
	if err != nil {
		return nil, nil, fmt.Errorf("it is not an Arrow file or stream: %w", err)
	}
	var batches []arrow.RecordBatch
	for r.Next() {
		b := r.RecordBatch()
		b.Retain()
		batches = append(batches, b)
	}
	return r.Schema(), batches, r.Err()
}

// tableOf returns the table of all batches.
func tableOf(schema *arrow.Schema, batches []arrow.RecordBatch) (*table.Table, error) {
	t := &table.Table{Columns: make([]table.Column, schema.NumFields())}
	for _, b := range batches {
		t.Rows += int(b.NumRows())
	}
	columns, bounded := make([]arrow.Array, len(t.Columns)), t.Rows <= maxNulls
	for k, field := range schema.Fields() {
		all, err := concatenate(field.Type, batches, k)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", field.Name, err)
		}
		if all.Len() != t.Rows {
			return nil, fmt.Errorf("column %q has %d values, the table has %d rows", field.Name, all.Len(), t.Rows)
		}
		columns[k], bounded = all, bounded || field.Type.ID() != arrow.NULL
	}
	if !bounded {
		return nil, fmt.Errorf("too many rows of nulls: %d", t.Rows)
	}
	for k, a := range columns {
		t.Columns[k] = columnOf(a)
		t.Columns[k].Name = schema.Field(k).Name
	}
	return t, nil
}

// maxNulls bounds the rows of a table that has only columns of type null, which take no
// bytes in a file. The size of the file bounds the rows of other tables.
const maxNulls = 1 << 24

// concatenate returns column k of all batches as one array.
func concatenate(ty arrow.DataType, batches []arrow.RecordBatch, k int) (arrow.Array, error) {
	switch len(batches) {
	case 0:
		return array.MakeArrayOfNull(memory.DefaultAllocator, ty, 0), nil
	case 1:
		return batches[0].Column(k), nil
	}
	parts := make([]arrow.Array, len(batches))
	for i, b := range batches {
		parts[i] = b.Column(k)
	}
	return array.Concatenate(parts, memory.DefaultAllocator)
}

// Write writes a table as an Arrow file, or as a stream. Missing values become nulls.
func Write(w io.Writer, t *table.Table, stream bool) error {
	fields, columns := make([]arrow.Field, len(t.Columns)), make([]arrow.Array, len(t.Columns))
	for k := range t.Columns {
		c := &t.Columns[k]
		a, err := arrayOf(c)
		if err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		fields[k], columns[k] = arrow.Field{Name: c.Name, Type: a.DataType(), Nullable: true}, a
	}
	schema := arrow.NewSchema(fields, nil)
	out, err := writer(w, schema, stream)
	if err != nil {
		return err
	}
	if err := out.Write(array.NewRecordBatch(schema, columns, int64(t.Rows))); err != nil {
		return err
	}
	return out.Close()
}

// writer returns a writer of record batches to w.
func writer(w io.Writer, schema *arrow.Schema, stream bool) (interface {
	Write(arrow.RecordBatch) error
	Close() error
}, error) {
	if stream {
		return ipc.NewWriter(w, ipc.WithSchema(schema)), nil
	}
	return ipc.NewFileWriter(w, ipc.WithSchema(schema))
}
