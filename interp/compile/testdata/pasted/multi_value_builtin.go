package main

import "fmt"

func f() ([]int, int) { return []int{1}, 2 }
func main()           { fmt.Println(append(f())) }

// Output:
// [1 2]
