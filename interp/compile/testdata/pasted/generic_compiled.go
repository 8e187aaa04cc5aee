package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
)

func main() {
	fmt.Println(rand.N(10) < 10, reflect.TypeFor[int]())
	f := sync.OnceValue(func() int { return 4 })
	fmt.Println(f())
}

// Output:
// true int
// 4
