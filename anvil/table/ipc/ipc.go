// Package ipc reads and writes tables in Arrow's IPC format: files, which are
// also called Feather (version 2), and streams.
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

// magic is what a file begins with, and a stream does not.
const magic = "ARROW1"

// others are formats that are easily taken for it.
var others = []struct{ magic, is string }{
	{"PAR1", `it is a Parquet file; in Python, polars.read_parquet(path).write_ipc("t.arrow") makes an Arrow file of it`},
	{"FEA1", `it is Feather's version 1; in Python, pyarrow.feather.write_feather(pyarrow.feather.read_table(path), "t.arrow") makes an Arrow file of it`},
}

// A File is what an Arrow file is read from, such as an *os.File.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Read reads a table of a file of so many bytes, be it in the format for files
// or in that for streams, compressed or not.
func Read(f File, size int64) (t *table.Table, err error) {
	defer func() {
		if r := recover(); r != nil { // the library trusts lengths in what it reads
			t, err = nil, fmt.Errorf("it is damaged: %v", r)
		}
	}()
	head := make([]byte, len(magic))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	for _, other := range others {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return nil, errors.New(other.is)
		}
	}
	read, file := readStream, bytes.Equal(head, []byte(magic))
	if file {
		read = readFile
	}
	if err := verify(f, size, file); err != nil {
		return nil, err
	}
	schema, batches, err := read(f, ipc.WithBodySizeLimit(max(size, 1)), ipc.WithAllocator(bounded{memory.DefaultAllocator, size}))
	if err != nil {
		return nil, explained(err)
	}
	for _, b := range batches {
		if err := whole(b); err != nil {
			return nil, fmt.Errorf("it is damaged: %w", err)
		}
	}
	return tableOf(schema, batches)
}

// explained returns an error of the library's in words, where it speaks of a type
// that it does not have.
func explained(err error) error {
	if strings.Contains(err.Error(), "integers with more than 64 bits") {
		return errors.New(`it has a column of integers of 128 bits; in polars, df.cast({"name": pl.Int64}) before it is written`)
	}
	return err
}

// whole checks that lengths and offsets are within what is there.
func whole(b arrow.RecordBatch) error {
	for _, a := range b.Columns() {
		if ofNulls.MatchString(a.DataType().String()) {
			continue // the library asks for a buffer that these do not have
		}
		if err := array.ValidateFull(a); err != nil {
			return err
		}
	}
	return nil
}

var ofNulls = regexp.MustCompile(`\bnull\b`)

// bounded is an allocator that gives what a file of so many bytes may need when
// it is decompressed, and panics where a damaged one asks for more.
type bounded struct {
	memory.Allocator
	file int64
}

func (b bounded) check(size int) {
	if int64(size) > 1<<26+1<<14*b.file {
		panic(fmt.Errorf("it asks for %d bytes", size))
	}
}

func (b bounded) Allocate(size int) []byte {
	b.check(size)
	return b.Allocator.Allocate(size)
}

func (b bounded) Reallocate(size int, old []byte) []byte {
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
		return nil, nil, fmt.Errorf("it is neither a file nor a stream of Arrow's: %w", err)
	}
	var batches []arrow.RecordBatch
	for r.Next() {
		b := r.RecordBatch()
		b.Retain()
		batches = append(batches, b)
	}
	return r.Schema(), batches, r.Err()
}

// tableOf puts batches of rows together.
func tableOf(schema *arrow.Schema, batches []arrow.RecordBatch) (*table.Table, error) {
	t := &table.Table{Columns: make([]table.Column, schema.NumFields())}
	for _, b := range batches {
		t.Rows += int(b.NumRows())
	}
	columns, some := make([]arrow.Array, len(t.Columns)), t.Rows <= maxNulls
	for k, field := range schema.Fields() {
		all, err := joined(field.Type, batches, k)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", field.Name, err)
		}
		if all.Len() != t.Rows {
			return nil, fmt.Errorf("column %q has %d values, the table has %d rows", field.Name, all.Len(), t.Rows)
		}
		columns[k], some = all, some || field.Type.ID() != arrow.NULL
	}
	if !some {
		return nil, fmt.Errorf("it has %d rows of nothing", t.Rows)
	}
	for k, a := range columns {
		t.Columns[k] = columnOf(a)
		t.Columns[k].Name = schema.Field(k).Name
	}
	return t, nil
}

// maxNulls bounds the rows of a table of nulls alone, which take no bytes of a
// file: of others what is there bounds them.
const maxNulls = 1 << 24

// joined returns column k of all batches as one array.
func joined(ty arrow.DataType, batches []arrow.RecordBatch, k int) (arrow.Array, error) {
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

// Write writes a table, as a file or as a stream. What is missing is null.
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

func writer(w io.Writer, schema *arrow.Schema, stream bool) (interface {
	Write(arrow.RecordBatch) error
	Close() error
}, error) {
	if stream {
		return ipc.NewWriter(w, ipc.WithSchema(schema)), nil
	}
	return ipc.NewFileWriter(w, ipc.WithSchema(schema))
}
