package main

import "fmt"

var table = map[string]int{"a": 1}

func init() {
	table["b"] = 2
	fmt.Println("first", len(table))
	defer func() { fmt.Println(recover()) }()
	panic("in init")
}

func init() {
	fmt.Println("second", limit)
	limit *= 2
}

var limit = 5

func main() { fmt.Println(table, limit) }

// Output:
// first 2
// in init
// second 5
// map[a:1 b:2] 10
