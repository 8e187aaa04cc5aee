package main

import (
	"bytes"
	"encoding/binary"
	"go/token"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/tools/go/gcexportdata"
)

// blob joins named entries, each compressed by itself so that one can be
// read without the others: an index (count; then name, offset, size of each,
// as uvarints and length-prefixed text), and the compressed entries behind it.
func blob(names []string, entries [][]byte) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	var body []byte
	index := binary.AppendUvarint(nil, uint64(len(names)))
	for i, name := range names {
		start := len(body)
		body = enc.EncodeAll(entries[i], body)
		index = binary.AppendUvarint(index, uint64(len(name)))
		index = append(index, name...)
		index = binary.AppendUvarint(index, uint64(start))
		index = binary.AppendUvarint(index, uint64(len(body)-start))
	}
	return append(index, body...), nil
}

// exportBlob holds the types of every package. No positions go in: they
// would name this machine's folders, and no front end shows them.
func exportBlob(w *world) ([]byte, error) {
	var names []string
	var entries [][]byte
	for _, p := range w.packages {
		var b bytes.Buffer
		if err := gcexportdata.Write(&b, token.NewFileSet(), p.types); err != nil {
			return nil, err
		}
		names, entries = append(names, p.path), append(entries, b.Bytes())
	}
	return blob(names, entries)
}
