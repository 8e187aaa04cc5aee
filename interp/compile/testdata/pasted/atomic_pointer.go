package main

import (
	"fmt"
	"sync/atomic"
)

type cfg struct{ n int }

func main() {
	var p atomic.Pointer[cfg]
	p.Store(&cfg{3})
	fmt.Println(p.Load().n)
}

// Output:
// 3
