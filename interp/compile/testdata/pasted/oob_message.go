package main

import "fmt"

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}
func main() {
	a, i := []int{1, 2, 3}, 7
	try(func() { _ = a[i] })
	try(func() { _ = a[1:i] })
	try(func() { _ = "abc"[i] })
	try(func() { var m map[string]int; m["a"] = 1 })
	b, n := [3]int{}, -5
	try(func() { _ = b[n:n:n] })
	try(func() { _ = b[i:i:i] })
}

// Output:
// runtime error: index out of range [7] with length 3
// runtime error: slice bounds out of range [:7] with capacity 3
// runtime error: index out of range [7] with length 3
// assignment to entry in nil map
// runtime error: slice bounds out of range [::-5]
// runtime error: slice bounds out of range [::7] with length 3
