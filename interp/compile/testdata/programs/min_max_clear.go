package main

import "fmt"

type D float32

func main() {
	fmt.Println(min(3, 1, 2), max(2.5, 1), min("b", "a"))
	var x, y int8 = 3, -4
	fmt.Printf("%T %d %d\n", min(x, y), min(x, y), max(x, y, 100))
	var d D = 2
	fmt.Printf("%T %v\n", max(d, 3.5), max(d, 3.5))
	m := map[string]int{"a": 1}
	clear(m)
	fmt.Println(len(m), m)
	s := []int{1, 2, 3}
	clear(s[:2])
	fmt.Println(s)
}

// Output:
// 1 2.5 a
// int8 -4 100
// main.D 3.5
// 0 map[]
// [0 0 3]
