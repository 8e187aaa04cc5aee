package main

import . "fmt"

func main() { Println("x") }

// Output:
// x
