package main

import (
	"bytes"
	"os"
	"testing"
)

// TestStreamIsFresh: a stream has a method for each function that draws.
func TestStreamIsFresh(t *testing.T) {
	want, err := Generate("..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../stream_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("stream_gen.go is stale: run go generate ./anvil/random")
	}
}
