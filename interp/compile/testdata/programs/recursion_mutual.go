package main

import "fmt"

func even(n int) bool {
	if n == 0 {
		return true
	}
	return odd(n - 1)
}
func odd(n int) bool {
	if n == 0 {
		return false
	}
	return even(n - 1)
}
func hanoi(n int, a, b, c string) int {
	if n == 0 {
		return 0
	}
	return hanoi(n-1, a, c, b) + 1 + hanoi(n-1, c, b, a)
}
func perms(xs []int, k int, out *[][]int) {
	if k == len(xs) {
		*out = append(*out, append([]int{}, xs...))
		return
	}
	for i := k; i < len(xs); i++ {
		xs[k], xs[i] = xs[i], xs[k]
		perms(xs, k+1, out)
		xs[k], xs[i] = xs[i], xs[k]
	}
}
func ack(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ack(m-1, 1)
	}
	return ack(m-1, ack(m, n-1))
}
func queens(n, row int, cols, d1, d2 map[int]bool) (count int) {
	if row == n {
		return 1
	}
	for c := range n {
		if cols[c] || d1[row+c] || d2[row-c] {
			continue
		}
		cols[c], d1[row+c], d2[row-c] = true, true, true
		count += queens(n, row+1, cols, d1, d2)
		delete(cols, c)
		delete(d1, row+c)
		delete(d2, row-c)
	}
	return
}
func main() {
	fmt.Println(even(10), odd(7), hanoi(5, "a", "b", "c"), ack(2, 3))
	var out [][]int
	perms([]int{1, 2, 3}, 0, &out)
	fmt.Println(out)
	fmt.Println(queens(5, 0, map[int]bool{}, map[int]bool{}, map[int]bool{}))
	var deep func(int) int
	deep = func(n int) int {
		if n == 0 {
			return 0
		}
		return 1 + deep(n-1)
	}
	fmt.Println(deep(2000))
}

// Output:
// true true 31 9
// [[1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 2 1] [3 1 2]]
// 10
// 2000
