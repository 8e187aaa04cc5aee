package main

import "fmt"

func sum(xs ...int) int { return len(xs) }
func main()             { fmt.Println(sum(nil...)) }

// Output:
// 0
