package main

import "fmt"

var a = b + 1
var b = f()

func f() int { return 10 }

var handlers = map[string]func() int{"x": hx}

func hx() int { return limit }

var limit = 5

func main() { fmt.Println(a, b, handlers["x"]()) }

// Output:
// 11 10 5
