package main

import "fmt"

func main() {
	m := map[int]int{0: 1}
	i := 0
	i, m[i] = 1, 2
	s := []int{1, 2, 3}
	j := 0
	j, s[j] = 2, 50
	fmt.Println(i, m, j, s)
}

// Output:
// 1 map[0:2] 2 [50 2 3]
