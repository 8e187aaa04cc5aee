package main

import "fmt"

type block [1 << 20]int

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(r)
		}
	}()
	f()
}

func main() {
	negative, seven := -1, 7
	try(func() { fmt.Println(len(make([]block, 1<<42))) })
	try(func() { fmt.Println(len(make([]int, 1<<46))) })
	try(func() { fmt.Println(make([]int, negative, 10)) })
	try(func() { fmt.Println(make([]int, seven, 5)) })
	try(func() { fmt.Println(make([]int, 2, 1<<60)) })
	try(func() { s := make([]int, seven, 10); fmt.Println(s, cap(s)) })
	try(func() { s := make([]int, 3); s[1] = 2; fmt.Println(s, cap(s)) })
	try(func() { n := uint8(200); s := make([]struct{}, n, 255); fmt.Println(len(s), cap(s)) })
}

// Output:
// runtime error: makeslice: len out of range
// runtime error: makeslice: len out of range
// runtime error: makeslice: len out of range
// runtime error: makeslice: cap out of range
// runtime error: makeslice: cap out of range
// [0 0 0 0 0 0 0] 10
// [0 2 0] 3
// 200 255
