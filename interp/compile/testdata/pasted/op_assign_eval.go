package main

import "fmt"

func main() {
	one, two := map[int]int{0: 1}, map[int]int{0: 2}
	x := one
	x[0] += func() int { x = two; return 10 }()
	fmt.Println(one, two)
}

// Output:
// map[0:1] map[0:12]
