package main

import (
	"fmt"
	"testing"
)

func main() {
	var named, failed []bool
	testing.Benchmark(func(b *testing.B) {
		named, failed = append(named, b.Name() == ""), append(failed, b.Failed())
	})
	fmt.Println(named[0], failed[0])
}

// Output:
// true false
