package main

import "fmt"

func bubble(x []int) {
	for i := range x {
		for j := 0; j < len(x)-1-i; j++ {
			if x[j] > x[j+1] {
				x[j], x[j+1] = x[j+1], x[j]
			}
		}
	}
}
func quick(x []int) []int {
	if len(x) < 2 {
		return x
	}
	p := x[0]
	var l, r []int
	for _, v := range x[1:] {
		if v < p {
			l = append(l, v)
		} else {
			r = append(r, v)
		}
	}
	return append(append(quick(l), p), quick(r)...)
}
func merge(a, b []int) []int {
	r := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			r, a = append(r, a[0]), a[1:]
		} else {
			r, b = append(r, b[0]), b[1:]
		}
	}
	return append(append(r, a...), b...)
}
func msort(x []int) []int {
	if len(x) <= 1 {
		return x
	}
	m := len(x) / 2
	return merge(msort(x[:m]), msort(x[m:]))
}
func insertion(x []int) {
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j-1] > x[j]; j-- {
			x[j-1], x[j] = x[j], x[j-1]
		}
	}
}
func binsearch(x []int, t int) int {
	lo, hi := 0, len(x)-1
	for lo <= hi {
		m := (lo + hi) / 2
		switch {
		case x[m] == t:
			return m
		case x[m] < t:
			lo = m + 1
		default:
			hi = m - 1
		}
	}
	return -1
}
func main() {
	src := []int{5, 2, 9, 1, 5, 6}
	a := append([]int(nil), src...)
	bubble(a)
	b := append([]int(nil), src...)
	insertion(b)
	fmt.Println(a, b, quick(src), msort(src), binsearch(a, 9), binsearch(a, 4), src)
	counts := [10]int{}
	for _, v := range src {
		counts[v]++
	}
	fmt.Println(counts)
}

// Output:
// [1 2 5 5 6 9] [1 2 5 5 6 9] [1 2 5 5 6 9] [1 2 5 5 6 9] 5 -1 [5 2 9 1 5 6]
// [0 1 1 0 0 2 1 0 0 1]
