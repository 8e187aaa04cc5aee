package main

import (
	"bytes"
	"fmt"
)

func main() {
	s := struct{ *bytes.Buffer }{bytes.NewBufferString("ok")}
	var i fmt.Stringer = s
	fmt.Println(i.String())
}

// Output:
// ok
