package main

import "fmt"

var sum = a + f()
var a, c = b + 1, "c"
var b = 2

func f() int { return g }

var g = trace("g", 10)
var h = trace("h", 1)

func trace(name string, n int) int {
	fmt.Println(name)
	return n
}

func main() {
	fmt.Println(sum, a, b, c, g+h)
}

// Output:
// g
// h
// 13 3 2 c 11
