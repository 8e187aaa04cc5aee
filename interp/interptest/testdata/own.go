package main

import "fmt"

func main() {
	fmt.Println("a ")
	fmt.Println()
	fmt.Println(3)
}

// Output:
// 4
//
// In a cell:
// a
//
// 3

// This comment is not part of it.
