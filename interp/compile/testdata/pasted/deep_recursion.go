package main

import (
	"fmt"
	"sort"
)

type T interface{ M(int) int }

type A struct{}

func (a A) M(n int) int {
	if n == 0 {
		return 0
	}
	var t T = a
	return t.M(n-1) + 1
}

func deferring(n int) (r int) {
	defer func() { r++ }()
	if n == 0 {
		return 0
	}
	return deferring(n - 1)
}

func closure(n int) int {
	var f func(int) int
	f = func(n int) int {
		if n == 0 {
			return 0
		}
		return f(n-1) + 1
	}
	return f(n)
}

func plain(n int) int {
	if n == 0 {
		x := []int{3, 1, 2}
		sort.Slice(x, func(i, j int) bool { return x[i] < x[j] })
		return x[0]
	}
	return plain(n-1) + 1
}

func main() {
	fmt.Println(plain(400_000), A{}.M(400_000), closure(400_000), deferring(200_000))
}

// Output:
// 400001 400000 400000 200001
