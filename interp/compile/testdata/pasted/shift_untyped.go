package main

import "fmt"

func sh(x int) int { return 1 << (1 << x) }
func main()        { fmt.Println(sh(2)) }

// Output:
// 16
