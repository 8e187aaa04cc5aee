package main

import (
	"bytes"
	"os"
	"testing"
)

func TestGeneratedFilesAreFresh(t *testing.T) {
	for file, generate := range map[string]func(string) ([]byte, error){
		"../../facade_gen.go": Generate, "../../../docs/operations.md": Operations,
	} {
		want, err := generate("../..")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./anvil", file)
		}
	}
}
