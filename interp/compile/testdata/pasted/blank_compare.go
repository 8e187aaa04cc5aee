package main

import "fmt"

func main() {
	a, b := 1, 2
	_ = a == b
	_ = a < b
	fmt.Println("ok")
}

// Output:
// ok
