package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

func Filter[V any](s iter.Seq[V], f func(V) bool) iter.Seq[V] {
	return func(yield func(V) bool) {
		for v := range s {
			if f(v) {
				if !yield(v) {
					return
				}
			}
		}
	}
}
func Gen(n int) iter.Seq[int] {
	return func(y func(int) bool) {
		for i := range n {
			if !y(i) {
				return
			}
		}
	}
}
func main() {
	for v := range Filter(Gen(10), func(i int) bool { return i%3 == 0 }) {
		fmt.Print(v, " ")
	}
	fmt.Println(slices.Collect(Gen(4)))
	m := map[string]int{"b": 2, "a": 1, "c": 3}
	fmt.Println(slices.Sorted(maps.Keys(m)), slices.Sorted(maps.Values(m)))
	next, stop := iter.Pull(Gen(3))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	fmt.Println(next())
}

// Output:
// 0 3 6 9 [0 1 2 3]
// [a b c] [1 2 3]
// 0 true
// 1 true
// 0 false
