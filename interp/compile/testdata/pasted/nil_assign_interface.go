package main

import (
	"fmt"
	"io"
	"strings"
)

type src struct{ r io.Reader }

func main() {
	s := src{strings.NewReader("x")}
	s.r = nil
	m := map[string]io.Reader{"a": nil}
	fmt.Println(s.r == nil, len(m))
}

// Output:
// true 1
