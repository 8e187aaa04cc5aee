package main

import "fmt"

func main() {
	s := make([]int, 5, 6)
	copy(s, []int{1, 2, 3, 4, 6})
	s = append(s[:len(s)-1], 5, s[len(s)-1])
	fmt.Println(s)
}

// Output:
// [1 2 3 4 5 6]
