package main

import "fmt"

func length(n int) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	return fmt.Sprint(len(make([]struct{}, n)))
}

func capacity(n int) (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	return fmt.Sprint(len(make([]struct{}, 1, n)))
}

func main() {
	fmt.Println(length(-1))
	fmt.Println(capacity(-1))
	fmt.Println(capacity(0))
	a := make([]struct{}, 1<<62)
	fmt.Println(copy(a, a))
}

// Output:
// runtime error: makeslice: len out of range
// runtime error: makeslice: cap out of range
// runtime error: makeslice: cap out of range
// 4611686018427387904
