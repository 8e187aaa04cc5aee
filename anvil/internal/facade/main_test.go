package main

import (
	"bytes"
	"os"
	"testing"
)

func TestGeneratedFileIsFresh(t *testing.T) {
	want, err := Generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../facade_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("facade_gen.go is stale: run go generate ./anvil")
	}
}
