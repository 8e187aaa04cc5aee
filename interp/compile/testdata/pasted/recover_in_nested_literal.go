package main

import "fmt"

func main() {
	defer func() {
		func() { fmt.Println("nested", recover()) }()
		fmt.Println("direct", recover())
	}()
	panic("p")
}

// Output:
// nested <nil>
// direct p
