package main

import "fmt"

func main() {
	defer func() { r := recover(); _, ok := r.(error); fmt.Println(ok, r) }()
	a := []int{1, 2, 3}
	i := 5
	fmt.Println(a[i])
}

// Output:
// true runtime error: index out of range [5] with length 3

// The interpreter alone does not tell which index it was.
//
// Interpreted:
// true runtime error: index out of range
