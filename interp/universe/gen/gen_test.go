package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedFilesAreFresh generates everything again. Text is compared as
// it is; of the blobs, whose bytes may differ between versions of the
// compressor, api.txt holds a hash of each package.
func TestGeneratedFilesAreFresh(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	products, err := build(root, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range products {
		if strings.HasSuffix(p.name, ".bin") {
			continue
		}
		old, err := os.ReadFile(filepath.Join(root, "interp", "universe", p.name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(old, p.content) {
			t.Errorf("%s is stale: go generate ./interp/universe", p.name)
		}
	}
}
