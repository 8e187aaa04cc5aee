package main

import "fmt"

func id(x int) int { return x }

type V struct{ X, Y float64 }

func neg(x float64) float64 { return -x }
func main() {
	x := []int{1, 2}
	x[0], x[1] = id(x[1]), id(x[0])
	v := V{1, 2}
	v.X, v.Y = neg(v.Y), neg(v.X)
	fmt.Println(x, v)
}

// Output:
// [2 1] {-2 -1}
