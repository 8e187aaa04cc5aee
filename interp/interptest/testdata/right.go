package main

import "fmt"

func main() { fmt.Println(3) }

// Output:
// 3
