package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); defer func() { fmt.Println("r:", recover()) }(); panic("in goroutine") }()
	wg.Wait()
	fmt.Println("alive")
}

// Output:
// r: in goroutine
// alive
