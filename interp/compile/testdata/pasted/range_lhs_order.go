package main

import "fmt"

func main() {
	x := []int{10, 20}
	i := 1
	for i, x[i] = range []int{99} {
		break
	}
	fmt.Println(i, x)
}

// Output:
// 0 [10 99]
