package main

import "fmt"

func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return
}

var none *[3]int

func main() {
	n := 0
	for i := range *none {
		n += i
	}
	k := -1
	array := [3]int{}
	fmt.Println(n, caught(func() { _ = make([]int, k, 3) }))
	fmt.Println(caught(func() { _ = array[0 : 2 : 4+k+1] }))
	fmt.Println(struct{ a, _, c int }{1, 2, 3})
	huge := make([]struct{}, int(^uint(0)>>1))
	fmt.Println(caught(func() { _ = append(huge, huge...) }))
	fmt.Println(caught(func() {
		type T int
		v := any(T(1))
		func() {
			type T int
			_ = v.(T)
		}()
	}))
}

// Output:
// 3 runtime error: makeslice: len out of range
// runtime error: slice bounds out of range [::4] with length 3
// {1 0 3}
// runtime error: growslice: len out of range
// interface conversion: interface {} is main.T, not main.T (types from different scopes)
