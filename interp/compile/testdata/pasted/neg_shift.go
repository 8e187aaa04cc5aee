package main

import "fmt"

func main() {
	defer func() { fmt.Println(recover()) }()
	n := -1
	fmt.Println(1 << n)
}

// Output:
// runtime error: negative shift amount
