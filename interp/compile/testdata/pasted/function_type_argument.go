package main

import "fmt"

type pair[K comparable, V any] struct {
	key K
	val V
}

func main() {
	p := pair[int, func([3]int) [2]int]{val: func(a [3]int) [2]int { return [2]int{a[2], a[0]} }}
	fmt.Println(p.val([3]int{1, 2, 3}))
	fmt.Println(pair[[2]int, map[[2]int][1]string]{key: [2]int{1, 2}}.key)
}

// Output:
// [3 1]
// [1 2]
