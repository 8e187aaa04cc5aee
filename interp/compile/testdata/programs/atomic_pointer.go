package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var p atomic.Pointer[string]
	s := "hi"
	p.Store(&s)
	fmt.Println(*p.Load())
}

// Output:
// hi
