package main

import (
	"fmt"
	"sort"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var got []int
	for i := 0; i < 5; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); mu.Lock(); defer mu.Unlock(); got = append(got, i*i) }()
	}
	wg.Wait()
	sort.Ints(got)
	fmt.Println(got)
	ch := make(chan string)
	for _, s := range []string{"a", "b", "c"} {
		go func(t string) { ch <- s + t }("!")
	}
	var all []string
	for range 3 {
		all = append(all, <-ch)
	}
	sort.Strings(all)
	fmt.Println(all)
}

// Output:
// [0 1 4 9 16]
// [a! b! c!]
