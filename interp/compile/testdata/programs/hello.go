package main

import "fmt"

func main() { fmt.Println("hello", 1, 2.5, true, 'a', "x"+"y") }

// Output:
// hello 1 2.5 true 97 xy
