package main

import (
	"errors"
	"fmt"
	"slices"
)

func find(xs []int) (n int, err error) {
	for v := range slices.Values(xs) {
		if n, err := v*5, errors.New("odd"); v%2 == 1 {
			return n, err
		}
	}
	return
}
func main() { fmt.Println(find([]int{2, 3})) }

// Output:
// 15 odd
