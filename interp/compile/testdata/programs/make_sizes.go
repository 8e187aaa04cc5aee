package main

import "fmt"

func attempt(what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			err, ok := r.(error)
			fmt.Println(what, ok, err != nil)
		}
	}()
	f()
	fmt.Println(what, "made")
}

func main() {
	n, neg := 1<<56, -1
	attempt("slice", func() { _ = make([]int, n) })
	attempt("negative", func() { _ = make([]int, neg) })
	attempt("capacity", func() { _ = make([]int, 3, neg) })
	attempt("shorter", func() { one := 1; _ = make([]int, 3, one) })
	attempt("unsigned", func() { u := uint64(1) << 63; _ = make([]byte, u) })
	attempt("small", func() {
		var k uint8 = 5
		s := make([]string, k, 2*k)
		fmt.Println(len(s), cap(s))
	})
	attempt("empty elements", func() {
		k := 1 << 40
		fmt.Println(len(make([]struct{}, k)))
	})
	attempt("map", func() {
		k := 10
		m := make(map[string]int, k)
		m["a"]++
		fmt.Println(m)
	})
	send := make(chan<- int, 1)
	send <- 1
	receive := make(<-chan int)
	fmt.Println(len(send), cap(receive))
}

// Output:
// slice true true
// negative true true
// capacity true true
// shorter true true
// unsigned true true
// 5 10
// small made
// 1099511627776
// empty elements made
// map[a:1]
// map made
// 1 0
