package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"testing"
)

// TestLogosAreFresh tests that the logos are those that gen draws. It compares pixels, since encoders
// may differ in their bytes.
func TestLogosAreFresh(t *testing.T) {
	if old, err := os.ReadFile("../logo-svg.svg"); err != nil || !bytes.Equal(old, svg()) {
		t.Errorf("logo-svg.svg is stale: go generate ./kernelspec (%v)", err)
	}
	for _, n := range []int{32, 64} {
		name := fmt.Sprintf("logo-%dx%d.png", n, n)
		f, err := os.Open("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		old, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		now := raster(n)
		for y := range n {
			for x := range n {
				if old.At(x, y) != now.At(x, y) {
					t.Fatalf("%s is stale at (%d, %d): go generate ./kernelspec", name, x, y)
				}
			}
		}
	}
}
