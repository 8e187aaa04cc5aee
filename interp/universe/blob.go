package universe

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"go/token"
	"go/types"

	"sync"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/tools/go/gcexportdata"
)

//go:embed export.bin
var exportData string

//go:embed doc.bin
var docData string

var (
	exports = sync.OnceValue(func() map[string]string { return index(exportData) })
	docs    = sync.OnceValue(func() map[string]string { return index(docData) })
)

// index returns the compressed entries of a blob by name.
func index(blob string) map[string]string {
	next := func() int {
		n, size := binary.Uvarint([]byte(blob[:min(len(blob), binary.MaxVarintLen64)]))
		blob = blob[size:]
		return int(n)
	}
	type span struct {
		name        string
		start, size int
	}
	spans := make([]span, next())
	for i := range spans {
		n := next()
		spans[i].name, blob = blob[:n], blob[n:]
		spans[i].start = next()
		spans[i].size = next()
	}
	entries := make(map[string]string, len(spans))
	for _, s := range spans {
		entries[s.name] = blob[s.start : s.start+s.size]
	}
	return entries
}

// decoder decompresses whole entries; DecodeAll is safe for concurrent use.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // only wrong options fail
	}
	return d
})

func unpack(entry string) ([]byte, error) { return decoder().DecodeAll([]byte(entry), nil) }

// readTypes reads a package's export data. Packages that it names are created
// in imports, incomplete, and filled in when they are imported themselves.
func readTypes(fset *token.FileSet, imports map[string]*types.Package, path string) (*types.Package, error) {
	data, err := unpack(exports()[path])
	if err != nil {
		return nil, fmt.Errorf("import %q: %w", path, err)
	}
	return gcexportdata.Read(bytes.NewReader(data), fset, imports, path)
}
